// Points of several types in one request: what the record says of one tag must not change the values of the next.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, PointColumns, type PointRun, ValueType } from '../../../engine/index.ts';
import { readNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { MemoryVfs } from '../../support/memory-vfs.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { makeDisk, openTestEngine } from '../../support/test-engine.ts';

const START_MS = Date.UTC(2026, 0, 1);
const TYPES = { Level: ValueType.Double, Running: ValueType.Boolean, Count: ValueType.Int32, Share: ValueType.Double };
type Values = Readonly<Record<keyof typeof TYPES, readonly number[]>>;

function open(vfs: MemoryVfs): Promise<Engine> {
  return openTestEngine({
    vfs,
    clock: new ManualClock(START_MS),
    random: new SeededRandom(1),
    durability: 'group',
    tunables: { systemTagIntervalMs: 0, diskReserveBytes: 0 },
  });
}

/** Runs that are not plain, in the order of the types. */
function request(engine: Engine, values: Values, fromMs: number): { points: PointColumns; runs: PointRun[] } {
  const points = new PointColumns(64);
  const runs = Object.entries(TYPES).map(([name, type]): PointRun => {
    const start = points.count;
    for (const value of values[name as keyof Values]) {
      points.timesMs[points.count] = fromMs + points.count - start;
      points.numbers[points.count] = value;
      points.qualities[points.count++] = 192;
    }
    return {
      name,
      tag: engine.lookup('d').find(name),
      type,
      start,
      count: points.count - start,
      rejected: 0,
      stamped: 0,
    };
  });
  return { points, runs };
}

test('whole numbers behind decimals of another tag read as they were written, from heads and from blocks', async () => {
  const vfs = makeDisk({});
  const first: Values = { Level: [1.5], Running: [0], Count: [7], Share: [3] };
  const next: Values = { Level: [2.5, 0.5], Running: [1, 0, 1], Count: [-3, 40, 2_000_000_000], Share: [4, 5] };
  let engine = await open(vfs);
  await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
  await engine.append('d', request(engine, first, START_MS));
  await engine.append('d', request(engine, next, START_MS + 1000));
  const check = async (where: string): Promise<void> => {
    for (const name of Object.keys(TYPES) as (keyof Values)[]) {
      const back = await readNumbers(engine, 'd', name);
      assert.deepEqual(
        back.points.map(({ value }) => value),
        [...first[name], ...next[name]],
        `${name} from ${where}`,
      );
    }
  };
  await check('heads');
  await engine.close();
  engine = await open(vfs);
  await check('blocks');
  await engine.close();
});
