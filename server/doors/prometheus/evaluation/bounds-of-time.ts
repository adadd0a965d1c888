// The times at which the state of a tag is wanted: the steps, and where the stretches begin that end at them.

import { type StepGrid, stepTime } from '../promql/steps.ts';

export interface TimeBounds {
  /** Ever larger. */
  readonly timesMs: Float64Array;
  /** Index of each step among the times. */
  readonly ends: Int32Array;
  /** Index at which the stretch that ends at a step begins. The same as `ends` without a stretch. */
  readonly starts: Int32Array;
}

/** `windowMs`: the length of a stretch; 0 for none. */
export function boundsOfSteps(steps: StepGrid, windowMs: number): TimeBounds {
  const { count } = steps;
  const timesMs = new Float64Array(windowMs === 0 ? count : 2 * count);
  const ends = new Int32Array(count);
  const starts = windowMs === 0 ? ends : new Int32Array(count);
  let used = 0;
  let start = 0;
  let end = 0;
  while (end < count) {
    const endMs = stepTime(steps, end);
    const startMs = windowMs === 0 || start >= count ? Number.POSITIVE_INFINITY : stepTime(steps, start) - windowMs;
    timesMs[used] = Math.min(endMs, startMs);
    if (startMs <= endMs) starts[start++] = used;
    if (endMs <= startMs) ends[end++] = used;
    used++;
  }
  return { timesMs: timesMs.subarray(0, used), ends, starts };
}
