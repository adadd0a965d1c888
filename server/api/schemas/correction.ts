// JSON Schemas of corrections.

import type { JsonSchema } from '../validation/json-schema.ts';
import { instant } from './read.ts';

const count = { type: 'integer', minimum: 0 };

const signature: JsonSchema = {
  at: { ...instant, description: 'When.' },
  by: { type: 'string', description: 'Name of the token; empty when nobody is known.' },
  reason: { type: 'string' },
};

const correctionProperties: JsonSchema = {
  id: { type: 'integer', minimum: 1 },
  tag: { type: 'string' },
  kind: {
    enum: ['delete', 'replace', 'insert', 'cut'],
    description: '`cut`: points were removed from a time on for good, which is not undone.',
  },
  start: { ...instant, description: 'Start of the range.' },
  end: { ...instant, description: 'End of the range, which is part of it.' },
  points: { ...count, description: 'Points that it gives.' },
  ...signature,
  undone: {
    type: ['object', 'null'],
    description: 'Null while it is in force.',
    required: ['at', 'by', 'reason'],
    additionalProperties: false,
    properties: signature,
  },
};

export const correctionSchema: JsonSchema = {
  type: 'object',
  required: Object.keys(correctionProperties),
  additionalProperties: false,
  properties: correctionProperties,
};

export const correctionListSchema: JsonSchema = {
  type: 'array',
  items: { $ref: '#/components/schemas/Correction' },
};

const effectProperties: JsonSchema = {
  hidden: { ...count, description: 'Points that are not read any more; counted up to a million.' },
  added: { ...count, description: 'Points that are read instead, or besides.' },
};

export const correctionPreviewSchema: JsonSchema = {
  type: 'object',
  required: Object.keys(effectProperties),
  additionalProperties: false,
  properties: effectProperties,
};

export const correctionReceiptSchema: JsonSchema = {
  type: 'object',
  required: [...Object.keys(correctionProperties), ...Object.keys(effectProperties)],
  additionalProperties: false,
  properties: { ...correctionProperties, ...effectProperties },
};
