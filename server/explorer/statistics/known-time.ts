// For how long a tag was good, and its mean over that time: one definition for the statistics and the histogram. Pure.

import type { TimeWindow } from '../model/time/time-range.ts';
import { knownEnd } from '../model/trend/open-interval.ts';

export interface KnownTime {
  /** Weighted by time, while the value was good; null when there is none. */
  readonly mean: number | null;
  /** Percent of the window, as far as it is over. */
  readonly percentGood: number;
}

/** What the server knows up to the newest point. */
export interface Measured {
  readonly mean: number | null;
  readonly goodMs: number;
}

export interface NewestPoint {
  readonly timeMs: number;
  readonly isGood: boolean;
  /** NaN for what is no number. */
  readonly value: number;
}

/** The part of the window up to the newest point; undefined when the window lies behind it. */
export function measuredPart(
  { startMs, endMs }: TimeWindow,
  nowMs: number,
  newest: NewestPoint,
): TimeWindow | undefined {
  const end = knownEnd(Math.min(endMs, nowMs), newest.timeMs);
  return end > startMs ? { startMs, endMs: end } : undefined;
}

/** The newest value holds until now, as in the chart. */
export function knownTime(
  { startMs, endMs }: TimeWindow,
  nowMs: number,
  newest: NewestPoint,
  { mean, goodMs }: Measured,
): KnownTime {
  const overMs = Math.min(endMs, nowMs);
  const behindMs = Math.max(0, overMs - Math.max(startMs, knownEnd(overMs, newest.timeMs)));
  const heldMs = newest.isGood ? behindMs : 0;
  const sum = (mean === null ? 0 : mean * goodMs) + (heldMs > 0 ? newest.value * heldMs : 0);
  const weightMs = (mean === null ? 0 : goodMs) + heldMs;
  const all = weightMs > 0 ? sum / weightMs : Number.NaN;
  const spanMs = overMs - startMs;
  return {
    mean: Number.isFinite(all) ? all : null,
    percentGood: spanMs > 0 ? Math.min(100, (100 * (goodMs + heldMs)) / spanMs) : 0,
  };
}
