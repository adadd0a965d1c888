// JSON Schemas of the change feed.

import type { JsonSchema } from '../validation/json-schema.ts';

export const changesBodySchema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    after: { type: 'string', description: 'The position of an earlier answer; everything when absent.' },
    limit: { type: 'integer', minimum: 1, maximum: 100_000, description: 'Most points; 10,000 when absent.' },
    wait: { type: 'integer', minimum: 0, maximum: 60, description: 'Seconds to wait until there is something.' },
  },
};

export const changesAnswerSchema: JsonSchema = {
  type: 'object',
  required: ['changes', 'position', 'isMore'],
  properties: {
    changes: {
      type: 'array',
      items: { type: 'object' },
      description: 'In the order in which they are to be carried out.',
    },
    position: { type: 'string', description: 'For the next request, as `after`.' },
    isMore: { type: 'boolean', description: 'Whether there was no place for all of it.' },
  },
};
