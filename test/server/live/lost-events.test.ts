// What a slow client has lost it is told: the newest points of every tag of which points were dropped, what was corrected, and
// nothing that is read from the store for it is dropped.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, PointColumns, ValueType } from '../../../engine/index.ts';
import { DEFAULT_STYLE } from '../../../server/codec/write-json/value-style.ts';
import { UNCHARGED } from '../../../server/http/memory/answer-memory.ts';
import { catchUp } from '../../../server/live/catch-up.ts';
import type { LiveDataset } from '../../../server/live/live-dataset.ts';
import { RecentRuns } from '../../../server/live/recent-runs.ts';
import { MAX_WAITING_CHARS, Subscriber } from '../../../server/live/subscriber.ts';
import { MOST_CORRECTED } from '../../../server/live/unsent.ts';
import { type Paused, PausingClient, pause, until } from './support/live-plant.ts';
import { upTo } from './support/live-values.ts';

/** Points of about 53 characters each: two writes of so many fill most of what may wait for a client. */
const NEARLY_HALF = 9900;

/** Points come in the turn after they were written. */
async function handedOut(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function fill({ plant }: Paused, writes: number): Promise<void> {
  for (let i = 0; i < writes; i++) {
    await plant.write(['C', 2 + i * NEARLY_HALF, NEARLY_HALF]);
    await handedOut();
  }
}

test('points that are read from the store wait until a blocked client takes something, and all of them come', async (context) => {
  const paused = await pause(context, ['A', 'B1', 'B2', 'C']);
  const { plant, client, subscriber } = paused;
  await fill(paused, 2);
  await plant.write(['B1', 1, 1], ['B2', 1, 1], ['A', 1, 10_001]);
  await until(() => !subscriber.isJoined, 'the points do not come from the store');
  await handedOut();
  client.goOn();
  await until(() => subscriber.isJoined, 'the client is not live again');
  assert.deepEqual(client.named('skipped'), [], 'nothing was too much');
  assert.deepEqual([client.valuesOf('B1', 'points'), client.valuesOf('B2', 'points')], [[1], [1]]);
  assert.deepEqual(client.valuesOf('A', 'points'), upTo(1, 10_001));
  assert.deepEqual(client.valuesOf('C', 'points'), upTo(1, 1 + 2 * NEARLY_HALF));
});

test('a client that has lost points gets the newest of their tags before points that are read from the store', async (context) => {
  const paused = await pause(context, ['A', 'B', 'C']);
  const { plant, client, subscriber } = paused;
  await plant.write(['B', 1, 1]);
  await fill(paused, 3);
  await plant.write(['A', 1, 10_001], ['B', 2, 1]);
  await until(() => !subscriber.isJoined, 'the points do not come from the store');
  client.step();
  await until(() => client.named('skipped').length === 1, 'nothing was dropped');
  client.goOn();
  await until(() => subscriber.isJoined, 'the client is not live again');
  const names = client.events.map(({ name }) => name);
  assert.deepEqual(names.slice(0, 5), ['current', 'points', 'skipped', 'current', 'points']);
  assert.deepEqual(client.named('skipped')[0]?.data, { points: 1 + 3 * NEARLY_HALF });
  assert.deepEqual(client.valuesOf('B', 'current'), [0, 2]);
  assert.deepEqual(client.valuesOf('C', 'current'), [0, 1 + 3 * NEARLY_HALF]);
  assert.deepEqual(client.valuesOf('A', 'points'), upTo(1, 10_001), 'these were not dropped');
  await plant.write(['B', 3, 1]);
  await until(() => client.valuesOf('B', 'points').length > 0, 'points behind the pause are missing');
});

test('points that were read from the store are not dropped when corrections block the client meanwhile', async () => {
  const client = new PausingClient();
  const parts = { outlet: client, names: ['A'], epoch: 'r', onTag: () => {}, onLost: () => {}, onGone: () => {} };
  const subscriber = new Subscriber({ ...parts, memory: UNCHARGED });
  subscriber.put(1, 'A', 0);
  const points = new PointColumns(1);
  points.count = 1;
  const chunks = [{ type: ValueType.Double, points, start: 0, end: 1 }];
  const tag = { name: 'A', type: ValueType.Double };
  const correct = (text: string): void => {
    const range = { tagId: 1, isSystem: false, tag, start: { ms: 0, ticks: 0 }, end: { ms: 1, ticks: 0 } };
    subscriber.sendCorrected([`"A":"${text}"`], [range]);
  };
  const next = async (): Promise<unknown> => {
    client.isPausing = true;
    if (!subscriber.isBlocked) correct('short');
    else correct('x'.repeat(MAX_WAITING_CHARS));
    return chunks.pop();
  };
  const engine = { read: () => ({ open: () => ({ next, close: () => {}, outcome: () => ({ gaps: [] }) }) }) };
  const recent = new RecentRuns();
  recent.add({ tagId: 1, name: 'A', isSystem: false, ordinal: 0 });
  const watch = { position: () => ({ tagId: 1, ordinal: 1 }) };
  const live = { recent, watch, flush: () => {}, name: 'Plant' } as unknown as LiveDataset;
  const task = { engine: engine as unknown as Engine, live, subscriber, style: DEFAULT_STYLE };
  const end = catchUp({ ...task, names: async () => ['A'], since: 0 });
  await until(() => subscriber.isBlocked && chunks.length === 0, 'nothing was read');
  await handedOut();
  client.goOn();
  await end;
  assert.deepEqual(
    client.events.map(({ name }) => name),
    ['corrected', 'skipped', 'corrected', 'points'],
  );
});

test('what was corrected while a client took nothing it is told behind what it has lost', async (context) => {
  const paused = await pause(context, ['L', 'M', 'C']);
  const { plant, client, subscriber } = paused;
  await plant.write(['L', 50, 1], ['M', 60, 1]);
  await handedOut();
  await plant.write(['L', 20, 1]); // Waits, and is dropped with all that waits.
  await fill(paused, 3);
  await plant.write(['L', 30, 1], ['M', 10, 1]); // Comes while everything is dropped.
  await handedOut();
  client.goOn();
  await until(() => client.named('corrected').length > 0, 'the client was not told of the corrections');
  await until(() => subscriber.isJoined, 'the client is not live again');
  const at = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
  assert.deepEqual(
    client.events.slice(2).map(({ name }) => name),
    ['skipped', 'current', 'corrected'],
  );
  assert.deepEqual(client.named('corrected')[0]?.data, {
    L: { start: at(20), end: at(30) },
    M: { start: at(10), end: at(10) },
  });
});

test('of more corrected tags than are remembered for it a slow client is told that it has to begin anew', async (context) => {
  const paused = await pause(context, ['L', 'C']);
  const { plant, client, subscriber } = paused;
  await fill(paused, 3); // What comes from now on is dropped.
  const tag = { name: 'L', type: ValueType.Double };
  const [start, end] = [
    { ms: 0, ticks: 0 },
    { ms: 1, ticks: 0 },
  ];
  for (let tagId = 1000; tagId <= 1000 + MOST_CORRECTED; tagId++)
    subscriber.sendCorrected([], [{ tagId, isSystem: false, tag, start, end }]);
  client.goOn();
  await until(() => client.named('current').length > 1, 'the newest points do not come');
  await until(() => subscriber.isJoined, 'the client is not live again');
  assert.deepEqual(
    client.events.slice(2).map(({ name }) => name),
    ['skipped', 'reset', 'current'],
  );
  assert.deepEqual(client.valuesOf('L', 'current'), [0, 0], 'also a tag of which nothing was dropped');
  await plant.write(['L', 1, 1]);
  await until(() => client.valuesOf('L', 'points').length === 1, 'points behind the pause are missing');
});

test('what was corrected is told once when a slow client has lost nothing', async (context) => {
  const { plant, client, subscriber } = await pause(context, ['L', 'C']);
  await plant.write(['L', 50, 1]);
  await handedOut();
  await plant.write(['L', 20, 1]);
  await handedOut();
  client.goOn();
  await until(() => client.named('corrected').length > 0, 'the client was not told of the correction');
  await plant.write(['C', 2, 1]);
  await until(() => client.valuesOf('C', 'points').length === 2, 'the client is not live');
  assert.ok(subscriber.isJoined);
  assert.deepEqual(
    client.events.map(({ name }) => name),
    ['current', 'points', 'points', 'corrected', 'points'],
  );
});
