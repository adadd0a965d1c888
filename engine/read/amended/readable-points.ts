// Where reads of a tag with corrections begin: its first readable points, and the newest at or before a time.

import { type AmendedPoint, type Amendment, justBefore } from '../../corrections/amendment.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import type { NewestPoint } from '../../tag/newest-point.ts';
import { newestFrom } from '../../tag/stored-value.ts';
import type { Tag } from '../../tag/tag.ts';
import { compareInstants, FIRST_INSTANT, type Instant, LAST_INSTANT } from '../../types.ts';
import { type CursorRange, StoredTagCursor } from '../tag-cursor.ts';
import { firstVisibleOrdinal, type LocatedPoint, locateNewestUpTo, retentionCutoffMs } from '../visible-range.ts';

/** A point that reads see. */
export interface ReadablePoint extends LocatedPoint {
  /** A read from the time on begins with it when it begins with this stored point, */
  readonly storedOrdinal: number;
  /** and with this one of the points that corrections give. */
  readonly firstAmended: number | undefined;
}

/** The first points that may be read: the ordinal of a stored one, and the number of one of the amendment. */
interface FirstReadable {
  readonly ordinal: number;
  readonly amended: number;
}

/**
 * The first points that a read of a range may return, whatever its times: the amendment's points before the first stored
 * point of the range are left out where it does not begin with the tag's first.
 */
export function firstReadableIn(dataset: Dataset, tag: Tag, amendment: Amendment, range: CursorRange): FirstReadable {
  const { ordinal, amended } = firstReadable(dataset, tag, amendment);
  const { firstOrdinal } = range;
  if (firstOrdinal <= ordinal) return { ordinal, amended };
  const first = timeOfStored(dataset, tag, firstOrdinal);
  const from = first === undefined ? amendment.points.length : amendment.firstNotBefore(first);
  return { ordinal: firstOrdinal, amended: Math.max(amended, from) };
}

/** The first points that purge leaves. */
function firstReadable(dataset: Dataset, tag: Tag, amendment: Amendment): FirstReadable {
  const cutoff = { ms: retentionCutoffMs(dataset, tag), ticks: 0 };
  const ordinal = firstVisibleOrdinal(dataset, tag);
  const unpurged = tag.purgedOrdinal > 0 ? timeOfStored(dataset, tag, tag.purgedOrdinal) : undefined;
  const first = unpurged === undefined ? 0 : amendment.firstNotBefore(unpurged);
  if (cutoff.ms === Number.NEGATIVE_INFINITY) return { ordinal, amended: first };
  // At the cutoff the newest point is kept, whichever it is.
  const behind = amendment.firstAfter(cutoff);
  const stored = newestStored(dataset, tag, amendment, cutoff);
  const kept = stored && stored.ordinal >= ordinal ? stored : undefined;
  const last = amendment.points[behind - 1];
  if (last === undefined || (kept && compareInstants(kept, last) > 0))
    return { ordinal, amended: Math.max(first, behind) };
  return { ordinal: kept ? kept.ordinal + 1 : ordinal, amended: Math.max(first, behind - 1) };
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

/** The newest stored point at or before a time that no correction hides. */
function newestStored(dataset: Dataset, tag: Tag, amendment: Amendment, end: Instant): LocatedPoint | undefined {
  for (let until = end; ; ) {
    const located = locateNewestUpTo(dataset, tag, until);
    const hidden = located && amendment.hiddenRangeOf(located, located.ordinal);
    if (hidden === undefined) return located;
    if (compareInstants(hidden.start, FIRST_INSTANT) <= 0) return undefined;
    until = justBefore(hidden.start);
  }
}

/**
 * The newest point at or before a time that reads see; undefined when there is none.
 * @param visible the first visible ordinal, where it is known
 */
export function readableUpTo(dataset: Dataset, tag: Tag, end: Instant, visible?: number): ReadablePoint | undefined {
  const amendment = dataset.corrections.amendmentOf(tag.id);
  if (amendment === undefined) {
    const located = locateNewestUpTo(dataset, tag, end);
    if (!located || located.ordinal < (visible ?? firstVisibleOrdinal(dataset, tag))) return undefined;
    return { ...located, storedOrdinal: located.ordinal, firstAmended: undefined };
  }
  const first = firstReadable(dataset, tag, amendment);
  const stored = newestStored(dataset, tag, amendment, end);
  const kept = stored && stored.ordinal >= first.ordinal ? stored : undefined;
  const index = amendment.firstAfter(end) - 1;
  const amended = index >= first.amended ? (amendment.points[index] as AmendedPoint) : undefined;
  if (amended === undefined || (kept && compareInstants(kept, amended) > 0))
    return kept && { ...kept, storedOrdinal: kept.ordinal, firstAmended: index + 1 };
  const { ms, ticks, ordinal, points, type } = amended;
  const point = newestFrom(points, amended.index, type, undefined);
  const storedOrdinal = kept ? kept.ordinal + 1 : first.ordinal;
  return { ms, ticks, ordinal, point, storedOrdinal, firstAmended: index };
}

/** The newest point of a tag that reads see. */
export function newestReadable(dataset: Dataset, tag: Tag): NewestPoint | undefined {
  const { newest } = tag;
  const amendment = dataset.corrections.amendmentOf(tag.id);
  if (amendment === undefined || (newest && !amendment.touches(newest, LAST_INSTANT))) return newest;
  const found = readableUpTo(dataset, tag, LAST_INSTANT);
  if (!found || found.point) return found?.point;
  const { ms, ticks, ordinal } = found;
  return readFirst(dataset, tag, { start: { ms, ticks }, end: { ms, ticks }, firstOrdinal: ordinal, limit: 1 });
}
