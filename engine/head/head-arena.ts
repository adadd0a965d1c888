// Memory of all heads of a dataset: points in small chunks of shared slabs, encoded to a few bytes each, so that a hundred
// thousand short heads cost little more than their points.

import { isPlainType, type PlainPoints } from '../format/block/plain-block.ts';
import { putZigzag } from '../format/bytes/byte-cursors.ts';
import { BIGINT } from '../format/record/run-coding.ts';
import { chooseCoding, pointFlagsOf } from '../format/record/run-columns.ts';
import { removePoints } from '../points/point-copies.ts';
import type { TextList } from '../text-list.ts';
import type { PointColumns } from '../types.ts';
import { payloadOf } from '../value-types.ts';
import { type ChunkCopies, copyChunk } from './chunk-copies.ts';
import { type Head, HeadTexts } from './head.ts';
import {
  CHUNK_BYTES,
  CHUNK_HEADER_BYTES,
  CHUNK_ROOM_BYTES,
  chunkBytes,
  FIRST_CHUNK_ROOM_BYTES,
  HeadChunks,
  NO_CHUNK,
  type Slab,
} from './head-chunks.ts';
import {
  beginPlain,
  type CodedBytes,
  copyBytes,
  ENCODED_HEAD_BYTES,
  EncodedRunReader,
  encoded,
  encodeRun,
  MAX_ENCODED_POINTS,
  putEncodedHead,
} from './head-runs.ts';
import { type RecordedRun, RunSplitter } from './split-run.ts';

/** First choice of the points of a run that is encoded here. */
const ENCODED_POINTS = 64;
/** This many points always fit an empty chunk. */
const FITTING_POINTS = 8;
/** Less room than this at the end of a chunk stays empty instead of taking a short run. */
const MIN_ROOM_BYTES = CHUNK_ROOM_BYTES / 4;

export class HeadArena {
  readonly #chunks = new HeadChunks();
  readonly #reader = new EncodedRunReader();
  readonly #splitter = new RunSplitter();
  #skip = 0;
  #textBytes = 0;
  /** Indexes into `HeadTexts` that encode the texts of the points being appended. */
  #textNumbers = new Float64Array(0);

  /** Memory used by points, including the unused rest of chunks; bytes. */
  get usedBytes(): number {
    return this.#chunks.usedBytes + this.#textBytes;
  }

  /** Appends points `[start, start + count)` of the columns. */
  append(head: Head, points: PointColumns, start: number, count: number): void {
    const numbers = head.texts ? this.#numberTexts(head, points, start, count) : points.numbers;
    const end = start + count;
    for (let at = start; at < end; ) at = this.#appendSome(head, points, numbers, at, end);
  }

  /**
   * Whether a run that is not plain can be appended by `appendRecorded`: numbers that fit a chunk, but no texts, of which
   * a head keeps indexes.
   */
  takesRecorded({ type }: Head, run: RecordedRun): boolean {
    return fitsChunk(run) && payloadOf(type) !== 'text';
  }

  /** Appends a run by copying its bytes from the journal record; a plain one may have any length. */
  appendRecorded(head: Head, run: RecordedRun, record: CodedBytes): void {
    const { coding, count, columnsStart, columnsEnd, firstMs } = run;
    const mostBytes = mostBytesOf(run);
    if (!fitsChunk(run)) {
      this.#appendSplit(head, run, record);
      return;
    }
    if (head.usedBytes + mostBytes > chunkBytes(head.last)) this.#extend(head, firstMs, mostBytes);
    const slab = this.#chunks.slabOf(head.last);
    const offset = this.#endOffset(head);
    const columnsOffset = putEncodedHead(slab, offset, coding, count, firstMs - head.lastMs);
    const end = copyBytes(slab, columnsOffset, record, columnsStart, columnsEnd);
    note(head, end - offset, count, run.lastMs);
  }

  /** Appends a run that does not fit one chunk, split into several encoded runs. */
  #appendSplit(head: Head, run: RecordedRun, record: CodedBytes): void {
    const splitter = this.#splitter;
    splitter.begin(record.bytes, run);
    for (let left = run.count; left > 0; ) {
      if (roomBytes(head) < MIN_ROOM_BYTES) this.#extend(head, splitter.nextMs, CHUNK_ROOM_BYTES);
      const count = splitter.take(roomBytes(head) - ENCODED_HEAD_BYTES, MAX_ENCODED_POINTS);
      const slab = this.#chunks.slabOf(head.last);
      const offset = this.#endOffset(head);
      const mantissaOffset = putEncodedHead(slab, offset, run.coding, count, splitter.timeMs - head.lastMs);
      const wordsOffset = putZigzag(slab.bytes, mantissaOffset, splitter.mantissa);
      const end = copyBytes(slab, wordsOffset, record, splitter.wordsStart, splitter.wordsEnd);
      note(head, end - offset, count, splitter.lastMs);
      left -= count;
    }
    splitter.end();
  }

  /** Offset in its slab where the head's next encoded run goes. */
  #endOffset(head: Head): number {
    return this.#chunks.offsetOf(head.last) + head.usedBytes;
  }

  /** Reads the end of a head's points, so that it is in the processor's cache when more come; returns 0 or more. */
  touch({ last, usedBytes, lastMs }: Head): number {
    if (last === NO_CHUNK) return 0;
    const byte = this.#chunks.slabOf(last).bytes[this.#chunks.offsetOf(last) + usedBytes - 1] as number;
    return lastMs > 0 ? byte : 0;
  }

  /** Appends points `[from, from + count)` of the head to `target`. */
  copy(head: Head, from: number, count: number, target: PointColumns): void {
    const start = target.count;
    let chunk = this.#chunkWith(head, from);
    const skip = this.#skip;
    const wanted = start + skip + count;
    target.reserve(wanted);
    while (target.count < wanted) {
      const chunkPoints = chunk === head.last ? head.lastPoints : this.#chunks.pointsOf(chunk);
      const offset = this.#chunks.offsetOf(chunk);
      this.#reader.read(this.#chunks.slabOf(chunk), offset, Math.min(chunkPoints, wanted - target.count), target);
      chunk = chunk === head.last ? chunk : this.#chunks.nextOf(chunk);
    }
    if (skip > 0) removePoints(target, start, skip);
    target.count = start + count;
    if (head.texts) copyTexts(target, start, count, head.texts.values);
  }

  /**
   * The points of a head in whose chunks there may be times of a range, `[from, to)`; the head must be in time order. Without
   * looking at any point.
   */
  spanOf(head: Head, startMs: number, endMs: number): { readonly from: number; readonly to: number } {
    let from = 0;
    let behind = -head.skipped;
    for (let chunk = head.first; ; chunk = this.#chunks.nextOf(chunk)) {
      const firstMs = this.#chunks.timeOf(chunk);
      if (firstMs > endMs) return { from, to: Math.max(from, behind) };
      // The chunk before this one may end with points of its first time.
      if (firstMs < startMs) from = Math.max(0, behind);
      if (chunk === head.last) return { from, to: head.count };
      behind += this.#chunks.pointsOf(chunk);
    }
  }

  /**
   * Reads points `[from, from + count)` of the head as whole numbers, replacing the contents of `target`; returns the index
   * of the first of them, or -1 when they are not all plain, or their times are too far apart.
   */
  copyPlain(head: Head, from: number, count: number, target: PlainPoints): number {
    if (!isPlainType(head.type)) return -1;
    let chunk = this.#chunkWith(head, from);
    const skip = this.#skip;
    const wanted = skip + count;
    beginPlain(target, wanted);
    while (target.count < wanted) {
      const chunkPoints = chunk === head.last ? head.lastPoints : this.#chunks.pointsOf(chunk);
      const offset = this.#chunks.offsetOf(chunk);
      const most = Math.min(chunkPoints, wanted - target.count);
      if (!this.#reader.readPlain(this.#chunks.slabOf(chunk), offset, most, target)) return -1;
      chunk = chunk === head.last ? chunk : this.#chunks.nextOf(chunk);
    }
    target.count = wanted;
    return skip;
  }

  /** Copies the chunks with the head's points from `from` on, without decoding, as many as fit `[start, end)` of a slab. */
  copyChunks(head: Head, from: number, target: Slab, start: number, end: number): ChunkCopies {
    let chunk = this.#chunkWith(head, from);
    const skip = this.#skip;
    let count = 0;
    let at = start;
    for (let isLast = false; !isLast; chunk = this.#chunks.nextOf(chunk)) {
      isLast = chunk === head.last;
      // Multiples of eight bytes, because a chunk begins with a double.
      const sizeBytes = isLast ? (head.usedBytes + 7) & ~7 : chunkBytes(chunk);
      if (at + sizeBytes > end) break;
      const points = isLast ? head.lastPoints : this.#chunks.pointsOf(chunk);
      at = copyChunk(this.#chunks.slabOf(chunk), this.#chunks.offsetOf(chunk), sizeBytes, points, target, at);
      count += points;
    }
    return { skip, count: Math.max(0, count - skip), end: at };
  }

  /** Drops the oldest points of a head. */
  drop(head: Head, count: number): void {
    head.count -= count;
    head.firstOrdinal += count;
    if (head.count === 0) {
      this.#release(head);
      return;
    }
    head.skipped += count;
    while (head.first !== head.last && head.skipped >= this.#chunks.pointsOf(head.first)) {
      const chunk = head.first;
      head.skipped -= this.#chunks.pointsOf(chunk);
      head.first = this.#chunks.nextOf(chunk);
      this.#chunks.release(chunk);
    }
  }

  /** The chunk with point `from` of the head; sets `#skip` to the number of its points before that one. */
  #chunkWith(head: Head, from: number): number {
    let skip = from + head.skipped;
    let chunk = head.first;
    while (chunk !== head.last && skip >= this.#chunks.pointsOf(chunk)) {
      skip -= this.#chunks.pointsOf(chunk);
      chunk = this.#chunks.nextOf(chunk);
    }
    this.#skip = skip;
    return chunk;
  }

  /** Appends one encoded run of points from `start` on; returns the index after its last point. */
  #appendSome(head: Head, points: PointColumns, numbers: Float64Array, start: number, end: number): number {
    const firstMs = points.timesMs[start] as number;
    let next = ascendingUntil(points.timesMs, start, Math.min(end, start + ENCODED_POINTS));
    const coding = payloadOf(head.type) === 'bigint' ? BIGINT : chooseCoding(numbers, 0, start, next);
    for (;;) {
      encodeRun(coding, pointFlagsOf(points, start, next), points, numbers, start, next, firstMs - head.lastMs);
      const room = roomBytes(head);
      const mostBytes = encoded.length + ENCODED_HEAD_BYTES;
      if (mostBytes <= room) break;
      if (room < MIN_ROOM_BYTES || next - start <= FITTING_POINTS) this.#extend(head, firstMs, mostBytes);
      else next = start + ((next - start) >>> 1);
    }
    copyBytes(this.#chunks.slabOf(head.last), this.#endOffset(head), encoded, 0, encoded.length);
    note(head, encoded.length, next - start, points.timesMs[next - 1] as number);
    return next;
  }

  /** Begins a chunk; a head's first one is small if `neededBytes` fit it. */
  #extend(head: Head, firstMs: number, neededBytes: number): void {
    const isSmall = head.last === NO_CHUNK && neededBytes <= FIRST_CHUNK_ROOM_BYTES;
    const chunk = isSmall ? this.#chunks.takeSmall(firstMs) : this.#chunks.take(firstMs);
    if (head.last === NO_CHUNK) head.first = chunk;
    else this.#chunks.close(head.last, head.lastPoints, chunk);
    head.last = chunk;
    head.lastMs = firstMs;
    head.usedBytes = CHUNK_HEADER_BYTES;
    head.lastPoints = 0;
  }

  #release(head: Head): void {
    for (let chunk = head.first; chunk !== NO_CHUNK; ) {
      const next = chunk === head.last ? NO_CHUNK : this.#chunks.nextOf(chunk);
      this.#chunks.release(chunk);
      chunk = next;
    }
    if (this.#chunks.usedBytes === 0) this.#reader.release();
    head.first = NO_CHUNK;
    head.last = NO_CHUNK;
    head.skipped = 0;
    head.usedBytes = CHUNK_BYTES;
    if (head.texts) {
      this.#textBytes -= head.texts.sizeBytes;
      head.texts = new HeadTexts();
    }
  }

  /** Stores the texts of points in the head; returns their indexes, at the indexes of the points. */
  #numberTexts(head: Head, points: PointColumns, start: number, count: number): Float64Array {
    const kept = head.texts as HeadTexts;
    const texts = kept.values;
    const beforeBytes = kept.sizeBytes;
    if (this.#textNumbers.length < start + count) this.#textNumbers = new Float64Array(2 * (start + count));
    for (let i = start; i < start + count; i++) {
      const text = points.nulls[i] ? '' : points.texts.at(points.numbers[i] as number);
      const known = texts.recent(text);
      if (known === undefined) kept.sizeBytes += textBytes(text);
      this.#textNumbers[i] = known ?? texts.push(text);
    }
    this.#textBytes += kept.sizeBytes - beforeBytes;
    return this.#textNumbers;
  }
}

/** What a run takes in a chunk, at most; bytes. */
function mostBytesOf({ columnsStart, columnsEnd }: RecordedRun): number {
  return ENCODED_HEAD_BYTES + columnsEnd - columnsStart;
}

/** Whether a run fits an empty chunk as it is. */
function fitsChunk(run: RecordedRun): boolean {
  return mostBytesOf(run) <= CHUNK_ROOM_BYTES && run.count <= MAX_ENCODED_POINTS;
}

/** Free bytes in the head's last chunk; 0 when it has no chunk. */
function roomBytes(head: Head): number {
  return chunkBytes(head.last) - head.usedBytes;
}

function note(head: Head, sizeBytes: number, count: number, lastMs: number): void {
  head.usedBytes += sizeBytes;
  head.lastPoints += count;
  head.count += count;
  head.lastMs = lastMs;
}

/** The end of the points from `start` on whose times do not step back; they may behind a deleted range. */
function ascendingUntil(timesMs: Float64Array, start: number, end: number): number {
  for (let i = start + 1; i < end; i++) if ((timesMs[i] as number) < (timesMs[i - 1] as number)) return i;
  return end;
}

/** Estimated memory of a text; bytes. */
function textBytes(text: string): number {
  return 32 + 2 * text.length;
}

/** Copies the texts of copied points into the target, and replaces their indexes. */
export function copyTexts(target: PointColumns, start: number, count: number, texts: TextList): void {
  for (let i = start; i < start + count; i++) {
    if (target.nulls[i]) {
      target.numbers[i] = 0;
      continue;
    }
    const text = texts.at(target.numbers[i] as number);
    target.numbers[i] = target.texts.recent(text) ?? target.texts.push(text);
  }
}
