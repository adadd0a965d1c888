// Reads: which points of which tags, as cursors that are opened one by one.

import type { Dataset } from '../dataset/dataset.ts';
import { AliasCursor, underAskedName } from '../dataset/system-aliases.ts';
import { Slicer } from '../io/slicer.ts';
import type { NewestPoint } from '../tag/newest-point.ts';
import { compareTime, type Tag } from '../tag/tag.ts';
import {
  compareInstants,
  type Instant,
  MIN_TIME_MS,
  type ReadMarker,
  type ReadRange,
  type ReadRequest,
  type ReadResult,
  type TagCursor,
} from '../types.ts';
import { AskedTags, checkStillThere, FOUND_AT_ONCE, type FoundTags, MOST_AT_ONCE } from './asked-tags.ts';
import { ReducedCursor } from './reduced-cursor.ts';
import { NewestCursor, StoredTagCursor } from './tag-cursor.ts';
import { firstVisibleOrdinal, newestPlaceUpTo, type PointPlace, retentionCutoffMs } from './visible-range.ts';

const FIRST_INSTANT: Instant = { ms: MIN_TIME_MS, ticks: 0 };

/**
 * Prepares a read. Throws TAG_NOT_FOUND naming the unknown tags in `details.names` (the first 100), BAD_REQUEST for a
 * stale marker; for very many tags or markers only `settle` does.
 */
export function read(dataset: Dataset, request: ReadRequest): ReadResult {
  const asked = new AskedTags(dataset, request);
  return asked.isLong ? new LongRead(asked) : prepare(dataset, request, asked.find());
}

/** A read of so many tags, or with so many markers, that they are found in slices. */
class LongRead implements ReadResult {
  readonly #asked: AskedTags;
  #result: ReadResult | undefined;

  constructor(asked: AskedTags) {
    this.#asked = asked;
  }

  get tagCount(): number {
    return this.#found().tagCount;
  }

  get bounds(): ReadResult['bounds'] {
    return this.#found().bounds;
  }

  async settle(): Promise<void> {
    await this.#asked.findInSlices();
    await this.#found().settle?.();
  }

  open(index: number): TagCursor {
    return this.#found().open(index);
  }

  #found(): ReadResult {
    const { dataset, request } = this.#asked;
    this.#result ??= prepare(dataset, request, this.#asked.find());
    return this.#result;
  }
}

function prepare(dataset: Dataset, request: ReadRequest, found: FoundTags): ReadResult {
  const { aliases } = found;
  const result = readTags(dataset, request, found);
  if (aliases.size === 0) return result;
  const { open } = result;
  return Object.assign(result, { open: (index: number) => underAlias(open(index), aliases.get(index)) });
}

function underAlias(cursor: TagCursor, alias: string | undefined): TagCursor {
  return alias === undefined ? cursor : new AliasCursor(cursor, underAskedName(cursor.tag, alias));
}

function readTags(dataset: Dataset, request: ReadRequest, { tags, markers }: FoundTags): ReadResult {
  const { range } = request;
  if (range.kind === 'range') {
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

/** Of a tag that was deleted during the read. */
function emptyCursor(dataset: Dataset, tag: Tag): TagCursor {
  return new NewestCursor(dataset, tag, undefined);
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
  const isPlain = range.start.ms >= retentionCutoffMs(dataset, tag) && tag.deletedRanges.length === 0;
  const visible = isPlain ? tag.purgedOrdinal : firstVisibleOrdinal(dataset, tag);
  if (request.intervals !== undefined) return openReduced(dataset, tag, range, request, visible);
  if (marker) {
    return new StoredTagCursor(dataset, tag, {
      // What is behind the marker is in the range, whatever a relative start is by now; but behind a cut times step back.
      start: tag.deletedRanges.length > 0 ? range.start : FIRST_INSTANT,
      end,
      firstOrdinal: Math.max(marker.ordinal, visible),
      limit: request.limit,
    });
  }
  const from = isCarried(request, range)
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
  request: ReadRequest,
  visible: number,
): TagCursor {
  const { start, end } = range;
  const { intervals = 1 } = request;
  const from = isCarried(request, range) ? carriedIn(dataset, tag, start, visible) : { start, ordinal: visible };
  const asked = { start: from.start, end, firstOrdinal: from.ordinal, limit: undefined };
  return new ReducedCursor(dataset, tag, asked, { start, end, count: intervals });
}

/** A range that ends before it starts holds nothing, also no point in force at its start. */
function isCarried({ carryIn }: ReadRequest, { start, end }: Extract<ReadRange, { kind: 'range' }>): boolean {
  return carryIn && compareInstants(start, end) <= 0;
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
