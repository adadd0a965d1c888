// Finds points by time in columns that are in time order.

import type { Instant, PointColumns } from '../types.ts';

/** Both bounds are inclusive. */
export interface TimeRange {
  readonly start: Instant;
  readonly end: Instant;
}

/** The times of the first and the last of some points. */
export interface Times {
  readonly firstMs: number;
  readonly firstTicks: number;
  readonly lastMs: number;
  readonly lastTicks: number;
}

export function timesOf(points: PointColumns): Times {
  const last = points.count - 1;
  return {
    firstMs: points.timesMs[0] as number,
    firstTicks: points.ticks[0] as number,
    lastMs: points.timesMs[last] as number,
    lastTicks: points.ticks[last] as number,
  };
}

export function overlaps({ start, end }: TimeRange, entry: Times): boolean {
  const startsBefore = entry.firstMs < end.ms || (entry.firstMs === end.ms && entry.firstTicks <= end.ticks);
  const endsBehind = entry.lastMs > start.ms || (entry.lastMs === start.ms && entry.lastTicks >= start.ticks);
  return startsBefore && endsBehind;
}

export function isBefore(points: PointColumns, i: number, time: Instant): boolean {
  const ms = points.timesMs[i] as number;
  return ms < time.ms || (ms === time.ms && (points.ticks[i] as number) < time.ticks);
}

export function isAfter(points: PointColumns, i: number, time: Instant): boolean {
  const ms = points.timesMs[i] as number;
  return ms > time.ms || (ms === time.ms && (points.ticks[i] as number) > time.ticks);
}

/** The first of points `[from, to)` that is not before the time. */
export function firstNotBefore(points: PointColumns, from: number, to: number, time: Instant): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(points, middle, time)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first of points `[from, to)` that is after the time. */
export function firstAfter(points: PointColumns, from: number, to: number, time: Instant): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAfter(points, middle, time)) high = middle;
    else low = middle + 1;
  }
  return low;
}
