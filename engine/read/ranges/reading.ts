// Prepares reads: which points of which tags, as cursors that are opened one by one.

import type { Dataset } from '../../dataset/dataset.ts';
import { Slicer } from '../../io/slicer.ts';
import type { ReadMarker, ReadRange, ReadRequest, ReadResult, TagCursor } from '../../reads.ts';
import type { NewestPoint } from '../../tag/newest-point.ts';
import { compareTime, type Tag } from '../../tag/tag.ts';
import { compareInstants, FIRST_INSTANT, type Instant } from '../../types.ts';
import { openPoints, openRest, type PointCursor } from '../amended/open-points.ts';
import { overlayOf } from '../amended/overlay.ts';
import { newestReadable, type ReadablePoint, readableUpTo } from '../amended/readable-points.ts';
import { AskedTags, checkStillThere, FOUND_AT_ONCE, type FoundTags, MOST_AT_ONCE } from '../asked-tags.ts';
import { derivedCursor } from '../derived-cursor.ts';
import { type Beginning, NewestCursor } from '../tag-cursor.ts';
import { firstVisibleOrdinal, locateNewestUpTo, retentionCutoffMs } from '../visible-range.ts';
import { pacedCursor } from './paced-cursor.ts';
import { ReducedCursor } from './reduced-cursor.ts';

/** A request for a range of time. */
interface RangeRequest extends ReadRequest {
  readonly range: Extract<ReadRange, { kind: 'range' }>;
}

/**
 * Prepares a read. Throws TAG_NOT_FOUND naming the unknown tags in `details.names` (the first 100), BAD_REQUEST for a
 * stale marker; with very many tags or markers `settle` rejects with these instead.
 */
export function read(dataset: Dataset, request: ReadRequest): ReadResult {
  const asked = new AskedTags(dataset, request);
  return asked.isLong ? new LongRead(asked, request) : prepare(dataset, request, asked.find());
}

/** A read of very many tags or markers, which are looked up in slices. */
class LongRead implements ReadResult {
  readonly #asked: AskedTags;
  readonly #request: ReadRequest;
  #result: ReadResult | undefined;

  constructor(asked: AskedTags, request: ReadRequest) {
    this.#asked = asked;
    this.#request = request;
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
    this.#result ??= prepare(this.#asked.dataset, this.#request, this.#asked.find());
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
  return alias === undefined ? cursor : derivedCursor(cursor, { tag: { ...cursor.tag, name: alias } });
}

function readTags(dataset: Dataset, request: ReadRequest, { tags, markers }: FoundTags): ReadResult {
  const { range } = request;
  if (range.kind === 'range') {
    const asked: RangeRequest = { ...request, range };
    return {
      tagCount: tags.length,
      bounds: undefined,
      open: (index) => {
        const tag = tags[index] as Tag;
        checkStillThere(dataset);
        if (tag.deleted) return emptyCursor(dataset, tag);
        return openRange(dataset, tag, asked, markers.get(tag.id));
      },
    };
  }
  const points = new LocatedPoints(dataset, tags, range);
  return {
    tagCount: tags.length,
    get bounds() {
      return points.bounds;
    },
    settle: () => points.settle(),
    open: (index) =>
      openPoint(dataset, tags[index] as Tag, points.of(index), range.kind === 'at' ? range.end : undefined),
  };
}

/** For a tag that was deleted during the read. */
function emptyCursor(dataset: Dataset, tag: Tag): TagCursor {
  return new NewestCursor(dataset, tag, undefined);
}

/** The newest point, whose ordinal is unknown if damage has lost it from the files, or the ordinal and time of a point. */
type Found = NewestPoint | ReadablePoint | undefined;

/** The newest readable point at or before a time. */
function pointInForce(dataset: Dataset, tag: Tag, end: Instant): Found {
  const newest = newestReadable(dataset, tag);
  if (!newest) return undefined;
  if (compareTime(newest, end.ms, end.ticks) <= 0) return newest;
  const located = readableUpTo(dataset, tag, end);
  return located?.point ?? located;
}

function boundsOf(points: readonly Found[]): { start: Instant; end: Instant } | undefined {
  let start: Instant | undefined;
  let end: Instant | undefined;
  for (const located of points) {
    if (!located) continue;
    if (!start || compareTime(start, located.ms, located.ticks) > 0) start = located;
    if (!end || compareTime(end, located.ms, located.ticks) < 0) end = located;
  }
  return start && end ? { start: instantOf(start), end: instantOf(end) } : undefined;
}

function instantOf({ ms, ticks }: Instant): Instant {
  return { ms, ticks };
}

/** The point of each tag; looked up at once, or in slices when there are very many. */
class LocatedPoints {
  readonly #dataset: Dataset;
  readonly #tags: readonly Tag[];
  readonly #range: Exclude<ReadRange, { kind: 'range' }>;
  readonly #found: Found[] = [];
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
    return this.#found[index];
  }

  /** Undefined when all are looked up. */
  settle(): Promise<void> | undefined {
    return this.#isWhole ? undefined : this.#findInSlices();
  }

  async #findInSlices(): Promise<void> {
    const slicer = new Slicer(this.#dataset.context);
    while (this.#found.length < this.#tags.length) {
      this.#findUpTo(Math.min(this.#tags.length, this.#found.length + FOUND_AT_ONCE));
      const pause = slicer.pause();
      if (pause !== undefined) await pause;
    }
    this.#findAll();
  }

  #findAll(): void {
    if (this.#isWhole) return;
    this.#findUpTo(this.#tags.length);
    this.#bounds = boundsOf(this.#found);
    this.#isWhole = true;
  }

  #findUpTo(count: number): void {
    const range = this.#range;
    checkStillThere(this.#dataset);
    for (let i = this.#found.length; i < count; i++) {
      const tag = this.#tags[i] as Tag;
      this.#found.push(
        range.kind === 'newest' ? newestReadable(this.#dataset, tag) : pointInForce(this.#dataset, tag, range.end),
      );
    }
  }
}

/** `end` is the requested time: points between it and the newest readable one may be lost, which is reported as a gap. */
function openPoint(dataset: Dataset, tag: Tag, found: Found, end: Instant | undefined): TagCursor {
  if (isPoint(found) || end === undefined || !tag.newest)
    return new NewestCursor(dataset, tag, isPoint(found) ? found : undefined);
  checkStillThere(dataset);
  if (tag.deleted) return emptyCursor(dataset, tag);
  // Since the lookup the point may have been deleted, or a newer one stored.
  const located = pointInForce(dataset, tag, end);
  if (isPoint(located)) return new NewestCursor(dataset, tag, located);
  const from = located ? located.beginning : { start: FIRST_INSTANT, firstOrdinal: firstVisibleOrdinal(dataset, tag) };
  return paced(dataset, tag, openPoints(dataset, tag, { ...from, end, limit: undefined }));
}

function isPoint(found: Found): found is NewestPoint {
  return found !== undefined && !('ordinal' in found);
}

function openRange(dataset: Dataset, tag: Tag, request: RangeRequest, marker: ReadMarker | undefined): TagCursor {
  const { range } = request;
  const { end } = range;
  // From the retention cutoff on everything is readable, and the point in force there is the one that purge keeps. If the tag
  // has deleted ranges, earlier blocks may have to be read, and points that purge removed behind them are no gap.
  const isPlain = range.start.ms >= retentionCutoffMs(dataset, tag) && tag.deletedRanges.length === 0;
  const visible = isPlain ? tag.purgedOrdinal : firstVisibleOrdinal(dataset, tag);
  if (request.intervals !== undefined) return openReduced(dataset, tag, request, visible);
  if (marker) {
    // Points after the marker are in the range even if a relative start has moved on; but behind a deleted range times step back.
    const start = tag.deletedRanges.length > 0 ? range.start : FIRST_INSTANT;
    const rest = { start, end, firstOrdinal: visible, limit: request.limit };
    return paced(dataset, tag, openRest(dataset, tag, rest, marker));
  }
  const from = beginningOf(dataset, tag, request, visible);
  return paced(dataset, tag, openPoints(dataset, tag, { ...from, end, limit: request.limit }));
}

/** With late points, finding the next one may take several turns. */
function paced(dataset: Dataset, tag: Tag, cursor: PointCursor): TagCursor {
  return overlayOf(dataset, tag) === undefined ? cursor : pacedCursor(cursor, dataset.context);
}

function openReduced(dataset: Dataset, tag: Tag, request: RangeRequest, visible: number): TagCursor {
  const { start, end } = request.range;
  const { intervals = 1 } = request;
  const from = beginningOf(dataset, tag, request, visible);
  return new ReducedCursor(dataset, tag, {
    range: { ...from, end, limit: undefined },
    intervals: { start, end, count: intervals },
  });
}

function beginningOf(dataset: Dataset, tag: Tag, { carryIn, range }: RangeRequest, visible: number): Beginning {
  const { start, end } = range;
  // A range that ends before it starts is empty: it has no point in force at its start either.
  const isCarried = carryIn && compareInstants(start, end) <= 0;
  return isCarried ? carriedIn(dataset, tag, start, visible) : { start, firstOrdinal: visible };
}

/**
 * A read with the point in force at the start begins at that point. A point exactly at the start is in the range
 * anyway. If no point up to the start can be read, the read begins at the first point, to report gaps there.
 */
function carriedIn(dataset: Dataset, tag: Tag, start: Instant, visible: number): Beginning {
  const located = readableUpTo(dataset, tag, start, visible);
  if (!located) {
    const isHidden = locateNewestUpTo(dataset, tag, start) !== undefined;
    return { start: isHidden ? start : FIRST_INSTANT, firstOrdinal: visible };
  }
  if (compareTime(located, start.ms, start.ticks) === 0) return { start, firstOrdinal: visible };
  return located.beginning;
}
