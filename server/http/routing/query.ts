// Query strings. Clients send `+02:00` and `+2h` unencoded in times, so a plus stays a plus there, as it does in zones
// (`Etc/GMT+5`); elsewhere it is the blank that forms make of it.

import { ProblemError } from '../../problem.ts';

const TIME_PARAMETERS = new Set(['start', 'end', 'relativeStart', 'relativeEnd', 'unixStart', 'unixEnd', 'tz']);

/**
 * The parameters by name, the values of each in order. A name without `=` has the empty value. `nameOf` maps a name as it
 * was sent to the name of the parameter. Throws a `ProblemError` (400) for what is not percent-encoded UTF-8.
 */
export function parseQuery(
  query: string,
  nameOf: (sent: string) => string = (sent) => sent,
): ReadonlyMap<string, readonly string[]> {
  const parameters = new Map<string, string[]>();
  if (query === '') return parameters;
  for (const item of query.split('&')) {
    if (item === '') continue;
    const [name, value] = parseItem(item, nameOf);
    const values = parameters.get(name);
    if (values === undefined) parameters.set(name, [value]);
    else values.push(value);
  }
  return parameters;
}

function parseItem(item: string, nameOf: (sent: string) => string): [name: string, value: string] {
  const equals = item.indexOf('=');
  const name = nameOf(decodePlus(equals < 0 ? item : item.slice(0, equals)));
  const encoded = equals < 0 ? '' : item.slice(equals + 1);
  return [name, TIME_PARAMETERS.has(name) ? decodePercent(encoded) : decodePlus(encoded)];
}

function decodePlus(encoded: string): string {
  return decodePercent(encoded.includes('+') ? encoded.replaceAll('+', ' ') : encoded);
}

/** Decodes the escapes. Throws a `ProblemError` (400) for a broken escape or bytes that are not UTF-8. */
export function decodePercent(encoded: string): string {
  if (!encoded.includes('%')) return encoded;
  try {
    return decodeURIComponent(encoded);
  } catch (cause) {
    throw new ProblemError(400, `${JSON.stringify(shortened(encoded))} is not percent-encoded UTF-8.`, { cause });
  }
}

function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}...` : text;
}
