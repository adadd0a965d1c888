// What every request changes of its tags, side by side: a row of eight numbers a tag, which is one line of memory. As fields
// of the tag they would be objects of their own, made anew as its numbers outgrow what the compiler has seen of them, and
// with them all code that knows tags. Benchmark: bench ingest.
//
// Most newest points are good numbers at whole milliseconds, and two numbers tell them; all others are objects (`Tag.newest`).

import { GOOD_QUALITY, type ValueType } from '../types.ts';
import { payloadOf } from '../value-types.ts';
import type { NewestPoint } from './newest-point.ts';

/** Places of a tag's row: time and value of the newest point that reads may see, and of the newest accepted one. */
export const NEWEST = 0;
export const ACCEPTED = 2;
/** See the fields of `Tag` of these names. */
export const NEXT_ORDINAL = 4;
export const ACCEPTED_ORDINAL = 5;
export const FLUSHED_ORDINAL = 6;
export const OLDEST_MS = 7;
const NEW_ROW = [Number.NaN, 0, Number.NaN, 0, 0, 0, 0, Number.NaN];
const ROW_NUMBERS = NEW_ROW.length;
const ROWS_PER_SLAB = 512;

/** What tags share: it goes when the last of its tags does. */
let slab = new Float64Array(0);
let used = 0;

/** A tag's row: eight numbers of `numbers` from `at` on; no number stands for the time of a point that is none or not plain. */
export interface TagRow {
  readonly numbers: Float64Array;
  readonly at: number;
}

/** Takes a row for a new tag; the row of the last one is the one before it. */
export function takeRow(): TagRow {
  if (used === slab.length) {
    slab = new Float64Array(ROWS_PER_SLAB * ROW_NUMBERS);
    used = 0;
  }
  const at = used;
  used += ROW_NUMBERS;
  slab.set(NEW_ROW, at);
  return { numbers: slab, at };
}

/** The plain point at a place, stored with a type; undefined when there is none. */
export function plainPointAt(numbers: Float64Array, place: number, type: ValueType): NewestPoint | undefined {
  const ms = numbers[place] as number;
  if (Number.isNaN(ms)) return undefined;
  return { ms, ticks: 0, value: numbers[place + 1] as number, quality: GOOD_QUALITY, type, tie: undefined };
}

/** Puts a point at a place of a tag of a type; returns it when it is none that fits. */
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
