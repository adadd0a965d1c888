// Reads: which points of which tags, as cursors that are opened one by one.

import { EngineError } from '../errors.ts';
import {
  type Instant,
  MIN_TIME_MS,
  type ReadRange,
  type ReadRequest,
  type ReadResult,
  type TagCursor,
} from '../types.ts';
import type { Dataset } from './dataset.ts';
import { compareTime, type NewestPoint, type Tag } from './tag.ts';
import { NewestCursor, StoredTagCursor } from './tag-cursor.ts';
import { firstVisibleOrdinal, newestPlaceUpTo, type PointPlace, purgeCutMs } from './visible-range.ts';

const FIRST_INSTANT: Instant = { ms: MIN_TIME_MS, ticks: 0 };

/** Prepares a read. Throws TAG_NOT_FOUND naming every unknown tag in `details.names`, BAD_REQUEST for a stale marker. */
export function read(dataset: Dataset, request: ReadRequest): ReadResult {
  const tags = findTags(dataset, request);
  checkMarkers(tags, request);
  const { range } = request;
  if (range.kind === 'range') {
    return {
      tagCount: tags.length,
      bounds: undefined,
      open: (index) => openRange(dataset, tags[index] as Tag, range, request),
    };
  }
  const places = tags.map((tag) => (range.kind === 'newest' ? newestOf(tag) : pointInForce(dataset, tag, range.end)));
  return {
    tagCount: tags.length,
    bounds: boundsOf(places),
    open: (index) => openPoint(dataset, tags[index] as Tag, places[index], range.kind === 'at' ? range.end : undefined),
  };
}

function findTags(dataset: Dataset, { tags: names, skipMissing }: ReadRequest): Tag[] {
  const found: Tag[] = [];
  const missing: string[] = [];
  for (const name of names) {
    const tag = dataset.findTag(name);
    if (tag) found.push(tag);
    else missing.push(name);
  }
  if (missing.length === 0 || skipMissing) return found;
  const [name] = missing as [string];
  throw new EngineError('TAG_NOT_FOUND', `Tag '${name}' could not be found.`, { name, names: missing });
}

function checkMarkers(tags: readonly Tag[], { after }: ReadRequest): void {
  for (const marker of after) {
    if (tags.some((tag) => tag.id === marker.tagId)) continue;
    throw new EngineError(
      'BAD_REQUEST',
      'A marker in "after" is not of one of the requested tags, or the tag was deleted and created again since. Read again from the start.',
    );
  }
}

/** The newest point; for a tag that has lost its newest to damage, the newest place is not known and the point is. */
type Found = NewestPoint | PointPlace | undefined;

function newestOf(tag: Tag): Found {
  return tag.newest;
}

/** The newest readable point at or before a time. */
function pointInForce(dataset: Dataset, tag: Tag, end: Instant): Found {
  const { newest } = tag;
  if (!newest) return undefined;
  if (compareTime(newest, end.ms, end.ticks) <= 0) return newest;
  const place = newestPlaceUpTo(dataset, tag, end);
  return place && place.ordinal >= firstVisibleOrdinal(dataset, tag) ? place : undefined;
}

function boundsOf(places: readonly Found[]): { start: Instant; end: Instant } | undefined {
  let start: Instant | undefined;
  let end: Instant | undefined;
  for (const place of places) {
    if (!place) continue;
    const time = { ms: place.ms, ticks: place.ticks };
    if (!start || compareTime(start, time.ms, time.ticks) > 0) start = time;
    if (!end || compareTime(end, time.ms, time.ticks) < 0) end = time;
  }
  return start && end ? { start, end } : undefined;
}

/** `end` is the time that was asked for: points between it and the newest readable one may be lost, which is said. */
function openPoint(dataset: Dataset, tag: Tag, place: Found, end: Instant | undefined): TagCursor {
  const isKnown = place !== undefined && !('ordinal' in place);
  if (isKnown || end === undefined || !tag.newest) return new NewestCursor(dataset, tag, isKnown ? place : undefined);
  const firstOrdinal = place?.ordinal ?? firstVisibleOrdinal(dataset, tag);
  return new StoredTagCursor(dataset, tag, { start: place ?? FIRST_INSTANT, end, firstOrdinal, limit: undefined });
}

function openRange(
  dataset: Dataset,
  tag: Tag,
  range: Extract<ReadRange, { kind: 'range' }>,
  request: ReadRequest,
): TagCursor {
  const { end } = range;
  // From the cut on everything is readable, and what is in force there is the newest point that purge keeps.
  const visible = range.start.ms >= purgeCutMs(dataset, tag) ? 0 : firstVisibleOrdinal(dataset, tag);
  const marker = request.after.find(({ tagId }) => tagId === tag.id);
  if (marker) {
    return new StoredTagCursor(dataset, tag, {
      start: FIRST_INSTANT,
      end,
      firstOrdinal: Math.max(marker.ordinal, visible),
      limit: request.limit,
    });
  }
  const from = request.carryIn
    ? carriedIn(dataset, tag, range.start, visible)
    : { start: range.start, ordinal: visible };
  return new StoredTagCursor(dataset, tag, {
    start: from.start,
    end,
    firstOrdinal: from.ordinal,
    limit: request.limit,
  });
}

/**
 * Where a read begins that gives the point in force at the start, too: at that point. One exactly at the start is in the
 * range anyway. When no point up to the start can be read, the read goes back to the beginning, for gaps that lie there.
 */
function carriedIn(dataset: Dataset, tag: Tag, start: Instant, visible: number): { start: Instant; ordinal: number } {
  const place = newestPlaceUpTo(dataset, tag, start);
  if (!place) return { start: FIRST_INSTANT, ordinal: visible };
  if (place.ordinal < visible || compareTime(place, start.ms, start.ticks) === 0) return { start, ordinal: visible };
  return { start: place, ordinal: place.ordinal };
}
