// Reads one tag's points reduced to a few per equal interval of time, for charts. Blocks that lie within one interval need
// only their header, until one of their points is to be returned. Damage loses nothing that a full read would return: an
// interval with a block that turns out to be damaged is read again without it.

import type { Dataset } from '../../dataset/dataset.ts';
import { EngineError } from '../../errors.ts';
import { TagFile } from '../../files/tag-file.ts';
import { Slicer } from '../../io/slicer.ts';
import type { PointChunk, ReadOutcome, TagCursor } from '../../reads.ts';
import { type ReducedBlock, type ReducedPart, summarize } from '../../reduction/block-summaries.ts';
import { appendReduced, type HeaderSummary, IntervalReducer } from '../../reduction/interval-reducer.ts';
import type { Tag } from '../../tag/tag.ts';
import {
  compareInstants,
  type Instant,
  PointColumns,
  type TagDefinition,
  TICKS_PER_MS,
  type ValueType,
} from '../../types.ts';
import { openPoints, type PointCursor } from '../amended/open-points.ts';
import { BlockReader, type BlockSource } from '../block-sources.ts';
import type { CursorRange } from '../tag-cursor.ts';

export interface Intervals {
  readonly start: Instant;
  readonly end: Instant;
  /** Number of intervals, at least 1, of equal length; the last one includes its end. */
  readonly count: number;
}

/** What is read of a tag, and the intervals it is reduced to. */
export interface ReducedRead {
  readonly range: CursorRange;
  readonly intervals: Intervals;
  /** Blocks that a cursor has found damaged, when it reads an interval again with another one. */
  readonly damaged?: Map<string, BlockSource>;
}

/** About the number of points of a chunk. */
const CHUNK_POINTS = 1024;
/** After this many damaged blocks in one interval all of its blocks are decoded immediately. */
const MAX_DAMAGED_BLOCKS = 8;
/** Parts of blocks that lie in more intervals are not cached. */
const MAX_PARTS = 4;
/** Interval number before the first point. */
const NOWHERE = -2;
/** Interval number of points before the start: the point carried in. */
const BEFORE = -1;

export class ReducedCursor implements TagCursor {
  readonly tag: TagDefinition;
  #reducedFrom = 0;
  readonly #dataset: Dataset;
  readonly #source: Tag;
  readonly #range: CursorRange;
  readonly #intervals: Intervals;
  readonly #spanMs: number;
  readonly #cursor: PointCursor;
  readonly #reader: BlockReader;
  readonly #reducer = new IntervalReducer<BlockSource>((source) => this.#load(source));
  readonly #slicer: Slicer | undefined;
  /** Blocks with a sound header and a damaged payload, by file and offset; shared with the cursor that reads an interval again. */
  readonly #damaged: Map<string, BlockSource>;
  readonly #loaded = new PointColumns(0);
  /** Chunks ready to be returned, and the one being filled. */
  #ready: PointChunk[] = [];
  #output: { readonly type: ValueType; readonly points: PointColumns } | undefined;
  #interval = NOWHERE;
  /** Times of the first and the last point of the current interval, and the number of its first point. */
  #first: Instant | undefined;
  #last: Instant | undefined;
  #intervalFrom = 0;
  /** A block within one interval that the cursor is about to decode. */
  #whole: BlockSource | undefined;
  /** A block within a few intervals that the cursor is about to decode. */
  #split: BlockSource | undefined;
  #loadedBlock: BlockSource | undefined;
  #ended = false;

  constructor(dataset: Dataset, tag: Tag, { range, intervals, damaged }: ReducedRead) {
    this.tag = tag.definition;
    this.#dataset = dataset;
    this.#source = tag;
    this.#range = range;
    this.#intervals = intervals;
    this.#spanMs = offsetMs(intervals.start, intervals.end.ms, intervals.end.ticks);
    this.#damaged = damaged ?? new Map();
    this.#slicer = damaged ? undefined : new Slicer(dataset.context);
    this.#reader = new BlockReader(dataset);
    this.#cursor = openPoints(dataset, tag, range, (source) => this.#takesUnread(source));
  }

  next(): PointChunk | undefined | Promise<PointChunk | undefined> {
    while (this.#ready.length === 0 && !this.#ended) {
      this.#step();
      const waiting = this.#slicer?.pause();
      if (waiting) return waiting.then(() => this.next());
    }
    return this.#ready.shift();
  }

  outcome(): ReadOutcome {
    return { ...this.#cursor.outcome(), reducedFrom: this.#reducedFrom };
  }

  close(): void {
    this.#ended = true;
    this.#ready = [];
    this.#cursor.close();
    this.#reader.close();
  }

  #step(): void {
    this.#whole = undefined;
    this.#split = undefined;
    const chunk = this.#cursor.next();
    if (chunk === undefined) {
      this.#finishInterval();
      this.#cursor.next(); // For gaps that were found in the last interval.
      this.#handOver();
      this.#ended = true;
    } else if (chunk.start < chunk.end) {
      this.#addChunk(chunk);
    }
  }

  #addChunk(chunk: PointChunk): void {
    const whole = this.#whole;
    if (whole?.file instanceof TagFile && chunk.end - chunk.start === whole.entry.pointCount) {
      const reduced = this.#dataset.files.summaries.reduce(whole.file, whole.entry.offset, chunk);
      this.#addWhole(whole, reduced);
      return;
    }
    const { timesMs, ticks } = chunk.points;
    if (this.#split?.file instanceof TagFile && isWholeBlock(this.#split, chunk)) {
      this.#addSplit(this.#split.file, this.#split.entry.offset, chunk);
      return;
    }
    for (let start = chunk.start; start < chunk.end; ) {
      const interval = this.#intervalOf(timesMs[start] as number, ticks[start] as number);
      const end = this.#endOfInterval(chunk, start, interval);
      this.#enter(interval, chunk.points, start, end - 1);
      if (interval === BEFORE) this.#emitAll(chunk, start, end);
      else this.#addPoints(chunk, start, end);
      start = end;
    }
  }

  /** Adds a whole block part by part, and caches the reduced parts. */
  #addSplit(file: TagFile, offset: number, chunk: PointChunk): void {
    const { timesMs, ticks } = chunk.points;
    const parts: ReducedPart[] = [];
    for (let start = chunk.start; start < chunk.end; ) {
      const interval = this.#intervalOf(timesMs[start] as number, ticks[start] as number);
      const end = this.#endOfInterval(chunk, start, interval);
      parts.push(this.#dataset.files.summaries.reducePart(chunk, start, end));
      start = end;
    }
    this.#dataset.files.summaries.keepParts(file, offset, parts);
    this.#addParts(parts);
  }

  #addParts(parts: readonly ReducedPart[]): void {
    for (const part of parts) {
      this.#enterFrom(this.#intervalOf(part.first.ms, part.first.ticks), part.first);
      this.#last = part.last;
      this.#reducer.addPoints(part, part.start, part.end, this.#reducedFrom);
      this.#reducedFrom += part.pointCount;
    }
  }

  #areWithinIntervals(parts: readonly ReducedPart[]): boolean {
    return parts.every(
      ({ first, last }) => this.#intervalOf(first.ms, first.ticks) === this.#intervalOf(last.ms, last.ticks),
    );
  }

  #addPoints(chunk: PointChunk, start: number, end: number): void {
    this.#reducer.addPoints(chunk, start, end, this.#reducedFrom);
    this.#reducedFrom += end - start;
  }

  /** Adds a block within one interval, or in parts within a few, without decoding it, if its cached summary or header suffices. */
  #takesUnread(source: BlockSource): boolean {
    const { file, entry } = source;
    if (!(file instanceof TagFile) || entry.sizeBytes === 0) return false;
    const interval = this.#intervalOf(entry.firstMs, entry.firstTicks);
    const others = this.#intervalOf(entry.lastMs, entry.lastTicks) - interval;
    if (interval === BEFORE || others >= MAX_PARTS) return false;
    if (compareInstants({ ms: entry.lastMs, ticks: entry.lastTicks }, this.#intervals.end) > 0) return false;
    if (this.#damaged.size > 0 && this.#damaged.has(sourceKey(source))) return false;
    const known = this.#dataset.files.summaries.get(file, entry.offset);
    if (known && 'parts' in known && this.#areWithinIntervals(known.parts)) {
      this.#addParts(known.parts);
      return true;
    }
    if (others > 0 || (known && 'parts' in known)) {
      this.#split = source;
      return false;
    }
    const summary = known ?? this.#summarize(source, file);
    if (summary === undefined) {
      this.#whole = source;
      return false;
    }
    this.#addWhole(source, summary);
    return true;
  }

  #summarize(source: BlockSource, file: TagFile): HeaderSummary | ReducedBlock | undefined {
    if (this.#damaged.size > MAX_DAMAGED_BLOCKS) return this.#reduceNow(source, file);
    const summary = summarize(this.#reader.readHeader(source));
    if (summary) this.#dataset.files.summaries.keepHeader(file, source.entry.offset, summary);
    return summary;
  }

  #reduceNow(source: BlockSource, file: TagFile): ReducedBlock {
    try {
      const { type } = this.#reader.read(source, this.#loaded);
      const chunk = { type, points: this.#loaded, start: 0, end: this.#loaded.count };
      return this.#dataset.files.summaries.reduce(file, source.entry.offset, chunk);
    } catch (error) {
      this.#damaged.set(sourceKey(source), source);
      throw error;
    }
  }

  #addWhole(source: BlockSource, summary: HeaderSummary | ReducedBlock): void {
    const { firstMs, firstTicks, lastMs, lastTicks, pointCount } = source.entry;
    this.#enterFrom(this.#intervalOf(firstMs, firstTicks), { ms: firstMs, ticks: firstTicks });
    this.#last = { ms: lastMs, ticks: lastTicks };
    if ('points' in summary) this.#reducer.addPoints(summary, summary.start, summary.end, this.#reducedFrom);
    else this.#reducer.addBlock(source, summary, this.#reducedFrom);
    this.#reducedFrom += pointCount;
  }

  #load(source: BlockSource): PointColumns {
    const { file, entry } = source;
    this.#loadedBlock = source;
    const { type } = this.#reader.read(source, this.#loaded);
    const chunk = { type, points: this.#loaded, start: 0, end: this.#loaded.count };
    if (file instanceof TagFile) this.#dataset.files.summaries.reduce(file, entry.offset, chunk);
    return this.#loaded;
  }

  #enter(interval: number, points: PointColumns, first: number, last: number): void {
    this.#enterFrom(interval, { ms: points.timesMs[first] as number, ticks: points.ticks[first] as number });
    this.#last = { ms: points.timesMs[last] as number, ticks: points.ticks[last] as number };
  }

  #enterFrom(interval: number, first: Instant): void {
    if (interval === this.#interval) return;
    this.#finishInterval();
    this.#interval = interval;
    this.#first = first;
    this.#intervalFrom = this.#reducedFrom;
  }

  #finishInterval(): void {
    if (this.#reducer.isEmpty) return;
    try {
      this.#reducer.finish((type, points, index, text) => this.#emit(type, points, index, text));
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'CORRUPT') throw error;
      this.#reducer.clear();
      this.#readAgain();
    }
  }

  /** Reads the current interval again, without the block that could not be read. */
  #readAgain(): void {
    const { firstOrdinal, from } = this.#range;
    const [start, end, failed] = [this.#first, this.#last, this.#loadedBlock];
    if (!start || !end || !failed) throw new EngineError('BUG', 'BUG: no block was read, and one was damaged');
    const known = this.#damaged.size;
    this.#damaged.set(sourceKey(failed), failed);
    const again = new ReducedCursor(this.#dataset, this.#source, {
      range: { start, end, firstOrdinal, from, limit: undefined },
      intervals: { start, end, count: 1 },
      damaged: this.#damaged,
    });
    try {
      for (let chunk = again.next(); chunk && !(chunk instanceof Promise); chunk = again.next()) {
        this.#emitAll(chunk, chunk.start, chunk.end);
      }
      this.#reducedFrom = this.#intervalFrom + again.#reducedFrom;
      for (const source of [...this.#damaged.values()].slice(known)) this.#cursor.noteUnreadable(source);
    } finally {
      again.close();
    }
  }

  #emitAll({ type, points }: PointChunk, start: number, end: number): void {
    for (let i = start; i < end; i++) {
      const isText = points.texts.length > 0 && points.nulls[i] === 0;
      this.#emit(type, points, i, isText ? points.texts.at(points.numbers[i] as number) : undefined);
    }
  }

  #emit(type: ValueType, points: PointColumns, index: number, text: string | undefined): void {
    const output = this.#output;
    if (output && (output.type !== type || output.points.count >= CHUNK_POINTS)) this.#handOver();
    this.#output ??= { type, points: new PointColumns(CHUNK_POINTS) };
    appendReduced(this.#output.points, points, index, text);
  }

  #handOver(): void {
    if (!this.#output) return;
    const { type, points } = this.#output;
    this.#ready.push({ type, points, start: 0, end: points.count });
    this.#output = undefined;
  }

  #intervalOf(ms: number, ticks: number): number {
    const offset = offsetMs(this.#intervals.start, ms, ticks);
    if (offset < 0) return BEFORE;
    if (this.#spanMs === 0) return 0;
    return Math.min(this.#intervals.count - 1, Math.floor((offset * this.#intervals.count) / this.#spanMs));
  }

  /** The first point of the chunk after `from` that is in a later interval. */
  #endOfInterval({ points, end }: PointChunk, from: number, interval: number): number {
    const { timesMs, ticks } = points;
    if (this.#intervalOf(timesMs[end - 1] as number, ticks[end - 1] as number) === interval) return end;
    let low = from + 1;
    let high = end - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#intervalOf(timesMs[middle] as number, ticks[middle] as number) === interval) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Distance from `start` to a time, in ms; monotonic. */
function offsetMs(start: Instant, ms: number, ticks: number): number {
  return ms - start.ms + (ticks - start.ticks) / TICKS_PER_MS;
}

/** Whether the chunk has all points of the block. */
function isWholeBlock({ entry }: BlockSource, { points, start, end }: PointChunk): boolean {
  return (
    end - start === entry.pointCount &&
    points.timesMs[start] === entry.firstMs &&
    points.ticks[start] === entry.firstTicks &&
    points.timesMs[end - 1] === entry.lastMs &&
    points.ticks[end - 1] === entry.lastTicks
  );
}

function sourceKey({ file, entry }: BlockSource): string {
  return `${file.path}:${entry.offset}`;
}
