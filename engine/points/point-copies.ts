// Copies ranges of points between columns.

import type { PointColumns } from '../types.ts';

/** Appends points `[start, end)` to `target`, which must have the same texts. */
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

/** Appends points `[start, end)` and a copy of their texts to `target`. */
export function appendPoints(points: PointColumns, start: number, end: number, target: PointColumns): void {
  const at = target.count;
  appendColumns(points, start, end, target);
  if (points.texts.length === 0) return;
  const offset = target.texts.length;
  for (const text of points.texts) target.texts.push(text);
  for (let i = at; i < target.count; i++)
    if (!target.nulls[i]) target.numbers[i] = (target.numbers[i] as number) + offset;
}

/** Removes `count` points from `start` on from the columns; does not change their `count`. */
export function removePoints(points: PointColumns, start: number, count: number): void {
  const { timesMs, ticks, bigints, nulls, qualities } = points;
  for (const column of [timesMs, ticks, bigints, nulls, qualities])
    column.copyWithin(start, start + count, points.count);
}
