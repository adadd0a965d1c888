// JSON Schemas of statistics.

import type { JsonSchema } from '../validation/json-schema.ts';
import { functionProperties, gaps, instant, rangeProperties } from './read.ts';

export const statisticsBodySchema: JsonSchema = {
  type: 'object',
  required: ['tagname'],
  additionalProperties: false,
  properties: {
    ...rangeProperties,
    end: { ...rangeProperties.end, description: 'End of the range, not part of it (ISO 8601).' },
    ...functionProperties,
  },
};

const count = { type: 'integer', minimum: 0 };
const numberOrNull = { type: ['number', 'null'] };

const point = (description: string): JsonSchema => ({
  description: `${description}; null where there is none.`,
  anyOf: [{ $ref: '#/components/schemas/TvqAnswer' }, { type: 'null' }],
});

/** An object that is null where there is nothing to tell. */
const orNull = (description: string, properties: JsonSchema): JsonSchema => ({
  type: ['object', 'null'],
  description,
  required: Object.keys(properties),
  additionalProperties: false,
  properties,
});

export const tagStatisticsSchema: JsonSchema = {
  type: 'object',
  required: [
    ...['t', 'points', 'good', 'first', 'last', 'min', 'max', 'mean', 'timeMean', 'deviation'],
    ...['percentiles', 'percentGood', 'longestGap'],
  ],
  additionalProperties: false,
  properties: {
    t: { $ref: '#/components/schemas/TagAnswer' },
    points: { ...count, description: 'Points of the range.' },
    good: { ...count, description: 'Good ones among them.' },
    first: point('The first point; without its value when it is bad'),
    last: point('The last point; without its value when it is bad'),
    min: point('The first of the smallest good values'),
    max: point('The first of the largest good values'),
    mean: { ...numberOrNull, description: 'Of the good values, whatever time they held.' },
    timeMean: { ...numberOrNull, description: 'Over time: the function TimeAverage.' },
    deviation: { ...numberOrNull, description: 'Of the good values, over n - 1.' },
    percentiles: orNull('Of the good values.', {
      p5: { type: 'number' },
      p50: { type: 'number', description: 'The median.' },
      p95: { type: 'number' },
      of: { enum: ['all', 'sample'], description: 'sample: of a million of them, taken by chance.' },
    }),
    percentGood: { type: 'number', description: 'Share of the range in which the value was good.' },
    longestGap: orNull('The longest time of the range without a point, up to now.', {
      s: instant,
      e: instant,
      ms: { type: 'number', description: 'Its length.' },
    }),
    gaps,
  },
};

export const statisticsSchema: JsonSchema = {
  type: 'object',
  required: ['s', 'e', 'tl'],
  additionalProperties: false,
  properties: {
    s: { ...instant, description: 'Start of the range.' },
    e: { ...instant, description: 'End of the range, not part of it.' },
    tl: { type: 'array', items: { $ref: '#/components/schemas/TagStatistics' } },
  },
};
