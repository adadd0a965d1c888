// Beginnings of reads of a tag with corrections or late points: its first readable points, and the newest at or before a time.

import { type AmendedPoint, type Amendment, justBehind } from '../../corrections/amendment.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import type { NewestPoint } from '../../tag/newest-point.ts';
import { newestFrom } from '../../tag/stored-value.ts';
import type { Tag } from '../../tag/tag.ts';
import { compareInstants, FIRST_INSTANT, type Instant, LAST_INSTANT } from '../../types.ts';
import type { LatePoint } from '../late/late-stream.ts';
import { newestLate } from '../late/newest-late.ts';
import { type Beginning, type CursorRange, type PointMark, StoredTagCursor } from '../tag-cursor.ts';
import { timeOfPoint } from '../time-of-point.ts';
import { firstVisibleOrdinal, type LocatedPoint, locateNewestUpTo, retentionCutoffMs } from '../visible-range.ts';
import { AmendedCursor } from './amended-cursor.ts';
import { type Overlay, overlayOf } from './overlay.ts';

/** A point that reads see. */
export interface ReadablePoint extends LocatedPoint {
  /** Ordinal of a stored point; for others that of the next stored one, or of one before it. */
  readonly storedOrdinal: number;
  /** Beginning of a read that starts with it. */
  readonly beginning: Beginning;
}

/** The first points that may be read: the ordinal of a stored one, the number of one of the amendment, and a late one. */
interface FirstReadable {
  readonly ordinal: number;
  readonly amended: number;
  /** Earlier late points are purged. */
  readonly lateFloor: PointMark;
}

/**
 * The first points that a read of a range may return, whatever its times: the amendment's points before the first stored
 * point of the range are left out where it does not begin with the tag's first.
 */
export function firstReadableIn(
  dataset: Dataset,
  tag: Tag,
  amendment: Amendment,
  range: CursorRange,
): FirstReadable & { readonly late: PointMark } {
  const { ordinal, amended, lateFloor } = firstReadable(dataset, tag, amendment);
  const { firstOrdinal } = range;
  if (firstOrdinal <= ordinal) return { ordinal, amended, lateFloor, late: lateFloor };
  const first = timeOfStored(dataset, tag, firstOrdinal);
  const from = first === undefined ? amendment.points.length : amendment.firstNotBefore(first);
  return {
    ordinal: firstOrdinal,
    amended: Math.max(amended, from),
    lateFloor,
    late: first === undefined || compareInstants(first, lateFloor) < 0 ? lateFloor : { ...timeOf(first), ordinal: 0 },
  };
}

/** The first points that purge leaves. */
function firstReadable(dataset: Dataset, tag: Tag, amendment: Amendment): FirstReadable {
  const cutoff = { ms: retentionCutoffMs(dataset, tag), ticks: 0 };
  const ordinal = firstVisibleOrdinal(dataset, tag);
  const unpurged = firstLeft(dataset, tag);
  const first = unpurged === undefined ? 0 : amendment.firstNotBefore(unpurged);
  if (cutoff.ms === Number.NEGATIVE_INFINITY)
    return { ordinal, amended: first, lateFloor: { ...timeOf(unpurged ?? FIRST_INSTANT), ordinal: 0 } };
  // At the cutoff the newest point is kept, whichever it is; but no late one. An earlier cutoff may have left less.
  const behindCutoff = justBehind(cutoff);
  const floor = unpurged && compareInstants(unpurged, behindCutoff) > 0 ? unpurged : behindCutoff;
  const lateFloor = { ...timeOf(floor), ordinal: 0 };
  const behind = amendment.firstAfter(cutoff);
  const stored = locateNewestUpTo(dataset, tag, cutoff, amendment);
  const kept = stored && stored.ordinal >= ordinal ? stored : undefined;
  // One before the first point left is not read, so it is not what is kept either.
  const last = behind > first ? amendment.points[behind - 1] : undefined;
  if (last === undefined || (kept && compareInstants(kept, last) > 0))
    return { ordinal, amended: Math.max(first, behind), lateFloor };
  return { ordinal: kept ? kept.ordinal + 1 : ordinal, amended: Math.max(first, behind - 1), lateFloor };
}

/** The time of the first point, removed or not, that purge has left by rules that were lifted: nothing before it is read. */
export function firstLeft(dataset: Dataset, tag: Tag): Instant | undefined {
  if (tag.purgedTime === undefined && tag.purgedOrdinal > 0) tag.purgedTime = findFirstLeft(dataset, tag);
  return tag.purgedTime;
}

/**
 * The time as found where the catalog of an earlier version has the ordinal only. A point that is not stored any more was
 * taken by a later cutoff or was before the lifted one; and it was not behind those that are stored.
 */
function findFirstLeft(dataset: Dataset, tag: Tag): Instant | undefined {
  const { purgedOrdinal } = tag;
  const time = timeOfPoint(dataset, tag, purgedOrdinal);
  if (time) return time;
  const stored = timeOfStored(dataset, tag, purgedOrdinal);
  const { userMs, lifted } = dataset.cutoffs;
  const latest = { ms: Math.max(userMs, lifted?.beforeMs ?? Number.NEGATIVE_INFINITY), ticks: 0 };
  return Number.isFinite(latest.ms) && (!stored || compareInstants(latest, stored) < 0) ? latest : stored;
}

/** The time of the first stored point from an ordinal on that was not removed. */
export function timeOfStored(dataset: Dataset, tag: Tag, ordinal: number): Instant | undefined {
  const range = { start: FIRST_INSTANT, end: LAST_INSTANT, firstOrdinal: ordinal, limit: 1 };
  return readFirst(dataset, tag, range);
}

function readFirst(dataset: Dataset, tag: Tag, range: CursorRange): NewestPoint | undefined {
  const cursor = new StoredTagCursor(dataset, tag, range);
  try {
    const chunk = cursor.next();
    return chunk && newestFrom(chunk.points, chunk.start, chunk.type, undefined);
  } finally {
    cursor.close();
  }
}

/**
 * The newest point at or before a time that reads see; undefined when there is none.
 * @param visible the first visible ordinal, where it is known
 */
export function readableUpTo(dataset: Dataset, tag: Tag, end: Instant, visible?: number): ReadablePoint | undefined {
  const overlay = overlayOf(dataset, tag);
  if (overlay === undefined) {
    const located = locateNewestUpTo(dataset, tag, end);
    if (!located || located.ordinal < (visible ?? firstVisibleOrdinal(dataset, tag))) return undefined;
    const { ordinal } = located;
    return { ...located, storedOrdinal: ordinal, beginning: { start: timeOf(located), firstOrdinal: ordinal } };
  }
  const first = firstReadable(dataset, tag, overlay.amendment);
  const found = newestOver(dataset, tag, overlay, first, end);
  if (found === undefined) return undefined;
  const from = { ...timeOf(found), ordinal: found.ordinal };
  return { ...found, beginning: { start: timeOf(found), firstOrdinal: first.ordinal, from } };
}

/** The newest of stored points, those of corrections and late ones. */
function newestOver(
  dataset: Dataset,
  tag: Tag,
  overlay: Overlay,
  first: FirstReadable,
  end: Instant,
): Omit<ReadablePoint, 'beginning'> | undefined {
  const { amendment } = overlay;
  const stored = locateNewestUpTo(dataset, tag, end, amendment);
  const kept = stored && stored.ordinal >= first.ordinal ? stored : undefined;
  const index = amendment.firstAfter(end) - 1;
  const amended = index >= first.amended ? (amendment.points[index] as AmendedPoint) : undefined;
  const late = newestLateOf(dataset, overlay, first.lateFloor, end);
  const behindKept = kept ? kept.ordinal + 1 : first.ordinal;
  // The stored one of several points of a time is first, a late one last.
  if (late && isNotBefore(late, kept) && isNotBefore(late, amended))
    return { ...lastOfTime(dataset, tag, overlay, first, late), storedOrdinal: behindKept };
  if (amended && isNotBefore(amended, kept)) return { ...pointAt(amended), storedOrdinal: behindKept };
  return kept && { ...kept, storedOrdinal: kept.ordinal };
}

/** The last point of the time of a late one: that one, unless it is equal to another of its time. */
function lastOfTime(dataset: Dataset, tag: Tag, overlay: Overlay, first: FirstReadable, late: LatePoint): LocatedPoint {
  const time = timeOf(late);
  const range = { start: time, end: time, firstOrdinal: first.ordinal, limit: undefined };
  const firstAmended = Math.max(first.amended, overlay.amendment.firstNotBefore(time));
  const firstLate = compareInstants(first.lateFloor, time) < 0 ? { ...time, ordinal: 0 } : first.lateFloor;
  const cursor = new AmendedCursor({ dataset, tag, range, overlay, firstAmended, firstLate });
  try {
    return cursor.last() ?? pointAt(late);
  } finally {
    cursor.close();
  }
}

function newestLateOf(
  dataset: Dataset,
  { amendment, late }: Overlay,
  start: PointMark,
  end: Instant,
): LatePoint | undefined {
  if (late === undefined || compareInstants(start, end) > 0) return undefined;
  const isHidden = (time: Instant, ordinal: number): boolean => amendment.hiddenRangeOf(time, ordinal) !== undefined;
  return newestLate(dataset, late, { start, end, isHidden });
}

function isNotBefore(time: Instant, other: Instant | undefined): boolean {
  return other === undefined || compareInstants(time, other) >= 0;
}

function timeOf({ ms, ticks }: Instant): Instant {
  return { ms, ticks };
}

/** A point that is no stored one of its tag. */
function pointAt({ ms, ticks, ordinal, points, index, type }: AmendedPoint | LatePoint): LocatedPoint {
  return { ms, ticks, ordinal, point: newestFrom(points, index, type, undefined) };
}

/** The newest point of a tag that reads see. */
export function newestReadable(dataset: Dataset, tag: Tag): NewestPoint | undefined {
  const { newest } = tag;
  const overlay = overlayOf(dataset, tag);
  if (overlay === undefined) return newest;
  // A late point may be the newest only after those that were newer have been deleted.
  const isLateOlder = overlay.late === undefined || tag.deletedRanges.length === 0;
  if (newest && isLateOlder && !overlay.amendment.touches(newest, LAST_INSTANT)) return newest;
  const found = readableUpTo(dataset, tag, LAST_INSTANT);
  if (!found || found.point) return found?.point;
  const { ms, ticks, ordinal } = found;
  return readFirst(dataset, tag, { start: { ms, ticks }, end: { ms, ticks }, firstOrdinal: ordinal, limit: 1 });
}
