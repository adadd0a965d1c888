// Single values from columns, for newest points and comparisons.

import type { PointColumns, ValueType } from '../types.ts';
import { payloadOf } from '../value-types.ts';
import type { NewestPoint, StoredValue } from './newest-point.ts';

/** The value of point `i`. */
export function valueAt(points: PointColumns, i: number, type: ValueType): StoredValue {
  if (points.nulls[i]) return null;
  switch (payloadOf(type)) {
    case 'number':
      return points.numbers[i] as number;
    case 'bigint':
      return points.bigints[i] as bigint;
    case 'text':
      return points.texts.at(points.numbers[i] as number);
  }
}

/** Appends a point to the columns. */
export function pushPoint(points: PointColumns, point: NewestPoint): void {
  const i = points.count;
  points.reserve(i + 1);
  points.count = i + 1;
  points.timesMs[i] = point.ms;
  points.ticks[i] = point.ticks;
  points.qualities[i] = point.quality;
  points.nulls[i] = point.value === null ? 1 : 0;
  if (typeof point.value === 'bigint') points.bigints[i] = point.value;
  else if (typeof point.value === 'number') points.numbers[i] = point.value;
  else points.numbers[i] = 0;
  if (typeof point.value === 'string') points.numbers[i] = points.texts.push(point.value);
}

/** Point `i` as the newest point after `previous`. */
export function newestFrom(
  points: PointColumns,
  i: number,
  type: ValueType,
  previous: NewestPoint | undefined,
): NewestPoint {
  const ms = points.timesMs[i] as number;
  const ticks = points.ticks[i] as number;
  const tied = previous !== undefined && previous.ms === ms && previous.ticks === ticks;
  return {
    ms,
    ticks,
    value: valueAt(points, i, type),
    quality: points.qualities[i] as number,
    type,
    tie: tied ? previous : undefined,
  };
}

/** The newest point after points `[start, end)`, with all points of the same time. */
export function newestOf(
  points: PointColumns,
  start: number,
  end: number,
  type: ValueType,
  before: NewestPoint | undefined,
): NewestPoint | undefined {
  if (end === start) return before;
  const { timesMs, ticks } = points;
  let first = end - 1;
  while (first > start && timesMs[first - 1] === timesMs[end - 1] && ticks[first - 1] === ticks[end - 1]) first--;
  let newest = first === start ? before : undefined;
  for (let i = first; i < end; i++) newest = newestFrom(points, i, type, newest);
  return newest;
}

/** Two keys are equal if `sameValue` holds and the qualities are equal; but for -0 beside a value of another type. */
export function keyAt(points: PointColumns, i: number, type: ValueType): string {
  return keyOf(valueAt(points, i, type), points.qualities[i] as number);
}

export function keyOf(value: StoredValue, quality: number): string {
  if (value === null) return `${quality}`;
  return `${quality}:${Object.is(value, -0) ? '-0' : value}`;
}
