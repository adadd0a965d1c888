// Reads one tag's points in a range of time and ordinals: from tag files, spills and the head, by ordinal, each point once.
// Points that are damaged or missing in all of them become a gap.

import type { Dataset } from '../dataset/dataset.ts';
import { EngineError } from '../errors.ts';
import type { Spill } from '../files/spill.ts';
import { pin, type TagFile, unpin } from '../files/tag-file.ts';
import { type Head, headParts } from '../head/head.ts';
import { appendColumns } from '../points/point-copies.ts';
import { releaseColumns, takeColumns } from '../points/spare-columns.ts';
import {
  firstAfter,
  firstNotBefore,
  isAfter,
  isBefore,
  overlaps,
  type TimeRange,
  type Times,
  timesOf,
} from '../points/time-search.ts';
import {
  type PointChunk,
  type ReadGap,
  type ReadMarker,
  type ReadOutcome,
  type TagCursor,
  WHOLE_OUTCOME,
} from '../reads.ts';
import { pushPoint } from '../tag/stored-value.ts';
import type { Tag } from '../tag/tag.ts';
import { compareInstants, type Instant, PointColumns, type TagDefinition, ValueType } from '../types.ts';
import { BlockReader, type BlockSource, blocksOf } from './block-sources.ts';
import { Coverage } from './coverage.ts';
import { isDeleted, isDeletedWhole, touchesDeleted } from './visible-range.ts';

/** Called for each block whose points are all in the range; returns true if it need not be decoded. May throw CORRUPT. */
export type TakesUnread = (source: BlockSource) => boolean;

/** A place among a tag's points: of those of its time the ones with smaller ordinals come before it. */
export interface PointMark extends Instant {
  readonly ordinal: number;
}

export interface CursorRange extends TimeRange {
  /** Points with a smaller ordinal are not returned. */
  readonly firstOrdinal: number;
  /** The first point that is returned, for a tag with corrections or late points. */
  readonly from?: PointMark | undefined;
  /** Points that are in memory are not returned: the caller looks there itself. */
  readonly inFilesOnly?: boolean;
  readonly limit: number | undefined;
}

/** Beginning of a read. */
export type Beginning = Pick<CursorRange, 'start' | 'firstOrdinal' | 'from'>;

const NO_POINTS = new PointColumns(0);

/** A span of the tag's points in memory: copied from the head when the read began. */
interface HeadCopy {
  readonly type: ValueType;
  readonly firstOrdinal: number;
  readonly points: PointColumns;
}

export class StoredTagCursor implements TagCursor {
  readonly tag: TagDefinition;
  readonly #gaps: ReadGap[] = [];
  #marker: ReadMarker | undefined;
  readonly #dataset: Dataset;
  readonly #source: Tag;
  readonly #range: CursorRange;
  readonly #blocks: readonly BlockSource[];
  readonly #heads: readonly HeadCopy[];
  readonly #pinned = new Set<TagFile | Spill>();
  readonly #reader: BlockReader;
  /** Taken from the pool when the first block is read. */
  #points: PointColumns | undefined;
  #block = 0;
  #head = 0;
  /** The ordinal that comes next if nothing is missing; undefined before the first. */
  #expected: number | undefined;
  #previousEnd: Instant | undefined;
  /** Blocks that could not be read, and ordinals that are reported in gaps already. */
  #failed: BlockSource[] = [];
  readonly #reported = new Coverage();
  #left: number;
  #done = false;
  #closed = false;
  /** Ordinals of the last chunk: point `i` has the first plus `i`, or a listed one if deleted ranges lie between. */
  #firstOrdinal = 0;
  #ordinals: number[] | undefined;
  readonly #takesUnread: TakesUnread | undefined;

  /** With `takesUnread` an empty chunk follows each block that was not decoded. */
  constructor(dataset: Dataset, tag: Tag, range: CursorRange, takesUnread?: TakesUnread) {
    this.tag = tag.definition;
    this.#takesUnread = takesUnread;
    this.#dataset = dataset;
    this.#source = tag;
    this.#range = range;
    this.#left = range.limit ?? Number.POSITIVE_INFINITY;
    this.#reader = new BlockReader(dataset);
    this.#blocks = blocksOf(dataset, tag, (entry) => this.#wants(entry));
    for (const { file } of this.#blocks) this.#pin(file);
    dataset.files.openCursors++;
    this.#heads = this.#copyHeads();
  }

  next(): PointChunk | undefined {
    while (!this.#done) {
      const chunk = this.#isBlockNext() ? this.#nextBlock() : this.#nextHead();
      if (chunk) return this.#limited(chunk);
    }
    this.#reportFailed();
    return undefined;
  }

  outcome(): ReadOutcome {
    return { gaps: this.#gaps, marker: this.#marker };
  }

  close(): void {
    this.#done = true;
    if (this.#closed) return;
    this.#closed = true;
    this.#dataset.files.openCursors--;
    this.#reader.close();
    if (this.#points) releaseColumns(this.#points);
    this.#points = undefined;
    for (const file of this.#pinned) unpin(file);
    this.#pinned.clear();
  }

  /** Nearly always blocks come first; during recovery the head may hold points that a file has lost, before those of a block. */
  #isBlockNext(): boolean {
    const block = this.#blocks[this.#block];
    const head = this.#heads[this.#head];
    return block !== undefined && (head === undefined || block.entry.firstOrdinal <= head.firstOrdinal);
  }

  /** The ordinal of point `i` of the last chunk. */
  ordinalOf(i: number): number {
    return this.#ordinals?.[i] ?? this.#firstOrdinal + i;
  }

  /** Reports an undecoded block that has turned out to be damaged; it is in the gaps after one more `next`. */
  noteUnreadable(source: BlockSource): void {
    this.#failed.push(source);
  }

  #wants(part: Times & { readonly firstOrdinal: number; readonly ordinalCount: number }): boolean {
    const end = part.firstOrdinal + part.ordinalCount;
    if (end <= this.#range.firstOrdinal) return false;
    const isLeft = !isDeletedWhole(this.#source, part);
    if (isLeft && (touchesDeleted(this.#source, part) || overlaps(this.#range, part))) return true;
    // With deleted ranges, points outside the range may lie between those read: they are not missing.
    if (this.#source.deletedRanges.length > 0) this.#reported.add(part.firstOrdinal, end);
    return false;
  }

  #pin(file: TagFile | Spill): void {
    if (this.#pinned.has(file)) return;
    pin(file);
    this.#pinned.add(file);
  }

  #copyHeads(): HeadCopy[] {
    const copies: HeadCopy[] = [];
    if (this.#range.inFilesOnly) return copies;
    for (const part of headParts(this.#source.head)) {
      if (part.count === 0 || part.nextOrdinal <= this.#range.firstOrdinal) continue;
      if (!this.#wants({ firstOrdinal: part.firstOrdinal, ordinalCount: part.count, ...this.#timesOfHead(part) }))
        continue;
      const points = new PointColumns(part.count);
      this.#dataset.memory.arena.copy(part, 0, part.count, points);
      copies.push({ type: part.type, firstOrdinal: part.firstOrdinal, points });
    }
    return copies;
  }

  /** Times of its first and last point: most reads need nothing in between. */
  #timesOfHead(part: Head): Times {
    const ends = takeColumns();
    this.#dataset.memory.arena.copy(part, 0, 1, ends);
    this.#dataset.memory.arena.copy(part, part.count - 1, 1, ends);
    const times = timesOf(ends);
    releaseColumns(ends);
    return times;
  }

  #nextBlock(): PointChunk | undefined {
    const source = this.#blocks[this.#block++] as BlockSource;
    const { entry } = source;
    const end = entry.firstOrdinal + entry.ordinalCount;
    const skip = Math.max(this.#range.firstOrdinal, this.#expected ?? 0) - entry.firstOrdinal;
    if (skip >= entry.ordinalCount) return undefined; // all of it was read from another file
    const before = { expected: this.#expected, previousEnd: this.#previousEnd };
    if (entry.sizeBytes > 0) this.#noteJump(entry.firstOrdinal, { ms: entry.firstMs, ticks: entry.firstTicks });
    this.#expected = end;
    this.#previousEnd = { ms: entry.lastMs, ticks: entry.lastTicks };
    try {
      if (skip <= 0 && this.#mayStayUnread(source))
        return { type: ValueType.Open, points: NO_POINTS, start: 0, end: 0 };
      this.#points ??= takeColumns();
      const header = this.#reader.read(source, this.#points);
      return this.#within(header.type, entry.firstOrdinal, this.#points, skip);
    } catch (error) {
      this.#noteDamage(source, error);
      if (entry.sizeBytes === 0 || this.#isHeldElsewhere(end)) {
        this.#expected = before.expected;
        this.#previousEnd = before.previousEnd;
      }
      return undefined;
    }
  }

  #mayStayUnread(source: BlockSource): boolean {
    if (!this.#takesUnread || touchesDeleted(this.#source, source.entry)) return false;
    return this.#takesUnread(source);
  }

  /** Whether the next source begins before `end`, and so may hold points of a damaged block. */
  #isHeldElsewhere(end: number): boolean {
    const next = [this.#blocks[this.#block]?.entry, this.#heads[this.#head]];
    return next.some((source) => source !== undefined && source.firstOrdinal < end);
  }

  #nextHead(): PointChunk | undefined {
    const copy = this.#heads[this.#head++];
    if (!copy) {
      this.#done = true;
      return undefined;
    }
    const { type, firstOrdinal, points } = copy;
    const skip = Math.max(this.#range.firstOrdinal, this.#expected ?? 0) - firstOrdinal;
    if (skip >= points.count) return undefined;
    const times = timesOf(points);
    this.#noteJump(firstOrdinal, { ms: times.firstMs, ticks: times.firstTicks });
    this.#expected = firstOrdinal + points.count;
    this.#previousEnd = { ms: times.lastMs, ticks: times.lastTicks };
    return this.#within(type, firstOrdinal, points, skip);
  }

  /** The points within the range and outside of deleted ranges, as one chunk. */
  #within(type: ValueType, firstOrdinal: number, points: PointColumns, skip: number): PointChunk | undefined {
    const { start, end } = this.#range;
    const skipped = Math.max(0, skip);
    this.#firstOrdinal = firstOrdinal;
    this.#ordinals = undefined;
    if (this.#source.deletedRanges.length > 0) return this.#withoutDeleted(type, firstOrdinal, points, skipped);
    const from = firstNotBefore(points, skipped, points.count, start);
    const to = firstAfter(points, from, points.count, end);
    return from < to ? { type, points, start: from, end: to } : undefined;
  }

  /** Point by point, because times step back behind a deleted range. */
  #withoutDeleted(type: ValueType, firstOrdinal: number, points: PointColumns, from: number): PointChunk | undefined {
    const { start, end } = this.#range;
    const kept = new PointColumns(points.count - from);
    kept.texts = points.texts;
    const ordinals: number[] = [];
    for (let i = from; i < points.count; i++) {
      if (isDeleted(this.#source, firstOrdinal + i) || isBefore(points, i, start) || isAfter(points, i, end)) continue;
      appendColumns(points, i, i + 1, kept);
      ordinals.push(firstOrdinal + i);
    }
    this.#ordinals = ordinals;
    return kept.count > 0 ? { type, points: kept, start: 0, end: kept.count } : undefined;
  }

  /** Applies the limit; if it drops points, sets the marker to continue with. */
  #limited(chunk: PointChunk): PointChunk | undefined {
    const count = chunk.end - chunk.start;
    const given = Math.min(count, this.#left);
    this.#left -= given;
    this.#dataset.counters.read += given;
    if (given === count) return chunk;
    const end = chunk.start + given;
    this.#done = true;
    this.#marker = { tagId: this.#source.id, ordinal: this.ordinalOf(end) };
    return given > 0 ? { ...chunk, end } : undefined;
  }

  /** Ordinals that are in no file and in no deleted range are lost points. */
  #noteJump(ordinal: number, time: Instant): void {
    if (this.#expected === undefined || ordinal <= this.#expected) return;
    this.#noteLost(this.#expected, ordinal, this.#previousEnd ?? time, time);
  }

  #noteLost(from: number, to: number, start: Instant, end: Instant): void {
    let points = 0;
    for (const part of this.#reported.missing(from, to)) {
      for (let ordinal = part.from; ordinal < part.to; ordinal++) if (!isDeleted(this.#source, ordinal)) points++;
    }
    this.#reported.add(from, to);
    if (points > 0) this.#gaps.push({ start: toInstant(start), end: toInstant(end), points });
  }

  #noteDamage(source: BlockSource, error: unknown): void {
    if (!(error instanceof EngineError) || error.code !== 'CORRUPT') throw error;
    const { entry, file } = source;
    this.#failed.push(source);
    this.#dataset.counters.damagedBlocks++;
    const message = `A block of ${entry.pointCount} points of tag '${this.tag.name}' cannot be read: ${error.message}.`;
    const details = { path: file.path, offset: entry.offset, points: entry.pointCount };
    this.#dataset.report('error', 'block.damaged', message, details);
  }

  /** Reports points of unreadable blocks as lost, except those in other files. */
  #reportFailed(): void {
    if (this.#failed.length === 0) return;
    const held = this.#heldElsewhere();
    for (const { entry } of this.#failed) {
      const from = Math.max(entry.firstOrdinal, this.#range.firstOrdinal);
      const start = { ms: entry.firstMs, ticks: entry.firstTicks };
      const end = { ms: entry.lastMs, ticks: entry.lastTicks };
      for (const part of held.missing(from, entry.firstOrdinal + entry.ordinalCount)) {
        this.#noteLost(part.from, part.to, start, end);
      }
    }
    this.#failed = [];
    this.#gaps.sort((a, b) => compareInstants(a.start, b.start));
  }

  #heldElsewhere(): Coverage {
    const held = new Coverage();
    const failed = new Set(this.#failed.map(sourceKey));
    for (const source of blocksOf(this.#dataset, this.#source)) {
      const { firstOrdinal, ordinalCount, sizeBytes } = source.entry;
      if (sizeBytes > 0 && !failed.has(sourceKey(source))) held.add(firstOrdinal, firstOrdinal + ordinalCount);
    }
    for (const { firstOrdinal, nextOrdinal } of headParts(this.#source.head)) held.add(firstOrdinal, nextOrdinal);
    return held;
  }
}

function sourceKey({ file, entry }: BlockSource): string {
  return `${file.path}:${entry.offset}`;
}

/** A cursor over one point that is in memory. */
export class NewestCursor implements TagCursor {
  readonly tag: TagDefinition;
  readonly #dataset: Dataset;
  #point: Tag['newest'];
  #points: PointColumns | undefined;

  constructor(dataset: Dataset, tag: Tag, point: Tag['newest']) {
    this.tag = tag.definition;
    this.#dataset = dataset;
    this.#point = point;
  }

  next(): PointChunk | undefined {
    const point = this.#point;
    if (!point) return undefined;
    this.#point = undefined;
    this.#dataset.counters.read++;
    this.#points ??= takeColumns();
    pushPoint(this.#points, point);
    return { type: point.type, points: this.#points, start: 0, end: 1 };
  }

  outcome(): ReadOutcome {
    return WHOLE_OUTCOME;
  }

  close(): void {
    this.#point = undefined;
    if (this.#points) releaseColumns(this.#points);
    this.#points = undefined;
  }
}

function toInstant({ ms, ticks }: Instant): Instant {
  return { ms, ticks };
}
