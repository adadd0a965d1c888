// Corrections of points of the past, and their undoing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, EngineError, PointColumns, type StoredRun, ValueType } from '../../../engine/index.ts';
import { MAX_CORRECTION_POINTS } from '../../../engine/limits.ts';
import { pushPoint } from '../../../engine/tag/stored-value.ts';
import { NEWEST, rangeOf, writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { chooseSeed, SeededRandom } from '../../support/seeded-random.ts';
import { makeDisk, openTestEngine } from '../../support/test-engine.ts';
import { correct, cut, readAll } from './corrected-tag.ts';
import type { HistoryPoint } from './plain-history.ts';
import { COUNTS, tryCorrections } from './random-corrections.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 1);
/** Days pass in a call: at the interval of every 5 s all of their system points would wait for one commit. */
const TUNABLES = { systemTagIntervalMs: 3_600_000 };
const EVERY = { tag: undefined, before: undefined, limit: 100 };

interface Plant {
  engine: Engine;
  readonly clock: ManualClock;
  reopen(): Promise<Engine>;
}

async function openPlant(points: readonly HistoryPoint[]): Promise<Plant> {
  const random = new SeededRandom(1);
  const clock = new ManualClock(START_MS + DAY_MS);
  const vfs = makeDisk({});
  const open = (): Promise<Engine> => openTestEngine({ vfs, clock, random, tunables: TUNABLES });
  const plant = {
    clock,
    engine: await open(),
    async reopen() {
      await plant.engine.close();
      plant.engine = await open();
      return plant.engine;
    },
  };
  if (points.length > 0) await writeNumbers(plant.engine, 'd', { t: points });
  return plant;
}

function series(count: number, stepMs = 1000): HistoryPoint[] {
  return Array.from({ length: count }, (_, i) => ({ ms: START_MS + i * stepMs, value: i, quality: 192 }));
}

function refusal(code: string, words: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof EngineError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, words);
    return true;
  };
}

const seed = chooseSeed();

test(`reads see what a plain history has, through corrections, undoings, cuts and power cuts (SEED=${seed})`, async () => {
  const { trials, failures } = await tryCorrections({ seed, count: COUNTS.slice });
  assert.deepEqual(failures, []);
  assert.equal(trials, 40);
});

test('corrections that a power cut left in the head before points of a spill are in force', async () => {
  for (const one of [4764, 4867])
    assert.deepEqual(await tryCorrections({ seed: one, count: 1 }), { trials: 1, failures: [] });
});

test('a correction says what it does before and when it is made, and is listed with who, when and why', async () => {
  const { engine, clock } = await openPlant(series(10));
  const correction = { tag: 't', kind: 'delete', startMs: START_MS + 2000, endMs: START_MS + 4999 } as const;
  assert.deepEqual(await correct(engine, 'd', { ...correction, isPreview: true }), {
    id: undefined,
    hidden: 3,
    added: 0,
  });
  assert.equal((await readAll(engine, 'd', 't')).length, 10, 'a preview changes nothing');
  assert.deepEqual(engine.corrections('d', EVERY), []);
  assert.deepEqual(await correct(engine, 'd', correction), { id: 1, hidden: 3, added: 0 });
  assert.deepEqual(
    (await readAll(engine, 'd', 't')).map(({ value }) => value),
    [0, 1, 5, 6, 7, 8, 9],
  );
  const [listed] = engine.corrections('d', EVERY);
  const made = { at: { ms: clock.nowMs(), ticks: 0 }, by: 'tester', reason: 'delete for a test' };
  const range = { start: { ms: START_MS + 2000, ticks: 0 }, end: { ms: START_MS + 4999, ticks: 0 } };
  assert.deepEqual(listed, { id: 1, tag: 't', kind: 'delete', ...range, points: 0, made, undone: undefined });
  const undone = await engine.undoCorrection('d', 1, 'other', 'was right');
  assert.deepEqual(undone.undone, { at: { ms: clock.nowMs(), ticks: 1 }, by: 'other', reason: 'was right' });
  assert.deepEqual(await readAll(engine, 'd', 't'), series(10));
  await engine.close();
});

test('values of every type come back from the log as they were', async () => {
  const plant = await openPlant([]);
  const values = [
    [ValueType.Double, -0, 0.1 + 0.2],
    [ValueType.Int32, -5, 7],
    [ValueType.Boolean, 0, 1],
    [ValueType.Int64, -(2n ** 63n), 2n ** 62n + 1n],
    [ValueType.DateTime, 638_000_000_000_000_001n, 0n],
    [ValueType.String, 'Kessel "2"\n', ''],
    [ValueType.Decimal, '0.10', '12345678901234567890.1'],
  ] as const;
  for (const [type, first, second] of values) {
    const name = `t${type}`;
    const batchOf = (ms: number, value: number | bigint | string | null) => {
      const points = new PointColumns(1);
      pushPoint(points, { ms, ticks: 7, value, quality: 192, type, tie: undefined });
      const tag = plant.engine.lookup('d').find(name);
      return { points, runs: [{ name, tag, type, start: 0, count: 1, rejected: 0, stamped: 0 }] };
    };
    await plant.engine.append('d', batchOf(START_MS + 5000, first));
    for (const [i, value] of [first, second, null].entries()) {
      const batch = batchOf(START_MS + i, value);
      await plant.engine.correct('d', {
        tag: name,
        kind: 'insert',
        range: undefined,
        batch,
        by: '',
        reason: '',
        isPreview: false,
      });
    }
  }
  const engine = await plant.reopen();
  for (const [type, first, second] of values) {
    const range = rangeOf(START_MS, START_MS + 10_000);
    const request = { tags: [`t${type}`], range, carryIn: false, skipMissing: false, limit: undefined, after: [] };
    const cursor = engine.read('d', request).open(0);
    const read: unknown[] = [];
    for (let chunk = await cursor.next(); chunk; chunk = await cursor.next()) {
      for (let i = chunk.start; i < chunk.end; i++) {
        const { points } = chunk;
        const own = typeof first === 'bigint' ? points.bigints[i] : points.numbers[i];
        const value = typeof first === 'string' ? points.texts.at(points.numbers[i] as number) : own;
        read.push([points.timesMs[i], points.ticks[i], points.nulls[i] ? null : value]);
      }
    }
    cursor.close();
    const wanted = [first, second, null].map((value, i) => [START_MS + i, 7, value]);
    assert.deepEqual(read, [...wanted, [START_MS + 5000, 7, first]], `type ${type}`);
  }
  await engine.close();
});

test('a correction of many points is one of several texts, and is whole after a restart', async () => {
  const plant = await openPlant(series(3000));
  const points = series(3000).map((point) => ({ ...point, value: point.value + 0.5 }));
  await correct(plant.engine, 'd', {
    tag: 't',
    kind: 'replace',
    startMs: START_MS,
    endMs: START_MS + 3_000_000,
    points,
  });
  assert.deepEqual(await readAll(await plant.reopen(), 'd', 't'), points);
  await plant.engine.undoCorrection('d', 1, '', '');
  assert.deepEqual(await readAll(await plant.reopen(), 'd', 't'), series(3000));
  await plant.engine.close();
});

test('whoever watches the log of corrections is told of each', async () => {
  const { engine } = await openPlant(series(10));
  const texts: string[] = [];
  const watch = engine.watch('d', ({ tag, points, start, count }: StoredRun) => {
    if (tag.name !== 'Corrections') return;
    for (let i = start; i < start + count; i++) texts.push(points.texts.at(points.numbers[i] as number));
  });
  await correct(engine, 'd', { tag: 't', kind: 'delete', startMs: START_MS, endMs: START_MS });
  await engine.undoCorrection('d', 1, 'tester', '');
  watch.stop();
  assert.deepEqual(
    texts.map((text) => JSON.parse(text)).map(({ correction, kind, undo }) => correction ?? [undo, kind]),
    [1, [1, undefined]],
  );
  const { system } = await engine.tags('d');
  assert.ok(
    system.some(({ name }) => name === 'Corrections'),
    'the log is listed once there are corrections',
  );
  await engine.close();
});

test('what cannot be corrected is refused with a reason, and nothing is changed', async () => {
  const { engine } = await openPlant(series(10));
  const at = (seconds: number): number => START_MS + seconds * 1000;
  const one = (seconds: number): HistoryPoint[] => [{ ms: at(seconds), value: 1, quality: 192 }];
  const refused: [Parameters<typeof correct>[2], string, RegExp][] = [
    [{ tag: 'none', kind: 'delete', startMs: at(0), endMs: at(1) }, 'TAG_NOT_FOUND', /'none'/],
    [{ tag: 'Status', kind: 'delete', startMs: at(0), endMs: at(1) }, 'BAD_REQUEST', /system tag/],
    [{ tag: 't', kind: 'delete', startMs: at(2), endMs: at(1) }, 'BAD_REQUEST', /ends before it starts/],
    [{ tag: 't', kind: 'delete', startMs: at(20), endMs: at(30) }, 'BAD_REQUEST', /no points in the range/],
    [{ tag: 't', kind: 'delete', startMs: at(0), endMs: at(1), points: one(0) }, 'BAD_REQUEST', /has no points/],
    [{ tag: 't', kind: 'replace', startMs: at(0), endMs: at(1) }, 'BAD_REQUEST', /needs points/],
    [
      { tag: 't', kind: 'replace', startMs: at(0), endMs: at(1), points: one(2) },
      'BAD_REQUEST',
      /outside of its range/,
    ],
    [{ tag: 't', kind: 'insert', startMs: at(0), endMs: at(60), points: one(50) }, 'BAD_REQUEST', /behind its newest/],
    [
      {
        tag: 't',
        kind: 'insert',
        startMs: at(0),
        endMs: at(9),
        points: Array(MAX_CORRECTION_POINTS + 1).fill(one(1)[0]),
      },
      'BAD_REQUEST',
      /at most 10000 points/,
    ],
  ];
  for (const [correction, code, words] of refused) {
    await assert.rejects(correct(engine, 'd', correction), refusal(code, words));
    await assert.rejects(correct(engine, 'd', { ...correction, isPreview: true }), refusal(code, words));
  }
  await assert.rejects(
    engine.undoCorrection('d', 1, '', ''),
    refusal('CORRECTION_NOT_FOUND', /Correction 1 could not/),
  );
  assert.deepEqual(engine.corrections('d', EVERY), []);
  assert.deepEqual(await readAll(engine, 'd', 't'), series(10));
  await correct(engine, 'd', { tag: 't', kind: 'delete', startMs: at(0), endMs: at(1) });
  await engine.undoCorrection('d', 1, '', '');
  await assert.rejects(engine.undoCorrection('d', 1, '', ''), refusal('CONFLICT', /was undone at 2026/));
  await cut(engine, 'd', 't', at(1));
  await engine.close();
});

test('points removed from a time on take what corrections gave with them, and that cannot be undone', async () => {
  const plant = await openPlant(series(10));
  const points = [{ ms: START_MS + 7500, value: 75, quality: 192 }];
  await correct(plant.engine, 'd', { tag: 't', kind: 'insert', startMs: START_MS, endMs: START_MS + 9000, points });
  await cut(plant.engine, 'd', 't', START_MS + 5000);
  assert.deepEqual(await readAll(plant.engine, 'd', 't'), series(5));
  const [cutting] = plant.engine.corrections('d', EVERY);
  assert.equal(cutting?.kind, 'cut');
  await assert.rejects(
    plant.engine.undoCorrection('d', cutting?.id as number, '', ''),
    refusal('CONFLICT', /for good/),
  );
  await plant.engine.undoCorrection('d', 1, '', '');
  await writeNumbers(plant.engine, 'd', { t: series(9).slice(5) });
  assert.deepEqual(await readAll(await plant.reopen(), 'd', 't'), series(9));
  await plant.engine.close();
});

test('the newest point may be corrected; what is late is still decided by the stored one', async () => {
  const { engine } = await openPlant(series(10));
  await correct(engine, 'd', { tag: 't', kind: 'delete', startMs: START_MS + 8000, endMs: START_MS + 20_000 });
  assert.deepEqual(await readAll(engine, 'd', 't', { range: NEWEST }), series(8).slice(-1));
  const { ignored, repeated } = await writeNumbers(engine, 'd', { t: series(10).slice(8, 9) });
  assert.deepEqual([ignored + repeated, (await readAll(engine, 'd', 't')).length], [1, 8]);
  await writeNumbers(engine, 'd', { t: series(12).slice(11) });
  assert.deepEqual(await readAll(engine, 'd', 't'), [...series(8), ...series(12).slice(11)]);
  await engine.close();
});

test('a tag of the same name as a deleted one has none of its corrections', async () => {
  const plant = await openPlant(series(10));
  await correct(plant.engine, 'd', { tag: 't', kind: 'delete', startMs: START_MS, endMs: START_MS + 5000 });
  await plant.engine.deleteTags('d', ['t']);
  assert.deepEqual(plant.engine.corrections('d', EVERY), []);
  await writeNumbers(plant.engine, 'd', { t: series(10) });
  assert.deepEqual(await readAll(plant.engine, 'd', 't'), series(10));
  const engine = await plant.reopen();
  assert.deepEqual(await readAll(engine, 'd', 't'), series(10));
  assert.equal((await correct(engine, 'd', { tag: 't', kind: 'delete', startMs: START_MS, endMs: START_MS })).id, 2);
  await engine.close();
});

test('purge hides what corrections gave as it hides stored points, and then forgets them', async () => {
  const plant = await openPlant(series(20, DAY_MS / 4).slice(0, 4));
  const { engine, clock } = plant;
  const late = [
    { ms: START_MS + 1000, value: 100, quality: 192 },
    { ms: START_MS + DAY_MS / 4 + 1000, value: 101, quality: 192 },
  ];
  await correct(engine, 'd', { tag: 't', kind: 'insert', startMs: START_MS, endMs: START_MS + DAY_MS, points: late });
  await engine.updateDataset({ name: 'd', purgeAgeDays: 1, purgeSizeGb: 0 });
  clock.advance(DAY_MS / 2);
  // Purged is what lies before START + 1/4 day + 2000 ms, but the newest of it, which a correction gave.
  const newest = { ms: START_MS + DAY_MS / 4 + 2000 + DAY_MS, value: 5, quality: 192 };
  await writeNumbers(engine, 'd', { t: [newest] });
  await engine.purge();
  const wanted = [late[1], ...series(4, DAY_MS / 4).slice(2), newest];
  assert.deepEqual(await readAll(engine, 'd', 't'), wanted);
  assert.deepEqual(await readAll(await plant.reopen(), 'd', 't'), wanted);
  const early = { tag: 't', kind: 'delete', startMs: START_MS, endMs: START_MS + DAY_MS } as const;
  await assert.rejects(correct(plant.engine, 'd', early), refusal('BAD_REQUEST', /purged/));
  plant.clock.advance(DAY_MS);
  const last = { ms: START_MS + 2.5 * DAY_MS, value: 6, quality: 192 };
  await writeNumbers(plant.engine, 'd', { t: [last] });
  await plant.engine.purge();
  assert.deepEqual(await readAll(plant.engine, 'd', 't'), [newest, last]);
  assert.deepEqual(plant.engine.corrections('d', EVERY), [], 'its points are purged');
  await plant.engine.close();
});

test('a point that a correction gave does not come back with a restart where purge had forgotten that one when points were removed', async () => {
  const plant = await openPlant(series(3));
  const { engine, clock } = plant;
  await engine.updateDataset({ name: 'd', purgeAgeDays: 1, purgeSizeGb: 0 });
  const points = [{ ms: START_MS + 1000, value: 100, quality: 192 }];
  await correct(engine, 'd', { tag: 't', kind: 'insert', startMs: START_MS, endMs: START_MS + 2000, points });
  clock.advance(3 * DAY_MS);
  await writeNumbers(engine, 'd', { t: [2, 3.5].map((day) => ({ ms: START_MS + day * DAY_MS, value: day })) });
  await engine.purge();
  assert.deepEqual(engine.corrections('d', EVERY), [], 'its points are purged');
  await cut(engine, 'd', 't', START_MS + 1000);
  assert.deepEqual(await readAll(engine, 'd', 't'), []);
  assert.deepEqual(await readAll(await plant.reopen(), 'd', 't'), []);
  await plant.engine.close();
});

test('where a rule of purge was lifted, a point before those that it had left is refused: it would not be read', async () => {
  const day = (days: number, value: number): HistoryPoint => ({ ms: START_MS - days * DAY_MS, value, quality: 192 });
  const { engine } = await openPlant([day(10, 10), day(3, 3), day(1, 1), day(0, 0)]);
  await engine.updateDataset({ name: 'd', purgeAgeDays: 2, purgeSizeGb: 0 });
  await engine.purge();
  await engine.updateDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: 0 });
  const insert = (point: HistoryPoint) =>
    correct(engine, 'd', { tag: 't', kind: 'insert', startMs: day(20, 0).ms, endMs: START_MS, points: [point] });
  await assert.rejects(insert(day(5, 55)), refusal('BAD_REQUEST', /before .*, up to where points were purged/));
  assert.equal((await insert(day(2, 2))).added, 1);
  assert.deepEqual(await readAll(engine, 'd', 't'), [day(3, 3), day(2, 2), day(1, 1), day(0, 0)]);
  await engine.close();
});

test('of a first correction and a removal that come at the same moment one is before the other', async () => {
  for (const turns of [0, 1, 2, 3, 5, 10]) {
    const { engine } = await openPlant(series(10));
    const [startMs, endMs] = [START_MS + 2000, START_MS + 8000];
    const points = [{ ms: START_MS + 5500, value: 55, quality: 192 }];
    const made = correct(engine, 'd', { tag: 't', kind: 'replace', startMs, endMs, points });
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    const removed = cut(engine, 'd', 't', START_MS + 1000);
    const [correction, removal] = await Promise.allSettled([made, removed]);
    assert.equal(removal.status, 'fulfilled');
    if (correction.status === 'rejected') assert.match(String(correction.reason), /behind its newest/);
    assert.deepEqual(await readAll(engine, 'd', 't'), series(1));
    await engine.close();
  }
});
