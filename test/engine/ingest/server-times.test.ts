// Points without a time of their own: they keep the order in which they came, within a millisecond and while the clock is
// behind the newest point.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Engine,
  FIRST_INSTANT,
  LAST_INSTANT,
  PointColumns,
  SERVER_TIME,
  ValueType,
} from '../../../engine/index.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { makeDisk, openTestEngine } from '../../support/test-engine.ts';

const T = Date.UTC(2026, 0, 1);
const AT_ONCE = {};
const EVERYTHING = { kind: 'range', start: FIRST_INSTANT, end: LAST_INSTANT } as const;
/** Runs of more than two points are cut. */
const IN_BATCHES = { batchPoints: 2 };

interface Point {
  readonly ms: number;
  /** The point has no time of its own when absent; then `ms` is when it arrived. */
  readonly ticks?: number;
  readonly value: number;
}

async function open(late: 'ignore' | 'accept', tunables: object): Promise<Engine> {
  const clock = new ManualClock(T);
  const engine = await openTestEngine({ vfs: makeDisk({}), clock, random: new SeededRandom(1), tunables });
  await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0, late });
  return engine;
}

async function write(engine: Engine, given: readonly Point[]): Promise<number> {
  const points = new PointColumns(given.length);
  for (const [i, { ms, ticks = SERVER_TIME, value }] of given.entries()) {
    points.timesMs[i] = ms;
    points.ticks[i] = ticks;
    points.numbers[i] = value;
    points.qualities[i] = 192;
  }
  points.count = given.length;
  const stamped = given.filter(({ ticks }) => ticks === undefined).length;
  const tag = engine.lookup('d').find('t');
  const run = { name: 't', tag, type: ValueType.Double, start: 0, count: given.length, rejected: 0, stamped };
  return (await engine.append('d', { points, runs: [run] })).written;
}

/** Times from `T` on in ticks, and values. */
async function read(engine: Engine): Promise<[ticks: number, value: number][]> {
  const request = { tags: ['t'], range: EVERYTHING, carryIn: false, skipMissing: false, limit: undefined, after: [] };
  const cursor = engine.read('d', request).open(0);
  const found: [number, number][] = [];
  for (let chunk = await cursor.next(); chunk; chunk = await cursor.next())
    for (let i = chunk.start; i < chunk.end; i++) {
      const { timesMs, ticks, numbers } = chunk.points;
      found.push([((timesMs[i] as number) - T) * 10_000 + (ticks[i] as number), numbers[i] as number]);
    }
  cursor.close();
  return found;
}

for (const [how, tunables] of [
  ['at once', AT_ONCE],
  ['in batches', IN_BATCHES],
] as const) {
  test(`points that arrive in one millisecond are a tick apart, in their order, over several requests (${how})`, async () => {
    const engine = await open('ignore', tunables);
    const burst = [1, 0, 1].map((value) => ({ ms: T, value }));
    assert.equal(await write(engine, burst), 3);
    assert.equal(await write(engine, burst), 3);
    assert.equal(await write(engine, [{ ms: T + 1, value: 7 }]), 1);
    assert.deepEqual(await read(engine), [
      [0, 1],
      [1, 0],
      [2, 1],
      [3, 1],
      [4, 0],
      [5, 1],
      [10_000, 7],
    ]);
    await engine.close();
  });

  for (const late of ['ignore', 'accept'] as const)
    test(`while the clock is behind the newest point they follow it, a tick apart (late: ${late}, ${how})`, async () => {
      const engine = await open(late, tunables);
      await write(engine, [{ ms: T + 5000, ticks: 9998, value: 1 }]);
      await write(engine, [
        { ms: T, value: 2 },
        { ms: T + 1, value: 2 },
      ]);
      await write(engine, [{ ms: T + 5001, value: 3 }]);
      await write(engine, [{ ms: T + 5002, value: 4 }]);
      assert.deepEqual(await read(engine), [
        [50_009_998, 1],
        [50_009_999, 2],
        [50_010_000, 2],
        [50_010_001, 3],
        [50_020_000, 4],
      ]);
      await engine.close();
    });

  test(`among points with times they come behind those before them (${how})`, async () => {
    const engine = await open('ignore', tunables);
    const written = await write(engine, [
      { ms: T, value: 1 },
      { ms: T + 10, ticks: 5, value: 2 },
      { ms: T, value: 3 },
      { ms: T + 20, value: 4 },
      { ms: T + 5, ticks: 0, value: 5 },
    ]);
    assert.equal(written, 5);
    assert.deepEqual(await read(engine), [
      [0, 1],
      [50_000, 5],
      [100_005, 2],
      [100_006, 3],
      [200_000, 4],
    ]);
    await engine.close();
  });
}

test('nothing is later than the last time of all', async () => {
  const engine = await open('ignore', AT_ONCE);
  await write(engine, [{ ...LAST_INSTANT, value: 1 }]);
  assert.equal(await write(engine, [{ ms: T, value: 2 }]), 1);
  const [first, second] = await read(engine);
  assert.equal(first?.[0], second?.[0]);
  assert.deepEqual([first?.[1], second?.[1]], [1, 2]);
  await engine.close();
});
