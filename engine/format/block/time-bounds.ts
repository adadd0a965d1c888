// The earliest and the latest time of points: the ends of columns in time order; of late points, which are kept in the order
// in which they came, they are looked for.

import type { PointColumns } from '../../types.ts';

export interface TimeBounds {
  readonly firstMs: number;
  readonly firstTicks: number;
  readonly lastMs: number;
  readonly lastTicks: number;
}

/** - `time`: none is earlier than the one before it; - `arrival`: as they came. */
export type PointOrder = 'time' | 'arrival';

/** Earliest and latest times of points `[start, end)`, at least one. */
export function timeBounds(
  { timesMs, ticks }: PointColumns,
  start: number,
  end: number,
  order: PointOrder,
): TimeBounds {
  let first = start;
  let last = end - 1;
  if (order === 'arrival') {
    last = start;
    for (let i = start + 1; i < end; i++) {
      const ms = timesMs[i] as number;
      const fine = ticks[i] as number;
      if ((ms - (timesMs[first] as number) || fine - (ticks[first] as number)) < 0) first = i;
      if ((ms - (timesMs[last] as number) || fine - (ticks[last] as number)) > 0) last = i;
    }
  }
  return {
    firstMs: timesMs[first] as number,
    firstTicks: ticks[first] as number,
    lastMs: timesMs[last] as number,
    lastTicks: ticks[last] as number,
  };
}
