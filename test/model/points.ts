// Points as plain objects, for tests: drawn at random, put into batches, read out of an engine, compared as text.

import {
  type Engine,
  GOOD_QUALITY,
  type Instant,
  integerBounds,
  type PointBatch,
  type PointChunk,
  PointColumns,
  type PointRun,
  payloadOf,
  type ReadGap,
  type ReadOutcome,
  type ReadRequest,
  ValueType,
} from '../../engine/index.ts';
import { asPlain } from '../support/plain-batches.ts';
import type { SeededRandom } from '../support/seeded-random.ts';

/** By payload: number, bigint (Int64 and DateTime; UInt64 as its two's complement), or text; null for null. */
export type PlainValue = number | bigint | string | null;

export interface Point extends Instant {
  readonly type: ValueType;
  readonly value: PlainValue;
  readonly quality: number;
}

/** The points of one tag in a request. */
export interface Run {
  readonly name: string;
  readonly type: ValueType;
  readonly points: readonly Point[];
}

const TYPES: readonly ValueType[] = Object.values(ValueType).filter((type) => type !== ValueType.Open);
const COMMON_TYPES: readonly ValueType[] = [ValueType.Double, ValueType.Boolean, ValueType.Int32];

/** Half of the time one of those that most tags have, so that they meet in a request. */
export function drawType(random: SeededRandom): ValueType {
  return random.pick(random.chance(0.5) ? COMMON_TYPES : TYPES);
}

/** Everything about a point that a read gives back, as text. A null has no type of its own. */
export function formatPoint(point: Point): string {
  const value = point.value === null ? 'null' : `${point.type}:${formatValue(point.value)}`;
  return `${point.ms}+${point.ticks} ${value} q${point.quality}`;
}

/** Whether `formatPoint` gives the same of both. */
export function isSamePoint(a: Point, b: Point): boolean {
  if (a.ms !== b.ms || a.ticks !== b.ticks || a.quality !== b.quality || !Object.is(a.value, b.value)) return false;
  return a.value === null || a.type === b.type;
}

/** Equal for points of one time that count as the same: a client sees no type, only the value and the quality. */
export function repetitionKey({ value, quality }: Point): string {
  return `${Object.is(value, -0) ? '-0' : String(value)} q${quality}`;
}

function formatValue(value: number | bigint | string): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  return typeof value === 'bigint' ? `${value}n` : JSON.stringify(value);
}

/** A value of a type; extremes, negative zero and long texts included. */
export function drawValue(random: SeededRandom, type: ValueType): PlainValue {
  const bounds = integerBounds(type);
  if (bounds !== undefined) return drawInteger(random, bounds);
  switch (type) {
    case ValueType.Boolean:
      return random.below(2);
    case ValueType.Int64:
    case ValueType.UInt64:
      return random.chance(0.5) ? BigInt(random.below(1000)) : drawBigint(random);
    case ValueType.DateTime:
      return BigInt(random.below(2 ** 31)) * 1_000_000_000n;
    case ValueType.Single:
      return Math.fround(random.between(-1e6, 1e6) / 7);
    case ValueType.Decimal:
      return `${random.chance(0.5) ? '-' : ''}${random.between(1, 1e9)}${random.below(1e9)}.${random.below(1e6)}0`;
    case ValueType.String:
      return drawText(random);
    default:
      return drawDouble(random);
  }
}

/** Small ones as often as any: what is packed together in a request takes the size of the largest. */
function drawInteger(random: SeededRandom, [low, high]: readonly [number, number]): number {
  if (random.chance(0.1)) return random.pick([low, high]);
  return random.chance(0.5) ? random.between(Math.max(low, -100), Math.min(high, 100)) : random.between(low, high);
}

function drawBigint(random: SeededRandom): bigint {
  return BigInt.asIntN(64, (BigInt(random.uint32()) << 32n) | BigInt(random.uint32()));
}

function drawDouble(random: SeededRandom): number {
  switch (random.below(6)) {
    case 0:
      return random.pick([0, -0, 1e300, -1e-300, Number.MAX_SAFE_INTEGER, 5e-324]);
    case 1:
      return (random.unit() - 0.5) * 10 ** random.between(-10, 20);
    case 2:
    case 3:
      return random.between(-1000, 1000) / 10 ** random.below(4);
    default:
      return random.between(-100_000, 100_000) / 100;
  }
}

function drawText(random: SeededRandom): string {
  if (random.chance(0.1)) return random.pick(['', '"\\', 'Grüße\u{1F6B0}', '\u0000', 'x'.repeat(2000)]);
  return `text ${random.below(20)}`;
}

export function drawQuality(random: SeededRandom): number {
  if (random.chance(0.8)) return GOOD_QUALITY;
  return random.pick([0, 24, 28, 64, 193, 255, -1, 2_147_483_647, -2_147_483_648]);
}

/** A request as an engine takes it, its tags looked up now. */
export function buildBatch(engine: Engine, dataset: string, runs: readonly Run[]): PointBatch {
  const columns = new PointColumns(Math.max(1, ...runs.map((run) => run.points.length)));
  const lookup = engine.lookup(dataset);
  const built: PointRun[] = [];
  for (const { name, type, points } of runs) {
    const start = columns.count;
    for (const point of points) addPoint(columns, point, payloadOf(type));
    built.push({ name, tag: lookup.find(name), type, start, count: points.length, rejected: 0, stamped: 0 });
  }
  return asPlain({ points: columns, runs: built });
}

function addPoint(columns: PointColumns, point: Point, payload: 'number' | 'bigint' | 'text'): void {
  const i = columns.count;
  columns.reserve(i + 1);
  columns.timesMs[i] = point.ms;
  columns.ticks[i] = point.ticks;
  columns.qualities[i] = point.quality;
  columns.nulls[i] = point.value === null ? 1 : 0;
  columns.bigints[i] = 0n;
  if (point.value !== null) {
    if (payload === 'bigint') columns.bigints[i] = point.value as bigint;
    else if (payload === 'number') columns.numbers[i] = point.value as number;
    else columns.numbers[i] = columns.texts.push(point.value as string);
  }
  columns.count++;
}

/** What a read gave of one tag. */
export interface TagAnswer {
  readonly points: Point[];
  readonly gaps: readonly ReadGap[];
  readonly gapCount: number;
  readonly marker: ReadOutcome['marker'];
}

/** Reads to the end, tag by tag in the order of the request. */
export async function readPoints(engine: Engine, dataset: string, request: ReadRequest): Promise<TagAnswer[]> {
  const result = engine.read(dataset, request);
  const answers: TagAnswer[] = [];
  for (let i = 0; i < result.tagCount; i++) {
    const cursor = result.open(i);
    try {
      const points: Point[] = [];
      for (;;) {
        const chunk = await cursor.next();
        if (chunk === undefined) break;
        appendChunk(points, chunk);
      }
      const { gaps, marker } = cursor.outcome();
      answers.push({ points, gaps, gapCount: gaps.length, marker });
    } finally {
      cursor.close();
    }
  }
  return answers;
}

function appendChunk(target: Point[], chunk: PointChunk): void {
  const { timesMs, ticks, qualities, nulls, numbers, bigints, texts } = chunk.points;
  const payload = payloadOf(chunk.type);
  for (let i = chunk.start; i < chunk.end; i++) {
    let value: PlainValue = null;
    if (nulls[i] === 0) {
      if (payload === 'bigint') value = bigints[i] as bigint;
      else if (payload === 'number') value = numbers[i] as number;
      else value = texts.at(numbers[i] as number);
    }
    target.push({
      ms: timesMs[i] as number,
      ticks: ticks[i] as number,
      type: chunk.type,
      value,
      quality: qualities[i] as number,
    });
  }
}
