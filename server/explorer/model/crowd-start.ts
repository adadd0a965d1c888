// Where the points of a history begin that make up nearly all of it.

import type { TimeWindow } from './time-range.ts';

/** Of the window that is empty but for a few points. */
const EMPTY_SHARE = 0.8;
const MOST_FAR_OFF = 3;

/** The first point behind a gap that takes most of the window, with at most a few before it; undefined without such a gap. */
export function crowdStart(timesMs: readonly number[], { startMs, endMs }: TimeWindow): number | undefined {
  const least = (endMs - startMs) * EMPTY_SHARE;
  let beforeMs = startMs;
  for (const timeMs of timesMs.slice(0, MOST_FAR_OFF + 1)) {
    if (timeMs - Math.max(startMs, beforeMs) > least) return timeMs;
    beforeMs = timeMs;
  }
  return undefined;
}
