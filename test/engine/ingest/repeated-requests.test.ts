// Requests that are sent again, and points of one time: each is known, without a look at all others for each of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, type PointBatch, PointColumns, ValueType } from '../../../engine/index.ts';
import { writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { makeDisk, openTestEngine } from '../../support/test-engine.ts';
import { readAll } from '../corrections/corrected-tag.ts';

const START_MS = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
/** More than a chunk of a head takes of one run. */
const LONG_RUN = 1000;
const MANY = 30_000;
/** What took ten times as long where each point was compared with each. */
const LIMIT_MS = 3000;

type Late = 'ignore' | 'accept';

async function open(late: Late): Promise<Engine> {
  const clock = new ManualClock(START_MS + DAY_MS);
  const engine = await openTestEngine({ vfs: makeDisk({}), clock, random: new SeededRandom(1) });
  await engine.createDataset({ name: 'e', purgeAgeDays: 0, purgeSizeGb: 0, late });
  return engine;
}

/** Plain points, as the parser gives them. */
function batchOf(engine: Engine, firstMs: number, count: number): PointBatch {
  const points = new PointColumns(count);
  points.baseMs = firstMs;
  for (let i = 0; i < count; i++) {
    points.offsets[i] = i * 1000;
    points.mantissas[i] = i % 7;
  }
  points.count = count;
  const tag = engine.lookup('e').find('t');
  const run = { name: 't', tag, type: ValueType.Double, start: 0, count, rejected: 0, stamped: 0, decimals: 1 };
  return { points, runs: [run] };
}

async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return process.cpuUsage(before).user / 1000;
}

/** Points of one time that differ by their values. */
function sameTime(count: number, from = 0): { ms: number; value: number }[] {
  return Array.from({ length: count }, (_, i) => ({ ms: START_MS, value: from + i }));
}

for (const late of ['ignore', 'accept'] as const)
  test(`a request of a long run that is sent again is repeated point by point (late: ${late})`, async () => {
    const engine = await open(late);
    await engine.append('e', batchOf(engine, START_MS - 1000, 1));
    assert.equal((await engine.append('e', batchOf(engine, START_MS, LONG_RUN))).written, LONG_RUN);
    const { written, ignored, repeated } = await engine.append('e', batchOf(engine, START_MS, LONG_RUN));
    assert.deepEqual({ written, ignored, repeated }, { written: 0, ignored: 0, repeated: LONG_RUN });
    await engine.close();
  });

test('very many points of one time that come again late are known or ignored', async () => {
  const engine = await open('ignore');
  await writeNumbers(engine, 'e', { t: sameTime(MANY) });
  await writeNumbers(engine, 'e', { t: [{ ms: START_MS + 1, value: 1 }] });
  const tookMs = await cpuMsOf(async () => {
    const { ignored, repeated } = await writeNumbers(engine, 'e', { t: sameTime(MANY, MANY / 2) });
    // Points of older blocks are not looked for.
    assert.ok(repeated > 1000 && repeated <= MANY / 2, `${repeated}`);
    assert.equal(ignored + repeated, MANY);
  });
  assert.ok(tookMs < LIMIT_MS, `${tookMs} ms`);
  await engine.close();
});

test('very many late points of one time are read once each, and known when they come again', async () => {
  const engine = await open('accept');
  const newest = { ms: START_MS + 1e6, value: 1 };
  await writeNumbers(engine, 'e', { t: [newest] });
  await writeNumbers(engine, 'e', { t: sameTime(MANY) });
  const tookMs = await cpuMsOf(async () => {
    const read = await readAll(engine, 'e', 't');
    assert.deepEqual(
      read.map(({ value }) => value),
      [...sameTime(MANY), newest].map(({ value }) => value),
    );
    const { written, repeated } = await writeNumbers(engine, 'e', { t: sameTime(MANY) });
    assert.deepEqual({ written, repeated }, { written: 0, repeated: MANY });
  });
  assert.ok(tookMs < LIMIT_MS, `${tookMs} ms`);
  await engine.close();
});

test('further points of the newest time are kept once each, however many are there', async () => {
  const engine = await open('ignore');
  for (let from = 0; from < 100_000; from += 50_000) await writeNumbers(engine, 'e', { t: sameTime(50_000, from) });
  const tookMs = await cpuMsOf(async () => {
    for (let i = 1; i <= 200; i++) {
      const { written, repeated } = await writeNumbers(engine, 'e', { t: [...sameTime(1, -i), ...sameTime(1, i)] });
      assert.deepEqual({ written, repeated }, { written: 1, repeated: 1 });
    }
  });
  assert.ok(tookMs < LIMIT_MS, `${tookMs} ms`);
  await engine.close();
});
