// A tag's points as reads see them: the stored ones, with what corrections have made of them, and with late points.

import { FIRST_AMENDED_ORDINAL, justBehind } from '../../corrections/amendment.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import { EngineError } from '../../errors.ts';
import type { PointChunk, ReadMarker, TagCursor } from '../../reads.ts';
import { FIRST_LATE_ORDINAL } from '../../tag/late-tag.ts';
import type { Tag } from '../../tag/tag.ts';
import { compareInstants, type Instant } from '../../types.ts';
import type { BlockSource } from '../block-sources.ts';
import { type CursorRange, type PointMark, StoredTagCursor, type TakesUnread } from '../tag-cursor.ts';
import { timeOfPoint } from '../time-of-point.ts';
import { AmendedCursor } from './amended-cursor.ts';
import { overlayOf } from './overlay.ts';
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
  const firstAmended = Math.max(first.amended, amendment.firstNotBefore(range.start));
  const firstLate = laterOf(first.late, { ...range.start, ordinal: 0 });
  const stored = { ...range, firstOrdinal: first.ordinal };
  return new AmendedCursor({ dataset, tag, range: stored, overlay, firstAmended, firstLate }, takesUnread);
}

function laterOf(a: PointMark, b: PointMark): PointMark {
  return (compareInstants(a, b) || a.ordinal - b.ordinal) < 0 ? b : a;
}

/**
 * Opens the rest of a range, from a marker on. Throws BAD_REQUEST when that is of a point that a correction gave, or a late one,
 * which is not known any more.
 */
export function openRest(dataset: Dataset, tag: Tag, range: CursorRange, { ordinal }: ReadMarker): PointCursor {
  const isStored = ordinal < FIRST_AMENDED_ORDINAL;
  const behind = { ...range, firstOrdinal: isStored ? Math.max(ordinal, range.firstOrdinal) : range.firstOrdinal };
  const hasOverlay = overlayOf(dataset, tag) !== undefined;
  if (isStored && !hasOverlay) return new StoredTagCursor(dataset, tag, behind);
  const time = timeOf(dataset, tag, ordinal, behind.firstOrdinal);
  // Nothing is left that is stored from there on.
  if (time === undefined) return new StoredTagCursor(dataset, tag, behind);
  // Stored points of its time come before those of corrections.
  if (!hasOverlay) return new StoredTagCursor(dataset, tag, { ...range, start: justBehind(time) });
  // From the first point of its time on, since a late one may be equal to one before it.
  const start = compareInstants(range.start, time) < 0 ? time : range.start;
  return openPoints(dataset, tag, { ...range, start, from: { ...time, ordinal } });
}

/** The time of the point of a marker; of a stored one that is not there any more that of the next one, if there is one. */
function timeOf(dataset: Dataset, tag: Tag, ordinal: number, firstStored: number): Instant | undefined {
  if (ordinal < FIRST_AMENDED_ORDINAL) return timeOfStored(dataset, tag, firstStored);
  if (ordinal < FIRST_LATE_ORDINAL) return timeOfAmended(dataset, tag, ordinal);
  const late = dataset.tags.late.get(tag.id);
  const time = late && timeOfPoint(dataset, late, ordinal - FIRST_LATE_ORDINAL);
  if (time === undefined) throw staleMarker('a late point');
  return time;
}

function timeOfAmended(dataset: Dataset, tag: Tag, ordinal: number): Instant {
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
