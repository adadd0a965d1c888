// JSON Schemas of reads: the parameters as a body, and the two answers.

import { MAX_ENTRIES } from '../validation/body-limits.ts';
import type { JsonSchema } from '../validation/json-schema.ts';

/** Longest interval such as 1h30m: each length in it is gone along the calendar for each edge. */
export const MAX_INTERVAL_CHARS = 100;

/** Most patterns of one read: each is compared with every name. */
export const MAX_TAG_PATTERNS = 100;

const isoTime = { type: 'string', minLength: 1 };
const unixTime = { type: ['number', 'string'] };

/** Properties of every request about tags in a range. */
export const rangeProperties = {
  tagname: {
    type: 'array',
    items: { type: 'string' },
    maxItems: MAX_ENTRIES,
    description: 'The tags to read, answered in this order.',
  },
  start: { ...unixTime, description: 'First time, inclusive: ISO 8601, or ms since 1970.' },
  end: { ...unixTime, description: 'Last time, inclusive: ISO 8601, or ms since 1970.' },
  unixStart: { ...unixTime, description: 'First time in seconds since 1970; from 1e11 up in milliseconds.' },
  unixEnd: { ...unixTime, description: 'Last time in seconds since 1970; from 1e11 up in milliseconds.' },
  relativeStart: { ...isoTime, description: 'First time from now, such as -2h, or d-1d for the start of yesterday.' },
  relativeEnd: { ...isoTime, description: 'Last time from now, such as -1h.' },
  tz: { ...isoTime, description: 'Time zone of relative times (IANA name); UTC when absent.' },
  missing: { enum: ['fail', 'skip'], description: 'skip leaves unknown tags out.' },
};

/** How functions take the points. */
export const functionProperties = {
  interpolation: { enum: ['stepped', 'sloped'], description: 'Between points; by default by the type of the tag.' },
  treatUncertainAsBad: { type: 'boolean', description: 'Whether uncertain values take no part; true when absent.' },
};

export const readBodySchema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...rangeProperties,
    tz: {
      ...isoTime,
      description: 'Time zone of relative times, intervals and times in files (IANA name); UTC when absent.',
    },
    tags: {
      type: 'array',
      items: { type: 'string' },
      maxItems: MAX_TAG_PATTERNS,
      description: 'All tags whose names are as one of these, with * for any characters; behind those of tagname.',
    },
    expr: {
      type: 'array',
      items: { type: 'string' },
      maxItems: MAX_ENTRIES,
      description: 'Arithmetic of tags and numbers: an entry each, behind those of the tags.',
    },
    exprName: {
      type: 'array',
      items: { type: 'string' },
      maxItems: MAX_ENTRIES,
      description: 'What the entries of expr are called, in their order; the expressions when absent.',
    },
    limit: { type: 'integer', minimum: 1, maximum: 1_000_000_000, description: 'At most so many points a tag.' },
    after: {
      type: 'array',
      items: { type: 'string' },
      maxItems: MAX_ENTRIES,
      description: 'Markers `next` of an earlier answer.',
    },
    boundary: { enum: ['inside', 'carry'], description: 'carry gives the point in force at the start first.' },
    exact: { enum: ['number', 'string'], description: 'string gives Int64, UInt64 and Decimal as text.' },
    points: { type: 'integer', minimum: 1, maximum: 8000, description: 'Reduces to so many intervals, for charts.' },
    format: {
      enum: ['points', 'columns', 'rows', 'wide', 'csv', 'jsonl', 'parquet', 'arrow'],
      description:
        'columns gives the points of a tag as columns, rows flat rows, wide rows with a column for each tag; csv, jsonl and parquet are rows as such a file, arrow as a stream of Arrow.',
    },
    as: { enum: ['json', 'csv', 'jsonl'], description: 'Of rows; by Accept when absent.' },
    separator: { enum: [',', ';', '|', '\t', 'tab'], description: 'Between the cells of CSV; a comma when absent.' },
    decimal: { enum: ['.', ','], description: 'The decimal sign in CSV; a point when absent.' },
    escapeFormulas: {
      type: 'boolean',
      description: 'Whether texts that a spreadsheet would compute get an apostrophe in front; false when absent.',
    },
    timeFormat: {
      enum: ['utc', 'offset', 'local'],
      description:
        'Of times in files: utc; offset by the clocks of tz, the default with it; local without the offset, in CSV.',
    },
    aggregate: {
      type: 'array',
      items: { type: 'string' },
      maxItems: MAX_ENTRIES,
      description: 'Functions of OPC UA Part 13: results of intervals instead of points.',
    },
    interval: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_INTERVAL_CHARS,
      description: 'Length of an interval, such as 15m, 1h or 1M.',
    },
    align: { type: 'boolean', description: 'true: intervals begin at full hours, days, months …' },
    ...functionProperties,
    extrapolation: { enum: ['stepped', 'sloped'], description: 'Behind the last point.' },
    percentGood: {
      type: 'number',
      minimum: 0,
      maximum: 100,
      description: 'From how many percent on a result is good.',
    },
    percentBad: { type: 'number', minimum: 0, maximum: 100, description: 'From how many percent on a result is bad.' },
    fill: {
      enum: ['none', 'null', 'previous', 'linear'],
      description: 'What stands in intervals without a result; null when absent.',
    },
  },
};

export const instant = { type: 'string', description: 'ISO 8601 time in UTC.' };

export const gaps = {
  type: 'array',
  description: 'Stretches that cannot be read because what holds them is damaged.',
  items: {
    type: 'object',
    required: ['s', 'e', 'points'],
    additionalProperties: false,
    properties: { s: instant, e: instant, points: { type: 'integer', minimum: 0 } },
  },
};

export const tagDataSchema: JsonSchema = {
  type: 'object',
  required: ['t', 's', 'e', 'd'],
  additionalProperties: false,
  properties: {
    t: { $ref: '#/components/schemas/TagAnswer' },
    a: { type: 'string', description: 'The function that the points are results of.' },
    state: { type: ['boolean', 'number', 'string', 'null'], description: 'Of a function of states, the value meant.' },
    stateName: { type: 'string', description: 'The text that the enumeration of the tag has for the state.' },
    s: { ...instant, description: 'Start of the range.' },
    e: { ...instant, description: 'End of the range.' },
    d: {
      anyOf: [
        { type: 'array', items: { $ref: '#/components/schemas/TvqAnswer' } },
        { $ref: '#/components/schemas/ColumnsAnswer' },
      ],
      description: 'The points; columns when they were asked for.',
    },
    gaps,
    next: { type: 'string', description: 'Where a limited read goes on: a value for `after`.' },
    reducedFrom: { type: 'integer', minimum: 0, description: 'Points of the range that `d` was reduced from.' },
    r: {
      type: 'object',
      description: 'With `a` or of an expression: what the results are, and what they were made of.',
      required: ['kind', 'points'],
      additionalProperties: false,
      properties: {
        kind: { enum: ['aggregate', 'calculated'] },
        intervalMs: { type: 'number', description: 'Length of the intervals, but for the last.' },
        interval: { type: 'string', description: 'The same of intervals that go by the calendar, as asked for.' },
        points: { type: 'integer', minimum: 0, description: 'Points of the range.' },
        percentGood: { type: 'number', description: 'Share of the range in which the value was good.' },
      },
    },
  },
};

export const multiTagDataSchema: JsonSchema = {
  type: 'object',
  required: ['s', 'e', 'tl'],
  additionalProperties: false,
  properties: {
    s: { ...instant, description: 'Start of the range.' },
    e: { ...instant, description: 'End of the range.' },
    tl: { type: 'array', items: { $ref: '#/components/schemas/TagData' } },
  },
};

export const rowsSchema: JsonSchema = {
  type: 'array',
  description:
    'Of format=rows `time`, `tag`, `value` and `quality`, with `function` for results; of format=wide `time` and a member for each tag.',
  items: {
    type: 'object',
    required: ['time'],
    properties: { time: instant },
    additionalProperties: { type: ['boolean', 'number', 'string', 'null'] },
  },
};
