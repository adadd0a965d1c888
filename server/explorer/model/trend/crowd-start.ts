// Finds the start of the points that make up nearly all of a history.

import type { TimeWindow } from '../time/time-range.ts';

/** Share of the window that is empty but for a few points. */
const EMPTY_SHARE = 0.8;
const MOST_FAR_OFF = 3;
/** Fewer points are no crowd that others could be far off from. */
const LEAST_CROWD = 10;

/**
 * The first point behind a gap that takes most of the window, with at most a few before it; undefined without such a gap.
 * `pointCount` is how many points the times stand for, when they are reduced.
 */
export function crowdStart(
  timesMs: readonly number[],
  { startMs, endMs }: TimeWindow,
  pointCount = timesMs.length,
): number | undefined {
  const least = (endMs - startMs) * EMPTY_SHARE;
  let beforeMs = startMs;
  for (const [index, timeMs] of timesMs.slice(0, MOST_FAR_OFF + 1).entries()) {
    const isCrowd = index === 0 || pointCount - index >= LEAST_CROWD;
    if (isCrowd && timeMs - Math.max(startMs, beforeMs) > least) return timeMs;
    beforeMs = timeMs;
  }
  return undefined;
}
