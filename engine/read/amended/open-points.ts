// A tag's points as reads see them: the stored ones, with what corrections have made of them.

import { FIRST_AMENDED_ORDINAL, justBehind } from '../../corrections/amendment.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import { EngineError } from '../../errors.ts';
import type { Tag } from '../../tag/tag.ts';
import { compareInstants, type Instant, type PointChunk, type ReadMarker, type TagCursor } from '../../types.ts';
import type { BlockSource } from '../block-sources.ts';
import { type CursorRange, StoredTagCursor, type TakesUnread } from '../tag-cursor.ts';
import { AmendedCursor } from './amended-cursor.ts';
import { firstReadableIn, timeOfStored } from './readable-points.ts';

/** A cursor over points that are not computed. */
export interface PointCursor extends TagCursor {
  next(): PointChunk | undefined;
  noteUnreadable(source: BlockSource): void;
}

/** Opens a range of a tag's points. With `takesUnread` an empty chunk follows each block that was not decoded. */
export function openPoints(dataset: Dataset, tag: Tag, range: CursorRange, takesUnread?: TakesUnread): PointCursor {
  const amendment = dataset.corrections.amendmentOf(tag.id);
  if (amendment === undefined) return new StoredTagCursor(dataset, tag, range, takesUnread);
  const first = firstReadableIn(dataset, tag, amendment, range);
  const from = Math.max(range.firstAmended ?? first.amended, amendment.firstNotBefore(range.start));
  const stored = { ...range, firstOrdinal: first.ordinal };
  return new AmendedCursor({ dataset, tag, range: stored, amendment, from }, takesUnread);
}

/**
 * Opens the rest of a range, from a marker on. Throws BAD_REQUEST when that is of a point that a correction gave, which is not
 * known any more.
 */
export function openRest(dataset: Dataset, tag: Tag, range: CursorRange, marker: ReadMarker): PointCursor {
  if (marker.ordinal >= FIRST_AMENDED_ORDINAL) return openAmendedRest(dataset, tag, range, marker);
  const rest = { ...range, firstOrdinal: Math.max(marker.ordinal, range.firstOrdinal) };
  const amendment = dataset.corrections.amendmentOf(tag.id);
  if (amendment === undefined) return new StoredTagCursor(dataset, tag, rest);
  const first = timeOfStored(dataset, tag, rest.firstOrdinal);
  const firstAmended = first === undefined ? amendment.points.length : amendment.firstNotBefore(first);
  return openPoints(dataset, tag, { ...rest, firstAmended });
}

/** Of points of one time stored ones come first: of those only later ones are left. */
function openAmendedRest(dataset: Dataset, tag: Tag, range: CursorRange, marker: ReadMarker): PointCursor {
  const time = timeOfAmended(dataset, tag, marker);
  const rest = { ...range, start: justBehind(time) };
  const amendment = dataset.corrections.amendmentOf(tag.id);
  if (amendment === undefined) return new StoredTagCursor(dataset, tag, rest);
  const first = firstReadableIn(dataset, tag, amendment, rest);
  let from = Math.max(first.amended, amendment.firstNotBefore(time));
  const isBefore = (i: number): boolean => {
    const point = amendment.points[i];
    return point !== undefined && compareInstants(point, time) === 0 && point.ordinal < marker.ordinal;
  };
  while (isBefore(from)) from++;
  return new AmendedCursor({ dataset, tag, range: { ...rest, firstOrdinal: first.ordinal }, amendment, from });
}

function timeOfAmended(dataset: Dataset, tag: Tag, { ordinal }: ReadMarker): Instant {
  const number = ordinal - FIRST_AMENDED_ORDINAL;
  for (const { firstPoint, points } of dataset.corrections.ofTag(tag.id)) {
    const i = number - firstPoint;
    if (i >= 0 && i < points.count) return { ms: points.timesMs[i] as number, ticks: points.ticks[i] as number };
  }
  throw new EngineError('BAD_REQUEST', 'A marker in "after" is of a point that was purged. Read again from the start.');
}
