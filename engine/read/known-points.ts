// Finds out whether a late point is stored already: searches pending requests, the head, and the newest block on disk where
// that is wanted. Enough to recognise a retry; older ones count as ignored, or are stored again where late points are.

import type { Dataset } from '../dataset/dataset.ts';
import { undefinedIfCorrupt } from '../files/tag-file-reader.ts';
import { type Head, headParts } from '../head/head.ts';
import { overlaps } from '../points/time-search.ts';
import { valueAt } from '../tag/stored-value.ts';
import { mayStepBack, sameValue, type Tag } from '../tag/tag.ts';
import { type Instant, PointColumns, TICKS_PER_MS, type ValueType } from '../types.ts';
import { BlockReader, blocksOf } from './block-sources.ts';
import { RemovedPoints } from './removed-points.ts';

/** Points in time order, or in no order behind a deleted range. */
interface Span {
  readonly points: PointColumns;
  readonly start: number;
  readonly end: number;
  /** Of the point at `start`; those behind it follow. */
  readonly firstOrdinal: number;
  readonly type: ValueType;
}

/** A part of the head around a time, copied; the next time is often near. */
interface HeadSpan extends Span {
  readonly head: Head;
  readonly from: number;
}

export class KnownPoints {
  readonly #dataset: Dataset;
  readonly #tag: Tag;
  readonly #pending: readonly Span[];
  readonly #heads: readonly Head[];
  readonly #removed: RemovedPoints;
  #headSpan: HeadSpan | undefined;
  #newestBlock: Span | 'unread' | undefined;

  constructor(dataset: Dataset, tag: Tag, depth: 'memory' | 'newest-block') {
    this.#dataset = dataset;
    this.#tag = tag;
    this.#newestBlock = depth === 'memory' ? undefined : 'unread';
    this.#pending = pendingOf(dataset, tag);
    this.#removed = new RemovedPoints(dataset, tag);
    this.#heads = headParts(tag.head).filter(({ count }) => count > 0);
  }

  /** Whether point `i` is stored: with the same time, value and quality. */
  has(points: PointColumns, i: number, type: ValueType): boolean {
    const value = valueAt(points, i, type);
    const time = { ms: points.timesMs[i] as number, ticks: points.ticks[i] as number };
    return this.#some(time, ({ points: stored, type: storedType }, at) => {
      return stored.qualities[at] === points.qualities[i] && sameValue(valueAt(stored, at, storedType), value);
    });
  }

  /** Whether any point of this time is stored. */
  hasTime(time: Instant): boolean {
    return this.#some(time, () => true);
  }

  #some(time: Instant, is: (span: Span, at: number) => boolean): boolean {
    const isThere = (span: Span, at: number): boolean =>
      !this.#removed.has(time, span.firstOrdinal + at - span.start) && is(span, at);
    const someOf = (span: Span | undefined): boolean => span !== undefined && someAt(span, time, isThere);
    if (this.#pending.some(someOf)) return true;
    for (const head of this.#heads) if (someOf(this.#headSpanAt(head, time))) return true;
    return someOf(this.#blockAt(time));
  }

  #headSpanAt(head: Head, { ms }: Instant): HeadSpan | undefined {
    const all = { from: 0, to: head.count };
    const { from, to } = mayStepBack(this.#tag) ? all : this.#dataset.arena.spanOf(head, ms, ms);
    if (from >= to) return undefined;
    const known = this.#headSpan;
    if (known?.head === head && known.from === from && known.end === to - from) return known;
    const points = known?.points ?? new PointColumns(to - from);
    points.clear();
    this.#dataset.arena.copy(head, from, to - from, points);
    const firstOrdinal = head.firstOrdinal + from;
    this.#headSpan = { head, from, points, start: 0, end: points.count, firstOrdinal, type: head.type };
    return this.#headSpan;
  }

  /** The newest block, if it may have a point of the time. */
  #blockAt({ ms }: Instant): Span | undefined {
    if (this.#newestBlock !== 'unread') return this.#newestBlock;
    const newest = blocksOf(this.#dataset, this.#tag).at(-1);
    const range = { start: { ms, ticks: 0 }, end: { ms, ticks: TICKS_PER_MS } };
    if (newest && !overlaps(range, newest.entry)) return undefined;
    this.#newestBlock = undefined;
    if (!newest) return undefined;
    const points = new PointColumns(newest.entry.pointCount);
    const reader = new BlockReader(this.#dataset);
    try {
      const { type } = reader.read(newest, points);
      this.#newestBlock = { points, start: 0, end: points.count, firstOrdinal: newest.entry.firstOrdinal, type };
    } catch (error) {
      undefinedIfCorrupt(error);
    } finally {
      reader.close();
    }
    return this.#newestBlock;
  }
}

/** Whether `is` holds for one of the points of a time. */
function someAt(span: Span, { ms, ticks }: Instant, is: (span: Span, at: number) => boolean): boolean {
  const { points, start, end } = span;
  for (let at = firstAt(points, start, end, ms); at < end && points.timesMs[at] === ms; at++)
    if (points.ticks[at] === ticks && is(span, at)) return true;
  return false;
}

/** The first of points `[start, end)` at or after a ms. */
function firstAt(points: PointColumns, start: number, end: number, ms: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((points.timesMs[middle] as number) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

function pendingOf(dataset: Dataset, tag: Tag): Span[] {
  const spans: Span[] = [];
  for (const write of dataset.pending) {
    for (const { start, count, firstOrdinal, type } of write.runsOf(tag))
      spans.push({ points: write.generalPoints, start, end: start + count, firstOrdinal, type });
  }
  return spans;
}
