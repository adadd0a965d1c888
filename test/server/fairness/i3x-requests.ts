// What clients of i3X ask of very many objects, and of many points.

import assert from 'node:assert/strict';
import { type ExpensiveRequest, type FairnessContext, inSlice, sized, take, takeAll } from './expensive-request.ts';
import { longCount, writeLongTags } from './read-requests.ts';
import { keptTags, tagCount, tagName } from './tag-requests.ts';

const BASE = '/i3x/v1';
const JSON_TYPE = { 'content-type': 'application/json' };
/** The most that one request may name. */
const MOST_LISTED = 100_000;
const CLIENT = 'fair';

function ofKeptTags(name: string, send: (context: FairnessContext) => Promise<void>): ExpensiveRequest {
  return { name: `i3X: ${name}`, setUp: keptTags, send };
}

function elementIds(context: FairnessContext): string[] {
  const count = Math.min(tagCount(context), MOST_LISTED);
  return Array.from({ length: count }, (_, i) => `FairTagsKept:${tagName(i)}`);
}

function ask(context: FairnessContext, path: string, body: object, minBytes: number): Promise<void> {
  return takeAll(context, `${BASE}/${path}`, { body: JSON.stringify(body), headers: JSON_TYPE, minBytes });
}

const history: ExpensiveRequest = {
  name: 'i3X: history of 4 tags of many points',
  setUp: writeLongTags,
  send: (context) =>
    ask(
      context,
      'objects/history',
      {
        elementIds: [0, 1, 2, 3].map((i) => `FairReads:Long${i}`),
        startTime: '2024-01-01T00:00:00Z',
        endTime: '2025-01-01T00:00:00Z',
      },
      longCount(context) * 200,
    ),
};

let subscriptionId = '';

async function subscribe(context: FairnessContext): Promise<void> {
  const made = await context.http.post(`${BASE}/subscriptions`, { clientId: CLIENT });
  subscriptionId = made.json<{ result: { subscriptionId: string } }>().result.subscriptionId;
  await ask(
    context,
    'subscriptions/register',
    { clientId: CLIENT, subscriptionId, elementIds: elementIds(context) },
    100,
  );
}

let writtenMs = Date.UTC(2040, 0, 1);

/** Points of many tags that a subscription listens to, and what waits for it then. */
const writeOfMonitored: ExpensiveRequest = {
  name: 'i3X: a write of 50 points of each of many tags, all monitored, and their sync',
  setUp: async (context) => {
    await keptTags(context);
    await context.once('i3X subscription', () => subscribe(context));
  },
  async send(context) {
    const t = JSON.stringify(Array.from({ length: 50 }, (_, i) => writtenMs + i));
    const v = JSON.stringify(Array.from({ length: 50 }, (_, i) => i / 10));
    writtenMs += 1000;
    const count = sized(context, 5000, 20_000);
    const body = `{${Array.from({ length: count }, (_, i) => `"${tagName(i)}":{"t":${t},"v":${v}}`).join(',')}}`;
    const { status } = await take(context, 'POST', '/api/datasets/FairTagsKept/data', { body, headers: JSON_TYPE });
    assert.equal(status, 200);
    const sync = { body: JSON.stringify({ clientId: CLIENT, subscriptionId }), headers: JSON_TYPE };
    const answer = await take(context, 'POST', `${BASE}/subscriptions/sync`, sync);
    assert.equal(answer.status, 206);
    assert.ok(answer.sizeBytes > 4_000_000, `got ${answer.sizeBytes} bytes`);
  },
};

export const i3xRequests: readonly ExpensiveRequest[] = [
  ofKeptTags('all objects of very many tags', (context) =>
    takeAll(context, `${BASE}/objects?includeMetadata=true`, { minBytes: tagCount(context) * 100 }),
  ),
  ofKeptTags('very many objects by name', (context) =>
    ask(context, 'objects/list', { elementIds: elementIds(context), includeMetadata: true }, 1_000_000),
  ),
  ofKeptTags('values of very many objects', (context) =>
    ask(context, 'objects/value', { elementIds: elementIds(context) }, 1_000_000),
  ),
  ofKeptTags('what very many objects are related to', (context) =>
    ask(context, 'objects/related', { elementIds: ['FairTagsKept', ...elementIds(context).slice(0, 300)] }, 10_000),
  ),
  inSlice(history),
  inSlice(writeOfMonitored),
];
