// Purge (D9), with a clock turned by hand.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Engine, EngineEvent, EngineTunables } from '../../../engine/index.ts';
import {
  EVERYTHING,
  NEWEST,
  type NumberPoint,
  rangeOf,
  readNumbers,
  upTo,
  writeNumbers,
} from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { MemoryVfs } from '../../support/memory-vfs.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { DATA_FOLDER, makeDisk, openTestEngine } from '../../support/test-engine.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 0, 1);
const SMALL: Partial<EngineTunables> = {
  blockPoints: 64,
  tagFileBytes: 2000,
  tagFileSpanMs: 5 * DAY_MS,
  maxSpills: 2,
  systemTagIntervalMs: 0,
  retiredFileMs: 0,
  diskReserveBytes: 0,
};

interface Plant {
  readonly engine: Engine;
  readonly vfs: MemoryVfs;
  readonly clock: ManualClock;
  readonly events: EngineEvent[];
  reopen(): Promise<Engine>;
}

async function openPlant(tunables: Partial<EngineTunables> = SMALL): Promise<Plant> {
  const vfs = makeDisk({});
  const clock = new ManualClock(START_MS);
  const events: EngineEvent[] = [];
  const random = new SeededRandom(1);
  const open = () => openTestEngine({ vfs, clock, random, tunables, listener: (event) => events.push(event) });
  return { engine: await open(), vfs, clock, events, reopen: open };
}

/** One point an hour, with values that do not compress away. */
function hourly(fromMs: number, hours: number): NumberPoint[] {
  return Array.from({ length: hours }, (_, i) => ({
    ms: fromMs + i * HOUR_MS,
    value: Math.sin(i * 12.9898) * 43_758.5453,
  }));
}

async function writeDays(plant: Plant, tag: string, fromMs: number, days: number): Promise<void> {
  for (let day = 0; day < days; day++)
    await writeNumbers(plant.engine, 'd', { [tag]: hourly(fromMs + day * DAY_MS, 24) });
}

function tagFileBytes(vfs: MemoryVfs): number {
  const files = vfs.files().filter((path) => path.startsWith(`${DATA_FOLDER}/d/tags/`));
  return files.reduce((sum, path) => sum + vfs.content(path).length, 0);
}

describe('purge by age (D9)', () => {
  it('hides points before the cutoff, except the newest at or before it', async () => {
    const plant = await openPlant();
    const { engine, clock } = plant;
    await engine.createDataset({ name: 'd', purgeAgeDays: 10, purgeSizeGb: 0 });
    await writeDays(plant, 'T', START_MS - 30 * DAY_MS, 30);
    clock.advance(2 * HOUR_MS);
    await engine.purge();
    const cutoffMs = START_MS - HOUR_MS - 10 * DAY_MS; // the newest point is an hour before the start
    const { points, gaps } = await readNumbers(engine, 'd', 'T');
    assert.deepEqual(gaps, []);
    assert.equal(points[0]?.ms, cutoffMs);
    assert.equal(points.length, 10 * 24 + 1);
    assert.deepEqual((await readNumbers(engine, 'd', 'T', rangeOf(START_MS - 30 * DAY_MS, cutoffMs - 1))).points, []);
    await engine.close();
  });

  it('removes files before the cutoff, rewrites those mostly before it, and keeps the other points readable after a restart', async () => {
    const plant = await openPlant();
    const { engine, clock, vfs } = plant;
    await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
    await writeDays(plant, 'T', START_MS - 40 * DAY_MS, 40);
    const before = await readNumbers(engine, 'd', 'T');
    const bytesBefore = tagFileBytes(vfs);
    await engine.updateDataset({ name: 'd', purgeAgeDays: 5, purgeSizeGb: 0 });
    clock.advance(2 * HOUR_MS);
    await engine.purge();
    assert.ok(tagFileBytes(vfs) < bytesBefore / 2, `${tagFileBytes(vfs)} of ${bytesBefore} bytes are left`);
    const after = await readNumbers(engine, 'd', 'T');
    assert.deepEqual(after.points, before.points.slice(-after.points.length));
    assert.equal(after.points.length, 5 * 24 + 1);
    await engine.close();
    const again = await plant.reopen();
    assert.deepEqual(await readNumbers(again, 'd', 'T'), after);
    assert.deepEqual(
      plant.events.filter(({ level }) => level === 'error'),
      [],
    );
    await again.close();
  });

  it('keeps points flushed while the file that is appended to is rewritten', async () => {
    const plant = await openPlant({ ...SMALL, tagFileBytes: 1e6, tagFileSpanMs: 1000 * DAY_MS, sliceMs: 0 });
    const { engine, clock } = plant;
    await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
    // T is rewritten first; the old file is in use until the others are, too.
    for (const tag of ['T', ...Array.from({ length: 100 }, (_, i) => `Other${i}`)])
      await writeNumbers(engine, 'd', { [tag]: hourly(START_MS - 40 * DAY_MS, 40 * 24) });
    const before = await readNumbers(engine, 'd', 'T');
    await engine.updateDataset({ name: 'd', purgeAgeDays: 5, purgeSizeGb: 0 });
    clock.advance(2 * HOUR_MS);
    let isPurging = true;
    const purging = engine.purge().finally(() => {
      isPurging = false;
    });
    const later = hourly(START_MS, 24 * 100);
    let day = 0;
    for (; isPurging && day < 100; day++) await writeNumbers(engine, 'd', { T: later.slice(day * 24, day * 24 + 24) });
    await purging;
    assert.ok(day > 3, `${day} writes while it was purged`);
    const after = await readNumbers(engine, 'd', 'T');
    assert.deepEqual(after.gaps, []);
    const firstMs = after.points[0]?.ms ?? Number.NaN;
    assert.ok(Math.abs(firstMs - (START_MS - 5 * DAY_MS)) < 3 * HOUR_MS);
    const wanted = [...before.points.filter(({ ms }) => ms >= firstMs), ...later.slice(0, day * 24)];
    assert.deepEqual(
      after.points.map(({ ms, value }) => ({ ms, value })),
      wanted.map(({ ms, value }) => ({ ms, value })),
    );
    await engine.close();
    const again = await plant.reopen();
    assert.deepEqual(await readNumbers(again, 'd', 'T'), after);
    await again.close();
  });

  it('leaves the newest point of a tag that has been silent for long: latest, value at a time and carry-in answer', async () => {
    const plant = await openPlant();
    const { engine, clock } = plant;
    await engine.createDataset({ name: 'd', purgeAgeDays: 3, purgeSizeGb: 0 });
    await writeNumbers(engine, 'd', { Quiet: hourly(START_MS - 50 * DAY_MS, 5) });
    await writeDays(plant, 'Busy', START_MS - 30 * DAY_MS, 30);
    clock.advance(2 * HOUR_MS);
    await engine.purge();
    const newestMs = START_MS - 50 * DAY_MS + 4 * HOUR_MS;
    assert.deepEqual(
      (await readNumbers(engine, 'd', 'Quiet')).points.map(({ ms }) => ms),
      [newestMs],
    );
    assert.equal((await readNumbers(engine, 'd', 'Quiet', NEWEST)).points[0]?.ms, newestMs);
    assert.equal((await readNumbers(engine, 'd', 'Quiet', upTo(START_MS))).points[0]?.ms, newestMs);
    assert.deepEqual((await readNumbers(engine, 'd', 'Quiet', upTo(newestMs - 1))).points, []);
    assert.equal(
      (await readNumbers(engine, 'd', 'Quiet', rangeOf(START_MS, START_MS + 1), true)).points[0]?.ms,
      newestMs,
    );
    assert.equal(engine.dataset('d').ageDays > 49, true);
    await engine.close();
  });

  it("counts from the newest point with its client's time: server-stamped points delete nothing", async () => {
    const plant = await openPlant();
    const { engine, clock } = plant;
    await engine.createDataset({ name: 'd', purgeAgeDays: 10, purgeSizeGb: 0 });
    await writeDays(plant, 'Old', START_MS - 400 * DAY_MS, 8);
    await writeNumbers(engine, 'd', { Stamped: [{ ms: START_MS, value: 1 }] }, 1);
    clock.advance(2 * HOUR_MS);
    await engine.purge();
    assert.equal((await readNumbers(engine, 'd', 'Old')).points.length, 8 * 24);
    await engine.close();
    const again = await plant.reopen();
    await again.purge();
    assert.equal((await readNumbers(again, 'd', 'Old')).points.length, 8 * 24);
    await again.close();
  });

  it('deletes nothing while the wall clock has jumped ten years ahead', async () => {
    const plant = await openPlant();
    const { engine, clock } = plant;
    await engine.createDataset({ name: 'd', purgeAgeDays: 30, purgeSizeGb: 0 });
    await writeDays(plant, 'T', START_MS - 20 * DAY_MS, 20);
    clock.advance(2 * HOUR_MS);
    clock.setWall(START_MS + 3653 * DAY_MS);
    clock.advance(2 * 60_000);
    await engine.purge();
    // A collector on the same host writes with the wrong clock, too.
    await writeNumbers(engine, 'd', { Live: [{ ms: clock.nowMs(), value: 1 }] });
    await engine.purge();
    assert.equal((await readNumbers(engine, 'd', 'T')).points.length, 20 * 24);
    assert.ok(plant.events.some(({ event }) => event === 'clock.jumped'));
    clock.setWall(START_MS + 3 * HOUR_MS);
    clock.advance(2 * HOUR_MS);
    await engine.deletePoints('d', ['Live'], { ms: START_MS + 365 * DAY_MS, ticks: 0 });
    await engine.purge();
    assert.equal((await readNumbers(engine, 'd', 'T')).points.length, 20 * 24);
    await engine.close();
  });

  it('does not count system tags or statuses as newest', async () => {
    const plant = await openPlant({ ...SMALL, systemTagIntervalMs: 5000 });
    const { engine, clock } = plant;
    await engine.createDataset({ name: 'd', purgeAgeDays: 10, purgeSizeGb: 0 });
    await writeDays(plant, 'T', START_MS - 200 * DAY_MS, 5);
    clock.advance(60_000);
    await engine.postStatus('d', [{ time: undefined, quality: 28 }]);
    clock.advance(2 * HOUR_MS);
    await engine.purge();
    assert.equal((await readNumbers(engine, 'd', 'T')).points.length, 5 * 24);
    await engine.close();
  });

  it('keeps the history of system tags for their own number of days', async () => {
    const plant = await openPlant({
      ...SMALL,
      systemTagIntervalMs: 3_607_000,
      systemTagDays: 1,
      purgeIntervalMs: 1e15,
    });
    const { engine, clock } = plant;
    await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
    await writeNumbers(engine, 'd', { T: hourly(START_MS, 3) });
    for (let hour = 0; hour < 24 * 4; hour++) {
      clock.advance(3_607_000); // the second changes each time
      await new Promise(setImmediate);
      await new Promise(setImmediate);
    }
    await writeNumbers(engine, 'd', { T: hourly(START_MS + DAY_MS, 1) });
    await engine.purge();
    const { points } = await readNumbers(engine, 'd', '$System.Second', EVERYTHING);
    const oldestMs = points[0]?.ms ?? 0;
    assert.ok(points.length > 10, `${points.length} points`);
    assert.ok(oldestMs >= clock.nowMs() - 2 * DAY_MS, `the oldest is ${(clock.nowMs() - oldestMs) / HOUR_MS} h old`);
    assert.equal((await readNumbers(engine, 'd', 'T')).points.length, 4);
    await engine.close();
  });
});

describe('purge by size (D9)', () => {
  const GB_FOR_TEST = 100_000 / 1e9;

  it('shrinks the folder to its limit, oldest points first over all tags', async () => {
    const plant = await openPlant();
    const { engine, vfs } = plant;
    await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
    for (let day = 0; day < 300; day++) {
      const from = START_MS - (300 - day) * DAY_MS;
      await writeNumbers(engine, 'd', { A: hourly(from, 24), B: hourly(from + 1, 24) });
    }
    const before = await readNumbers(engine, 'd', 'A');
    const sizeBefore = engine.dataset('d').sizeGb;
    assert.ok(sizeBefore > 1.5 * GB_FOR_TEST, `${sizeBefore} GB before`);
    await engine.updateDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: GB_FOR_TEST });
    await engine.purge();
    await engine.purge();
    const size = engine.dataset('d').sizeGb;
    assert.ok(size <= GB_FOR_TEST, `${size} GB of ${GB_FOR_TEST} are left in ${vfs.files().join(' ')}`);
    const a = await readNumbers(engine, 'd', 'A');
    const b = await readNumbers(engine, 'd', 'B');
    assert.deepEqual(a.gaps, []);
    assert.ok(a.points.length > 24, `${a.points.length} points are left`);
    assert.deepEqual(a.points, before.points.slice(-a.points.length));
    assert.ok(Math.abs((a.points[1]?.ms ?? 0) - (b.points[1]?.ms ?? 0)) <= HOUR_MS + 1, 'one cutoff for all tags');
    await engine.close();
    const again = await plant.reopen();
    assert.deepEqual((await readNumbers(again, 'd', 'A')).points, a.points);
    await again.close();
  });

  it('says what it cannot meet: the newest block of each tag stays', async () => {
    const plant = await openPlant();
    const { engine } = plant;
    await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 1e-9 });
    const tags = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`T${i}`, hourly(START_MS, 200)]));
    await writeNumbers(engine, 'd', tags);
    await engine.purge();
    assert.ok(plant.events.some(({ event }) => event === 'purge.unmet'));
    assert.match(engine.stats().datasets[0]?.purgeUnmet ?? '', /more than its purge size allows/);
    for (const name of Object.keys(tags)) {
      const { points } = await readNumbers(engine, 'd', name, NEWEST);
      assert.equal(points[0]?.ms, START_MS + 199 * HOUR_MS);
    }
    await engine.close();
  });

  it('waits while a file HOLD is there', async () => {
    const plant = await openPlant();
    const { engine, vfs, clock } = plant;
    await engine.createDataset({ name: 'd', purgeAgeDays: 5, purgeSizeGb: 0 });
    await writeDays(plant, 'T', START_MS - 30 * DAY_MS, 30);
    vfs.openSync(`${DATA_FOLDER}/d/HOLD`, 'write').closeSync();
    clock.advance(2 * HOUR_MS);
    await engine.purge();
    assert.equal((await readNumbers(engine, 'd', 'T')).points.length, 30 * 24);
    vfs.removeSync(`${DATA_FOLDER}/d/HOLD`);
    await engine.purge();
    assert.equal((await readNumbers(engine, 'd', 'T')).points.length, 5 * 24 + 1);
    await engine.close();
  });
});
