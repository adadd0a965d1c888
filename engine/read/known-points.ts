// Finds out whether a late point is stored already: searches pending requests, the head, and the newest block on disk where
// that is wanted. Enough to recognise a retry; older ones count as ignored, or are stored again where late points are.

import type { Dataset } from '../dataset/dataset.ts';
import type { Writing } from '../dataset/writing.ts';
import { undefinedIfCorrupt } from '../files/tag-file-reader.ts';
import { type Head, headParts } from '../head/head.ts';
import { overlaps } from '../points/time-search.ts';
import { keyAt } from '../tag/stored-value.ts';
import { mayStepBack, type Tag } from '../tag/tag.ts';
import { type Instant, PointColumns, TICKS_PER_MS, type ValueType } from '../types.ts';
import { BlockReader, type BlockSource, blocksOf } from './block-sources.ts';
import { RemovedPoints } from './removed-points.ts';

/** Points in time order, or in no order behind a deleted range. */
interface Span {
  readonly points: PointColumns;
  readonly start: number;
  readonly end: number;
  /** Ordinal of the point at `start`; those behind it follow. */
  readonly firstOrdinal: number;
  readonly type: ValueType;
}

/** A part of the head around a time, copied; the next time is often near. */
interface HeadSpan extends Span {
  readonly head: Head;
  readonly from: number;
}

/** With the newest block it is good for one turn of the event loop: blocks that are written later are not looked at. */
export class KnownPoints {
  readonly #dataset: Dataset;
  readonly #tag: Tag;
  readonly #pending: readonly Span[];
  readonly #heads: readonly Head[];
  readonly #removed: RemovedPoints;
  /** Keys, and below ticks, of the ms that was asked for last. */
  readonly #keys = new Map<Span, { readonly ms: number; readonly keys: ReadonlySet<string> }>();
  readonly #ticks = new Map<Span, { readonly ms: number; readonly ticks: ReadonlySet<number> }>();
  #headSpan: HeadSpan | undefined;
  #newestBlock: Span | 'unread' | undefined;
  /** Place of the newest block: found once, as a tag may have very many blocks. */
  #newestSource: BlockSource | 'unknown' | undefined = 'unknown';

  constructor(dataset: Dataset, tag: Tag, depth: 'memory' | 'newest-block') {
    this.#dataset = dataset;
    this.#tag = tag;
    this.#newestBlock = depth === 'memory' ? undefined : 'unread';
    this.#pending = pendingOf(dataset.writing, tag);
    this.#removed = new RemovedPoints(dataset, tag);
    this.#heads = headParts(tag.head).filter(({ count }) => count > 0);
  }

  /** Whether point `i` is stored: with the same time, value and quality. */
  has(points: PointColumns, i: number, type: ValueType): boolean {
    const time = { ms: points.timesMs[i] as number, ticks: points.ticks[i] as number };
    const key = `${time.ticks}:${keyAt(points, i, type)}`;
    return this.#some(time, (span) => this.#keysOf(span, time.ms).has(key));
  }

  /** Whether any point of this time is stored. */
  hasTime(time: Instant): boolean {
    return this.#some(time, (span) => this.#ticksOf(span, time.ms).has(time.ticks));
  }

  #some(time: Instant, holds: (span: Span) => boolean): boolean {
    if (this.#pending.some(holds)) return true;
    for (const head of this.#heads) {
      const span = this.#headSpanAt(head, time);
      if (span && holds(span)) return true;
    }
    const block = this.#blockAt(time);
    return block !== undefined && holds(block);
  }

  /** The points of a ms that were not removed. Very many may have the same time: they are gone over once. */
  #keysOf(span: Span, ms: number): ReadonlySet<string> {
    const known = this.#keys.get(span);
    if (known?.ms === ms) return known.keys;
    const keys = new Set<string>();
    this.#each(span, ms, (at, ticks) => keys.add(`${ticks}:${keyAt(span.points, at, span.type)}`));
    this.#keys.set(span, { ms, keys });
    return keys;
  }

  #ticksOf(span: Span, ms: number): ReadonlySet<number> {
    const known = this.#ticks.get(span);
    if (known?.ms === ms) return known.ticks;
    const all = new Set<number>();
    this.#each(span, ms, (_, ticks) => all.add(ticks));
    this.#ticks.set(span, { ms, ticks: all });
    return all;
  }

  #each(span: Span, ms: number, take: (at: number, ticks: number) => void): void {
    const { points, start, end, firstOrdinal } = span;
    for (let at = firstAt(points, start, end, ms); at < end && points.timesMs[at] === ms; at++) {
      const ticks = points.ticks[at] as number;
      if (!this.#removed.has({ ms, ticks }, firstOrdinal + at - start)) take(at, ticks);
    }
  }

  #headSpanAt(head: Head, { ms }: Instant): HeadSpan | undefined {
    const all = { from: 0, to: head.count };
    const { from, to } = mayStepBack(this.#tag) ? all : this.#dataset.memory.arena.spanOf(head, ms, ms);
    if (from >= to) return undefined;
    const known = this.#headSpan;
    if (known?.head === head && known.from === from && known.end === to - from) return known;
    if (known) this.#keys.delete(known);
    if (known) this.#ticks.delete(known);
    const points = known?.points ?? new PointColumns(to - from);
    points.clear();
    this.#dataset.memory.arena.copy(head, from, to - from, points);
    const firstOrdinal = head.firstOrdinal + from;
    this.#headSpan = { head, from, points, start: 0, end: points.count, firstOrdinal, type: head.type };
    return this.#headSpan;
  }

  /** The newest block, if it may have a point of the time. */
  #blockAt({ ms }: Instant): Span | undefined {
    if (this.#newestBlock !== 'unread') return this.#newestBlock;
    if (this.#newestSource === 'unknown') this.#newestSource = blocksOf(this.#dataset, this.#tag).at(-1);
    const newest = this.#newestSource;
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

function pendingOf(writing: Writing, tag: Tag): Span[] {
  const spans: Span[] = [];
  for (const write of writing.pending) {
    for (const { start, count, firstOrdinal, type } of write.runsOf(tag))
      spans.push({ points: write.generalPoints, start, end: start + count, firstOrdinal, type });
  }
  return spans;
}
