// What is wrong with a configuration: one Fault for each finding, with the JSON pointer to it, what was found, what is
// allowed, and the nearest known name. Nothing here throws; faults are gathered and shown together.

export interface Fault {
  /** JSON pointer (RFC 6901) into the configuration; empty for the whole file. */
  readonly pointer: string;
  readonly found: string;
  readonly allowed: string;
  readonly nearest?: string;
}

/** Gathers faults while a configuration is read. */
export class FaultList {
  readonly faults: Fault[] = [];

  add(pointer: string, found: unknown, allowed: string, nearest?: string | undefined): void {
    const shown = typeof found === 'string' ? found : showFound(found);
    this.faults.push({ pointer, found: shown, allowed, ...(nearest === undefined ? {} : { nearest }) });
  }

  get count(): number {
    return this.faults.length;
  }
}

/** A value as a fault shows it: JSON, truncated to 120 characters. */
export function showFound(value: unknown): string {
  if (value === undefined) return 'nothing';
  const json = JSON.stringify(value);
  return json.length <= 120 ? json : `${json.slice(0, 117)}...`;
}

/** `/a/b` + `c/d` = `/a/b/c~1d`. */
export function childPointer(parent: string, key: string | number): string {
  return `${parent}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

export function formatFault(fault: Fault): string {
  const place = fault.pointer === '' ? '(whole file)' : fault.pointer;
  const hint = fault.nearest === undefined ? '' : `; did you mean ${JSON.stringify(fault.nearest)}?`;
  return `${place}: found ${fault.found}; allowed: ${fault.allowed}${hint}`;
}

/** The known name with the fewest edits from `name`, when it is near enough to have been meant. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const candidate of known) {
    const limit = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 2)) + 1;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), limit);
    if (distance < limit && distance < bestDistance && candidate !== '') {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Levenshtein distance; gives up with `limit` as soon as it cannot be below it. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    if (Math.min(...current) >= limit) return limit;
    previous = current;
  }
  return previous[b.length] ?? limit;
}
