// JSON Schemas of datasets, and the way from a checked body to the engine's definition.

import type { DatasetDefinition, DatasetInfo } from '../../engine/index.ts';
import type { JsonObject, JsonSchema } from './json-schema.ts';

const purgeLimit = { type: 'integer', minimum: 0, maximum: 2_147_483_647 };

/** What clients send. `s`, `c` and `a` are taken and ignored: clients send back what they have read. */
export const datasetBodySchema: JsonSchema = {
  type: 'object',
  required: ['n', 'pa', 'ps'],
  additionalProperties: false,
  properties: {
    n: { type: 'string', description: 'Name of the dataset.' },
    pa: { ...purgeLimit, description: 'Purge age in days; 0 is no limit.' },
    ps: { ...purgeLimit, description: 'Purge size in gigabytes (10^9 bytes); 0 is no limit.' },
    s: { description: 'Ignored.' },
    c: { description: 'Ignored.' },
    a: { description: 'Ignored.' },
  },
};

export const datasetAnswerSchema: JsonSchema = {
  type: 'object',
  required: ['n', 'pa', 'ps', 's', 'c', 'a'],
  additionalProperties: false,
  properties: {
    n: { type: 'string', description: 'Name of the dataset.' },
    pa: { ...purgeLimit, description: 'Purge age in days; 0 is no limit.' },
    ps: { ...purgeLimit, description: 'Purge size in gigabytes (10^9 bytes); 0 is no limit.' },
    s: { type: 'number', minimum: 0, description: 'Gigabytes that the folder of the dataset takes on disk.' },
    c: { type: 'integer', minimum: 0, description: 'Number of user tags.' },
    a: { type: 'number', minimum: 0, description: 'Age of the oldest readable user point in days; 0 when empty.' },
  },
};

export const datasetListSchema: JsonSchema = { type: 'array', items: { $ref: '#/components/schemas/DatasetAnswer' } };

/** Of a body that `datasetBodySchema` has passed. */
export function toDatasetDefinition(body: JsonObject): DatasetDefinition {
  return { name: body.n as string, purgeAgeDays: body.pa as number, purgeSizeGb: body.ps as number };
}

/** The Dataset object of an answer. */
export function toDatasetAnswer(info: DatasetInfo): object {
  return {
    n: info.name,
    pa: info.purgeAgeDays,
    ps: info.purgeSizeGb,
    s: info.sizeGb,
    c: info.tagCount,
    a: info.ageDays,
  };
}
