// What the ticks, nulls and qualities of a block's points have in common. Mostly all are equal, and no column is stored.

import { GOOD_QUALITY, type PointColumns } from '../../types.ts';

export interface PointFlags {
  readonly ticksVary: boolean;
  readonly qualitiesVary: boolean;
  readonly nullCount: number;
  /** Points of quality 192 and up, null or not. */
  readonly goodCount: number;
  /** Index of the first of the lowest qualities. */
  readonly worstIndex: number;
}

/** Up to here a loop is faster than the native comparison. */
const SHORT_LENGTH = 128;

/** Examines points[start, end), one or more. */
export function examinePoints(points: PointColumns, start: number, end: number): PointFlags {
  const qualitiesVary = !isConstant(points.qualities, start, end);
  const firstIsGood = (points.qualities[start] as number) >= GOOD_QUALITY;
  const goodCountIfConstant = firstIsGood ? end - start : 0;
  return {
    ticksVary: !isConstant(points.ticks, start, end),
    qualitiesVary,
    nullCount: countNulls(points.nulls, start, end),
    goodCount: qualitiesVary ? countGood(points.qualities, start, end) : goodCountIfConstant,
    worstIndex: qualitiesVary ? findWorst(points.qualities, start, end) - start : 0,
  };
}

/** Compares the column with itself, shifted by one entry: a native comparison, far faster than a loop over long columns. */
function isConstant(column: Uint16Array | Int32Array, start: number, end: number): boolean {
  if (end - start <= SHORT_LENGTH) return isConstantByLoop(column, start, end);
  const { buffer, byteOffset, BYTES_PER_ELEMENT } = column;
  const at = byteOffset + start * BYTES_PER_ELEMENT;
  const length = (end - start - 1) * BYTES_PER_ELEMENT;
  if (column[start] !== column[end - 1]) return false;
  return (
    Buffer.compare(new Uint8Array(buffer, at, length), new Uint8Array(buffer, at + BYTES_PER_ELEMENT, length)) === 0
  );
}

function isConstantByLoop(column: Uint16Array | Int32Array, start: number, end: number): boolean {
  const first = column[start];
  for (let i = start + 1; i < end; i++) if (column[i] !== first) return false;
  return true;
}

function countNulls(nulls: Uint8Array, start: number, end: number): number {
  const first = end - start <= SHORT_LENGTH ? start : nulls.subarray(start, end).indexOf(1) + start;
  if (first < start) return 0;
  let count = 0;
  for (let i = first; i < end; i++) if (nulls[i] !== 0) count++;
  return count;
}

function countGood(qualities: Int32Array, start: number, end: number): number {
  const goodFrom = GOOD_QUALITY;
  let count = 0;
  for (let i = start; i < end; i++) if ((qualities[i] as number) >= goodFrom) count++;
  return count;
}

function findWorst(qualities: Int32Array, start: number, end: number): number {
  let worstIndex = start;
  for (let i = start + 1; i < end; i++)
    if ((qualities[i] as number) < (qualities[worstIndex] as number)) worstIndex = i;
  return worstIndex;
}
