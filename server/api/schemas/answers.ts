// JSON Schemas of the answers that belong to no resource: problems, health and readiness.

import type { JsonSchema } from '../validation/json-schema.ts';

export const problemSchema: JsonSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string', description: 'The reason phrase of the status.' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What was wrong, for people.' },
    instance: { type: 'string', description: 'The path that was asked for.' },
    key: { type: 'string', description: 'What was wrong, for programs.' },
    message: { type: 'string', description: 'The same as detail.' },
    errors: {
      type: 'array',
      description: 'Faults of a body, the first 100.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        additionalProperties: false,
        properties: { path: { type: 'string', description: 'JSON pointer.' }, message: { type: 'string' } },
      },
    },
  },
};

export const healthSchema: JsonSchema = {
  type: 'object',
  required: ['status'],
  additionalProperties: false,
  properties: { status: { const: 'alive' } },
};

export const readySchema: JsonSchema = {
  type: 'object',
  required: ['status', 'progress'],
  additionalProperties: false,
  properties: {
    status: {
      enum: ['starting', 'ready', 'degraded', 'stopping'],
      description: '`degraded`: it serves, but for some datasets, or these take no writes.',
    },
    progress: { type: 'string', description: 'What the server is doing, in words.' },
    datasets: {
      type: 'array',
      description: 'When degraded: the datasets concerned, of those that the request may read.',
      items: {
        type: 'object',
        required: ['n', 'state', 'reason'],
        additionalProperties: false,
        properties: {
          n: { type: 'string', description: 'Name of the dataset.' },
          state: { enum: ['read-only', 'unavailable'] },
          reason: { type: 'string', description: 'Why, for people.' },
        },
      },
    },
  },
};
