// Purge rules that change: a point that was accepted is readable until the rule in force takes it (D9).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Engine, EngineTunables } from '../../../engine/index.ts';
import { type NumberPoint, rangeOf, readNumbers, upTo, writeNumbers } from '../../support/engine-points.ts';
import { KillablePlant } from '../../support/killable-plant.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { DATA_FOLDER, openTestEngine } from '../../support/test-engine.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 0, 1);
const TWO_MONTHS_AGO_MS = NOW_MS - 60 * DAY_MS;

const TUNABLES: Partial<EngineTunables> = {
  blockPoints: 64,
  tagFileBytes: 2000,
  systemTagIntervalMs: 0,
  purgeIntervalMs: 1e15,
  diskReserveBytes: 0,
};

function hourly(fromMs: number, count: number): NumberPoint[] {
  return Array.from({ length: count }, (_, i) => ({
    ms: fromMs + i * HOUR_MS,
    value: Math.sin(i * 12.9898) * 43_758.5,
  }));
}

function setAge(engine: Engine, purgeAgeDays: number): Promise<unknown> {
  return engine.updateDataset({ name: 'd', purgeAgeDays, purgeSizeGb: 0 });
}

async function timesOf(engine: Engine, tag: string): Promise<number[]> {
  const { points, gaps } = await readNumbers(engine, 'd', tag);
  assert.deepEqual(gaps, []);
  return points.map(({ ms }) => ms);
}

/** A dataset of 30 days of `T`, of which 20 are left by a purge. */
async function purgedPlant(): Promise<{ plant: KillablePlant; engine: Engine; left: number[] }> {
  const plant = new KillablePlant(NOW_MS, TUNABLES);
  const engine = await plant.open();
  await engine.createDataset({ name: 'd', purgeAgeDays: 20, purgeSizeGb: 0 });
  await writeNumbers(engine, 'd', { T: hourly(NOW_MS - 30 * DAY_MS, 30 * 24) });
  await engine.purge();
  const left = await timesOf(engine, 'T');
  assert.equal(left.length, 20 * 24 + 1);
  return { plant, engine, left };
}

const RESTARTS = {
  'no restart': undefined,
  'a restart': (plant: KillablePlant) => plant.reopen(),
  'a kill': (plant: KillablePlant) => plant.kill(),
} as const;

describe('a purge age that is lifted (D9)', () => {
  for (const [name, restart] of Object.entries(RESTARTS)) {
    it(`hides nothing that is accepted since, and brings nothing purged back, over ${name}`, async () => {
      const { plant, engine, left } = await purgedPlant();
      await setAge(engine, 0);
      let present = (await restart?.(plant)) ?? engine;
      const old = hourly(TWO_MONTHS_AGO_MS, 100);
      const receipt = await writeNumbers(present, 'd', { New: old });
      assert.deepEqual([receipt.written, receipt.expired], [100, 0]);
      present = (await restart?.(plant)) ?? present;
      await present.purge();
      assert.deepEqual(
        await timesOf(present, 'New'),
        old.map(({ ms }) => ms),
      );
      assert.deepEqual(await timesOf(present, 'T'), left);
      assert.deepEqual((await readNumbers(present, 'd', 'T', upTo((left[0] ?? 0) - 1))).points, []);
      assert.deepEqual((await readNumbers(present, 'd', 'T', rangeOf(0, (left[0] ?? 0) - 1))).points, []);
      assert.ok(Math.abs(present.dataset('d').ageDays - 60) < 0.01, `${present.dataset('d').ageDays} days`);
      await present.close();
    });
  }

  it('is lifted also by a removal of the newest points, from which purge counts', async () => {
    const { engine } = await purgedPlant();
    await engine.deleteTags('d', ['T']);
    const old = hourly(TWO_MONTHS_AGO_MS, 100);
    const { written, expired } = await writeNumbers(engine, 'd', { New: old });
    assert.deepEqual([written, expired], [100, 0]);
    await engine.purge();
    assert.equal((await timesOf(engine, 'New')).length, 100);
    await engine.close();
  });

  it('takes again what it would have taken once it is back', async () => {
    const { engine } = await purgedPlant();
    await setAge(engine, 0);
    await writeNumbers(engine, 'd', { New: hourly(TWO_MONTHS_AGO_MS, 100) });
    await setAge(engine, 20);
    await engine.purge();
    assert.deepEqual(await timesOf(engine, 'New'), [TWO_MONTHS_AGO_MS + 99 * HOUR_MS]);
    await engine.close();
  });
});

describe('a copy of a folder whose purge age was lifted meanwhile (D9)', () => {
  it('hides what purge had taken, though its catalog is older than its rules', async () => {
    const { plant, engine, left } = await purgedPlant();
    const copy = plant.vfs.crashClone({ content: 'everything', entries: 'everything', random: new SeededRandom(3) });
    await setAge(engine, 0);
    const rules = plant.vfs.content(`${DATA_FOLDER}/d/dataset.json`);
    await engine.close();
    copy.removeSync(`${DATA_FOLDER}/d/dataset.json`);
    const file = copy.openSync(`${DATA_FOLDER}/d/dataset.json`, 'write');
    file.writeSync(rules, 0);
    file.closeSync();
    const random = new SeededRandom(1);
    const copied = await openTestEngine({ vfs: copy, clock: plant.clock, random, tunables: TUNABLES });
    assert.equal(copied.dataset('d').purgeAgeDays, 0);
    assert.deepEqual(await timesOf(copied, 'T'), left);
    await copied.close();
  });
});

describe('a purge size that is lifted (D9)', () => {
  it('hides nothing that is accepted since, while points before its cutoff are expired until then', async () => {
    const plant = new KillablePlant(NOW_MS, TUNABLES);
    let engine = await plant.open();
    const size = { name: 'd', purgeAgeDays: 0, purgeSizeGb: 100_000 / 1e9 };
    await engine.createDataset(size);
    await writeNumbers(engine, 'd', { T: hourly(NOW_MS - 1000 * DAY_MS, 1000 * 24) });
    await engine.purge();
    engine = await plant.reopen();
    const before = (await timesOf(engine, 'T')).length;
    assert.ok(before < 23_000, `${before} points are left`);
    const old = hourly(NOW_MS - 1000 * DAY_MS, 100);
    assert.equal((await writeNumbers(engine, 'd', { Early: old })).expired, 99);
    await engine.updateDataset({ ...size, purgeSizeGb: 0 });
    assert.equal((await writeNumbers(engine, 'd', { New: old })).written, 100);
    engine = await plant.kill();
    assert.equal((await timesOf(engine, 'New')).length, 100);
    assert.equal((await timesOf(engine, 'T')).length, before);
    await engine.close();
  });
});

describe('a purge age that is widened (D9)', () => {
  it('hides nothing that it keeps', async () => {
    const { engine, left } = await purgedPlant();
    await setAge(engine, 25);
    const between = hourly(NOW_MS - 24 * DAY_MS, 48);
    const { written, expired } = await writeNumbers(engine, 'd', { New: between });
    assert.deepEqual([written, expired], [48, 0]);
    await engine.purge();
    assert.equal((await timesOf(engine, 'New')).length, 48);
    assert.deepEqual(await timesOf(engine, 'T'), left);
    await engine.close();
  });
});

describe('points that the rule in force would take at once (D9)', () => {
  it('are counted as expired and not stored, but for the newest, which purge keeps', async () => {
    const { plant, engine } = await purgedPlant();
    const receipt = await writeNumbers(engine, 'd', { New: hourly(TWO_MONTHS_AGO_MS, 100), T: [] });
    assert.deepEqual([receipt.written, receipt.expired, receipt.ignored], [1, 99, 0]);
    assert.equal(receipt.tags.get('New')?.expired, 99);
    assert.deepEqual(await timesOf(engine, 'New'), [TWO_MONTHS_AGO_MS + 99 * HOUR_MS]);
    assert.equal(engine.stats().datasets[0]?.pointsExpired, 99);
    const again = await plant.kill();
    assert.deepEqual(await timesOf(again, 'New'), [TWO_MONTHS_AGO_MS + 99 * HOUR_MS]);
    await again.close();
  });

  it('are so also before the next purge, and where the same request brings points that stay', async () => {
    const plant = new KillablePlant(NOW_MS, TUNABLES);
    const engine = await plant.open();
    await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
    await writeNumbers(engine, 'd', { T: [{ ms: NOW_MS, value: 1 }] });
    await setAge(engine, 20);
    const { written, expired } = await writeNumbers(engine, 'd', { New: hourly(NOW_MS - 21 * DAY_MS, 48) });
    // From the 25th on, which is at the cutoff itself, all are kept.
    assert.deepEqual([written, expired], [24, 24]);
    assert.equal((await timesOf(engine, 'New'))[0], NOW_MS - 20 * DAY_MS);
    await engine.close();
  });

  it('are none while the wall clock cannot be relied on', async () => {
    const { plant, engine } = await purgedPlant();
    plant.clock.setWall(NOW_MS + 3650 * DAY_MS);
    await writeNumbers(engine, 'd', { Live: [{ ms: plant.clock.nowMs(), value: 1 }] });
    const { written, expired } = await writeNumbers(engine, 'd', { New: hourly(NOW_MS - 10 * DAY_MS, 24) });
    assert.deepEqual([written, expired], [24, 0]);
    await engine.close();
  });
});
