// Copies stretches of points between columns.

import type { PointColumns } from '../types.ts';

/** Copies points `[start, end)` behind those of `target`, which must share the texts that they point into. */
export function appendColumns(points: PointColumns, start: number, end: number, target: PointColumns): void {
  const at = target.count;
  const count = end - start;
  target.reserve(at + count);
  target.timesMs.set(points.timesMs.subarray(start, end), at);
  target.ticks.set(points.ticks.subarray(start, end), at);
  target.bigints.set(points.bigints.subarray(start, end), at); // the same memory as the numbers, bit for bit
  target.nulls.set(points.nulls.subarray(start, end), at);
  target.qualities.set(points.qualities.subarray(start, end), at);
  target.count = at + count;
}

/** The same with a copy of the texts; `payload` is that of both. */
export function appendPoints(points: PointColumns, start: number, end: number, target: PointColumns): void {
  const at = target.count;
  appendColumns(points, start, end, target);
  if (points.texts.length === 0) return;
  const offset = target.texts.length;
  for (const text of points.texts) target.texts.push(text);
  for (let i = at; i < target.count; i++)
    if (!target.nulls[i]) target.numbers[i] = (target.numbers[i] as number) + offset;
}

/** Takes `count` points from `start` on out of the columns; their count stays. */
export function removePoints(points: PointColumns, start: number, count: number): void {
  const { timesMs, ticks, bigints, nulls, qualities } = points;
  for (const column of [timesMs, ticks, bigints, nulls, qualities])
    column.copyWithin(start, start + count, points.count);
}
