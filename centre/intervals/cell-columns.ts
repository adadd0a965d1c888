// What is asked of the points of a cell, and what is known of them from the answer: columns of eight bytes, in RowBinary.

import { digestOfEnds, type Instant, type RunDigest, type ValueType } from '../../engine/index.ts';
import { instantOfTicks } from '../../replication/clickhouse/ticks.ts';
import { isFit, numberOf } from './fit-points.ts';

export interface Cell {
  readonly first: Instant;
  readonly last: Instant;
  readonly pointCount: number;
  /** Digest of all its points; undefined where these are needed. */
  readonly digest: RunDigest | undefined;
}

export interface CellQuestion {
  readonly type: ValueType;
  /** SQL that is true for points where an interval may begin. */
  readonly isEdge: string;
  /** SQL that is true for points whole ms from the start of the range: differences of others are not exact. */
  readonly isWhole: string;
  readonly extremeTimes: boolean;
}

/** Times, counts and qualities are Int64, values Float64. */
const COLUMNS = [
  'first',
  'last',
  'count',
  'unfit',
  'atEdge',
  'firstQuality',
  'worstQuality',
  'minTime',
  'maxTime',
  'firstValue',
  'lastValue',
  'min',
  'max',
] as const;
type Column = (typeof COLUMNS)[number];
const WIDTH = 8;
const ROW_BYTES = WIDTH * COLUMNS.length;

export function cellColumns({ type, isEdge, isWhole, extremeTimes }: CellQuestion): string {
  const value = numberOf(type);
  // The first of several that are equal: compared with ordinals, which takes longer.
  const min = `min((${value}, ordinal, time))`;
  const max = `max((${value}, -toInt64(ordinal), time))`;
  const asked: Readonly<Record<Column, string>> = {
    first: 'min(time)',
    last: 'max(time)',
    count: 'toInt64(count())',
    unfit: `toInt64(countIf(NOT (${isFit(type)} AND ${isWhole})))`,
    atEdge: `toInt64(countIf(${isEdge}))`,
    firstQuality: 'toInt64(argMin(quality, ordinal))',
    worstQuality: 'toInt64(min(quality))',
    minTime: extremeTimes ? `tupleElement(${min}, 3)` : 'min(time)',
    maxTime: extremeTimes ? `tupleElement(${max}, 3)` : 'min(time)',
    firstValue: `argMin(${value}, ordinal)`,
    lastValue: `argMax(${value}, ordinal)`,
    min: extremeTimes ? `tupleElement(${min}, 1)` : `min(${value})`,
    max: extremeTimes ? `tupleElement(${max}, 1)` : `max(${value})`,
  };
  return COLUMNS.map((column) => asked[column]).join(', ');
}

/** Throws when the answer breaks off. */
export function readCells(bytes: Buffer): Cell[] {
  if (bytes.length % ROW_BYTES !== 0) throw new Error('the answer of ClickHouse ends within a row');
  return Array.from({ length: bytes.length / ROW_BYTES }, (_, row) => readCell(bytes, row * ROW_BYTES));
}

function readCell(bytes: Buffer, at: number): Cell {
  const offsetOf = (column: Column): number => at + WIDTH * COLUMNS.indexOf(column);
  const whole = (column: Column): number => Number(bytes.readBigInt64LE(offsetOf(column)));
  const double = (column: Column): number => bytes.readDoubleLE(offsetOf(column));
  const time = (column: Column): Instant => instantOfTicks(bytes.readBigInt64LE(offsetOf(column)));
  const [first, last, pointCount] = [time('first'), time('last'), whole('count')];
  const isFit = whole('unfit') === 0 && whole('atEdge') <= 1;
  if (!isFit) return { first, last, pointCount, digest: undefined };
  const timed = (column: Column, value: Column) => ({ afterMs: time(column).ms - first.ms, value: double(value) });
  const digest = digestOfEnds({
    count: pointCount,
    origin: first,
    firstValue: double('firstValue'),
    firstQuality: whole('firstQuality'),
    last: timed('last', 'lastValue'),
    min: timed('minTime', 'min'),
    max: timed('maxTime', 'max'),
    worstQuality: whole('worstQuality'),
  });
  return { first, last, pointCount, digest };
}
