// Times relative to now, as the API has them, but for starts of units and zones: `[now][+-]<n><unit>…`, units y M w d h m s,
// calendar steps in UTC.

const FORM = /^(now)?([+-])?((?:\d+[yMwdhms])+)$/;
const UNIT_MS: Readonly<Record<string, number>> = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };
const MOST_COUNT = 1e9;

/** True for what `resolveRelative` takes. */
export function isRelative(text: string): boolean {
  return text === 'now' || FORM.test(text);
}

/** Milliseconds since 1970. Throws a RangeError for what is no relative time. */
export function resolveRelative(text: string, nowMs: number): number {
  if (text === 'now') return nowMs;
  const match = FORM.exec(text);
  if (match === null) throw new RangeError(`'${text}' is no relative time`);
  const sign = match[2] === '-' ? -1 : 1;
  let timeMs = nowMs;
  for (const [, digits = '0', unit = 's'] of (match[3] ?? '').matchAll(/(\d+)([yMwdhms])/g)) {
    timeMs = takeStep(timeMs, sign * Math.min(MOST_COUNT, Number(digits)), unit);
  }
  return timeMs;
}

function takeStep(timeMs: number, count: number, unit: string): number {
  const unitMs = UNIT_MS[unit];
  if (unitMs !== undefined) return timeMs + count * unitMs;
  return addMonths(timeMs, unit === 'y' ? 12 * count : count);
}

function addMonths(timeMs: number, months: number): number {
  const date = new Date(timeMs);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}

/** A span as the shortest exact relative time without a sign: `90m`, `2h`, `1d12h`; whole seconds. */
export function formatRelativeSpan(spanMs: number): string {
  let seconds = Math.max(1, Math.round(spanMs / 1000));
  const parts: string[] = [];
  for (const [unit, size] of [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
    ['s', 1],
  ] as const) {
    const count = Math.floor(seconds / size);
    seconds -= count * size;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.join('');
}
