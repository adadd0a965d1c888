// Statistics of a block's good, non-null numbers, stored in its header, so that aggregates need not decode the block.

import { GOOD_QUALITY, type PointColumns, TICKS_PER_MS, ValueType } from '../../types.ts';
import { nonNumbers, payloadOf } from '../../value-types.ts';
import { MAX_BLOCK_POINTS } from '../bytes/block-limits.ts';
import { defineLayout } from '../bytes/layout.ts';
import type { PointFlags } from '../columns/point-flags.ts';

const STATISTICS_TABLE = {
  min: 'f64',
  max: 'f64',
  sum: 'f64',
  steppedIntegral: 'f64',
  slopedIntegral: 'f64',
  goodDurationMs: 'f64',
  firstNumber: 'f64',
  minIndex: 'u16',
  maxIndex: 'u16',
  goodNumberCount: 'u16',
} as const;

/** Follows the base header of a block whose flags say so. */
export const BLOCK_STATISTICS_LAYOUT = defineLayout('block-statistics', STATISTICS_TABLE);

/**
 * Over the good (quality from 192), non-null numbers of a block. Int64, UInt64 and Decimal count as their nearest double.
 * With `goodNumberCount` 0 everything else is 0. Sums and integrals of extreme values may be infinite or NaN.
 */
export interface BlockStatistics {
  readonly goodNumberCount: number;
  /** The first point's value, or undefined when that point is null or not good. */
  readonly firstNumber: number | undefined;
  readonly min: number;
  /** Index of the first point with the smallest value; likewise `maxIndex`. */
  readonly minIndex: number;
  readonly max: number;
  readonly maxIndex: number;
  readonly sum: number;
  /** Each good number held until the block's next point (of whatever quality), in value x ms. */
  readonly steppedIntegral: number;
  /** Integral by trapezoids between consecutive good numbers; before a null or a point that is not good the value is held. */
  readonly slopedIntegral: number;
  /** Time from each good number to the block's next point, summed. */
  readonly goodDurationMs: number;
}

/** Whether blocks of that type can have statistics. */
export function hasStatistics(type: ValueType): boolean {
  return type !== ValueType.Open && nonNumbers(type) === undefined;
}

const converted = new Float64Array(MAX_BLOCK_POINTS);

const NO_GOOD_NUMBERS: BlockStatistics = {
  goodNumberCount: 0,
  firstNumber: undefined,
  min: 0,
  minIndex: 0,
  max: 0,
  maxIndex: 0,
  sum: 0,
  steppedIntegral: 0,
  slopedIntegral: 0,
  goodDurationMs: 0,
};

/** The statistics of points[start, end) of that type; `pointFlags` is what `examinePoints` returns for them. */
export function computeStatistics(
  points: PointColumns,
  start: number,
  end: number,
  type: ValueType,
  pointFlags: PointFlags,
): BlockStatistics {
  const isPlain = pointFlags.nullCount === 0 && pointFlags.goodCount === end - start && !pointFlags.ticksVary;
  const compute = isPlain ? summarizeAllGood : summarize;
  if (payloadOf(type) === 'number') return compute(points, start, end, points.numbers, start);
  for (let i = start; i < end; i++) converted[i - start] = numberAt(points, i, type);
  return compute(points, start, end, converted, 0);
}

/** The value of a point as the nearest double; 0 for null. For types that have statistics. */
export function numberAt(points: PointColumns, index: number, type: ValueType): number {
  if (points.nulls[index] !== 0) return 0;
  if (type === ValueType.Decimal) return Number(points.texts.at(points.numbers[index] as number));
  const bits = points.bigints[index] as bigint;
  return Number(type === ValueType.UInt64 ? BigInt.asUintN(64, bits) : bits);
}

/** `numbers[from]` is the value of points[start]. */
function summarize(
  points: PointColumns,
  start: number,
  end: number,
  numbers: Float64Array,
  from: number,
): BlockStatistics {
  const { timesMs, ticks, nulls, qualities } = points;
  const goodFrom = GOOD_QUALITY;
  const ticksPerMs = TICKS_PER_MS;
  let [goodNumberCount, minIndex, maxIndex] = [0, 0, 0];
  let [min, max] = [Infinity, -Infinity];
  let [sum, stepped, slope, duration] = [0, 0, 0, 0];
  let valueIsGood = false;
  let value = 0;
  for (let i = start; i < end; i++) {
    const next = numbers[i - start + from] as number;
    const nextIsGood = (qualities[i] as number) >= goodFrom && nulls[i] === 0;
    if (valueIsGood) {
      const wholeMs = (timesMs[i] as number) - (timesMs[i - 1] as number);
      const span = wholeMs + ((ticks[i] as number) - (ticks[i - 1] as number)) / ticksPerMs;
      duration += span;
      stepped += value * span;
      if (nextIsGood) slope += (next - value) * span;
    }
    if (nextIsGood) {
      goodNumberCount++;
      sum += next;
      if (next < min) {
        min = next;
        minIndex = i - start;
      }
      if (next > max) {
        max = next;
        maxIndex = i - start;
      }
    }
    value = next;
    valueIsGood = nextIsGood;
  }
  if (goodNumberCount === 0) return NO_GOOD_NUMBERS;
  const firstIsGood = (qualities[start] as number) >= goodFrom && nulls[start] === 0;
  const slopedIntegral = stepped + slope / 2;
  return {
    goodNumberCount,
    firstNumber: firstIsGood ? numbers[from] : undefined,
    min,
    minIndex,
    max,
    maxIndex,
    sum,
    steppedIntegral: stepped,
    slopedIntegral,
    goodDurationMs: duration,
  };
}

/** Summary of points that are all good numbers and have equal ticks: most blocks. Measured by bench/engine/codecs.ts. */
function summarizeAllGood(
  points: PointColumns,
  start: number,
  end: number,
  numbers: Float64Array,
  from: number,
): BlockStatistics {
  const { timesMs } = points;
  const first = numbers[from] as number;
  let [minIndex, maxIndex] = [start, start];
  let [min, max] = [first, first];
  let [sum, stepped, slope] = [0, 0, 0];
  let value = first;
  let time = timesMs[start] as number;
  for (let i = start; i < end; i++) {
    const next = numbers[i - start + from] as number;
    const nextTime = timesMs[i] as number;
    const span = nextTime - time;
    sum += next;
    stepped += value * span;
    slope += (next - value) * span;
    if (next < min) {
      min = next;
      minIndex = i;
    } else if (next > max) {
      max = next;
      maxIndex = i;
    }
    value = next;
    time = nextTime;
  }
  return {
    goodNumberCount: end - start,
    firstNumber: first,
    min,
    minIndex: minIndex - start,
    max,
    maxIndex: maxIndex - start,
    sum,
    steppedIntegral: stepped,
    slopedIntegral: stepped + slope / 2,
    goodDurationMs: time - (timesMs[start] as number),
  };
}

/** Writes the statistics after a base header. */
export function encodeStatistics(view: DataView, offset: number, statistics: BlockStatistics): void {
  BLOCK_STATISTICS_LAYOUT.encode(view, offset, { ...statistics, firstNumber: statistics.firstNumber ?? 0 });
}
