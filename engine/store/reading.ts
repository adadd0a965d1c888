// Reads: which points of which tags, as cursors that are opened one by one.

import { EngineError } from '../errors.ts';
import {
  type Instant,
  MIN_TIME_MS,
  type ReadMarker,
  type ReadRange,
  type ReadRequest,
  type ReadResult,
  type TagCursor,
} from '../types.ts';
import type { Dataset } from './dataset.ts';
import { ReducedCursor } from './reduced-cursor.ts';
import { Slicer } from './slicer.ts';
import { compareTime, type NewestPoint, type Tag } from './tag.ts';
import { NewestCursor, StoredTagCursor } from './tag-cursor.ts';
import { firstVisibleOrdinal, newestPlaceUpTo, type PointPlace, purgeCutMs } from './visible-range.ts';

/** Up to so many tags are looked up in one go: some tens of ms. */
const MOST_AT_ONCE = 1024;
/** Tags between two looks at the clock. */
const FOUND_AT_ONCE = 32;

const FIRST_INSTANT: Instant = { ms: MIN_TIME_MS, ticks: 0 };

/** Prepares a read. Throws TAG_NOT_FOUND naming every unknown tag in `details.names`, BAD_REQUEST for a stale marker. */
export function read(dataset: Dataset, request: ReadRequest): ReadResult {
  const tags = findTags(dataset, request);
  checkMarkers(tags, request);
  const { range } = request;
  if (range.kind === 'range') {
    const markers = new Map(request.after.toReversed().map((marker) => [marker.tagId, marker]));
    return {
      tagCount: tags.length,
      bounds: undefined,
      open: (index) => {
        const tag = tags[index] as Tag;
        checkStillThere(dataset);
        if (tag.deleted) return emptyCursor(dataset, tag);
        return openRange(dataset, tag, range, request, markers.get(tag.id));
      },
    };
  }
  const places = new PointPlaces(dataset, tags, range);
  return {
    tagCount: tags.length,
    get bounds() {
      return places.bounds;
    },
    settle: () => places.settle(),
    open: (index) =>
      openPoint(dataset, tags[index] as Tag, places.of(index), range.kind === 'at' ? range.end : undefined),
  };
}

/** A cursor keeps the files that it began with, but before it is opened a deletion may take them. */
function checkStillThere({ deleted, name }: Dataset): void {
  if (deleted) throw new EngineError('DATASET_NOT_FOUND', `Dataset '${name}' was deleted during the read.`, { name });
}

/** Of a tag that was deleted during the read. */
function emptyCursor(dataset: Dataset, tag: Tag): TagCursor {
  return new NewestCursor(dataset, tag, undefined);
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
  if (after.length === 0) return;
  const ids = new Set(tags.map((tag) => tag.id));
  for (const marker of after) {
    if (ids.has(marker.tagId)) continue;
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
  if (!place || place.ordinal < firstVisibleOrdinal(dataset, tag)) return undefined;
  return place.point ?? place;
}

function boundsOf(places: readonly Found[]): { start: Instant; end: Instant } | undefined {
  let start: Instant | undefined;
  let end: Instant | undefined;
  for (const place of places) {
    if (!place) continue;
    if (!start || compareTime(start, place.ms, place.ticks) > 0) start = place;
    if (!end || compareTime(end, place.ms, place.ticks) < 0) end = place;
  }
  return start && end ? { start: instantOf(start), end: instantOf(end) } : undefined;
}

function instantOf({ ms, ticks }: Instant): Instant {
  return { ms, ticks };
}

/** Where the point of each tag is; looked up in one go, or in slices when there are very many. */
class PointPlaces {
  readonly #dataset: Dataset;
  readonly #tags: readonly Tag[];
  readonly #range: Exclude<ReadRange, { kind: 'range' }>;
  readonly #places: Found[] = [];
  #bounds: ReadResult['bounds'];
  #isWhole = false;

  constructor(dataset: Dataset, tags: readonly Tag[], range: Exclude<ReadRange, { kind: 'range' }>) {
    this.#dataset = dataset;
    this.#tags = tags;
    this.#range = range;
    if (tags.length <= MOST_AT_ONCE) this.#findAll();
  }

  get bounds(): ReadResult['bounds'] {
    this.#findAll();
    return this.#bounds;
  }

  of(index: number): Found {
    this.#findAll();
    return this.#places[index];
  }

  /** Undefined when all are known. */
  settle(): Promise<void> | undefined {
    return this.#isWhole ? undefined : this.#findInSlices();
  }

  async #findInSlices(): Promise<void> {
    const slicer = new Slicer(this.#dataset.context);
    while (this.#places.length < this.#tags.length) {
      this.#findUpTo(Math.min(this.#tags.length, this.#places.length + FOUND_AT_ONCE));
      const pause = slicer.pause();
      if (pause !== undefined) await pause;
    }
    this.#findAll();
  }

  #findAll(): void {
    if (this.#isWhole) return;
    this.#findUpTo(this.#tags.length);
    this.#bounds = boundsOf(this.#places);
    this.#isWhole = true;
  }

  #findUpTo(count: number): void {
    const range = this.#range;
    checkStillThere(this.#dataset);
    for (let i = this.#places.length; i < count; i++) {
      const tag = this.#tags[i] as Tag;
      this.#places.push(range.kind === 'newest' ? newestOf(tag) : pointInForce(this.#dataset, tag, range.end));
    }
  }
}

/** `end` is the time that was asked for: points between it and the newest readable one may be lost, which is said. */
function openPoint(dataset: Dataset, tag: Tag, found: Found, end: Instant | undefined): TagCursor {
  if (isPoint(found) || end === undefined || !tag.newest)
    return new NewestCursor(dataset, tag, isPoint(found) ? found : undefined);
  checkStillThere(dataset);
  if (tag.deleted) return emptyCursor(dataset, tag);
  // Since it was found a cut may have taken it, or a newer point have come.
  const place = pointInForce(dataset, tag, end);
  if (isPoint(place)) return new NewestCursor(dataset, tag, place);
  const firstOrdinal = place?.ordinal ?? firstVisibleOrdinal(dataset, tag);
  return new StoredTagCursor(dataset, tag, { start: place ?? FIRST_INSTANT, end, firstOrdinal, limit: undefined });
}

function isPoint(found: Found): found is NewestPoint {
  return found !== undefined && !('ordinal' in found);
}

function openRange(
  dataset: Dataset,
  tag: Tag,
  range: Extract<ReadRange, { kind: 'range' }>,
  request: ReadRequest,
  marker: ReadMarker | undefined,
): TagCursor {
  const { end } = range;
  // From the purge cut on everything is readable, and what is in force there is the newest point that purge keeps. Of a
  // tag that was cut, blocks from before may have to be looked into, and what purge took behind them is no gap.
  const isPlain = range.start.ms >= purgeCutMs(dataset, tag) && tag.cuts.length === 0;
  const visible = isPlain ? 0 : firstVisibleOrdinal(dataset, tag);
  if (request.intervals !== undefined) return openReduced(dataset, tag, range, request, visible);
  if (marker) {
    return new StoredTagCursor(dataset, tag, {
      // What is behind the marker is in the range, whatever a relative start is by now; but behind a cut times step back.
      start: tag.cuts.length > 0 ? range.start : FIRST_INSTANT,
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

function openReduced(
  dataset: Dataset,
  tag: Tag,
  range: Extract<ReadRange, { kind: 'range' }>,
  { carryIn, intervals = 1 }: ReadRequest,
  visible: number,
): TagCursor {
  const { start, end } = range;
  const from = carryIn ? carriedIn(dataset, tag, start, visible) : { start, ordinal: visible };
  const asked = { start: from.start, end, firstOrdinal: from.ordinal, limit: undefined };
  return new ReducedCursor(dataset, tag, asked, { start, end, count: intervals });
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
