// What is marked of a plot: a range of values across, and one up; and the moments whose values lie in both. Pure.

import type { TimeWindow } from '../model/time/time-range.ts';

export interface ValueRange {
  readonly from: number;
  readonly to: number;
}

export interface Brush {
  readonly x: ValueRange;
  /** Undefined: any. */
  readonly y: ValueRange | undefined;
}

/** Ends in any order. */
export function rangeBetween(a: number, b: number): ValueRange {
  return { from: Math.min(a, b), to: Math.max(a, b) };
}

export function isMarked({ x, y }: Brush, valueX: number, valueY: number): boolean {
  return isIn(x, valueX) && (y === undefined || isIn(y, valueY));
}

/** Ends belong to it. */
function isIn({ from, to }: ValueRange, value: number): boolean {
  return value >= from && value <= to;
}

/** Intervals that begin at these times; those that touch are one. */
export function joinedSpans(timesMs: readonly number[], intervalMs: number): TimeWindow[] {
  const spans: { startMs: number; endMs: number }[] = [];
  for (const startMs of timesMs) {
    const last = spans.at(-1);
    if (last !== undefined && startMs - last.endMs < 1) last.endMs = startMs + intervalMs;
    else spans.push({ startMs, endMs: startMs + intervalMs });
  }
  return spans;
}

export function lengthOf(spans: readonly TimeWindow[]): number {
  return spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
}
