// Statistics of stored points against plain sums over what a full read gives.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Engine,
  PointColumns,
  type StatisticsRequest,
  type TagStatistics,
  ValueType,
} from '../../../engine/index.ts';
import { type NumberPoint, writeNumbers } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { drawTunables, makeDisk, openTestEngine } from '../../support/test-engine.ts';

const START_MS = Date.UTC(2026, 0, 1);
const DATASET = 'plant';
const SERIES = 30;

async function openEngine(random: SeededRandom, nowMs = START_MS): Promise<Engine> {
  const tunables = { ...drawTunables(random), diskReserveBytes: 0, aheadMs: 1e15 };
  const engine = await openTestEngine({ vfs: makeDisk({}), clock: new ManualClock(nowMs), random, tunables });
  await engine.createDataset({ name: DATASET, purgeAgeDays: 0, purgeSizeGb: 0 });
  return engine;
}

function requestOf(startMs: number, endMs: number, more: Partial<StatisticsRequest> = {}): StatisticsRequest {
  return {
    tags: ['T'],
    range: { start: { ms: startMs, ticks: 0 }, end: { ms: endMs, ticks: 0 } },
    skipMissing: false,
    interpolation: undefined,
    treatUncertainAsBad: true,
    now: { ms: 8e14, ticks: 0 },
    isAborted: () => false,
    ...more,
  };
}

async function statisticsOf(engine: Engine, request: StatisticsRequest): Promise<TagStatistics[]> {
  const result = engine.statistics(DATASET, request);
  await result.settle();
  const all: TagStatistics[] = [];
  for (let i = 0; i < result.tagCount; i++) all.push(await result.of(i));
  return all;
}

type Figures = Readonly<Record<string, unknown>>;

/** Figures that depend on the order in which points are summed up, by a few units of the last digit. */
const SUMMED_UP = ['mean', 'deviation', 'p50'] as const;
const MOST_DIFFERENCE = 1e-9;

function assertSame(got: Figures, want: Figures, message: string): void {
  const others = { mean: undefined, deviation: undefined, p50: undefined };
  assert.deepEqual({ ...got, ...others }, { ...want, ...others }, message);
  for (const name of SUMMED_UP) {
    const [a, b] = [got[name], want[name]];
    const isClose = typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) <= MOST_DIFFERENCE;
    assert.ok(isClose || a === b, `${name}: got ${String(a)}, want ${String(b)}; ${message}`);
  }
}

/** What is to come out, in plain words. Times are relative to the start of 2026. */
function plainly(points: readonly NumberPoint[], startMs: number, endMs: number): Figures {
  const inside = points.filter(({ ms }) => ms >= startMs && ms < endMs);
  const good = inside.filter(({ quality }) => quality === 192).map(({ value }) => value);
  const sorted = good.slice().sort((a, b) => a - b);
  const mean = good.reduce((sum, value) => sum + value, 0) / good.length;
  const squares = good.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const times = [startMs, ...inside.map(({ ms }) => ms), endMs];
  const gaps = times.slice(1).map((time, i) => time - (times[i] as number));
  return {
    points: inside.length,
    good: good.length,
    first: inside[0]?.ms,
    last: inside.at(-1)?.ms,
    min: sorted[0],
    minAt: inside.find(({ value, quality }) => quality === 192 && value === sorted[0])?.ms,
    max: sorted.at(-1),
    mean: good.length === 0 ? undefined : mean,
    deviation: good.length === 0 ? undefined : Math.sqrt(squares / Math.max(1, good.length - 1)),
    p50: good.length === 0 ? undefined : medianOf(sorted),
    gap: Math.max(...gaps),
  };
}

function medianOf(sorted: readonly number[]): number {
  const half = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(half)] as number) + (sorted[Math.ceil(half)] as number)) / 2;
}

function summed(statistics: TagStatistics): Figures {
  const { first, last, min, max, longestGap, percentiles } = statistics;
  return {
    points: statistics.points,
    good: statistics.good,
    first: first?.time.ms,
    last: last?.time.ms,
    min: min?.value,
    minAt: min?.time.ms,
    max: max?.value,
    mean: statistics.mean ?? undefined,
    deviation: statistics.deviation ?? undefined,
    p50: percentiles?.p50 ?? undefined,
    gap: longestGap && longestGap.end.ms - longestGap.start.ms,
  };
}

async function runSeries(seed: number): Promise<void> {
  const random = new SeededRandom(seed);
  const engine = await openEngine(random);
  const all: NumberPoint[] = [];
  let timeMs = START_MS;
  for (let request = 0; request < 6; request++) {
    const badOdds = random.pick([0, 0.1, 1]);
    const points: NumberPoint[] = [];
    for (let left = random.pick([1, 10, 400]); left > 0; left--) {
      timeMs += random.pick([1, 1000, 60_000]);
      const quality = random.chance(badOdds) ? random.pick([0, 64]) : 192;
      points.push({ ms: timeMs, value: random.between(-20, 20), quality });
    }
    await writeNumbers(engine, DATASET, { T: points });
    all.push(...points);
    const startMs = random.between(START_MS - 5000, timeMs + 5000);
    const endMs = startMs + random.pick([1, 1000, 600_000, 1e8]);
    const [statistics] = (await statisticsOf(engine, requestOf(startMs, endMs))) as [TagStatistics];
    assertSame(summed(statistics), plainly(all, startMs, endMs), `SEED=${seed}, request ${request}`);
    assert.equal(statistics.percentiles?.isExact ?? true, true);
  }
  await engine.close();
}

describe('statistics of stored points', () => {
  const first = process.env.SEED === undefined ? Date.now() % 1_000_000 : Number(process.env.SEED);
  const runs = process.env.SEED === undefined ? SERIES : 1;

  it(`are those of all points, over random series (SEED=${first}, ${runs} series)`, async () => {
    for (let seed = first; seed < first + runs; seed++) await runSeries(seed);
  });

  it('weigh by time, with the lines to the points around the range', async () => {
    const engine = await openEngine(new SeededRandom(1));
    const at = (seconds: number, value: number): NumberPoint => ({ ms: START_MS + seconds * 1000, value });
    await writeNumbers(engine, DATASET, { T: [at(0, 0), at(10, 10), at(40, 10), at(50, 0)] });
    const request = requestOf(START_MS + 5000, START_MS + 45_000);
    const [sloped] = (await statisticsOf(engine, request)) as [TagStatistics];
    assert.equal(sloped.mean, 10);
    assert.equal(sloped.timeMean, (5 * 7.5 + 30 * 10 + 5 * 7.5) / 40);
    assert.equal(sloped.percentGood, 100);
    const [stepped] = (await statisticsOf(engine, { ...request, interpolation: 'stepped' })) as [TagStatistics];
    assert.equal(stepped.timeMean, (5 * 0 + 35 * 10) / 40);
    await engine.close();
  });

  it('have no gap behind now', async () => {
    const engine = await openEngine(new SeededRandom(1));
    await writeNumbers(engine, DATASET, { T: [{ ms: START_MS, value: 1 }] });
    const now = { ms: START_MS + 7000, ticks: 0 };
    const [statistics] = (await statisticsOf(engine, requestOf(START_MS, START_MS + 60_000, { now }))) as [
      TagStatistics,
    ];
    assert.deepEqual(statistics.longestGap, { start: { ms: START_MS, ticks: 0 }, end: now });
    const future = requestOf(START_MS + 20_000, START_MS + 60_000, { now });
    assert.equal((await statisticsOf(engine, future))[0]?.longestGap, null);
    await engine.close();
  });

  it('of texts have their first, last and counts, and no numbers', async () => {
    const engine = await openEngine(new SeededRandom(1));
    const points = new PointColumns(3);
    for (const [i, text] of ['red', 'green', 'red'].entries()) {
      points.timesMs[i] = START_MS + i * 1000;
      points.numbers[i] = points.texts.push(text);
      points.qualities[i] = i === 2 ? 0 : 192;
      points.count++;
    }
    const run = { name: 'T', tag: undefined, type: ValueType.String, start: 0, count: 3, rejected: 0, stamped: 0 };
    await engine.append(DATASET, { points, runs: [run] });
    const [statistics] = (await statisticsOf(engine, requestOf(START_MS, START_MS + 2001))) as [TagStatistics];
    const { points: count, good, first: begin, last, min, mean, timeMean, percentiles } = statistics;
    assert.deepEqual(
      { count, good, min, mean, timeMean, percentiles },
      {
        count: 3,
        good: 2,
        min: null,
        mean: null,
        timeMean: null,
        percentiles: null,
      },
    );
    assert.deepEqual(begin, { time: { ms: START_MS, ticks: 0 }, value: 'red', quality: 192 });
    assert.deepEqual(last, { time: { ms: START_MS + 2000, ticks: 0 }, value: null, quality: 0 });
    await engine.close();
  });

  it('name the tags that are not there', async () => {
    const engine = await openEngine(new SeededRandom(1));
    await writeNumbers(engine, DATASET, { T: [{ ms: START_MS, value: 1 }] });
    const request = requestOf(START_MS, START_MS + 1, { tags: ['T', 'Nobody'] });
    await assert.rejects(statisticsOf(engine, request), { code: 'TAG_NOT_FOUND' });
    assert.equal((await statisticsOf(engine, { ...request, skipMissing: true })).length, 1);
    await engine.close();
  });
});
