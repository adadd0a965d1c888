// Aggregates of stored points against the calculation over all points that a full read gives: whatever the blocks, spills,
// heads, cuts and restarts, they find the points before and behind the range that they need.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  AGGREGATE_NAMES,
  type AggregateRequest,
  type Engine,
  PointColumns,
  type ReadRequest,
  type TagCursor,
  ValueType,
} from '../../../engine/index.ts';
import { rangeOf } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { drawTunables, makeDisk, openTestEngine } from '../../support/test-engine.ts';
import { aggregateSeries, type SeriesPoint } from '../aggregates/series.ts';

const START_MS = Date.UTC(2026, 0, 1);
const DATASET = 'plant';
const RUNS = 12;
const REQUESTS_A_RUN = 25;
const NAMES = AGGREGATE_NAMES.filter((name) => !name.startsWith('State'));
const QUALITY_BY_STATUS = [0, 64, 192] as const;

const PLAIN = { carryIn: false, skipMissing: false, limit: undefined, after: [] } as const;

interface Row {
  readonly ms: number;
  readonly ticks: number;
  readonly value: number | null;
  readonly quality: number;
}

async function rowsOf(cursor: TagCursor): Promise<Row[]> {
  const rows: Row[] = [];
  try {
    for (let chunk = await cursor.next(); chunk !== undefined; chunk = await cursor.next()) {
      const { points } = chunk;
      for (let i = chunk.start; i < chunk.end; i++) {
        const value = points.nulls[i] === 1 ? null : (points.numbers[i] as number);
        rows.push({
          ms: points.timesMs[i] as number,
          ticks: points.ticks[i] as number,
          value,
          quality: points.qualities[i] as number,
        });
      }
    }
    return rows;
  } finally {
    cursor.close();
  }
}

function requestOf(aggregates: Partial<AggregateRequest>): AggregateRequest {
  return {
    functions: NAMES,
    edges: Float64Array.of(0, 1000),
    interpolation: undefined,
    treatUncertainAsBad: true,
    percentGood: 100,
    percentBad: 100,
    extrapolatesSlope: false,
    fill: 'null',
    now: { ms: START_MS, ticks: 0 },
    isAborted: () => false,
    ...aggregates,
  };
}

async function readAll(engine: Engine, request: Partial<ReadRequest>): Promise<Row[][]> {
  const range = rangeOf(START_MS - 1e9, START_MS + 1e12);
  const result = engine.read(DATASET, { ...PLAIN, range, tags: ['T'], ...request });
  await result.settle?.();
  const entries: Row[][] = [];
  for (let i = 0; i < result.tagCount; i++) entries.push(await rowsOf(result.open(i)));
  return entries;
}

class Writer {
  timeMs = START_MS;
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  async write(engine: Engine, count: number): Promise<void> {
    const random = this.#random;
    const points = new PointColumns(count);
    const badOdds = random.pick([0, 0.1, 0.98]);
    for (let i = 0; i < count; i++) {
      this.timeMs += random.pick([0, 1, 1000, 1000, 60_000]);
      points.timesMs[i] = this.timeMs;
      points.ticks[i] = 0;
      points.qualities[i] = random.chance(badOdds) ? random.pick([0, 64]) : 192;
      points.nulls[i] = random.chance(0.02) ? 1 : 0;
      points.numbers[i] = points.nulls[i] === 1 ? 0 : random.between(-20, 20);
      points.count++;
    }
    const tag = engine.lookup(DATASET).find('T');
    const run = { name: 'T', tag, type: ValueType.Double, start: 0, count, rejected: 0, stamped: 0 };
    await engine.append(DATASET, { points, runs: [run] });
  }
}

async function checkAgainstAll(engine: Engine, random: SeededRandom, lastMs: number, note: string): Promise<void> {
  const startMs = random.between(START_MS - 5000, lastMs + 5000);
  const spanMs = random.pick([1000, 60_000, 600_000, lastMs - START_MS + 10_000]);
  const count = random.pick([1, 3, 20]);
  const edges = Array.from({ length: count + 1 }, (_, k) => Math.round((spanMs * k) / count));
  const aggregates = requestOf({
    edges: Float64Array.from(edges),
    interpolation: random.pick([undefined, 'stepped', 'sloped'] as const),
    treatUncertainAsBad: random.chance(0.5),
    extrapolatesSlope: random.chance(0.5),
  });
  const { interpolation, ...rules } = aggregates;
  const [all] = (await readAll(engine, {})) as [Row[]];
  const points: SeriesPoint[] = all.map(({ ms, value, quality }) => ({ time: ms - startMs, value, quality }));
  const { results, calculation } = aggregateSeries(points, {
    names: NAMES,
    rules: { ...rules, isStepped: interpolation === 'stepped' },
    edges,
    chunkPoints: 1000,
  });
  const request = { ...PLAIN, tags: ['T'], range: rangeOf(startMs, startMs + spanMs), aggregates };
  const result = engine.read(DATASET, request);
  await result.settle?.();
  assert.equal(result.tagCount, NAMES.length);
  const again = await readAll(engine, request);
  for (const [n, name] of NAMES.entries()) {
    const cursor = result.open(n);
    const got = await rowsOf(cursor);
    const want = (results[n] ?? []).map(({ value, status, time }, k) => {
      const at = startMs + (time ?? (edges[k] as number));
      return { ms: at, ticks: 0, value, quality: QUALITY_BY_STATUS[status] };
    });
    const what = `${name}, ${note}, from ${startMs - START_MS}, edges ${edges}`;
    assertClose(got, want, what);
    assert.deepEqual(again[n], got, `the second time, from what is remembered of blocks: ${what}`);
    const { pointCount: points, percentGood } = calculation;
    assert.deepEqual(cursor.outcome().summary, { kind: 'aggregate', points, percentGood });
  }
}

/** Blocks within an interval are summed up by themselves, so sums differ in their last digits. */
function assertClose(got: readonly Row[], want: readonly Row[], what: string): void {
  const isClose = (a: number | null, b: number | null): boolean =>
    a === b || (a !== null && b !== null && Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b)));
  const same = got.map((row, i) =>
    isClose(row.value, want[i]?.value ?? null) ? { ...row, value: want[i]?.value ?? null } : row,
  );
  assert.deepEqual(same, want, what);
}

async function runSeries(seed: number): Promise<void> {
  const random = new SeededRandom(seed);
  const tunables = { ...drawTunables(random), diskReserveBytes: 0 };
  const clock = new ManualClock(START_MS);
  const vfs = makeDisk({});
  const open = (): Promise<Engine> => openTestEngine({ vfs, clock, random, tunables });
  let engine = await open();
  const writer = new Writer(random);
  await engine.createDataset({ name: DATASET, purgeAgeDays: 0, purgeSizeGb: 0 });
  for (let request = 0; request < REQUESTS_A_RUN; request++) {
    await writer.write(engine, random.pick([1, 3, 50, 300]));
    clock.advance(random.pick([0, 1000, 10_000]));
    if (random.chance(0.05)) {
      await engine.deletePoints(DATASET, ['T'], { ms: writer.timeMs - random.between(0, 600_000), ticks: 0 });
    }
    if (random.chance(0.05)) {
      await engine.close();
      engine = await open();
    }
    if (random.chance(0.5)) await checkAgainstAll(engine, random, writer.timeMs, `SEED=${seed} request ${request}`);
  }
  await engine.close();
}

describe('aggregates of stored points', () => {
  const first = process.env.SEED === undefined ? Date.now() % 1_000_000 : Number(process.env.SEED);
  const runs = process.env.SEED === undefined ? RUNS : 1;

  it(`are those of all points, over random series (SEED=${first}, ${runs} series)`, async () => {
    for (let seed = first; seed < first + runs; seed++) await runSeries(seed);
  });

  it('are not computed to the end for a client that has gone', async () => {
    const random = new SeededRandom(3);
    const tunables = { blockPoints: 64, diskReserveBytes: 0, systemTagIntervalMs: 0 };
    const engine = await openTestEngine({ vfs: makeDisk({}), clock: new ManualClock(START_MS), random, tunables });
    const writer = new Writer(random);
    for (let i = 0; i < 40; i++) await writer.write(engine, 250);
    const aggregates = requestOf({ edges: Float64Array.of(0, 1e11), functions: ['Count'] });
    const pointsRead = async (isAborted: () => boolean): Promise<number> => {
      const before = engine.stats().datasets[0]?.pointsRead ?? 0;
      await readAll(engine, { range: rangeOf(START_MS, START_MS + 1e11), aggregates: { ...aggregates, isAborted } });
      return (engine.stats().datasets[0]?.pointsRead ?? 0) - before;
    };
    let looks = 0;
    const few = await pointsRead(() => ++looks > 3);
    assert.ok(few < 5000, `${few} points were read`);
    const rest = await pointsRead(() => false);
    assert.ok(few + rest > 9000, `${rest} points were read behind ${few}`);
    await engine.close();
  });

  it('fill intervals without a result as they are asked to', async () => {
    const engine = await openWith([0, 40_000, 45_000]);
    const edges = Float64Array.of(0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000);
    const valuesBy = async (fill: AggregateRequest['fill']): Promise<unknown[]> => {
      const aggregates = requestOf({ edges, fill, functions: ['Average'] });
      const [rows] = (await readAll(engine, { range: rangeOf(START_MS, START_MS + 60_000), aggregates })) as [Row[]];
      return rows.map(({ ms, value, quality }) => [(ms - START_MS) / 1000, value, quality]);
    };
    assert.deepEqual(await valuesBy('none'), [
      [0, 0, 192],
      [40, 42.5, 192],
    ]);
    assert.deepEqual(await valuesBy('null'), [
      [0, 0, 192],
      [10, null, 0],
      [20, null, 0],
      [30, null, 0],
      [40, 42.5, 192],
      [50, null, 0],
    ]);
    assert.deepEqual(await valuesBy('previous'), [
      [0, 0, 192],
      [10, 0, 64],
      [20, 0, 64],
      [30, 0, 64],
      [40, 42.5, 192],
      [50, 42.5, 64],
    ]);
    assert.deepEqual(await valuesBy('linear'), [
      [0, 0, 192],
      [10, 10.625, 64],
      [20, 21.25, 64],
      [30, 31.875, 64],
      [40, 42.5, 192],
      [50, null, 0],
    ]);
    await engine.close();
  });

  it('refuse more results than memory is meant to hold, and tags without numbers', async () => {
    const engine = await openWith([0]);
    const edges = Float64Array.from({ length: 600_001 }, (_, i) => i);
    const range = rangeOf(START_MS, START_MS + 600_000);
    const refused = (aggregates: AggregateRequest): Promise<unknown> => readAll(engine, { range, aggregates });
    await assert.rejects(
      refused(requestOf({ edges, functions: ['Count', 'Start'] })),
      /1200000 results .*1000000 at most/,
    );
    await assert.rejects(refused(requestOf({ functions: ['Nonsense'] })), /no aggregate 'Nonsense'/);
    await assert.rejects(
      readAll(engine, { range, aggregates: requestOf({ functions: ['Average'] }), tags: ['Text'] }),
      /'Average' needs numbers, and tag 'Text' has texts/,
    );
    await engine.close();
  });
});

/** Values are seconds from the start; tag `Text` has texts. */
async function openWith(timesMs: readonly number[]): Promise<Engine> {
  const random = new SeededRandom(1);
  const engine = await openTestEngine({
    vfs: makeDisk({}),
    clock: new ManualClock(START_MS),
    random,
    tunables: { diskReserveBytes: 0 },
  });
  const points = new PointColumns(timesMs.length);
  for (const [i, ms] of timesMs.entries()) {
    points.timesMs[i] = START_MS + ms;
    points.numbers[i] = ms / 1000;
    points.qualities[i] = 192;
    points.count++;
  }
  const run = { tag: undefined, start: 0, count: timesMs.length, rejected: 0, stamped: 0 };
  await engine.append(DATASET, { points, runs: [{ ...run, name: 'T', type: ValueType.Double }] });
  const texts = new PointColumns(1);
  texts.timesMs[0] = START_MS;
  texts.numbers[0] = texts.texts.push('on');
  texts.qualities[0] = 192;
  texts.count = 1;
  await engine.append(DATASET, { points: texts, runs: [{ ...run, count: 1, name: 'Text', type: ValueType.String }] });
  return engine;
}
