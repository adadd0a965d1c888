// A tag's points as reads see them: the stored ones, with what corrections have made of them, and with late points.

import { FIRST_AMENDED_ORDINAL, justBehind } from '../../corrections/amendment.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import { EngineError } from '../../errors.ts';
import { FIRST_LATE_ORDINAL } from '../../tag/late-tag.ts';
import type { Tag } from '../../tag/tag.ts';
import { compareInstants, type Instant, type PointChunk, type ReadMarker, type TagCursor } from '../../types.ts';
import type { BlockSource } from '../block-sources.ts';
import { timeOfLate } from '../late/time-of-late.ts';
import { type CursorRange, type LateStart, StoredTagCursor, type TakesUnread } from '../tag-cursor.ts';
import { AmendedCursor } from './amended-cursor.ts';
import { type Overlay, overlayOf } from './overlay.ts';
import { firstReadableIn, timeOfStored } from './readable-points.ts';

/** A cursor over points that are not computed. */
export interface PointCursor extends TagCursor {
  next(): PointChunk | undefined;
  noteUnreadable(source: BlockSource): void;
}

/** Opens a range of a tag's points. With `takesUnread` an empty chunk follows each block that was not decoded. */
export function openPoints(dataset: Dataset, tag: Tag, range: CursorRange, takesUnread?: TakesUnread): PointCursor {
  const overlay = overlayOf(dataset, tag);
  if (overlay === undefined) return new StoredTagCursor(dataset, tag, range, takesUnread);
  const { amendment } = overlay;
  const first = firstReadableIn(dataset, tag, amendment, range);
  const from = Math.max(range.firstAmended ?? first.amended, amendment.firstNotBefore(range.start));
  const lateFrom = laterOf(laterOf(range.lateFrom ?? first.late, first.lateFloor), { ...range.start, ordinal: 0 });
  const stored = { ...range, firstOrdinal: first.ordinal };
  return new AmendedCursor({ dataset, tag, range: stored, overlay, from, lateFrom }, takesUnread);
}

function laterOf(a: LateStart, b: LateStart): LateStart {
  return (compareInstants(a, b) || a.ordinal - b.ordinal) < 0 ? b : a;
}

/**
 * Opens the rest of a range, from a marker on. Throws BAD_REQUEST when that is of a point that a correction gave, or a late one,
 * which is not known any more.
 */
export function openRest(dataset: Dataset, tag: Tag, range: CursorRange, marker: ReadMarker): PointCursor {
  if (marker.ordinal >= FIRST_LATE_ORDINAL) return openLateRest(dataset, tag, range, marker);
  if (marker.ordinal >= FIRST_AMENDED_ORDINAL) return openAmendedRest(dataset, tag, range, marker);
  const rest = { ...range, firstOrdinal: Math.max(marker.ordinal, range.firstOrdinal) };
  const overlay = overlayOf(dataset, tag);
  if (overlay === undefined) return new StoredTagCursor(dataset, tag, rest);
  const { amendment } = overlay;
  const first = timeOfStored(dataset, tag, rest.firstOrdinal);
  const firstAmended = first === undefined ? amendment.points.length : amendment.firstNotBefore(first);
  // Late points of its time come behind it.
  const lateFrom = { ...(first ?? range.end), ordinal: first === undefined ? Number.POSITIVE_INFINITY : 0 };
  return openPoints(dataset, tag, { ...rest, firstAmended, lateFrom });
}

/** Of points of one time stored ones come first, then those of corrections: of the former only later ones are left. */
function openAmendedRest(dataset: Dataset, tag: Tag, range: CursorRange, marker: ReadMarker): PointCursor {
  const time = timeOfAmended(dataset, tag, marker);
  const rest = { ...range, start: justBehind(time) };
  const overlay = overlayOf(dataset, tag);
  if (overlay === undefined) return new StoredTagCursor(dataset, tag, rest);
  const { amendment } = overlay;
  const first = firstReadableIn(dataset, tag, amendment, rest);
  let from = Math.max(first.amended, amendment.firstNotBefore(time));
  const isBefore = (i: number): boolean => {
    const point = amendment.points[i];
    return point !== undefined && compareInstants(point, time) === 0 && point.ordinal < marker.ordinal;
  };
  while (isBefore(from)) from++;
  const lateFrom = laterOf(first.lateFloor, { ...time, ordinal: 0 });
  return new AmendedCursor({ dataset, tag, range: { ...rest, firstOrdinal: first.ordinal }, overlay, from, lateFrom });
}

/** Of points of one time late ones come last. */
function openLateRest(dataset: Dataset, tag: Tag, range: CursorRange, { ordinal }: ReadMarker): PointCursor {
  const late = dataset.lateTags.get(tag.id);
  const time = late && timeOfLate(dataset, late, ordinal);
  if (time === undefined) throw staleMarker('a late point');
  const rest = { ...range, start: justBehind(time) };
  const overlay = overlayOf(dataset, tag) as Overlay;
  const { amendment } = overlay;
  const first = firstReadableIn(dataset, tag, amendment, rest);
  const from = Math.max(first.amended, amendment.firstAfter(time));
  const lateFrom = laterOf(first.lateFloor, { ...time, ordinal });
  return new AmendedCursor({ dataset, tag, range: { ...rest, firstOrdinal: first.ordinal }, overlay, from, lateFrom });
}

function timeOfAmended(dataset: Dataset, tag: Tag, { ordinal }: ReadMarker): Instant {
  const number = ordinal - FIRST_AMENDED_ORDINAL;
  for (const { firstPoint, points } of dataset.corrections.ofTag(tag.id)) {
    const i = number - firstPoint;
    if (i >= 0 && i < points.count) return { ms: points.timesMs[i] as number, ticks: points.ticks[i] as number };
  }
  throw staleMarker('a point');
}

function staleMarker(what: string): EngineError {
  return new EngineError(
    'BAD_REQUEST',
    `A marker in "after" is of ${what} that was purged. Read again from the start.`,
  );
}
