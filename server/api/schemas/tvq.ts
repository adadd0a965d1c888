// JSON Schemas of points (time, value, quality) and of what a write answers. Bodies of points are read by the TVQ
// parser; these schemas describe them, and validate statuses.

import { MAX_STATUSES } from '../validation/body-limits.ts';
import type { JsonSchema } from '../validation/json-schema.ts';

const time = { type: 'string', description: 'ISO 8601 time; UTC unless it has an offset. Answers have Z.' };
/** A time as it is sent. */
const givenTime = {
  type: ['string', 'number', 'null'],
  description: 'ISO 8601 time, UTC unless it has an offset, or ms since 1970. Absent: the server gives it.',
};
const quality = {
  type: 'integer',
  minimum: -2_147_483_648,
  maximum: 2_147_483_647,
  description: 'Quality; 192 is good.',
};
const value = {
  type: ['number', 'string', 'boolean', 'null'],
  description: "Value of the tag's type, or null.",
};

/** One point as it is sent. */
export const tvqBodySchema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    t: givenTime,
    v: { ...value, description: `${value.description} Absent: null.` },
    q: { ...quality, type: ['integer', 'null'], description: `${quality.description} Absent: 192.` },
  },
};

/** One point as it is answered. */
export const tvqAnswerSchema: JsonSchema = {
  type: 'object',
  required: ['t', 'v', 'q'],
  additionalProperties: false,
  properties: { t: time, v: value, q: quality },
};

/** The same under `--compat timebase`. */
export const timebaseTvqAnswerSchema: JsonSchema = {
  type: 'object',
  required: ['t', 'q'],
  additionalProperties: false,
  properties: {
    t: time,
    v: { type: ['number', 'string'], description: "Value of the tag's type; true and false as 1 and 0. Absent: null." },
    q: quality,
  },
};

/** One dataset status as it is sent; its value is not looked at. */
export const statusBodySchema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    t: givenTime,
    v: { description: 'Ignored; stored as null.' },
    q: {
      ...quality,
      type: ['integer', 'null'],
      description: '192 good, 64 heartbeat lost, 28 shut down, 24 source lost.',
    },
  },
};

export const statusPostSchema: JsonSchema = {
  anyOf: [
    { $ref: '#/components/schemas/StatusPoint' },
    { type: 'array', items: { $ref: '#/components/schemas/StatusPoint' }, maxItems: MAX_STATUSES },
  ],
};

export const tvqListSchema: JsonSchema = { type: 'array', items: { $ref: '#/components/schemas/Tvq' } };

/** The points of a tag as columns, as they are sent. */
export const columnsBodySchema: JsonSchema = {
  type: 'object',
  required: ['t', 'v'],
  additionalProperties: false,
  properties: {
    t: {
      type: 'array',
      items: { type: ['string', 'number', 'null'] },
      description: 'Times: ISO 8601, or ms since 1970; null: the server gives the time.',
    },
    v: { type: 'array', items: value, description: 'Values, one for each time.' },
    q: {
      anyOf: [
        { ...quality, type: ['integer', 'null'] },
        { type: 'array', items: { ...quality, type: ['integer', 'null'] } },
      ],
      description: 'The quality of all points, or one for each time. Absent or null: 192.',
    },
  },
};

/** The points of a tag as columns, as they are answered. */
export const columnsAnswerSchema: JsonSchema = {
  type: 'object',
  required: ['t', 'v', 'q'],
  additionalProperties: false,
  properties: {
    t: {
      anyOf: [
        { type: 'array', items: { type: 'integer' } },
        { type: 'array', items: time },
      ],
      description: 'Times: ms since 1970, or ISO 8601 when one of them has a part below the millisecond.',
    },
    v: { type: 'array', items: value, description: 'Values, one for each time.' },
    q: {
      anyOf: [quality, { type: 'array', items: quality }],
      description: 'The quality of all points, or one for each time.',
    },
  },
};

/** The points of one tag, in either form. */
export const tagPointsSchema: JsonSchema = {
  anyOf: [{ $ref: '#/components/schemas/TvqList' }, { $ref: '#/components/schemas/Columns' }],
};

export const tvqMapSchema: JsonSchema = {
  type: 'object',
  additionalProperties: { $ref: '#/components/schemas/TagPoints' },
};

const counts = {
  written: { type: 'integer', minimum: 0, description: 'Points stored.' },
  ignored: { type: 'integer', minimum: 0, description: "Points earlier than their tag's newest, dropped." },
  repeated: { type: 'integer', minimum: 0, description: 'Points that were stored already.' },
  rejected: { type: 'integer', minimum: 0, description: 'Faulty points left out.' },
  expired: { type: 'integer', minimum: 0, description: 'Points that the purge rules would take at once, not stored.' },
};

const countNames = Object.keys(counts);

export const receiptSchema: JsonSchema = {
  type: 'object',
  required: [...countNames, 'tags'],
  additionalProperties: false,
  properties: {
    ...counts,
    fault: {
      type: 'object',
      required: ['path', 'message'],
      additionalProperties: false,
      properties: {
        path: { type: 'string', description: 'JSON pointer into the body.' },
        message: { type: 'string' },
      },
      description: 'The first fault of the points that were left out.',
    },
    tags: {
      type: 'object',
      additionalProperties: { type: 'object', required: countNames, additionalProperties: false, properties: counts },
    },
  },
};

export const cutReceiptSchema: JsonSchema = {
  type: 'object',
  required: ['removed'],
  additionalProperties: false,
  properties: { removed: { type: 'integer', minimum: 0, description: 'Points taken away.' } },
};
