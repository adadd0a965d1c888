// The numbers of each tag that every request changes, in a row of eight numbers for each tag, which is one cache line. Fields
// of the tag instead would be heap numbers, allocated again whenever they leave the range that the compiler has seen, and
// code that uses tags would be deoptimized. Benchmark: bench ingest.
//
// Most newest points are good numbers at whole ms, stored as two numbers; all others are objects (`Tag.newest`).

import { GOOD_QUALITY, type ValueType } from '../types.ts';
import { payloadOf } from '../value-types.ts';
import type { NewestPoint } from './newest-point.ts';

/** Indexes in a tag's row: time and value of the newest point that reads may see, and of the newest accepted one. */
export const NEWEST = 0;
export const ACCEPTED = 2;
/** See the fields of these names in `Tag`. */
export const NEXT_ORDINAL = 4;
export const ACCEPTED_ORDINAL = 5;
export const FLUSHED_ORDINAL = 6;
export const OLDEST_MS = 7;
const ROW_NUMBERS = 8;
const ROWS_PER_SLAB = 512;

/** The array that new tags share; it is freed with the last of its tags. */
let slab = new Float64Array(0);
let used = 0;

/** A tag's row: eight numbers of `numbers` from `at` on. A time of NaN: the newest point is not a plain number, or missing. */
export interface TagRow {
  readonly numbers: Float64Array;
  readonly at: number;
}

/** Takes a row for a new tag; rows are adjacent in order of creation. */
export function takeRow(): TagRow {
  if (used === slab.length) {
    slab = new Float64Array(ROWS_PER_SLAB * ROW_NUMBERS);
    used = 0;
  }
  const at = used;
  used += ROW_NUMBERS;
  slab[at + NEWEST] = Number.NaN;
  slab[at + ACCEPTED] = Number.NaN;
  slab[at + OLDEST_MS] = Number.NaN;
  return { numbers: slab, at };
}

/** The plain point at an index, stored with a type; undefined when there is none. */
export function plainPointAt(numbers: Float64Array, place: number, type: ValueType): NewestPoint | undefined {
  const ms = numbers[place] as number;
  if (Number.isNaN(ms)) return undefined;
  return { ms, ticks: 0, value: numbers[place + 1] as number, quality: GOOD_QUALITY, type, tie: undefined };
}

/** Stores a point at an index of the row of a tag of a type; returns the point if it is not plain. */
export function putPoint(
  numbers: Float64Array,
  place: number,
  type: ValueType,
  point: NewestPoint | undefined,
): NewestPoint | undefined {
  if (!point || !isPlain(point, type)) {
    numbers[place] = Number.NaN;
    return point;
  }
  numbers[place] = point.ms;
  numbers[place + 1] = point.value as number;
  return undefined;
}

function isPlain(point: NewestPoint, type: ValueType): boolean {
  if (point.type !== type || payloadOf(type) !== 'number' || typeof point.value !== 'number') return false;
  return point.quality === GOOD_QUALITY && point.ticks === 0 && point.tie === undefined && !Number.isNaN(point.ms);
}
