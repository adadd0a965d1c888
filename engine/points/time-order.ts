// Sorts the points of one run by time; equal times keep the order in which they were sent.

import type { PointColumns } from '../types.ts';
import { stableOrder } from './stable-order.ts';

/** Whether points `[start, start + count)` are in time order. */
export function isOrdered(points: PointColumns, start: number, count: number): boolean {
  const { timesMs, ticks } = points;
  for (let i = start + 1; i < start + count; i++) {
    const step = (timesMs[i] as number) - (timesMs[i - 1] as number);
    if (step < 0 || (step === 0 && (ticks[i] as number) < (ticks[i - 1] as number))) return false;
  }
  return true;
}

/** Sorts points `[start, start + count)` by time, stably. */
export function orderByTime(points: PointColumns, start: number, count: number): void {
  if (isOrdered(points, start, count)) return;
  const { timesMs, ticks, bigints, nulls, qualities } = points;
  const order = stableOrder(timesMs.subarray(start, start + count), ticks.subarray(start, start + count));
  permute(timesMs, order, start);
  permute(ticks, order, start);
  permute(nulls, order, start);
  permute(qualities, order, start);
  // Numbers are in this memory too, and keep every bit: copied as doubles, NaN patterns may change.
  permutePairs(new Int32Array(bigints.buffer, bigints.byteOffset, 2 * bigints.length), order, start);
}

type Column = Float64Array | Int32Array | Uint16Array | Uint8Array;

function permute(column: Column, order: Uint32Array, start: number): void {
  const before = column.slice(start, start + order.length);
  for (let i = 0; i < order.length; i++) column[start + i] = before[order[i] as number] as number;
}

function permutePairs(column: Int32Array, order: Uint32Array, start: number): void {
  const before = column.slice(2 * start, 2 * (start + order.length));
  for (let i = 0; i < order.length; i++) {
    const from = 2 * (order[i] as number);
    column[2 * (start + i)] = before[from] as number;
    column[2 * (start + i) + 1] = before[from + 1] as number;
  }
}

/** Moves point `from` to `to` within the same columns. */
export function movePoint(points: PointColumns, from: number, to: number): void {
  if (from === to) return;
  points.timesMs[to] = points.timesMs[from] as number;
  points.ticks[to] = points.ticks[from] as number;
  points.bigints[to] = points.bigints[from] as bigint;
  points.nulls[to] = points.nulls[from] as number;
  points.qualities[to] = points.qualities[from] as number;
}

/** The end of the points from `start` on, at most `end`, that are in time order: times step back behind a deleted range. */
export function orderedUntil(points: PointColumns, start: number, end: number): number {
  const { timesMs, ticks } = points;
  for (let i = start + 1; i < end; i++) {
    const stepMs = (timesMs[i] as number) - (timesMs[i - 1] as number);
    if (stepMs < 0 || (stepMs === 0 && (ticks[i] as number) < (ticks[i - 1] as number))) return i;
  }
  return end;
}
