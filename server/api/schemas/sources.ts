// JSON Schema of the answer about sources.

import type { JsonSchema } from '../validation/json-schema.ts';

const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };
const NUMBER = { type: 'number', minimum: 0 };

function closed(properties: Record<string, unknown>, optional: readonly string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: 'object', required, properties, additionalProperties: false };
}

export const sourcesSchema: JsonSchema = closed({
  sources: {
    type: 'array',
    items: closed(
      {
        name: TEXT,
        url: TEXT,
        state: {
          enum: ['connecting', 'connected', 'waiting', 'holding', 'stopped'],
          description: '`waiting`: for the next try to connect; `holding`: for a dataset that takes no points.',
        },
        connectedSince: TEXT,
        lastError: { type: 'string', description: 'Its time, and what went wrong.' },
        datasets: { type: 'array', items: TEXT },
        counts: { type: 'object', additionalProperties: COUNT, description: 'By name, as in the metrics.' },
        pointsPerSecond: NUMBER,
        lagSeconds: { ...NUMBER, description: 'How long the last stored points had waited since their message came.' },
        pendingMessages: COUNT,
        pendingBytes: COUNT,
        badMessages: {
          type: 'array',
          description: 'The last ones that could not become points, newest first.',
          items: closed({ time: TEXT, topic: TEXT, reason: TEXT, payload: TEXT }),
        },
      },
      ['connectedSince', 'lastError', 'lagSeconds'],
    ),
  },
  collectors: {
    type: 'array',
    description: 'Collectors in the process of the server (`--opcua`).',
    items: closed(
      {
        kind: { enum: ['opcua'] },
        dataset: TEXT,
        state: {
          enum: ['connecting', 'connected', 'waiting', 'stopped'],
          description: '`waiting`: no server can be reached, and it tries again; `stopped`: it has failed.',
        },
        endpoints: { type: 'array', items: TEXT },
        connectedTo: TEXT,
        lastError: { type: 'string', description: 'Its time, and what went wrong.' },
        variables: COUNT,
        pointsPerSecond: NUMBER,
        lagSeconds: { ...NUMBER, description: 'How far the last stored points were behind the clock.' },
        counts: { type: 'object', additionalProperties: COUNT, description: 'By name, as in the metrics.' },
        waiting: closed({ points: COUNT, bytes: COUNT, batches: COUNT, seconds: COUNT }),
      },
      ['connectedTo', 'lastError', 'lagSeconds'],
    ),
  },
  writers: {
    type: 'array',
    description: 'Clients that have written over HTTP since the start, up to 200; the one that wrote last comes first.',
    items: closed(
      {
        dataset: TEXT,
        client: { type: 'string', description: 'As it calls itself (`User-Agent`); empty where it does not.' },
        way: { enum: ['api', 'line-protocol'] },
        lastWrite: { type: 'string', description: 'Absent while all that it sent was refused.' },
        pointsPerSecond: NUMBER,
        counts: {
          type: 'object',
          additionalProperties: COUNT,
          description:
            'Its `requests`, and those that were `refused`; points that were `stored`, `ignored`, `repeated`, `expired` and `rejected`, as in receipts.',
        },
        lastError: { type: 'string', description: 'Its time, and why a request, or a point of one, was refused last.' },
      },
      ['lastWrite', 'lastError'],
    ),
  },
});
