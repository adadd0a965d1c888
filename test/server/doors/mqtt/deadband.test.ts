// Exception rules of topics against a real broker: what is stored, what is filtered, and that nothing is held back for ever.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExceptionFilters } from '../../../../server/doors/mqtt/exception-filters.ts';
import type { MappedPoint } from '../../../../server/doors/mqtt/mapping/mapped-point.ts';
import { Broker, skipWithoutBroker } from './support/broker.ts';
import { connectClient, publishAll } from './support/client.ts';
import { SourceEngine } from './support/source-engine.ts';

const T = Date.UTC(2026, 5, 1);
const RULES = { deadband: 0.5, shortestMs: 0, longestMs: 600_000 };

const TOPIC = {
  topic: 'p/{tag}',
  dataset: 'plant',
  tag: '{tag}',
  payload: { format: 'json', time: 't', value: 'v', quality: 'q' },
  deadband: { absolute: 0.5 },
};

test('with a deadband a jump keeps its edge, the rest is counted as filtered, and all messages are acknowledged', {
  skip: skipWithoutBroker,
}, async (context) => {
  const broker = await Broker.forTest(context);
  const server = await SourceEngine.start(context, { url: broker.url, topics: [TOPIC] });
  const client = await connectClient(context, broker.url);
  const send = (tag: string, points: readonly (readonly [ms: number, v: unknown, q?: number])[]) =>
    publishAll(
      client,
      points.map(([ms, v, q]) => [`p/${tag}`, JSON.stringify({ t: T + ms, v, q })]),
    );
  await send('speed', [
    [0, 0],
    [1000, 0.1],
    [2000, 0.2],
    [3000, 0.1],
    [4000, 5],
    [1500, 7],
    [5000, 5],
    [6000, 5],
  ]);
  await send('text', [
    [0, 'a'],
    [1000, 'a'],
  ]);
  await send('bad', [
    [0, 1],
    [1000, 1],
    [2000, 1, 0],
  ]);
  await server.until('all', ({ counts }) => counts.acknowledged === 13);
  const stored = async (tag: string) => (await server.points('plant', tag)).map(({ ms, value }) => [ms - T, value]);
  const late = [1500, 7];
  assert.deepEqual(await stored('speed'), [[0, 0], late, [3000, 0.1], [4000, 5]]);
  assert.deepEqual(await stored('text'), [
    [0, 'a'],
    [1000, 'a'],
  ]);
  assert.equal((await stored('bad')).length, 3);
  assert.equal(server.snapshot.counts.filtered, 3);
  assert.equal(server.snapshot.counts.written, 9);
});

function pointAt(ms: number, v: number): MappedPoint {
  return { dataset: 'plant', tag: 'speed', text: `{"v":${v}}`, serverMs: T + ms };
}

test('what is held back is given at the end, and points without a time keep their order when the clock goes back', () => {
  const filters = new ExceptionFilters<MappedPoint>();
  const [first, held, back] = [pointAt(0, 1), pointAt(10, 1), pointAt(5, 1)];
  assert.deepEqual(filters.take(first, RULES), [first]);
  assert.deepEqual(filters.take(held, RULES), []);
  assert.deepEqual(filters.take(back, RULES), [held, back]);
  const next = pointAt(20, 1);
  assert.deepEqual(filters.take(next, RULES), []);
  assert.deepEqual(filters.flush(), [next]);
  assert.deepEqual(filters.flush(), []);
});
