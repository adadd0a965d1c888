// JSON Schemas of datasets, and the way from a checked body to the engine's definition.

import type { DatasetDefinition, DatasetInfo } from '../../../engine/index.ts';
import type { JsonObject, JsonSchema } from '../validation/json-schema.ts';

const purgeLimit = { type: 'integer', minimum: 0, maximum: 2_147_483_647 };
const lateLimit = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const LATE = 'Whether points earlier than the newest of their tag are stored (`accept`) or ignored (`ignore`).';
const LATE_TOLERANCE = 'How many milliseconds earlier than the newest of its tag a late point may be; 0 is no limit.';
const LATE_AGE = 'How many days before now a late point may be; 0 is no limit.';

/** What clients send. Members that only answers have are accepted and ignored: clients send back what they have read. */
export const datasetBodySchema: JsonSchema = {
  type: 'object',
  required: ['n', 'pa', 'ps'],
  additionalProperties: false,
  properties: {
    n: { type: 'string', description: 'Name of the dataset.' },
    pa: { ...purgeLimit, description: 'Purge age in days; 0 is no limit.' },
    ps: { ...purgeLimit, description: 'Purge size in gigabytes (10^9 bytes); 0 is no limit.' },
    late: { enum: ['ignore', 'accept'], description: `${LATE} Absent: as it was, at first \`ignore\`.` },
    ldt: { ...lateLimit, description: `${LATE_TOLERANCE} Absent: as it was.` },
    lda: { ...lateLimit, description: `${LATE_AGE} Absent: as it was.` },
    s: { description: 'Ignored.' },
    c: { description: 'Ignored.' },
    a: { description: 'Ignored.' },
    state: { description: 'Ignored.' },
    reason: { description: 'Ignored.' },
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
    late: { enum: ['ignore', 'accept'], description: `${LATE} Absent when it was never set.` },
    ldt: { ...lateLimit, description: `${LATE_TOLERANCE} Absent when it was never set.` },
    lda: { ...lateLimit, description: `${LATE_AGE} Absent when it was never set.` },
    s: { type: 'number', minimum: 0, description: 'Gigabytes that the folder of the dataset takes on disk.' },
    c: { type: 'integer', minimum: 0, description: 'Number of user tags.' },
    a: { type: 'number', minimum: 0, description: 'Age of the oldest readable user point in days; 0 when empty.' },
    state: {
      enum: ['read-only', 'unavailable'],
      description:
        'Absent when all is well. `read-only`: writes are answered with 507. `unavailable`: it could not be opened, requests are answered with 503, and `s`, `c` and `a` are 0.',
    },
    reason: { type: 'string', description: 'With `state`: why, for people.' },
  },
};

export const datasetListSchema: JsonSchema = { type: 'array', items: { $ref: '#/components/schemas/DatasetAnswer' } };

/** Definition from a body that `datasetBodySchema` has passed. */
export function toDatasetDefinition(body: JsonObject): DatasetDefinition {
  const { n, pa, ps, late, ldt, lda } = body;
  return {
    name: n as string,
    purgeAgeDays: pa as number,
    purgeSizeGb: ps as number,
    ...(late === 'ignore' || late === 'accept' ? { late } : {}),
    ...(typeof ldt === 'number' ? { lateToleranceMs: ldt } : {}),
    ...(typeof lda === 'number' ? { lateAgeDays: lda } : {}),
  };
}

/** The Dataset object of an answer. */
export function toDatasetAnswer(info: DatasetInfo): object {
  return {
    n: info.name,
    pa: info.purgeAgeDays,
    ps: info.purgeSizeGb,
    ...(info.late === undefined ? {} : { late: info.late }),
    ...(info.lateToleranceMs === undefined ? {} : { ldt: info.lateToleranceMs }),
    ...(info.lateAgeDays === undefined ? {} : { lda: info.lateAgeDays }),
    s: info.sizeGb,
    c: info.tagCount,
    a: info.ageDays,
    ...(info.state !== undefined && { state: info.state, reason: info.reason }),
  };
}
