// Purge by size at 10 MB, with points coming all the time: after every purge the folder is within its limit, with most of it
// in use; and a limit that cannot be met takes no more than helps.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '../../../engine/index.ts';
import { NEWEST, readNumbers, writeNumbers } from '../../support/engine-points.ts';
import { KillablePlant } from '../../support/killable-plant.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 0, 1);
const LIMIT_GB = 0.01;
const TUNABLES = { systemTagIntervalMs: 0, purgeIntervalMs: 1e15, diskReserveBytes: 0 };

interface Load {
  readonly tagCount: number;
  /** Points of a tag in a minute. */
  readonly points: number;
  readonly minutes: number;
}

/** Writes, and purges every minute; `look` is called after each purge. */
async function run(plant: KillablePlant, engine: Engine, load: Load, look: (minute: number) => void): Promise<void> {
  const random = new SeededRandom(1);
  for (let minute = 0; minute < load.minutes; minute++) {
    const nowMs = plant.clock.nowMs();
    const batch = Object.fromEntries(
      Array.from({ length: load.tagCount }, (_, tag) => [
        `T${tag}`,
        Array.from({ length: load.points }, (_, i) => ({
          ms: nowMs + Math.floor((i * MINUTE_MS) / load.points),
          value: random.unit() * 1e6,
        })),
      ]),
    );
    await writeNumbers(engine, 'd', batch);
    plant.clock.advance(MINUTE_MS);
    await engine.purge();
    look(minute);
  }
}

async function openPlant(): Promise<{ plant: KillablePlant; engine: Engine }> {
  const plant = new KillablePlant(START_MS, TUNABLES);
  const engine = await plant.open();
  await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: LIMIT_GB });
  return { plant, engine };
}

const LOADS: readonly Load[] = [
  { tagCount: 20, points: 4000, minutes: 50 },
  { tagCount: 300, points: 600, minutes: 25 },
  { tagCount: 1000, points: 180, minutes: 25 },
];

for (const load of LOADS) {
  test(`a folder of ${load.tagCount} tags is within its 10 MB after every purge, and mostly in use (D9)`, async () => {
    const { plant, engine } = await openPlant();
    const sizesGb: number[] = [];
    await run(plant, engine, load, () => sizesGb.push(engine.dataset('d').sizeGb));
    const steady = sizesGb.slice(load.minutes / 2);
    assert.ok(Math.max(...sizesGb) <= LIMIT_GB, `${Math.max(...sizesGb) * 1000} MB at most`);
    assert.ok(Math.min(...steady) > LIMIT_GB * 0.5, `${Math.min(...steady) * 1000} MB at least`);
    assert.equal(engine.stats().datasets[0]?.purgeUnmet, undefined);
    const { points, gaps } = await readNumbers(engine, 'd', 'T7');
    assert.deepEqual(gaps, []);
    const again = await plant.kill();
    assert.deepEqual((await readNumbers(again, 'd', 'T7')).points, points);
    assert.ok(again.dataset('d').sizeGb <= LIMIT_GB * 1.05, `${again.dataset('d').sizeGb * 1000} MB after a kill`);
    await again.close();
  });
}

test('a limit below a page a tag is not met, which is reported, and removes no points that would free nothing (D9)', async () => {
  const { plant, engine } = await openPlant();
  const load = { tagCount: 3000, points: 40, minutes: 12 };
  await run(plant, engine, load, () => undefined);
  const { sizeGb } = engine.dataset('d');
  // A page a tag, 256 folders, and what has come since.
  const leastGb = (3000 * 4096 + 256 * 4096) / 1e9;
  assert.ok(sizeGb < leastGb * 1.5, `${sizeGb * 1000} MB; ${leastGb * 1000} MB are the least`);
  assert.match(engine.stats().datasets[0]?.purgeUnmet ?? '', /more than its purge size allows/);
  for (const tag of ['T0', 'T1500', 'T2999']) {
    const { points } = await readNumbers(engine, 'd', tag);
    assert.ok(points.length > 100, `${points.length} points of ${tag} are left`);
    assert.equal((await readNumbers(engine, 'd', tag, NEWEST)).points[0]?.ms, points.at(-1)?.ms);
  }
  await engine.close();
});
