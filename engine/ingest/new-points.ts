// Keeps the new points of a run that are not expired, with the same outcome as if they had come one by one: a point earlier than the tag's
// newest is late; one equal to a point stored at the newest time is repeated; the rest is stored. Benchmark: bench ingest.

import type { Dataset } from '../dataset/dataset.ts';
import { movePoint } from '../points/time-order.ts';
import { KnownPoints } from '../read/known-points.ts';
import type { NewestPoint } from '../tag/newest-point.ts';
import { keyAt, keyOf, newestFrom, newestOf } from '../tag/stored-value.ts';
import type { Tag } from '../tag/tag.ts';
import type { Instant, PointColumns } from '../types.ts';
import type { AcceptedRun } from './receipts.ts';

/** Moves the new ones of `count` ordered points to the run's start, and sets its counts and newest point. */
export function keepNew(dataset: Dataset, tag: Tag, points: PointColumns, count: number, run: AcceptedRun): void {
  const { start, type } = run;
  const end = start + count;
  if (isAllNew(tag.accepted, points, start, end)) {
    run.count = count;
    run.newest = newestFrom(points, end - 1, type, undefined);
    return;
  }
  const { timesMs, ticks } = points;
  let lastMs = tag.accepted?.ms ?? Number.NaN;
  let lastTicks = tag.accepted?.ticks ?? 0;
  let ties: Set<string> | undefined;
  let kept = start;
  for (let i = passLate(dataset, tag, points, end, run); i < end; i++) {
    const ms = timesMs[i] as number;
    if (ms === lastMs && ticks[i] === lastTicks) {
      ties ??= kept > start ? new Set([keyAt(points, kept - 1, type)]) : takeKeysOf(tag.accepted);
      const key = keyAt(points, i, type);
      if (ties.has(key)) {
        run.repeated++;
        continue;
      }
      ties.add(key);
    } else ties = undefined;
    lastMs = ms;
    lastTicks = ticks[i] as number;
    movePoint(points, i, kept++);
  }
  run.count = kept - start;
  run.newest = newestOf(points, start, kept, type, tag.accepted);
  if (ties !== undefined && run.newest?.tie !== undefined) keysOfNewest.set(run.newest, ties);
}

/** Keys of newest points with others of their time: a source whose clock stands still may send very many, one by one. */
const keysOfNewest = new WeakMap<NewestPoint, Set<string>>();

/** They change from now on. */
function takeKeysOf(newest: NewestPoint | undefined): Set<string> {
  const known = newest && keysOfNewest.get(newest);
  if (newest && known) keysOfNewest.delete(newest);
  return known ?? keysOf(newest);
}

/** Common case: whether each point is later, by its ms, than the previous one, and the first later than the newest. */
export function isAllNew(newest: NewestPoint | undefined, points: PointColumns, start: number, end: number): boolean {
  const { timesMs } = points;
  let before = newest ? newest.ms : Number.NEGATIVE_INFINITY;
  for (let i = start; i < end; i++) {
    const ms = timesMs[i] as number;
    if (!(ms > before)) return false;
    before = ms;
  }
  return true;
}

/** Counts the points before the tag's newest; returns the index of the first one that is not. */
function passLate(dataset: Dataset, tag: Tag, points: PointColumns, end: number, run: AcceptedRun): number {
  const newest = tag.accepted;
  if (!newest) return run.start;
  let late: KnownPoints | undefined;
  let i = run.start;
  for (; i < end; i++) {
    const ms = points.timesMs[i] as number;
    if (ms > newest.ms || (ms === newest.ms && (points.ticks[i] as number) >= newest.ticks)) break;
    late ??= new KnownPoints(dataset, tag, 'newest-block');
    if (late.has(points, i, run.type)) run.repeated++;
    else run.ignored++;
  }
  return i;
}

function keysOf(newest: NewestPoint | undefined): Set<string> {
  const keys = new Set<string>();
  for (let point = newest; point; point = point.tie) keys.add(keyOf(point.value, point.quality));
  return keys;
}

/**
 * Counts expired points of an ordered run that is new as a whole, and removes them: those that the purge rules in force would
 * remove at once (D9), except the newest of them, which purge keeps for each tag. Call it before the tag advances.
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
