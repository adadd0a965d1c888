// The first point that a lifted rule of purge has left: late points and points of corrections behind its time are stored and
// read, those before it are refused, also when the point itself is gone (D1, D9).

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Engine, EngineTunables } from '../../../engine/index.ts';
import { type NumberPoint, readNumbers, writeNumbers } from '../../support/engine-points.ts';
import { KillablePlant } from '../../support/killable-plant.ts';
import { correct } from '../corrections/corrected-tag.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2022, 0, 1);
const NOW_MS = Date.UTC(2026, 0, 1);
const TUNABLES: Partial<EngineTunables> = {
  blockPoints: 64,
  systemTagIntervalMs: 0,
  purgeIntervalMs: 1e15,
  diskReserveBytes: 0,
};

function day(days: number): NumberPoint {
  return { ms: START_MS + days * DAY_MS, value: days };
}

function secondsOf(days: number): NumberPoint[] {
  return Array.from({ length: 200 }, (_, i) => ({ ms: day(days).ms + i * 1000, value: Math.sin(i * 12.9898) }));
}

function setAge(engine: Engine, purgeAgeDays: number): Promise<unknown> {
  return engine.updateDataset({ name: 'd', purgeAgeDays, purgeSizeGb: 0 });
}

async function valuesOf(engine: Engine): Promise<(number | null)[]> {
  const { points, gaps } = await readNumbers(engine, 'd', 'T');
  assert.deepEqual(gaps, []);
  return points.map(({ value }) => value);
}

/** How the points of a tag that are not its newest come: how many of them were stored. */
type Bring = (engine: Engine, points: readonly NumberPoint[]) => Promise<number>;

const BRINGS: Readonly<Record<string, Bring>> = {
  'late points': async (engine, points) => (await writeNumbers(engine, 'd', { T: points })).written,
  'points of corrections': async (engine, points) => {
    const given = points.map((point) => ({ quality: 192, ...point }));
    const [startMs, endMs] = [points[0]?.ms ?? 0, points.at(-1)?.ms ?? 0];
    return (await correct(engine, 'd', { tag: 'T', kind: 'insert', startMs, endMs, points: given })).added;
  },
};

const RESTARTS = {
  'no restart': undefined,
  'a restart': (plant: KillablePlant) => plant.reopen(),
  'a kill': (plant: KillablePlant) => plant.kill(),
} as const;

/** A rule that was widened to 5 days, whose purge has freed the first point left; all points are removed but one of day 19. */
async function widenedPlant(beforePurge: (engine: Engine) => Promise<unknown>): Promise<[KillablePlant, Engine]> {
  const plant = new KillablePlant(NOW_MS, TUNABLES);
  const engine = await plant.open();
  await engine.createDataset({ name: 'd', purgeAgeDays: 2, purgeSizeGb: 0, late: 'accept' });
  await writeNumbers(engine, 'd', { T: secondsOf(0), U: [day(10)] });
  await engine.purge();
  await setAge(engine, 5);
  await writeNumbers(engine, 'd', { T: secondsOf(11) });
  await beforePurge(engine);
  await writeNumbers(engine, 'd', { U: [day(18)] });
  await engine.purge();
  await engine.deletePoints('d', ['T'], { ms: day(11).ms, ticks: 0 });
  await writeNumbers(engine, 'd', { T: [day(19)] });
  return [plant, engine];
}

describe('behind the first point that a widened rule of purge had left, when that is gone (D1, D9)', () => {
  for (const [kind, bring] of Object.entries(BRINGS)) {
    for (const [name, restart] of Object.entries(RESTARTS)) {
      it(`${kind} are stored and read, over ${name}`, async () => {
        for (const beforePurge of [async () => {}, (engine: Engine) => bring(engine, [day(11.001)])]) {
          const [plant, engine] = await widenedPlant(beforePurge);
          assert.equal(await bring(engine, [day(17), day(18)]), 2);
          assert.deepEqual(await valuesOf(engine), [17, 18, 19]);
          const later = (await restart?.(plant)) ?? engine;
          assert.deepEqual(await valuesOf(later), [17, 18, 19]);
          assert.equal(await bring(later, [day(16)]), 1);
          const last = (await restart?.(plant)) ?? later;
          assert.deepEqual(await valuesOf(last), [16, 17, 18, 19]);
          await last.close();
        }
      });
    }
  }
});

it('late points before the first point that a lifted rule had left stay hidden when it is the first of its tag (D9)', async () => {
  const plant = new KillablePlant(NOW_MS, TUNABLES);
  const engine = await plant.open();
  await engine.createDataset({ name: 'd', purgeAgeDays: 2, purgeSizeGb: 0, late: 'accept' });
  await writeNumbers(engine, 'd', { T: [day(5)] });
  await writeNumbers(engine, 'd', { T: [day(4)] });
  await writeNumbers(engine, 'd', { U: [day(10)] });
  await engine.purge();
  assert.deepEqual(await valuesOf(engine), [5]);
  await setAge(engine, 0);
  assert.deepEqual(await valuesOf(engine), [5]);
  const later = await plant.kill();
  assert.deepEqual(await valuesOf(later), [5]);
  const { written, expired } = await writeNumbers(later, 'd', { T: [day(3), day(4.5)] });
  assert.deepEqual([written, expired], [0, 2]);
  await later.close();
});

it('a point of a correction from before that first point does not take the place of the newest point that purge keeps (D9)', async () => {
  const plant = new KillablePlant(NOW_MS, TUNABLES);
  const engine = await plant.open();
  await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0, late: 'accept' });
  await writeNumbers(engine, 'd', { T: [day(5), day(12), day(13)], U: [day(13.5)] });
  const given = [{ ...day(9), quality: 192 }];
  await correct(engine, 'd', { tag: 'T', kind: 'insert', startMs: day(9).ms, endMs: day(9).ms, points: given });
  await setAge(engine, 1);
  await engine.purge();
  await setAge(engine, 2);
  await engine.deletePoints('d', ['T'], { ms: day(12).ms, ticks: 0 });
  // In time, since nothing of its tag is left; and all that purge leaves.
  assert.equal((await writeNumbers(engine, 'd', { T: [day(8)] })).written, 1);
  await engine.purge();
  assert.deepEqual(await valuesOf(engine), [8]);
  const later = await plant.kill();
  assert.deepEqual(await valuesOf(later), [8]);
  await later.close();
});

it('a late point that a correction hides stays hidden where a lifted rule and a removal bring late points back (D9)', async () => {
  const plant = new KillablePlant(NOW_MS, TUNABLES);
  const engine = await plant.open();
  await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0, late: 'accept' });
  await writeNumbers(engine, 'd', { T: [day(5), day(12)], U: [day(14)] });
  await writeNumbers(engine, 'd', { T: [day(3), day(4)] });
  await correct(engine, 'd', { tag: 'T', kind: 'delete', startMs: day(4).ms, endMs: day(4).ms });
  await setAge(engine, 3);
  await engine.purge();
  assert.deepEqual(await valuesOf(engine), [5, 12]);
  await engine.deletePoints('d', ['T'], { ms: day(5).ms, ticks: 0 });
  await setAge(engine, 0);
  await writeNumbers(engine, 'd', { T: [day(13)] });
  assert.deepEqual(await valuesOf(engine), [3, 13]);
  const later = await plant.kill();
  assert.deepEqual(await valuesOf(later), [3, 13]);
  await later.close();
});

it('a removal beside a purge comes before it or behind it, as a whole (D9, D15)', async () => {
  const behindPurge: number[] = [];
  const beforePurge = [4, 5, 6, 7, 8, 9];
  for (const first of ['purge', 'removal']) {
    const plant = new KillablePlant(NOW_MS, TUNABLES);
    const engine = await plant.open();
    await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0, late: 'accept' });
    await writeNumbers(engine, 'd', { T: Array.from({ length: 20 }, (_, i) => day(i + 1)) });
    await setAge(engine, 5);
    const purge = (): Promise<unknown> => engine.purge();
    const remove = (): Promise<unknown> => engine.deletePoints('d', ['T'], { ms: day(10).ms, ticks: 0 });
    const works = first === 'purge' ? [purge, remove] : [remove, purge];
    await Promise.all(works.map((work) => work()));
    await engine.purge();
    const left = await valuesOf(engine);
    assert.deepEqual(left, left.length === 0 ? behindPurge : beforePurge, first);
    const later = await plant.kill();
    assert.deepEqual(await valuesOf(later), left, first);
    await later.close();
  }
});
