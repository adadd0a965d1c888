// The time of a point of a run, whichever columns have it.

import { NOT_PLAIN, type PointColumns, type PointRun } from '../types.ts';

/** Whole ms since 1970. */
export function timeMsAt(
  { baseMs, offsets, timesMs }: PointColumns,
  { decimals = NOT_PLAIN }: Pick<PointRun, 'decimals'>,
  i: number,
): number {
  return decimals === NOT_PLAIN ? (timesMs[i] as number) : baseMs + (offsets[i] as number);
}
