// Drops from a run the points that the purge rules in force would remove at once (D9): those at or before the cutoff, except
// the newest of them, which purge keeps for each tag.

import { movePoint } from '../../points/time-order.ts';
import type { NewestPoint } from '../../tag/newest-point.ts';
import { newestOf } from '../../tag/stored-value.ts';
import type { Tag } from '../../tag/tag.ts';
import type { Instant, PointColumns } from '../../types.ts';
import type { AcceptedRun } from './receipts.ts';

/**
 * Counts expired points of an ordered run that is new as a whole, and removes them. Call it before the tag advances.
 * @param next time of the tag's next point, if another batch of the request has more of them
 */
export function dropExpired(
  tag: Tag,
  points: PointColumns,
  run: AcceptedRun,
  expiryMs: number,
  next: Instant | undefined,
): void {
  const { start, type } = run;
  const end = start + run.count;
  let behind = start;
  while (behind < end && isUpTo(points, behind, expiryMs)) behind++;
  const hasNewer = next !== undefined && isTimeUpTo(next, expiryMs);
  const isNewestKept = behind < end || !(hasNewer || isOfTime(points, end - 1, tag.accepted));
  const expired = behind - start - (isNewestKept ? 1 : 0);
  if (expired <= 0) return;
  for (let i = start + expired; i < end; i++) movePoint(points, i, i - expired);
  run.count -= expired;
  run.expired = expired;
  run.newest = newestOf(points, start, start + run.count, type, tag.accepted);
}

/** Purge keeps one of several points of the same time, and that one is stored already. */
function isOfTime({ timesMs, ticks }: PointColumns, i: number, newest: NewestPoint | undefined): boolean {
  return newest !== undefined && timesMs[i] === newest.ms && ticks[i] === newest.ticks;
}

/** Whether a point is at or before a time in whole ms. */
export function isUpTo({ timesMs, ticks }: PointColumns, i: number, endMs: number): boolean {
  const ms = timesMs[i] as number;
  return ms < endMs || (ms === endMs && ticks[i] === 0);
}

function isTimeUpTo({ ms, ticks }: Instant, endMs: number): boolean {
  return ms < endMs || (ms === endMs && ticks === 0);
}
