// Reads in intervals against a full scan: whatever the blocks, spills, heads, deletions and damages, nothing that a chart must
// show is missing, and nothing else is given.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Engine,
  type PointChunk,
  PointColumns,
  payloadOf,
  type ReadRange,
  type ReadRequest,
  ValueType,
} from '../../../engine/index.ts';
import { rangeOf } from '../../support/engine-points.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { MemoryVfs } from '../../support/memory-vfs.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { drawTunables, makeDisk, openTestEngine } from '../../support/test-engine.ts';

const START_MS = Date.UTC(2026, 0, 1);
const DATASET = 'plant';
const RUNS = 20;
const DAMAGED_RUNS = 10;
const REQUESTS_A_RUN = 40;

type Value = number | bigint | string | null;

interface Point {
  readonly ms: number;
  readonly ticks: number;
  readonly value: Value;
  readonly quality: number;
  readonly type: ValueType;
}

interface Answer {
  readonly points: Point[];
  readonly gaps: number;
  readonly reducedFrom: number | undefined;
}

const TYPES = [
  ValueType.Double,
  ValueType.Double,
  ValueType.Boolean,
  ValueType.Int32,
  ValueType.Int64,
  ValueType.UInt64,
  ValueType.Decimal,
  ValueType.String,
  ValueType.DateTime,
] as const;

function valueAt(points: PointColumns, type: ValueType, i: number): Value {
  if (points.nulls[i]) return null;
  const payload = payloadOf(type);
  if (payload === 'bigint') return points.bigints[i] as bigint;
  return payload === 'text' ? points.texts.at(points.numbers[i] as number) : (points.numbers[i] as number);
}

async function read(engine: Engine, request: Partial<ReadRequest> & { range: ReadRange }): Promise<Answer> {
  const plain = { tags: ['T'], carryIn: false, skipMissing: false, limit: undefined, after: [] };
  const cursor = engine.read(DATASET, { ...plain, ...request }).open(0);
  const points: Point[] = [];
  const take = ({ type, points: columns, start, end }: PointChunk): void => {
    for (let i = start; i < end; i++) {
      const [ms, ticks] = [columns.timesMs[i] as number, columns.ticks[i] as number];
      points.push({ ms, ticks, value: valueAt(columns, type, i), quality: columns.qualities[i] as number, type });
    }
  };
  try {
    for (let chunk = await cursor.next(); chunk; chunk = await cursor.next()) take(chunk);
    const { gaps, reducedFrom } = cursor.outcome();
    return { points, gaps: gaps.reduce((sum, gap) => sum + gap.points, 0), reducedFrom };
  } finally {
    cursor.close();
  }
}

/** The value as a number, where its type has a smallest and a largest. */
function numberOf({ value, type }: Point): number | undefined {
  if (value === null || type === ValueType.String || type === ValueType.DateTime) return undefined;
  return Number(type === ValueType.UInt64 ? BigInt.asUintN(64, value as bigint) : value);
}

/** The index of the point that `isBetter` than all before it. */
function best(points: readonly Point[], wanted: (point: Point) => boolean, key: (point: Point) => number): number[] {
  let at: number | undefined;
  for (const [i, point] of points.entries()) {
    if (wanted(point) && (at === undefined || key(point) > key(points[at] as Point))) at = i;
  }
  return at === undefined ? [] : [at];
}

/** What docs/api.md says of one interval, by looking at all of its points. */
function reduceByScan(points: readonly Point[]): Point[] {
  const isGood = (point: Point): boolean => numberOf(point) !== undefined && point.quality >= 192;
  const isBad = (point: Point): boolean => numberOf(point) !== undefined && point.quality < 192;
  const up = (point: Point): number => numberOf(point) ?? 0;
  const down = (point: Point): number => -up(point);
  const kept = new Set([
    0,
    points.length - 1,
    ...best(points, isGood, down),
    ...best(points, isGood, up),
    ...best(points, isBad, down),
    ...best(points, isBad, up),
    ...best(
      points,
      () => true,
      ({ quality }) => -quality,
    ),
    ...best(
      points,
      ({ value }) => value === null,
      () => 0,
    ),
  ]);
  return points.filter((_, i) => kept.has(i));
}

function expected(points: readonly Point[], startMs: number, endMs: number, count: number): Point[] {
  const groups = new Map<number, Point[]>();
  const before: Point[] = [];
  for (const point of points) {
    const offset = point.ms - startMs + point.ticks / 10_000;
    const at = endMs === startMs ? 0 : Math.min(count - 1, Math.floor((offset * count) / (endMs - startMs)));
    const group = offset < 0 ? before : (groups.get(at) ?? []);
    if (offset >= 0) groups.set(at, group);
    group.push(point);
  }
  return [...before, ...[...groups.values()].flatMap(reduceByScan)];
}

/** A series that goes on where it was; texts and numbers repeat, so that there are ties. */
class Writer {
  readonly random: SeededRandom;
  readonly type: ValueType;
  readonly points: 'good' | 'mixed';
  timeMs = START_MS;

  constructor(random: SeededRandom, type: ValueType, points: 'good' | 'mixed') {
    this.random = random;
    this.type = type;
    this.points = points;
  }

  async write(engine: Engine, count: number): Promise<void> {
    const { random } = this;
    const points = new PointColumns(count);
    const odds = this.points === 'good' ? [0] : [0, 0, 0.02, 0.5];
    const [badOdds, nullOdds] = [random.pick(odds), random.pick(odds)];
    const hasTicks = random.chance(0.2);
    for (let i = 0; i < count; i++) {
      this.timeMs += random.pick([0, 1, 1000, 1000, 60_000]);
      points.timesMs[i] = this.timeMs;
      points.ticks[i] = hasTicks ? i : 0;
      points.qualities[i] = random.chance(badOdds) ? random.pick([0, 24, 64, 64, 191]) : random.pick([192, 192, 200]);
      this.#setValue(points, i, nullOdds);
      points.count++;
    }
    const tag = engine.lookup(DATASET).find('T');
    const run = { name: 'T', tag, type: this.type, start: 0, count, rejected: 0, stamped: 0 };
    await engine.append(DATASET, { points, runs: [run] });
  }

  #setValue(points: PointColumns, i: number, nullOdds: number): void {
    const { random, type } = this;
    if (random.chance(nullOdds)) {
      points.nulls[i] = 1;
      return;
    }
    const value = random.between(-20, 20);
    if (payloadOf(type) === 'bigint') points.bigints[i] = BigInt(value + 20) * 2n ** 55n;
    else if (payloadOf(type) === 'text') points.numbers[i] = points.texts.push(`${value}`);
    else points.numbers[i] = type === ValueType.Boolean ? value & 1 : value;
  }
}

async function checkAgainstScan(engine: Engine, random: SeededRandom, lastMs: number, note: string): Promise<void> {
  const [a, b] = [random.between(START_MS - 1000, lastMs + 1000), random.between(START_MS - 1000, lastMs + 1000)];
  const [startMs, endMs] = random.chance(0.2) ? [START_MS, lastMs] : [Math.min(a, b), Math.max(a, b)];
  const intervals = random.pick([1, 2, 7, 40, 500, 8000]);
  const range = rangeOf(startMs, endMs);
  const carryIn = random.chance(0.3);
  const all = await read(engine, { range, carryIn });
  const reduced = await read(engine, { range, carryIn, intervals });
  const message = `${note}, ${intervals} intervals of ${startMs} to ${endMs}${carryIn ? ' with carry-in' : ''}`;
  assert.deepEqual(reduced.points, expected(all.points, startMs, endMs, intervals), message);
  const carried = all.points.filter(({ ms }) => ms < startMs).length;
  assert.equal(reduced.reducedFrom, all.points.length - carried, message);
  assert.equal(all.reducedFrom, undefined);
  assert.equal(reduced.gaps, all.gaps, message);
}

async function runSeries(seed: number): Promise<void> {
  const random = new SeededRandom(seed);
  const tunables = { ...drawTunables(random), summaryCacheBlocks: random.pick([1, 4, 1000]), diskReserveBytes: 0 };
  const clock = new ManualClock(START_MS);
  const vfs = makeDisk({});
  const open = (): Promise<Engine> => openTestEngine({ vfs, clock, random, tunables });
  let engine = await open();
  const writer = new Writer(random, random.pick(TYPES), 'mixed');
  await engine.createDataset({ name: DATASET, purgeAgeDays: 0, purgeSizeGb: 0 });
  for (let request = 0; request < REQUESTS_A_RUN; request++) {
    await writer.write(engine, random.pick([1, 3, 50, 300]));
    clock.advance(random.pick([0, 1000, 10_000]));
    if (random.chance(0.05)) {
      const ms = writer.timeMs - random.between(0, 600_000);
      await engine.deletePoints(DATASET, ['T'], { ms, ticks: 0 });
    }
    if (random.chance(0.05)) {
      await engine.close();
      engine = await open();
    }
    if (random.chance(0.4)) await checkAgainstScan(engine, random, writer.timeMs, `SEED=${seed} request ${request}`);
  }
  await engine.close();
}

interface Filed {
  readonly engine: Engine;
  readonly vfs: MemoryVfs;
  timesMs(): number;
  reopen(): Promise<Engine>;
}

/** Writes many full blocks, and puts them into tag files. */
async function openFiled(count: number, seed = 7): Promise<Filed> {
  const random = new SeededRandom(seed);
  const clock = new ManualClock(START_MS);
  const vfs = makeDisk({});
  const tunables = { blockPoints: 256, tagFileBytes: 20_000, diskReserveBytes: 0, systemTagIntervalMs: 0 };
  const open = (): Promise<Engine> => openTestEngine({ vfs, clock, random, tunables });
  const engine = await open();
  const writer = new Writer(random, ValueType.Double, 'good');
  for (let written = 0; written < count; written += 100) await writer.write(engine, 100);
  clock.advance(1000);
  return { engine, vfs, timesMs: () => writer.timeMs, reopen: open };
}

describe('a read in intervals', () => {
  const first = process.env.SEED === undefined ? Date.now() % 1_000_000 : Number(process.env.SEED);
  const runs = process.env.SEED === undefined ? RUNS : 1;

  it(`gives what a full scan finds, over random series (SEED=${first}, ${runs} series)`, async () => {
    for (let seed = first; seed < first + runs; seed++) await runSeries(seed);
  });

  it('decodes few of the blocks', async () => {
    const { engine, timesMs } = await openFiled(40_000);
    const before = pointsRead(engine);
    const { points, reducedFrom } = await read(engine, { range: rangeOf(START_MS, timesMs()), intervals: 4 });
    const decoded = pointsRead(engine) - before;
    const all = await read(engine, { range: rangeOf(START_MS, timesMs()) });
    await engine.close();
    assert.equal(reducedFrom, all.points.length);
    assert.ok(points.length <= 32 && points.length >= 12, `${points.length} points`);
    assert.ok(decoded < 2000, `${decoded} points were decoded`);
  });

  it('decodes little when a read is repeated, and is right when it is moved or divided in another way', async () => {
    const { engine, timesMs } = await openFiled(40_000);
    const endMs = timesMs();
    const decodedBy = async (startMs: number, intervals: number): Promise<number> => {
      const before = pointsRead(engine);
      const { points } = await read(engine, { range: rangeOf(startMs, endMs), intervals });
      const decoded = pointsRead(engine) - before;
      const all = await read(engine, { range: rangeOf(startMs, endMs) });
      assert.deepEqual(points, expected(all.points, startMs, endMs, intervals), `from ${startMs}`);
      return decoded;
    };
    const once = await decodedBy(START_MS, 100);
    const twice = await decodedBy(START_MS, 100);
    // What is in memory, and in spills, is read each time.
    assert.ok(twice < once / 4, `${once} points were decoded, then ${twice}`);
    await decodedBy(START_MS, 37);
    await decodedBy(START_MS - 5000, 100);
    await engine.close();
  });

  it('steps over damaged blocks as a full read does, and says so where it matters', async () => {
    let lostCount = 0;
    for (let seed = first; seed < first + DAMAGED_RUNS; seed++) lostCount += await runDamaged(seed);
    assert.ok(lostCount > 0, 'no damage was ever met');
  });

  it('shows a spike of one point, whatever its quality', async () => {
    const { engine, timesMs } = await openFiled(4000);
    const spikes = [
      { value: 1e6, quality: 192 },
      { value: -1e6, quality: 64 },
    ];
    const points = new PointColumns(2);
    for (const [i, { value, quality }] of spikes.entries()) {
      points.timesMs[i] = timesMs() + i;
      points.numbers[i] = value;
      points.qualities[i] = quality;
      points.count++;
    }
    const run = { name: 'T', type: ValueType.Double, start: 0, count: 2, rejected: 0, stamped: 0 };
    await engine.append(DATASET, { points, runs: [{ ...run, tag: engine.lookup(DATASET).find('T') }] });
    const { points: shown } = await read(engine, { range: rangeOf(START_MS, timesMs() + 1e6), intervals: 1 });
    await engine.close();
    const values = shown.map(({ value }) => value);
    assert.ok(values.includes(1e6) && values.includes(-1e6), String(values));
  });

  it('gives all points where there are no more than it would keep, and none of an empty range', async () => {
    const { engine, timesMs } = await openFiled(100);
    const range = rangeOf(START_MS, timesMs());
    const all = await read(engine, { range });
    const few = { ...range, end: { ms: all.points[2]?.ms ?? 0, ticks: 0 } };
    assert.deepEqual(
      (await read(engine, { range: few, intervals: 8000 })).points,
      (await read(engine, { range: few })).points,
    );
    const none = await read(engine, { range: rangeOf(timesMs() + 1, timesMs() + 2), intervals: 10 });
    await engine.close();
    assert.deepEqual(none, { points: [], gaps: 0, reducedFrom: 0 });
  });
});

function pointsRead(engine: Engine): number {
  return engine.stats().datasets.reduce((sum, dataset) => sum + dataset.pointsRead, 0);
}

/** Flips bytes in tag files; returns the number of points that reduced reads have reported as lost. */
async function runDamaged(seed: number): Promise<number> {
  const { engine: whole, vfs, timesMs, reopen } = await openFiled(10_000, seed);
  await whole.close();
  const random = new SeededRandom(seed);
  for (const path of vfs.files().filter((file) => file.includes('/tags/'))) {
    for (let flips = random.pick([1, 5, 30, 300]); flips > 0; flips--) flipByte(vfs, path, random);
  }
  const engine = await reopen();
  let lostCount = 0;
  for (const intervals of [1, 3, 20, 8000]) {
    const range = rangeOf(START_MS, timesMs());
    const reduced = await read(engine, { range, intervals });
    const all = await read(engine, { range });
    assert.deepEqual(reduced.points, expected(all.points, START_MS, timesMs(), intervals), `SEED=${seed}`);
    assert.ok(reduced.gaps <= all.gaps, `SEED=${seed}: ${reduced.gaps} and ${all.gaps} points lost`);
    assert.equal(reduced.reducedFrom, all.points.length + all.gaps - reduced.gaps, `SEED=${seed}`);
    lostCount += reduced.gaps;
  }
  await engine.close();
  return lostCount;
}

function flipByte(vfs: MemoryVfs, path: string, random: SeededRandom): void {
  const file = vfs.openSync(path, 'write');
  const position = random.between(200, Math.max(200, file.sizeSync() - 1));
  const byte = new Uint8Array(1);
  if (file.readSync(byte, 0, 1, position) === 1) {
    byte[0] = (byte[0] as number) ^ 0x41;
    file.writeSync(byte, position);
  }
  file.closeSync();
}
