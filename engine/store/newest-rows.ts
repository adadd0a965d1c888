// The newest points of tags side by side: most are good numbers at whole milliseconds, and two numbers of a shared column
// tell them, changed in place by every request. All others are objects (`Tag.newest`). Benchmark: bench ingest.

import { GOOD_QUALITY, type ValueType } from '../types.ts';
import { payloadOf } from '../value-types.ts';
import type { NewestPoint } from './tag.ts';

/** Places of a tag's row: time and value of the newest point that reads may see, and of the newest accepted one. */
export const NEWEST = 0;
export const ADMITTED = 2;
const ROW_NUMBERS = 4;
const ROWS_PER_SLAB = 1024;

/** What tags share: it goes when the last of its tags does. */
let slab = new Float64Array(0);
let used = 0;

/** A tag's row: four numbers of `numbers` from `at` on, a time without a number where there is no plain point. */
export interface NewestRow {
  readonly numbers: Float64Array;
  readonly at: number;
}

/** Takes a row for a new tag; the row of the last one is the one before it. */
export function takeRow(): NewestRow {
  if (used === slab.length) {
    slab = new Float64Array(ROWS_PER_SLAB * ROW_NUMBERS).fill(Number.NaN);
    used = 0;
  }
  const at = used;
  used += ROW_NUMBERS;
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
