// What `varve export` asks the server for: its flags as the body of a read.

import { UsageError } from '../../settings/read-settings.ts';

export const FORMATS = ['csv', 'jsonl', 'parquet', 'arrow'] as const;
export type ExportFormat = (typeof FORMATS)[number];

export const REQUEST_FLAGS = [
  ...['tag', 'tags', 'start', 'end', 'tz', 'format', 'layout', 'aggregate', 'interval', 'fill'],
  ...['separator', 'decimal', 'time-format'],
];
export const REQUEST_SWITCHES = ['align', 'escape-formulas'];

const LAYOUTS = ['long', 'wide'] as const;
const FIRST_TIME = '0001-01-01T00:00:00Z';
const LAST_TIME = '9999-12-31T23:59:59.9999999Z';
/** Times by themselves; all others are relative to now. */
const ABSOLUTE = /^(?:\d{4}-|[+-]?\d{11,})/;
const SEPARATOR_WORDS = new Map([
  ['comma', ','],
  ['semicolon', ';'],
  ['pipe', '|'],
]);

type Values = ReadonlyMap<string, readonly string[]>;

/** By the flag; without it by the ending of the file; else CSV. Throws a `UsageError`. */
export function formatOf(values: Values, path: string): ExportFormat {
  const named = oneOf(values, 'format', FORMATS);
  const [, ending = ''] = /\.(\w+)$/.exec(path.toLowerCase()) ?? [];
  return named ?? FORMATS.find((format) => format === ending || (format === 'arrow' && ending === 'arrows')) ?? 'csv';
}

/** The body of the read; what it says of times, zones and functions the server checks. Throws a `UsageError`. */
export function exportBody(values: Values, format: ExportFormat): Readonly<Record<string, unknown>> {
  const last = (name: string): string | undefined => values.get(name)?.at(-1);
  const separator = last('separator');
  const body = {
    ...chosenTags(values),
    ...timesOf(values),
    ...formOf(oneOf(values, 'layout', LAYOUTS) ?? 'long', format),
    tz: last('tz'),
    aggregate: values.get('aggregate'),
    interval: last('interval'),
    align: values.has('align') ? true : undefined,
    fill: last('fill'),
    separator: separator === undefined ? undefined : (SEPARATOR_WORDS.get(separator) ?? separator),
    decimal: last('decimal'),
    escapeFormulas: values.has('escape-formulas') ? true : undefined,
    timeFormat: last('time-format'),
    // Digits that a double does not hold are lost to many who read JSON.
    exact: format === 'jsonl' ? 'string' : undefined,
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/** All tags without a flag. */
function chosenTags(values: Values): object {
  const [names, patterns] = [values.get('tag'), values.get('tags')];
  if (names === undefined && patterns === undefined) return { tags: ['*'] };
  return { tagname: names, tags: patterns };
}

/** All points without a flag, those ahead of now too. */
function timesOf(values: Values): object {
  const [start, end] = (['start', 'end'] as const).map((name) => values.get(name)?.at(-1));
  const isOfFunctions = values.has('aggregate');
  if (isOfFunctions && start === undefined) throw new UsageError('--aggregate needs --start <time>, such as -1d.');
  // Functions have an interval for each piece of the range: up to now, as a read has it.
  const lastTime = isOfFunctions ? {} : { end: LAST_TIME };
  return {
    ...(start === undefined ? { start: FIRST_TIME } : bound('start', 'relativeStart', start)),
    ...(end === undefined ? lastTime : bound('end', 'relativeEnd', end)),
  };
}

function bound(absolute: string, relative: string, text: string): object {
  return ABSOLUTE.test(text) ? { [absolute]: text } : { [relative]: text };
}

function formOf(layout: (typeof LAYOUTS)[number], format: ExportFormat): object {
  if (layout === 'long') return { format };
  if (format === 'parquet' || format === 'arrow')
    throw new UsageError('--layout wide goes with --format csv and jsonl.');
  return { format: 'wide', as: format };
}

function oneOf<T extends string>(values: Values, flag: string, known: readonly T[]): T | undefined {
  const word = values.get(flag)?.at(-1);
  const found = known.find((one) => one === word);
  if (word === undefined || found !== undefined) return found;
  throw new UsageError(`--${flag}: got '${word}'; want ${known.join(' or ')}.`);
}
