// The parameters that several operations share.

import { MAX_INTERVAL_CHARS, MAX_TAG_PATTERNS } from '../schemas/read.ts';
import type { Parameter } from './operation.ts';

const text = { type: 'string' };

const time = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'query',
  description,
  schema: text,
  example,
});

/** A bound has one form at most; none at all reads the newest point. */
export const TIME_PARAMETERS: readonly Parameter[] = [
  time('start', 'First time, inclusive: ISO 8601, or ms since 1970.', '2024-01-01T00:00:00Z'),
  time(
    'end',
    'Last time, inclusive: ISO 8601, or ms since 1970. Now when there is only a start.',
    '2024-01-01T01:00:00Z',
  ),
  time('unixStart', 'First time in seconds since 1970; from 1e11 up in milliseconds.', '1704067200'),
  time('unixEnd', 'Last time in seconds since 1970; from 1e11 up in milliseconds.', '1704070800'),
  time(
    'relativeStart',
    'First time from now: [now|y|M|w|d|h|m][+-]<n><unit>… with the units y M w d h m s; a unit in front is the start of the present one.',
    '-2h',
  ),
  time('relativeEnd', 'Last time from now.', '-1h'),
  time(
    'tz',
    'Time zone of relative times, intervals, and times in files: an IANA name. UTC when absent.',
    'Europe/Berlin',
  ),
];

export const TAGNAME_PARAMETER: Parameter = {
  name: 'tagname',
  in: 'query',
  description: 'Name of a tag; repeat it for several.',
  isRequired: true,
  schema: { type: 'array', items: text },
  example: ['Boiler.Temperature'],
};

export const BOUNDARY_PARAMETER: Parameter = {
  name: 'boundary',
  in: 'query',
  description: '`carry` gives the point in force at the start first, with its own time.',
  schema: { enum: ['inside', 'carry'], default: 'inside' },
};

const INTERPOLATION_PARAMETER: Parameter = {
  name: 'interpolation',
  in: 'query',
  description: 'Between points. By default sloped for floating numbers, stepped for everything else.',
  schema: { enum: ['stepped', 'sloped'] },
};

const UNCERTAIN_PARAMETER: Parameter = {
  name: 'treatUncertainAsBad',
  in: 'query',
  description: 'Whether uncertain values take no part.',
  schema: { enum: ['true', 'false'], default: 'true' },
};

/** Parameters of reads of functions. */
const AGGREGATE_PARAMETERS: readonly Parameter[] = [
  {
    name: 'aggregate',
    in: 'query',
    description:
      'Functions of OPC UA Part 13, such as TimeAverage: results of intervals instead of points. Several by commas or repeated.',
    schema: { type: 'array', items: text },
  },
  {
    name: 'interval',
    in: 'query',
    description:
      'Length of an interval: <n><unit>… with the units y M w d h m s ms; the calendar goes by `tz`. Without it the range is one interval.',
    schema: { ...text, maxLength: MAX_INTERVAL_CHARS },
    example: '1h',
  },
  {
    name: 'align',
    in: 'query',
    description: '`true`: intervals begin at full hours, days, months …; the first one is cut by the start.',
    schema: { enum: ['true', 'false'], default: 'false' },
  },
  INTERPOLATION_PARAMETER,
  {
    name: 'extrapolation',
    in: 'query',
    description: 'Behind the last point: `sloped` goes on as between the last two.',
    schema: { enum: ['stepped', 'sloped'], default: 'stepped' },
  },
  UNCERTAIN_PARAMETER,
  {
    name: 'percentGood',
    in: 'query',
    description: 'From how many percent of good on a result is good.',
    schema: { type: 'number', minimum: 0, maximum: 100, default: 100 },
  },
  {
    name: 'percentBad',
    in: 'query',
    description: 'From how many percent of bad on a result is bad.',
    schema: { type: 'number', minimum: 0, maximum: 100, default: 100 },
  },
  {
    name: 'fill',
    in: 'query',
    description: 'Intervals without a result: left out, null, the result before, or on the line between results.',
    schema: { enum: ['none', 'null', 'previous', 'linear'], default: 'null' },
  },
];

/** Parameters of all reads. */
export const READ_PARAMETERS: readonly Parameter[] = [
  ...TIME_PARAMETERS,
  ...AGGREGATE_PARAMETERS,
  {
    name: 'limit',
    in: 'query',
    description: 'At most so many points a tag; the entry then has `next`.',
    schema: { type: 'integer', minimum: 1, maximum: 1_000_000_000 },
    example: 1000,
  },
  {
    name: 'after',
    in: 'query',
    description: 'Goes on behind an earlier answer: its `next`; may be repeated, one for each tag.',
    schema: { type: 'array', items: text },
  },
  BOUNDARY_PARAMETER,
  {
    name: 'exact',
    in: 'query',
    description: '`string` gives Int64, UInt64 and Decimal values as text.',
    schema: { enum: ['number', 'string'] },
  },
  {
    name: 'format',
    in: 'query',
    description:
      '`columns` gives the points of a tag as columns `t`, `v` and `q`; `rows` gives flat rows, `wide` a row for each time with a column for each tag; `csv`, `jsonl` and `parquet` are rows as such a file, `arrow` as a stream of Arrow.',
    schema: { enum: ['points', 'columns', 'rows', 'wide', 'csv', 'jsonl', 'parquet', 'arrow'] },
  },
  {
    name: 'as',
    in: 'query',
    description: 'Of `format=rows` and `format=wide`; by the header Accept when absent.',
    schema: { enum: ['json', 'csv', 'jsonl'] },
  },
  {
    name: 'separator',
    in: 'query',
    description: 'Stands between the cells of CSV; a comma when absent. `;` is `%3B` in an address.',
    schema: { enum: [',', ';', '|', '\t', 'tab'] },
  },
  {
    name: 'decimal',
    in: 'query',
    description: 'The decimal sign of numbers in CSV; a point when absent.',
    schema: { enum: ['.', ','] },
  },
  {
    name: 'escapeFormulas',
    in: 'query',
    description: '`true` puts an apostrophe before texts in CSV that a spreadsheet would compute.',
    schema: { type: 'boolean' },
  },
  {
    name: 'timeFormat',
    in: 'query',
    description:
      'Of times in files of CSV and JSON lines: `utc`; `offset`, by the clocks of `tz` with their offset (the default with `tz`); `local` without it, for spreadsheets, in CSV.',
    schema: { enum: ['utc', 'offset', 'local'] },
  },
  {
    name: 'points',
    in: 'query',
    description: 'For charts: the range in so many equal intervals, and of each a few points that show every spike.',
    schema: { type: 'integer', minimum: 1, maximum: 8000 },
    example: 2000,
  },
];

export const EXPRESSION_PARAMETER: Parameter = {
  name: 'expr',
  in: 'query',
  description:
    'Arithmetic of tags and numbers: one entry each, behind those of the tags, which may be missing then. Names that are not words with dots between them go in quotes.',
  schema: { type: 'array', items: text },
  example: ['(FL001.Flow - FL002.Flow) * 60'],
};

export const EXPRESSION_NAME_PARAMETER: Parameter = {
  name: 'exprName',
  in: 'query',
  description: 'What the entry of an `expr` is called: once for each, in their order.',
  schema: { type: 'array', items: text },
};

export const TAGS_PARAMETER: Parameter = {
  name: 'tags',
  in: 'query',
  description:
    'All tags whose names are as this, with `*` for any characters: `*` for all; may be repeated. System tags are read by `tagname`.',
  schema: { type: 'array', items: text, maxItems: MAX_TAG_PATTERNS },
  example: ['Boiler.*'],
};

export const MISSING_PARAMETER: Parameter = {
  name: 'missing',
  in: 'query',
  description: '`skip` leaves unknown tags out instead of answering 404.',
  schema: { enum: ['fail', 'skip'] },
};

export const STATISTICS_PARAMETERS: readonly Parameter[] = [
  TAGNAME_PARAMETER,
  ...TIME_PARAMETERS,
  INTERPOLATION_PARAMETER,
  UNCERTAIN_PARAMETER,
  MISSING_PARAMETER,
];

export const SINCE_PARAMETER: Parameter = {
  name: 'since',
  in: 'query',
  description: 'The `id` of the last event that came: what was missed since is sent first.',
  schema: text,
};

export const LAST_EVENT_PARAMETER: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The same; browsers send it by themselves.',
  schema: text,
};

export const PREFER_RECEIPT: Parameter = {
  name: 'Prefer',
  in: 'header',
  description: '`return=representation` answers the receipt as JSON instead of an empty body.',
  schema: text,
  example: 'return=representation',
};

export const PREFER_WRITE: Parameter = {
  name: 'Prefer',
  in: 'header',
  description:
    '`return=representation` answers the receipt as JSON; `handling=lenient` leaves faulty points out instead of refusing all.',
  schema: text,
  example: 'return=representation, handling=lenient',
};

export const RECEIPT_HEADERS = [
  'Historian-Written',
  'Historian-Ignored',
  'Historian-Repeated',
  'Historian-Rejected',
  'Historian-Ahead',
  'Historian-Fault',
  'Historian-Expired',
  'Preference-Applied',
];
