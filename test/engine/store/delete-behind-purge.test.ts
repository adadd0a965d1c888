// Deleting points of a tag whose beginning is purged, and moving its spills: points that purge hides stay hidden, whichever files still hold them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCatalog } from '../../../engine/files/catalog-file.ts';
import { checkFolder, type Engine, type EngineTunables } from '../../../engine/index.ts';
import { type NumberPoint, readNumbers, upTo, writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { MemoryVfs } from '../../support/memory-vfs.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { DATA_FOLDER, makeDisk, openTestEngine } from '../../support/test-engine.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 0, 20);
const START_MS = NOW_MS - 10 * DAY_MS;
/** Short points every second, then one every six hours for two days. */
const timeOf = (i: number): number => START_MS + (i < 149 ? i * 1000 : DAY_MS + (i - 149) * (DAY_MS / 4));

interface Purged {
  readonly vfs: MemoryVfs;
  readonly clock: ManualClock;
  readonly engine: Engine;
}

function open(vfs: MemoryVfs, clock: ManualClock, others: Partial<EngineTunables> = {}): Promise<Engine> {
  const tunables = { blockPoints: 64, headLimitBytes: 1, maxSpills: 100, diskReserveBytes: 0, tagFileBytes: 1 };
  return openTestEngine({
    vfs,
    clock,
    random: new SeededRandom(1),
    tunables: { ...tunables, systemTagIntervalMs: 0, ...others },
  });
}

async function settle(): Promise<void> {
  for (let i = 0; i < 200; i++) await new Promise((resolve) => setImmediate(resolve));
}

function pointsOf(from: number, to: number): NumberPoint[] {
  return Array.from({ length: to - from }, (_, k) => ({ ms: timeOf(from + k), value: from + k }));
}

/** Points 0 to 157; of those, purge leaves 153 to 157, while a spill still holds 0 to 29. */
async function purged(): Promise<Purged> {
  const [vfs, clock] = [makeDisk({}), new ManualClock(NOW_MS)];
  const engine = await open(vfs, clock);
  for (const [from, to] of [
    [0, 30],
    [30, 149],
    [149, 158],
  ] as const) {
    await writeNumbers(engine, 'd', { T: pointsOf(from, to) });
    await settle();
  }
  await engine.updateDataset({ name: 'd', purgeAgeDays: 1, purgeSizeGb: 0 });
  await engine.purge();
  await settle();
  assert.deepEqual(await valuesOf(engine), [153, 154, 155, 156, 157]);
  return { vfs, clock, engine };
}

async function valuesOf(engine: Engine): Promise<(number | null)[]> {
  const { points, gaps } = await readNumbers(engine, 'd', 'T');
  assert.deepEqual(gaps, []);
  return points.map(({ value }) => value);
}

async function reopened({ vfs, clock, engine }: Purged): Promise<Engine> {
  await engine.close();
  return open(vfs, clock);
}

test('deleting all that purge has left brings back nothing that a spill still holds, and counts the readable points (D9)', async () => {
  for (const startMs of [timeOf(148) + 1, timeOf(153), timeOf(10)]) {
    const state = await purged();
    assert.deepEqual(await state.engine.deletePoints('d', ['T'], { ms: startMs, ticks: 0 }), { removed: 5 });
    assert.deepEqual(await valuesOf(state.engine), []);
    const again = await reopened(state);
    assert.deepEqual(await valuesOf(again), []);
    assert.deepEqual((await readNumbers(again, 'd', 'T', upTo(NOW_MS))).points, []);
    assert.deepEqual(await again.deletePoints('d', ['T'], { ms: 0, ticks: 0 }), { removed: 0 });
    await again.close();
  }
});

test('a tag whose points were all deleted after a purge accepts points again, also of times before them', async () => {
  const state = await purged();
  await state.engine.deletePoints('d', ['T'], { ms: timeOf(150), ticks: 0 });
  await writeNumbers(state.engine, 'd', { T: [{ ms: timeOf(152), value: 1000 }] });
  await writeNumbers(state.engine, 'd', { T: [{ ms: timeOf(157), value: 1001 }] });
  assert.deepEqual(await valuesOf(state.engine), [1000, 1001]);
  const again = await reopened(state);
  assert.deepEqual(await valuesOf(again), [1000, 1001]);
  await again.close();
});

test('a deletion after the point that purge keeps leaves that point', async () => {
  const state = await purged();
  assert.deepEqual(await state.engine.deletePoints('d', ['T'], { ms: timeOf(153) + 1, ticks: 0 }), { removed: 4 });
  assert.deepEqual(await valuesOf(state.engine), [153]);
  const again = await reopened(state);
  assert.deepEqual(await valuesOf(again), [153]);
  await again.close();
});

test('a spill that moves into tag files brings back nothing that purge has freed, so nothing between seems to be lost (D9)', async () => {
  const { vfs, clock, engine } = await purged();
  await engine.close();
  const moving = await open(vfs, clock, { maxSpills: 0 });
  clock.advance(1000);
  await settle();
  assert.deepEqual(await valuesOf(moving), [153, 154, 155, 156, 157]);
  await moving.close();
  const catalog = readCatalog(vfs, `${DATA_FOLDER}/d`);
  assert.ok(!catalog?.meta?.spills.includes(0), 'it is absorbed');
  const files = catalog?.tags.find(({ definition }) => definition.name === 'T')?.files ?? [];
  const firsts = files.map(({ firstOrdinal }) => firstOrdinal);
  assert.ok(firsts.length > 0 && Math.min(...firsts) >= 149, firsts.join());
  assert.deepEqual(await valuesOf(await open(vfs, clock)), [153, 154, 155, 156, 157]);
});

const day = (days: number): NumberPoint => ({ ms: START_MS + days * DAY_MS, value: days });

/** Points of days 0, 8 and 10, and late ones, of which a spill has the first request, and tag files have all. */
async function withLate(...late: readonly NumberPoint[][]): Promise<Purged> {
  const [vfs, clock] = [makeDisk({}), new ManualClock(NOW_MS)];
  const engine = await open(vfs, clock);
  await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0, late: 'accept' });
  for (const points of [[day(0), day(8), day(10)], ...late]) {
    await writeNumbers(engine, 'd', { T: points });
    await settle();
  }
  return { vfs, clock, engine };
}

for (const state of ['in force', 'lifted'] as const) {
  test(`late points that purge has freed do not seem to be lost when a spill with some of them moves and the rule is ${state} (D9)`, async () => {
    const { vfs, clock, engine } = await withLate(pointsOf(1, 20), pointsOf(20, 100));
    await engine.updateDataset({ name: 'd', purgeAgeDays: 5, purgeSizeGb: 0 });
    await engine.purge();
    if (state === 'lifted') await engine.updateDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
    await engine.close();
    const moving = await open(vfs, clock, { maxSpills: 0, headLimitBytes: 1e6 });
    clock.advance(1000);
    await settle();
    await writeNumbers(moving, 'd', { T: [day(9)] });
    const killed = vfs.crashClone({ content: 'everything', entries: 'everything', random: new SeededRandom(2) });
    await moving.close();
    const again = await open(killed, new ManualClock(NOW_MS));
    assert.deepEqual(await valuesOf(again), [0, 8, 9, 10]);
    await again.close();
    assert.deepEqual(checkFolder(killed, DATA_FOLDER).findings, []);
  });
}

test('purge leaves late points that only a spill still holds, when those behind them are purged (D9)', async () => {
  const { vfs, clock, engine } = await withLate([day(9)], pointsOf(1, 100));
  await engine.close();
  const [first] = vfs.files().filter((path) => path.includes('/tags/41/')); // of the late points
  vfs.removeSync(first as string);
  const again = await open(vfs, clock);
  await again.updateDataset({ name: 'd', purgeAgeDays: 5, purgeSizeGb: 0 });
  await again.purge();
  const { points } = await readNumbers(again, 'd', 'T');
  assert.deepEqual(
    points.map(({ value }) => value),
    [0, 8, 9, 10],
  );
  await again.close();
});
