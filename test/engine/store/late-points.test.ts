// Late points of datasets that accept them: stored beside the others, and merged in reads.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkFolder,
  type DatasetDefinition,
  type Engine,
  type EngineTunables,
  type PointDeletionReceipt,
  type ReadMarker,
  type WriteReceipt,
} from '../../../engine/index.ts';
import { diskOf, takeImage, withFile } from '../../corruption/disk-image.ts';
import { NEWEST, type NumberPoint, rangeOf, writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { MemoryVfs } from '../../support/memory-vfs.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { DATA_FOLDER, makeDisk, openTestEngine } from '../../support/test-engine.ts';
import { correct, cut, readAll } from '../corrections/corrected-tag.ts';
import type { HistoryPoint } from '../corrections/plain-history.ts';

const START_MS = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const SMALL_BLOCKS = { blockPoints: 64, headLimitBytes: 2000, systemTagIntervalMs: 0 };

interface Plant {
  readonly engine: Engine;
  readonly vfs: MemoryVfs;
  readonly clock: ManualClock;
}

interface PlantOptions {
  readonly rules?: Partial<DatasetDefinition>;
  readonly tunables?: Partial<EngineTunables>;
}

async function openPlant({ rules = {}, tunables = {} }: PlantOptions = {}): Promise<Plant> {
  const clock = new ManualClock(START_MS + DAY_MS);
  const vfs = makeDisk({});
  const engine = await openTestEngine({
    vfs,
    clock,
    random: new SeededRandom(1),
    tunables,
  });
  await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0, late: 'accept', ...rules });
  return { engine, vfs, clock };
}

/** Another engine over the disk as it is, or as a power cut would leave it. */
function openAgain({ vfs, clock }: Plant, tunables: Partial<EngineTunables> = {}): Promise<Engine> {
  return openTestEngine({ vfs, clock, random: new SeededRandom(2), tunables });
}

function at(second: number, value = second): HistoryPoint {
  return { ms: START_MS + second * 1000, value, quality: 192 };
}

/** Points of every second but those that are left out. */
function seconds(from: number, to: number, without: (second: number) => boolean = () => false): HistoryPoint[] {
  return Array.from({ length: to - from }, (_, i) => at(from + i)).filter((_, i) => !without(from + i));
}

function write(engine: Engine, points: readonly NumberPoint[]): ReturnType<typeof writeNumbers> {
  return writeNumbers(engine, 'd', { t: points });
}

test('late points are stored and read in their places, and the newest point stays what it is', async () => {
  const { engine } = await openPlant();
  await write(engine, [at(0), at(10), at(20)]);
  const receipt = await write(engine, [at(15), at(5), at(25)]);
  assert.deepEqual([receipt.written, receipt.ignored], [3, 0]);
  assert.equal((await write(engine, [at(-7)])).written, 1);
  assert.deepEqual(await readAll(engine, 'd', 't'), [at(-7), at(0), at(5), at(10), at(15), at(20), at(25)]);
  assert.deepEqual(await readAll(engine, 'd', 't', { range: NEWEST }), [at(25)]);
  assert.deepEqual(
    await readAll(engine, 'd', 't', { range: rangeOf(START_MS + 1, START_MS + 16_000), carryIn: true }),
    [at(0), at(5), at(10), at(15)],
  );
  await engine.close();
});

test('a dataset that says nothing of late points ignores them, and keeps those it has once it says so', async () => {
  const { engine } = await openPlant({ rules: { late: 'ignore' } });
  await write(engine, [at(0), at(10)]);
  assert.equal((await write(engine, [at(5)])).ignored, 1);
  await engine.updateDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0, late: 'accept' });
  assert.equal((await write(engine, [at(6)])).written, 1);
  await engine.updateDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0, late: 'ignore' });
  assert.equal((await write(engine, [at(7)])).ignored, 1);
  assert.deepEqual(await readAll(engine, 'd', 't'), [at(0), at(6), at(10)]);
  await engine.close();
});

test('what is sent again is stored and read once', async () => {
  const { engine } = await openPlant();
  await write(engine, [at(0), at(10), at(20)]);
  await write(engine, [at(5), at(7)]);
  const again = await write(engine, [at(0), at(5), at(7), at(10)]);
  assert.deepEqual([again.written, again.repeated], [0, 4]);
  // With newer ones a request is no repetition as a whole; what is in it twice is read once all the same.
  await write(engine, [at(5), at(10), at(30)]);
  assert.deepEqual(await readAll(engine, 'd', 't'), [at(0), at(5), at(7), at(10), at(20), at(30)]);
  await engine.close();
});

test('what is stored twice is read once page by page, at a time and at the beginning of a range, too', async () => {
  const { engine } = await openPlant({ tunables: SMALL_BLOCKS });
  await write(
    engine,
    seconds(0, 200, (second) => second === 50),
  );
  const ties = [at(50, 7), at(50, 8), at(51, 9)];
  await write(engine, ties);
  // With a newer one, so that it is no repetition as a whole.
  assert.equal((await write(engine, [...ties, at(300)])).written, 4);
  const wanted = [at(49), at(50, 7), at(50, 8), at(51), at(51, 9), at(52)];
  const range = rangeOf(START_MS + 49_000, START_MS + 52_000);
  assert.deepEqual(await readAll(engine, 'd', 't', { range }), wanted);
  for (const limit of [1, 2, 3]) {
    const pages: HistoryPoint[] = [];
    let after: readonly ReadMarker[] = [];
    for (let page = 0; page < 10; page++) {
      const markers: ReadMarker[] = [];
      pages.push(...(await readAll(engine, 'd', 't', { range, limit, after, markers })));
      if (markers.length === 0) break;
      after = markers;
    }
    assert.deepEqual(pages, wanted, `pages of ${limit}`);
  }
  const time = { ms: START_MS + 50_000, ticks: 0 };
  assert.deepEqual(await readAll(engine, 'd', 't', { range: { kind: 'at', end: time } }), [at(50, 8)]);
  const carried = await readAll(engine, 'd', 't', {
    range: rangeOf(START_MS + 50_500, START_MS + 52_000),
    carryIn: true,
  });
  assert.deepEqual(carried, [at(50, 8), at(51), at(51, 9), at(52)]);
  await engine.close();
});

test('points of one time are read in the order stored, corrected, late', async () => {
  const { engine } = await openPlant();
  await write(engine, [at(0), at(10, 1), at(20)]);
  await write(engine, [at(10, 3)]);
  await write(engine, [at(10, 4)]);
  assert.deepEqual(await readAll(engine, 'd', 't'), [at(0), at(10, 1), at(10, 3), at(10, 4), at(20)]);
  const { id } = await correct(engine, 'd', {
    tag: 't',
    kind: 'replace',
    startMs: at(10).ms,
    endMs: at(10).ms,
    points: [at(10, 9)],
  });
  assert.deepEqual(await readAll(engine, 'd', 't'), [at(0), at(10, 9), at(20)]);
  await write(engine, [at(10, 5)]);
  assert.deepEqual(await readAll(engine, 'd', 't'), [at(0), at(10, 9), at(10, 5), at(20)]);
  await engine.undoCorrection('d', id as number, '', '');
  assert.deepEqual(await readAll(engine, 'd', 't'), [at(0), at(10, 1), at(10, 3), at(10, 4), at(10, 5), at(20)]);
  await engine.close();
});

test('how late a point may be is bounded by its tag and by now', async () => {
  const { engine } = await openPlant({ rules: { lateToleranceMs: 5000 } });
  await write(engine, [at(0), at(100)]);
  const byTag = await write(engine, [at(94), at(95), at(99)]);
  assert.deepEqual([byTag.written, byTag.ignored], [2, 1]);
  await engine.updateDataset({
    name: 'd',
    purgeAgeDays: 0,
    purgeSizeGb: 0,
    late: 'accept',
    lateToleranceMs: 0,
    lateAgeDays: 1,
  });
  // The clock stands a day behind the first point.
  const byNow = await write(engine, [at(-1), at(0, 7), at(1)]);
  assert.deepEqual([byNow.written, byNow.ignored], [2, 1]);
  assert.deepEqual(await readAll(engine, 'd', 't'), [at(0), at(0, 7), at(1), at(95), at(99), at(100)]);
  await engine.close();
});

test('late points of many requests go through heads, spills and blocks, and are there after a kill and a stop', async () => {
  const plant = await openPlant({ tunables: SMALL_BLOCKS });
  const random = new SeededRandom(3);
  const isLate = (second: number): boolean => second % 3 === 1;
  await write(plant.engine, seconds(0, 600, isLate));
  const late = random.shuffled(seconds(0, 600, (second) => !isLate(second) || second === 598));
  for (let i = 0; i < late.length; i += 7) await write(plant.engine, late.slice(i, i + 7));
  const wanted = seconds(0, 600).filter(({ ms }) => ms !== at(598).ms);
  assert.deepEqual(await readAll(plant.engine, 'd', 't'), wanted);

  const killed = plant.vfs.crashClone({ content: 'any', entries: 'any', random });
  const recovered = await openAgain({ ...plant, vfs: killed }, SMALL_BLOCKS);
  assert.deepEqual(await readAll(recovered, 'd', 't'), wanted);
  await recovered.close();

  await plant.engine.close();
  assert.deepEqual(checkFolder(plant.vfs, DATA_FOLDER).findings, []);
  const engine = await openAgain(plant, SMALL_BLOCKS);
  assert.deepEqual(await readAll(engine, 'd', 't'), wanted);
  await engine.close();
});

test('late points are no tags of their own to anybody', async () => {
  const { engine } = await openPlant();
  await write(engine, [at(0), at(10)]);
  await write(engine, [at(5)]);
  const list = await engine.tags('d');
  const [user, system] = [[...list.user], list.system];
  assert.deepEqual(
    user.map(({ name }) => name),
    ['t'],
  );
  assert.ok(system.every(({ name }) => !name.includes('late')));
  assert.equal(engine.lookup('d').find('\u0001late 64'), undefined);
  await assert.rejects(writeNumbers(engine, 'd', { '\u0001late 64': [at(0)] }), /control character/);
  await engine.close();
});

test('whoever watches is told of the range that late points change, and of no new points', async () => {
  const { engine } = await openPlant();
  await write(engine, [at(0), at(10)]);
  const told: unknown[] = [];
  const watch = engine.watch(
    'd',
    ({ tag, count }) => tag.name === 't' && told.push(count),
    ({ tag, start, end }) => told.push([tag.name, start.ms, end.ms]),
  );
  await write(engine, [at(3), at(5)]);
  await write(engine, [at(4), at(20)]);
  watch.stop();
  assert.deepEqual(told, [['t', at(3).ms, at(5).ms], ['t', at(4).ms, at(4).ms], 1]);
  await engine.close();
});

test('a cut takes late points with it, counts them, and stays after a start', async () => {
  const plant = await openPlant({ tunables: SMALL_BLOCKS });
  await write(plant.engine, [at(0), at(10), at(20)]);
  await write(plant.engine, [at(5), at(15), at(17)]);
  assert.deepEqual(await cut(plant.engine, 'd', 't', at(12).ms), { removed: 3 });
  assert.deepEqual(await readAll(plant.engine, 'd', 't'), [at(0), at(5), at(10)]);
  await write(plant.engine, [at(16, 1)]);
  await write(plant.engine, [at(15, 2)]);
  const wanted = [at(0), at(5), at(10), at(15, 2), at(16, 1)];
  assert.deepEqual(await readAll(plant.engine, 'd', 't'), wanted);
  await plant.engine.close();
  const engine = await openAgain(plant, SMALL_BLOCKS);
  assert.deepEqual(await readAll(engine, 'd', 't'), wanted);
  await engine.close();
});

test('points that a cut has removed are stored again when they are sent again, late ones too', async () => {
  for (const tunables of [{}, SMALL_BLOCKS]) {
    const plant = await openPlant({ tunables });
    await write(
      plant.engine,
      seconds(0, 200, (second) => second % 10 === 5),
    );
    await write(plant.engine, [at(5), at(105), at(115)]);
    await cut(plant.engine, 'd', 't', at(100).ms);
    await write(plant.engine, [at(300)]);
    const left = seconds(0, 100, (second) => second % 10 === 5 && second !== 5);
    assert.deepEqual(await readAll(plant.engine, 'd', 't'), [...left, at(300)]);
    const again = [at(100), at(105), at(199)];
    assert.deepEqual(countsOf(await write(plant.engine, again)), [3, 0]);
    assert.deepEqual(countsOf(await write(plant.engine, again)), [0, 3]);
    const all = [...left, at(100), at(105), at(199), at(300)];
    assert.deepEqual(await readAll(plant.engine, 'd', 't'), all);
    await plant.engine.close();
    const reopened = await openAgain(plant, tunables);
    assert.deepEqual(await readAll(reopened, 'd', 't'), all);
    await reopened.close();
  }
});

function countsOf({ written, repeated }: WriteReceipt): number[] {
  return [written, repeated];
}

test('a cut of several tags that the disk has no room for changes none of them, and later ones wait for it', async () => {
  const { engine, vfs } = await openPlant();
  const both = { t: [at(0), at(10), at(20)], u: [at(0), at(20)] };
  await writeNumbers(engine, 'd', both);
  await write(engine, [at(15)]);
  const cutBoth = (): Promise<PointDeletionReceipt> =>
    engine.deletePoints('d', ['t', 'u'], { ms: at(12).ms, ticks: 0 });
  const cancel = vfs.failAt(1, 'write', 'ENOSPC');
  await assert.rejects(cutBoth(), { code: 'DISK_FULL' });
  cancel();
  assert.deepEqual(await readAll(engine, 'd', 't'), [at(0), at(10), at(15), at(20)]);
  assert.deepEqual(await readAll(engine, 'd', 'u'), both.u);
  const [{ removed }] = await Promise.all([cutBoth(), write(engine, [at(30)])]);
  assert.equal(removed, 3);
  assert.deepEqual(await readAll(engine, 'd', 't'), [at(0), at(10), at(30)]);
  assert.deepEqual(await readAll(engine, 'd', 'u'), [at(0)]);
  await engine.close();
});

test('a tag goes with its late points, and one of its name begins with none', async () => {
  const plant = await openPlant({ tunables: SMALL_BLOCKS });
  await write(plant.engine, [...seconds(0, 300), at(400)]);
  await write(plant.engine, seconds(300, 399));
  await plant.engine.deleteTags('d', ['t']);
  await write(plant.engine, [at(500)]);
  assert.deepEqual(await readAll(plant.engine, 'd', 't'), [at(500)]);
  await plant.engine.close();
  const engine = await openAgain(plant, SMALL_BLOCKS);
  assert.deepEqual(await readAll(engine, 'd', 't'), [at(500)]);
  await engine.close();
});

for (const [change, purgeAgeDays] of [
  ['lifted', 0],
  ['widened', 8],
] as const)
  test(`where a rule of purge was ${change}, late points before those that it had left count as expired: they would not be read`, async () => {
    const plant = await openPlant({ tunables: { ...SMALL_BLOCKS, purgeIntervalMs: 1e15 } });
    const { engine } = plant;
    const day = (days: number): HistoryPoint => ({ ms: START_MS - days * DAY_MS, value: days, quality: 192 });
    await write(engine, [day(10), day(3), day(0)]);
    await write(engine, [day(7), day(2)]);
    await engine.updateDataset({ name: 'd', purgeAgeDays: 2.5, purgeSizeGb: 0 });
    await engine.purge();
    await engine.updateDataset({ name: 'd', purgeAgeDays, purgeSizeGb: 0 });
    const { written, expired } = await write(engine, [day(6), day(4)]);
    assert.deepEqual({ written, expired }, { written: 0, expired: 2 });
    const mixed = await write(engine, [day(5), day(1), day(-1)]);
    assert.deepEqual({ written: mixed.written, expired: mixed.expired }, { written: 2, expired: 1 });
    const left = [day(3), day(2), day(1), day(0), day(-1)];
    assert.deepEqual(await readAll(engine, 'd', 't'), left);
    await engine.close();
    const later = await openAgain(plant);
    assert.equal((await write(later, [day(6)])).expired, 1);
    assert.deepEqual(await readAll(later, 'd', 't'), left);
    await later.close();
  });

test('where the points that a lifted rule had left are removed, late points behind the first of them are stored and read', async () => {
  const plant = await openPlant({ tunables: { ...SMALL_BLOCKS, purgeIntervalMs: 1e15 } });
  const { engine } = plant;
  const day = (days: number): HistoryPoint => ({ ms: START_MS - days * DAY_MS, value: days, quality: 192 });
  await write(engine, [day(10), day(5), day(0)]);
  await engine.updateDataset({ name: 'd', purgeAgeDays: 3, purgeSizeGb: 0 });
  await engine.purge();
  await engine.updateDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
  await cut(engine, 'd', 't', day(5).ms);
  await write(engine, [day(1)]);
  const { written, expired } = await write(engine, [day(6), day(4)]);
  assert.deepEqual({ written, expired }, { written: 1, expired: 1 });
  assert.deepEqual(await readAll(engine, 'd', 't'), [day(4), day(1)]);
  await engine.close();
  const later = await openAgain(plant);
  await write(later, [day(3)]);
  assert.deepEqual(await readAll(later, 'd', 't'), [day(4), day(3), day(1)]);
  await later.close();
});

test('purge hides late points, refuses those that it would hide, and frees their blocks', async () => {
  const plant = await openPlant({ tunables: { ...SMALL_BLOCKS, purgeIntervalMs: 1e15 }, rules: { purgeAgeDays: 2 } });
  const { engine, vfs, clock } = plant;
  await write(engine, [...seconds(0, 10), at(1000)]);
  for (let second = 10; second < 330; second += 16) await write(engine, seconds(second, second + 16));
  await engine.close();
  const filesOf = (): string[] => vfs.files().filter((path) => path.includes('/tags/'));
  const before = filesOf();
  clock.advance(1.5 * DAY_MS);
  const later = await openAgain(plant, { ...SMALL_BLOCKS, purgeIntervalMs: 1e15 });
  await write(later, [{ ms: clock.nowMs(), value: 1 }]);
  await later.purge();
  const read = await readAll(later, 'd', 't');
  assert.deepEqual(
    read,
    [at(1000), { ms: clock.nowMs(), value: 1, quality: 192 }],
    'the newest one that was in time is kept',
  );
  const receipt = await write(later, [at(500)]);
  assert.deepEqual([receipt.written, receipt.expired], [0, 1]);
  await later.close();
  assert.ok(
    before.some((path) => !filesOf().includes(path)),
    `${filesOf()} beside ${before}`,
  );
  assert.deepEqual(checkFolder(vfs, DATA_FOLDER).findings, []);
});

test('a damaged block of late points is a gap that is said, and the others are read', async () => {
  const events: string[] = [];
  const plant = await openPlant({ tunables: SMALL_BLOCKS });
  await write(plant.engine, [at(0), at(1000)]);
  for (let second = 1; second < 400; second += 20) await write(plant.engine, seconds(second, second + 20));
  await plant.engine.close();
  const files = plant.vfs.files().filter((path) => path.includes('/tags/'));
  const path = files.toSorted((a, b) => plant.vfs.content(b).length - plant.vfs.content(a).length)[0] as string;
  const bytes = plant.vfs.content(path).slice();
  bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] as number) ^ 0xff;
  const engine = await openTestEngine({
    vfs: diskOf(withFile(takeImage(plant.vfs), path, bytes)),
    clock: plant.clock,
    random: new SeededRandom(4),
    tunables: SMALL_BLOCKS,
    listener: ({ event }) => events.push(event),
  });
  await assert.rejects(readAll(engine, 'd', 't'), /gaps: \[\{.*"points":\d+/);
  assert.ok(events.includes('block.damaged') || events.includes('tag-file.damaged'), events.join());
  await engine.close();
});
