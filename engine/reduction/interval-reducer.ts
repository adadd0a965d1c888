// Reduces the points of one interval to those that a chart must show. Input is points, or blocks with only their header
// read; a block's points are loaded at the end, and only if one of them is to be returned. Reducing parts first and then
// their results is the same as reducing everything at once.

import { hasStatistics, numberAt } from '../format/block/block-statistics.ts';
import { examinePoints } from '../format/columns/point-flags.ts';
import type { PointChunk } from '../reads.ts';
import { GOOD_QUALITY, PointColumns, type ValueType } from '../types.ts';
import { payloadOf } from '../value-types.ts';

/** Values of a block's header when all of its points are good and none is null. */
export interface HeaderSummary {
  readonly type: ValueType;
  readonly pointCount: number;
  /** False for types without a smallest and a largest value; the four below are 0 then. */
  readonly hasNumbers: boolean;
  readonly min: number;
  readonly minIndex: number;
  readonly max: number;
  readonly maxIndex: number;
  readonly worstQuality: number;
  readonly worstIndex: number;
}

/** Why a point of an interval is returned. */
const Role = { First: 0, Min: 1, Max: 2, LowestBad: 3, HighestBad: 4, Worst: 5, Null: 6, Last: 7 } as const;
type Role = (typeof Role)[keyof typeof Role];
const ROLES: readonly Role[] = Object.values(Role);

/** The most points that an interval is reduced to. */
export const MAX_REDUCED_POINTS: number = ROLES.length;

/** A role goes to the point with the largest key, the first of equal ones. */
const NO_KEY = Number.NEGATIVE_INFINITY;

/** Points of one type in columns; index plus `shift` is the number of a point. */
interface PointSpan {
  readonly points: PointColumns;
  readonly type: ValueType;
  readonly start: number;
  readonly end: number;
  readonly shift: number;
}

/** `Block` identifies a block whose points are not in memory. */
export class IntervalReducer<Block = never> {
  /** The candidate points, by role; not loaded while `#blocks` has their block. */
  readonly #points = new PointColumns(MAX_REDUCED_POINTS);
  readonly #texts: (string | undefined)[] = ROLES.map(() => undefined);
  readonly #blocks: (Block | undefined)[] = ROLES.map(() => undefined);
  readonly #indexes = new Int32Array(MAX_REDUCED_POINTS);
  readonly #types = new Uint8Array(MAX_REDUCED_POINTS);
  readonly #keys = new Float64Array(MAX_REDUCED_POINTS).fill(NO_KEY);
  /** Number of the candidate among all points given; -1 without a candidate. */
  readonly #positions = new Float64Array(MAX_REDUCED_POINTS).fill(-1);
  readonly #load: (block: Block) => PointColumns;
  #converted = new Float64Array(0);

  /** `load` returns the points of a block, from index 0 on, valid until the next call; it may throw CORRUPT. */
  constructor(load: (block: Block) => PointColumns) {
    this.#load = load;
  }

  get isEmpty(): boolean {
    return (this.#positions[Role.First] as number) < 0;
  }

  clear(): void {
    this.#positions.fill(-1);
    this.#keys.fill(NO_KEY);
    this.#blocks.fill(undefined);
    this.#texts.fill(undefined);
  }

  /** Adds points `[start, end)` of the chunk, at least one; `position` is the number of the first. */
  addPoints({ type, points }: PointChunk, start: number, end: number, position: number): void {
    const span: PointSpan = { points, type, start, end, shift: position - start };
    const pointFlags = examinePoints(points, start, end);
    if (this.isEmpty) this.#keep(Role.First, span, start, 0);
    this.#keep(Role.Last, span, end - 1, 0);
    const worstAt = start + pointFlags.worstIndex;
    this.#offer(Role.Worst, span, worstAt, -(points.qualities[worstAt] as number));
    if (pointFlags.nullCount > 0 && (this.#positions[Role.Null] as number) < 0) {
      this.#keep(Role.Null, span, points.nulls.indexOf(1, start), 0);
    }
    if (!hasStatistics(type)) return;
    const isNumber = payloadOf(type) === 'number';
    const numbers = isNumber ? points.numbers : this.#convert(span);
    const from = isNumber ? 0 : start;
    if (pointFlags.nullCount === 0 && pointFlags.goodCount === end - start) this.#addGoodNumbers(span, numbers, from);
    else this.#addNumbers(span, numbers, from);
  }

  /** Adds a whole block; `position` is the number of its first point. */
  addBlock(block: Block, summary: HeaderSummary, position: number): void {
    const { type, pointCount, hasNumbers, min, max, worstQuality } = summary;
    const keys = this.#keys;
    if (this.isEmpty) this.#refer(Role.First, block, type, 0, position, 0);
    this.#refer(Role.Last, block, type, pointCount - 1, position, 0);
    if (-worstQuality > (keys[Role.Worst] as number))
      this.#refer(Role.Worst, block, type, summary.worstIndex, position, -worstQuality);
    if (!hasNumbers) return;
    if (-min > (keys[Role.Min] as number)) this.#refer(Role.Min, block, type, summary.minIndex, position, -min);
    if (max > (keys[Role.Max] as number)) this.#refer(Role.Max, block, type, summary.maxIndex, position, max);
  }

  /** Passes the points of the interval in order, each once, to `take`, and clears itself. Throws CORRUPT. */
  finish(take: (type: ValueType, points: PointColumns, index: number, text: string | undefined) => void): void {
    this.#loadBlocks();
    const positions = this.#positions;
    const order = ROLES.filter((role) => (positions[role] as number) >= 0);
    order.sort((a, b) => (positions[a] as number) - (positions[b] as number));
    let given = -1;
    for (const role of order) {
      if (positions[role] !== given) take(this.#types[role] as ValueType, this.#points, role, this.#texts[role]);
      given = positions[role] as number;
    }
    this.clear();
  }

  /** `numbers[i - from]` is the value of point `i`; none is null, all are good. */
  #addGoodNumbers(span: PointSpan, numbers: Float64Array, from: number): void {
    const { start, end } = span;
    let [minAt, maxAt] = [start, start];
    let min = numbers[start - from] as number;
    let max = min;
    for (let i = start + 1; i < end; i++) {
      const value = numbers[i - from] as number;
      if (value < min) {
        min = value;
        minAt = i;
      } else if (value > max) {
        max = value;
        maxAt = i;
      }
    }
    this.#offer(Role.Min, span, minAt, -min);
    this.#offer(Role.Max, span, maxAt, max);
  }

  /** Adds points of any kind; `numbers[i - from]` is the value of point `i`. */
  #addNumbers(span: PointSpan, numbers: Float64Array, from: number): void {
    const { nulls, qualities } = span.points;
    for (let i = span.start; i < span.end; i++) {
      if (nulls[i] !== 0) continue;
      const value = numbers[i - from] as number;
      const isGood = (qualities[i] as number) >= GOOD_QUALITY;
      this.#offer(isGood ? Role.Min : Role.LowestBad, span, i, -value);
      this.#offer(isGood ? Role.Max : Role.HighestBad, span, i, value);
    }
  }

  #convert({ points, type, start, end }: PointSpan): Float64Array {
    if (this.#converted.length < end - start) this.#converted = new Float64Array(end - start);
    for (let i = start; i < end; i++) this.#converted[i - start] = numberAt(points, i, type);
    return this.#converted;
  }

  #offer(role: Role, span: PointSpan, index: number, key: number): void {
    if (key > (this.#keys[role] as number)) this.#keep(role, span, index, key);
  }

  #keep(role: Role, { points, type, shift }: PointSpan, index: number, key: number): void {
    this.#positions[role] = index + shift;
    this.#keys[role] = key;
    this.#types[role] = type;
    this.#blocks[role] = undefined;
    this.#copy(role, points, index);
  }

  #refer(role: Role, block: Block, type: ValueType, index: number, position: number, key: number): void {
    this.#positions[role] = position + index;
    this.#keys[role] = key;
    this.#types[role] = type;
    this.#blocks[role] = block;
    this.#indexes[role] = index;
  }

  #loadBlocks(): void {
    for (const block of this.#blocks) {
      if (block === undefined) continue;
      const points = this.#load(block);
      for (const role of ROLES) {
        if (this.#blocks[role] !== block) continue;
        this.#blocks[role] = undefined;
        this.#copy(role, points, this.#indexes[role] as number);
      }
    }
  }

  #copy(role: Role, points: PointColumns, index: number): void {
    const kept = this.#points;
    kept.timesMs[role] = points.timesMs[index] as number;
    kept.ticks[role] = points.ticks[index] as number;
    kept.bigints[role] = points.bigints[index] as bigint; // bit for bit: a copy as doubles may alter NaN patterns
    kept.nulls[role] = points.nulls[index] as number;
    kept.qualities[role] = points.qualities[index] as number;
    const isText = points.texts.length > 0 && points.nulls[index] === 0;
    this.#texts[role] = isText ? points.texts.at(points.numbers[index] as number) : undefined;
  }
}

/** Appends a point from a reducer; the columns must be of its type. */
export function appendReduced(
  target: PointColumns,
  points: PointColumns,
  index: number,
  text: string | undefined,
): void {
  const at = target.count;
  target.reserve(at + 1);
  target.timesMs[at] = points.timesMs[index] as number;
  target.ticks[at] = points.ticks[index] as number;
  target.bigints[at] = points.bigints[index] as bigint;
  target.nulls[at] = points.nulls[index] as number;
  target.qualities[at] = points.qualities[index] as number;
  if (text !== undefined) target.numbers[at] = target.texts.push(text);
  target.count++;
}
