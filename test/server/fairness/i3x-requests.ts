// What clients of i3X ask of very many objects, and of many points.

import assert from 'node:assert/strict';
import {
  type ExpensiveRequest,
  type FairnessContext,
  inSlice,
  odd,
  sized,
  take,
  takeAll,
} from './expensive-request.ts';
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
const writeOfMonitored = odd({
  name: 'i3X: a write of 50 points of each of many tags, all monitored, and their sync',
  setUp: async (context) => {
    await keptTags(context);
    await context.once('i3X subscription', () => subscribe(context));
  },
  async send(context) {
    const t = JSON.stringify(Array.from({ length: 50 }, (_, i) => writtenMs + i));
    const v = JSON.stringify(Array.from({ length: 50 }, (_, i) => i / 10));
    writtenMs += 1000;
    const count = sized(context, 5000, 15_000);
    const body = `{${Array.from({ length: count }, (_, i) => `"${tagName(i)}":{"t":${t},"v":${v}}`).join(',')}}`;
    const { status } = await take(context, 'POST', '/api/datasets/FairTagsKept/data', { body, headers: JSON_TYPE });
    assert.equal(status, 200);
    const sync = { body: JSON.stringify({ clientId: CLIENT, subscriptionId }), headers: JSON_TYPE };
    const answer = await take(context, 'POST', `${BASE}/subscriptions/sync`, sync);
    assert.equal(answer.status, 206);
    assert.ok(answer.sizeBytes > 4_000_000, `got ${answer.sizeBytes} bytes`);
  },
});

const SHARED = 'FairShared';
const SHARED_TAGS = 2000;
/** Many of the 250 that a token may have. */
const SUBSCRIPTIONS = 200;
/** Most points that are passed on one by one. */
const SHARED_POINTS = 16;

/** A write to each of the tags, in one go. */
async function writeShared(context: FairnessContext, pointCount: number): Promise<void> {
  const t = JSON.stringify(Array.from({ length: pointCount }, (_, i) => writtenMs + i));
  const v = JSON.stringify(Array.from({ length: pointCount }, (_, i) => i / 10));
  writtenMs += 1000;
  const body = `{${Array.from({ length: SHARED_TAGS }, (_, i) => `"S${i}":{"t":${t},"v":${v}}`).join(',')}}`;
  const { status } = await take(context, 'POST', `/api/datasets/${SHARED}/data`, { body, headers: JSON_TYPE });
  assert.equal(status, 200);
}

async function subscribeShared(context: FairnessContext): Promise<void> {
  await writeShared(context, 1);
  const ids = Array.from({ length: SHARED_TAGS }, (_, i) => `${SHARED}:S${i}`);
  for (let i = 0; i < SUBSCRIPTIONS; i++) {
    const made = await context.http.post(`${BASE}/subscriptions`, { clientId: SHARED });
    const { subscriptionId: id } = made.json<{ result: { subscriptionId: string } }>().result;
    await ask(context, 'subscriptions/register', { clientId: SHARED, subscriptionId: id, elementIds: ids }, 100);
  }
}

const writeOfShared: ExpensiveRequest = {
  name: 'i3X: a write of points of many tags that very many subscriptions listen to',
  setUp: (context) => context.once('i3X subscriptions of all', () => subscribeShared(context)),
  send: (context) => writeShared(context, SHARED_POINTS),
};

const LONG_IDS = 'FairLongIds';
const LONG_TAGS = Array.from({ length: 8 }, (_, i) => `T${i}/`.padEnd(1000, '"'));

async function writeLongIds(context: FairnessContext, pointCount: number): Promise<void> {
  const t = Array.from({ length: pointCount }, (_, i) => writtenMs + i);
  writtenMs += 10_000;
  const body = JSON.stringify(Object.fromEntries(LONG_TAGS.map((name) => [name, { t, v: t.map((_, i) => i) }])));
  const { status } = await take(context, 'POST', `/api/datasets/${LONG_IDS}/data`, { body, headers: JSON_TYPE });
  assert.equal(status, 200);
}

let longIdsSubscription = '';

async function subscribeLongIds(context: FairnessContext): Promise<void> {
  await writeLongIds(context, 1);
  const made = await context.http.post(`${BASE}/subscriptions`, { clientId: LONG_IDS });
  longIdsSubscription = made.json<{ result: { subscriptionId: string } }>().result.subscriptionId;
  const elementIds = LONG_TAGS.map((name) => `${LONG_IDS}:${name}`);
  const asked = { clientId: LONG_IDS, subscriptionId: longIdsSubscription, elementIds };
  await ask(context, 'subscriptions/register', asked, 100);
}

/** 64,000 points, which the engine stores in one go. */
const syncOfLongIds: ExpensiveRequest = {
  name: 'i3X: a write of many points of tags with very long names, all monitored, and their sync',
  setUp: (context) => context.once('i3X subscription of long names', () => subscribeLongIds(context)),
  async send(context) {
    await writeLongIds(context, 8000);
    const body = JSON.stringify({ clientId: LONG_IDS, subscriptionId: longIdsSubscription });
    const answer = await take(context, 'POST', `${BASE}/subscriptions/sync`, { body, headers: JSON_TYPE });
    assert.ok(answer.sizeBytes > 8_000_000, `got ${answer.sizeBytes} bytes`);
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
  syncOfLongIds,
  // The last one: what waits for its subscriptions is all that may wait.
  inSlice(writeOfShared),
];
