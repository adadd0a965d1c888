// How long what goes over all points of a window waits before it is read again.

import type { TimeWindow } from './time-range.ts';

const LEAST_MS = 5000;
const MOST_MS = 60_000;
/** Part of the window that is too small for a change to show. */
const SHARE = 1 / 500;
/** The server has nine tenths of its time for others. */
const TIMES_AS_LONG = 10;

/** After a read that took so long. */
export function pauseAfter({ startMs, endMs }: TimeWindow, tookMs: number): number {
  return Math.max(LEAST_MS, Math.min(MOST_MS, (endMs - startMs) * SHARE), tookMs * TIMES_AS_LONG);
}
