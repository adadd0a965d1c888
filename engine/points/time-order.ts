// Sorts the points of one run by time; equal times keep the order in which they were sent.

import type { PointColumns } from '../types.ts';

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
  const { timesMs, ticks } = points;
  const order = Array.from({ length: count }, (_, i) => start + i);
  order.sort((a, b) => (timesMs[a] as number) - (timesMs[b] as number) || (ticks[a] as number) - (ticks[b] as number));
  permute(timesMs, order, start);
  permute(ticks, order, start);
  permute(points.bigints, order, start); // the same memory as the numbers, bit for bit
  permute(points.nulls, order, start);
  permute(points.qualities, order, start);
}

interface Column<T> {
  [index: number]: T;
}

function permute<T>(column: Column<T>, order: readonly number[], start: number): void {
  const sorted = order.map((from) => column[from] as T);
  for (let i = 0; i < sorted.length; i++) column[start + i] = sorted[i] as T;
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
