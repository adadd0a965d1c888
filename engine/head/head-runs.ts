// How points are stored in a chunk of a head: encoded runs of a few points, in the encoding of the runs of journal records.
// Heads are scattered all over memory, and cache misses are most of the cost of appending and reading (bench ingest).
//
// An encoded run: a byte of coding and point flags, a byte of count, zigzag of its first time minus the last time before,
// columns. The columns of plain points are a mantissa and words (plain-words.ts), copied from the journal record.

import type { PlainPoints } from '../format/block/plain-block.ts';
import { ByteReader, ByteWriter, putZigzag } from '../format/bytes/byte-cursors.ts';
import { decimalsOf, PLAIN, readWords, wordBytesOf } from '../format/record/plain-words.ts';
import { HAS_NULLS, HAS_QUALITIES, HAS_TICKS, MAX_DECIMALS } from '../format/record/run-coding.ts';
import { decodeColumns, decodePlainColumns, encodeColumns } from '../format/record/run-columns.ts';
import type { PointColumns } from '../types.ts';
import { CHUNK_BYTES, CHUNK_HEADER_BYTES, type Slab } from './head-chunks.ts';

/** Mask of the coding in a run's first byte; the other bits are the point flags `HAS_…`. */
const CODING = 0x0f;
const STATES = HAS_TICKS | HAS_NULLS | HAS_QUALITIES;
/** Most bytes of a run before its columns: coding, count, time. */
export const ENCODED_HEAD_BYTES = 10;
/** The count is one byte. */
export const MAX_ENCODED_POINTS = 255;
const WORD_BYTES = 4;
/** Greatest time span of the plain points of a block; ms. */
const MAX_OFFSET_MS = 2 ** 31 - 1;

/** Source of a copy: a record being written to the journal, or one read from it. */
export interface CodedBytes {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** The run that `encodeRun` made last. */
export const encoded = new ByteWriter(4 * CHUNK_BYTES);

/** Encodes points `[start, end)` into `encoded`. */
export function encodeRun(
  coding: number,
  flags: number,
  points: PointColumns,
  numbers: Float64Array,
  start: number,
  end: number,
  stepMs: number,
): void {
  encoded.clear();
  encoded.u8(coding | flags);
  encoded.u8(end - start);
  encoded.zigzag(stepMs);
  encodeColumns(encoded, flags, coding, points, numbers, start, end);
}

/** Writes the start of a plain run into a slab: coding, count, time; returns the offset after it. */
export function putEncodedHead({ bytes }: Slab, offset: number, coding: number, count: number, stepMs: number): number {
  bytes[offset] = coding;
  bytes[offset + 1] = count;
  return putZigzag(bytes, offset + 2, stepMs);
}

/** Copies bytes `[start, end)` of a record or a run into a slab; returns the offset after them. Benchmark: bench ingest. */
export function copyBytes(
  { bytes, view }: Slab,
  offset: number,
  source: CodedBytes,
  start: number,
  end: number,
): number {
  let from = start;
  let at = offset;
  for (; from + WORD_BYTES <= end; from += WORD_BYTES, at += WORD_BYTES)
    view.setInt32(at, source.view.getInt32(from, true), true);
  for (; from < end; from++) bytes[at++] = source.bytes[from] as number;
  return at;
}

/** Appends the runs of a chunk to `target`, which must have room for them. */
export class EncodedRunReader {
  #slab: Slab | undefined;
  #reader = new ByteReader(new Uint8Array(0));
  #at = 0;
  #timeMs = 0;

  /** Reads the first `count` points of a chunk, and the rest of the run that contains the last of them. */
  read(slab: Slab, offset: number, count: number, target: PointColumns): void {
    this.#begin(slab, offset);
    const end = target.count + count;
    while (target.count < end) this.#readGeneral(slab.bytes, target);
  }

  #begin(slab: Slab, offset: number): void {
    if (this.#slab !== slab) {
      this.#slab = slab;
      this.#reader = new ByteReader(slab.bytes, 0, slab.bytes.length, slab.view);
    }
    this.#at = offset + CHUNK_HEADER_BYTES;
    this.#timeMs = slab.times[(offset >> 3) + 1] as number;
  }

  /** Drops its references to memory. */
  release(): void {
    this.#slab = undefined;
    this.#reader = new ByteReader(new Uint8Array(0));
  }

  #readGeneral(bytes: Uint8Array, target: PointColumns): void {
    const first = bytes[this.#at] as number;
    const count = bytes[this.#at + 1] as number;
    const start = target.count;
    const end = start + count;
    const reader = this.#reader;
    reader.offset = this.#at + 2;
    target.reserve(end);
    this.#timeMs += reader.zigzag();
    target.timesMs[start] = this.#timeMs;
    if (first >= PLAIN) decodePlainColumns(reader, first, target, start, end);
    else decodeColumns(reader, first & STATES, first & CODING, target, start, end);
    this.#timeMs = target.timesMs[end - 1] as number;
    this.#at = reader.offset;
    target.count = end;
  }

  /** Reads plain points, as whole numbers; false as soon as a point is not plain. */
  readPlain(slab: Slab, offset: number, count: number, target: PlainPoints): boolean {
    this.#begin(slab, offset);
    if (target.count === 0) target.baseMs = this.#timeMs;
    const end = target.count + count;
    while (target.count < end) if (!this.#readPlain(target)) return false;
    return true;
  }

  #readPlain(target: PlainPoints): boolean {
    const reader = this.#reader;
    reader.offset = this.#at;
    const first = reader.u8();
    const count = reader.u8();
    const start = target.count;
    const end = start + count;
    const offset = this.#timeMs + reader.zigzag() - target.baseMs;
    target.reserve(end);
    target.offsets[start] = offset;
    const isRead =
      first >= PLAIN
        ? readPlainWords(reader, first, target, start, end)
        : readVarints(reader, first, target, start, end);
    const last = target.offsets[end - 1] as number;
    if (!isRead || offset < -MAX_OFFSET_MS || last > MAX_OFFSET_MS || last < offset) return false;
    this.#timeMs = target.baseMs + last;
    this.#at = reader.offset;
    target.count = end;
    return alignDecimals(target, start, end, first >= PLAIN ? decimalsOf(first) : first);
  }
}

/** Resets the target, with room for about `capacity` points. */
export function beginPlain(target: PlainPoints, capacity: number): void {
  target.count = 0;
  target.decimals = 0;
  target.reserve(capacity + MAX_ENCODED_POINTS);
}

function readPlainWords(reader: ByteReader, coding: number, target: PlainPoints, start: number, end: number): boolean {
  const wordBytes = wordBytesOf(coding);
  target.mantissas[start] = reader.zigzag();
  const offset = reader.take(wordBytes * (end - start - 1));
  // Time steps of eight-byte words may add up to more than an int32.
  if (wordBytes === 8 && !fitsInt32(reader.view, offset, end - start - 1)) return false;
  readWords(reader.view, offset, wordBytes, target.offsets, target.mantissas, start, end);
  return true;
}

function fitsInt32(view: DataView, offset: number, count: number): boolean {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += view.getUint32(offset + 8 * i, true);
  return sum <= MAX_OFFSET_MS;
}

/** Reads decimals of runs from the general path; false for every other coding, which is not plain. */
function readVarints(reader: ByteReader, coding: number, target: PlainPoints, start: number, end: number): boolean {
  if (coding > MAX_DECIMALS) return false;
  const { offsets, mantissas } = target;
  let offset = offsets[start] as number;
  for (let i = start + 1; i < end; i++) {
    offset += reader.varint();
    if (offset > MAX_OFFSET_MS) return false;
    offsets[i] = offset;
  }
  let mantissa = 0;
  for (let i = start; i < end; i++) {
    mantissa += reader.zigzag();
    if ((mantissa | 0) !== mantissa) return false;
    mantissas[i] = mantissa;
  }
  return true;
}

/** Scales the points read last and those before them to a common number of decimals. */
function alignDecimals(target: PlainPoints, start: number, end: number, decimals: number): boolean {
  if (decimals === target.decimals) return true;
  if (decimals < target.decimals) return scale(target, start, end, decimals);
  const before = target.decimals;
  target.decimals = decimals;
  return scale(target, 0, start, before);
}

/** Scales mantissas `[start, end)` from `decimals` to the common number of decimals. False when one exceeds an int32. */
function scale({ mantissas, decimals: all }: PlainPoints, start: number, end: number, decimals: number): boolean {
  const power = 10 ** (all - decimals);
  for (let i = start; i < end; i++) {
    const mantissa = (mantissas[i] as number) * power;
    if ((mantissa | 0) !== mantissa) return false;
    mantissas[i] = mantissa;
  }
  return true;
}
