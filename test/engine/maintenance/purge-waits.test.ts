import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, PointColumns, ValueType } from '../../../engine/index.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { makeDisk, openTestEngine } from '../../support/test-engine.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2026-03-01T00:00:00Z');

async function write(engine: Engine, ms: number): Promise<void> {
  const points = new PointColumns(1);
  points.count = 1;
  points.timesMs[0] = ms;
  points.numbers[0] = 1;
  points.qualities[0] = 192;
  const tag = engine.lookup('Plant').find('T');
  const run = { name: 'T', tag, type: ValueType.Double, start: 0, count: 1, rejected: 0, stamped: 0 };
  await engine.append('Plant', { points, runs: [run] });
}

function countPoints(engine: Engine): number {
  const range = { kind: 'range', start: { ms: 0, ticks: 0 }, end: { ms: NOW_MS * 2, ticks: 0 } } as const;
  const request = { tags: ['T'], range, carryIn: false, skipMissing: false, limit: undefined, after: [] };
  const cursor = engine.read('Plant', request).open(0);
  let count = 0;
  for (let chunk = cursor.next(); chunk && !(chunk instanceof Promise); chunk = cursor.next())
    count += chunk.end - chunk.start;
  cursor.close();
  return count;
}

test('purge waits for a follower, goes on once it has everything, and not for ever', async () => {
  const clock = new ManualClock(NOW_MS);
  const events: string[] = [];
  const engine = await openTestEngine({
    vfs: makeDisk({}),
    clock,
    random: new SeededRandom(1),
    tunables: { copyWaitMs: 3 * DAY_MS, systemTagIntervalMs: 0 },
    listener: ({ event }) => void events.push(event),
  });
  await engine.createDataset({ name: 'Plant', purgeAgeDays: 10, purgeSizeGb: 0 });
  for (let day = 9; day >= 0; day--) await write(engine, NOW_MS - day * DAY_MS);
  const following = await engine.follow('Plant');
  const later = async (days: number): Promise<void> => {
    clock.advance(days * DAY_MS);
    await write(engine, clock.nowMs());
    await engine.purge();
  };
  await later(2);
  assert.equal(countPoints(engine), 11, 'nothing is purged: no round was ever whole');
  following.noteCopied(clock.nowMs());
  await engine.purge();
  assert.equal(countPoints(engine), 10, 'what is copied may go, but for the point in force');
  await later(2);
  assert.equal(countPoints(engine), 11, 'the copy is behind again');
  assert.ok(!events.includes('purge.uncopied'));
  await later(2);
  assert.equal(countPoints(engine), 8, 'the wait is over');
  assert.ok(events.includes('purge.uncopied'), events.join());
  following.stop();
  await engine.close();
});
