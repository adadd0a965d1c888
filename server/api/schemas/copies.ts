// JSON Schema of the answer about copies.

import type { JsonSchema } from '../validation/json-schema.ts';

const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };

export const copiesSchema: JsonSchema = {
  type: 'object',
  required: ['copies'],
  additionalProperties: false,
  properties: {
    copies: {
      type: 'array',
      items: {
        type: 'object',
        required: ['dataset', 'copy', 'centre', 'state', 'waitingTags', 'copiedPoints', 'failures'],
        additionalProperties: false,
        properties: {
          dataset: TEXT,
          copy: { type: 'string', description: 'Its name at the centre.' },
          centre: { type: 'string', description: 'Its address, without secrets.' },
          state: {
            enum: ['copying', 'waiting', 'stopped'],
            description: '`waiting`: the centre fails and is tried again; `stopped`: somebody has to mend something.',
          },
          reason: { type: 'string', description: 'Why it stands still.' },
          lagSeconds: { type: 'number', minimum: 0, description: 'Since all that was accepted was at the centre.' },
          waitingTags: COUNT,
          copiedPoints: COUNT,
          failures: COUNT,
        },
      },
    },
  },
};
