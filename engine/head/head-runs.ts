// How points lie in a chunk of a head: pieces of a few points, coded like the runs of journal records, because heads are
// scattered all over memory, and waiting for it is most of what appending and reading take (bench ingest).
//
// A piece: a byte of coding and states, a byte of count, zigzag of its first time less the last one before, columns. Those
// of plain points are a mantissa and words (plain-words.ts), copied from the journal record.

import type { PlainPoints } from '../format/block/plain-block.ts';
import { ByteReader, ByteWriter, putZigzag } from '../format/bytes/byte-cursors.ts';
import { decimalsOf, PLAIN, readWords, wordBytesOf } from '../format/record/plain-words.ts';
import { HAS_NULLS, HAS_QUALITIES, HAS_TICKS, MAX_DECIMALS } from '../format/record/run-coding.ts';
import { decodeColumns, decodePlainColumns, encodeColumns } from '../format/record/run-columns.ts';
import type { PointColumns } from '../types.ts';
import { CHUNK_BYTES, CHUNK_HEADER_BYTES, type Slab } from './head-chunks.ts';

/** Bits of a piece's first byte: the coding, and the states that `HAS_…` bits stand for. */
const CODING = 0x0f;
const STATES = HAS_TICKS | HAS_NULLS | HAS_QUALITIES;
/** Coding, count, time. */
export const ENCODED_HEAD_BYTES = 10;
/** As its count is one byte. */
export const MAX_ENCODED_POINTS = 255;
const WORD_BYTES = 4;
/** Plain points of a block lie no further from each other. */
const MAX_OFFSET_MS = 2 ** 31 - 1;

/** Bytes to copy from: of a record on its way to the journal, or of one read back. */
export interface CodedBytes {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** The piece being made. */
export const encoded = new ByteWriter(4 * CHUNK_BYTES);

/** Makes a piece of points `[start, end)`. */
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

/** Begins a plain piece in a slab; returns the place behind its head. */
export function putEncodedHead({ bytes }: Slab, place: number, coding: number, count: number, stepMs: number): number {
  bytes[place] = coding;
  bytes[place + 1] = count;
  return putZigzag(bytes, place + 2, stepMs);
}

/** Copies bytes `[start, end)` of a record or a piece into a slab; returns the place behind them. Benchmark: bench ingest. */
export function copyBytes(
  { bytes, view }: Slab,
  place: number,
  source: CodedBytes,
  start: number,
  end: number,
): number {
  let from = start;
  let at = place;
  for (; from + WORD_BYTES <= end; from += WORD_BYTES, at += WORD_BYTES)
    view.setInt32(at, source.view.getInt32(from, true), true);
  for (; from < end; from++) bytes[at++] = source.bytes[from] as number;
  return at;
}

/** Reads the pieces of a chunk behind the points in `target`, where there is room for them. */
export class EncodedRunReader {
  #slab: Slab | undefined;
  #reader = new ByteReader(new Uint8Array(0));
  #at = 0;
  #timeMs = 0;

  /** Reads the first `count` points of a chunk; a few more when a piece goes on beyond. */
  read(slab: Slab, offset: number, count: number, target: PointColumns): void {
    this.#begin(slab, offset);
    const end = target.count + count;
    while (target.count < end) this.#readGeneral(slab.bytes, target);
  }

  #begin(slab: Slab, offset: number): void {
    if (this.#slab !== slab) {
      this.#slab = slab;
      this.#reader = new ByteReader(slab.bytes);
    }
    this.#at = offset + CHUNK_HEADER_BYTES;
    this.#timeMs = slab.times[(offset >> 3) + 1] as number;
  }

  /** Lets go of the memory. */
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

  /** The same for points that are to be plain, as whole numbers; says false as soon as they are not. */
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

/** Nothing was read yet; makes room for about so many points. */
export function beginPlain(target: PlainPoints, capacity: number): void {
  target.count = 0;
  target.decimals = 0;
  target.reserve(capacity + MAX_ENCODED_POINTS);
}

function readPlainWords(reader: ByteReader, coding: number, target: PlainPoints, start: number, end: number): boolean {
  const wordBytes = wordBytesOf(coding);
  target.mantissas[start] = reader.zigzag();
  const place = reader.take(wordBytes * (end - start - 1));
  // Steps of eight bytes may add up to more than an int32 holds.
  if (wordBytes === 8 && !isShort(reader.view, place, end - start - 1)) return false;
  readWords(reader.view, place, wordBytes, target.offsets, target.mantissas, start, end);
  return true;
}

function isShort(view: DataView, place: number, count: number): boolean {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += view.getUint32(place + 8 * i, true);
  return sum <= MAX_OFFSET_MS;
}

/** Decimals that came the general way; what else there is, is not plain. */
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

/** Gives the points that were read last, with decimals of their own, and those before as many decimals as all have. */
function alignDecimals(target: PlainPoints, start: number, end: number, decimals: number): boolean {
  if (decimals === target.decimals) return true;
  if (decimals < target.decimals) return scale(target, start, end, decimals);
  const before = target.decimals;
  target.decimals = decimals;
  return scale(target, 0, start, before);
}

/** Gives points `[start, end)`, written with fewer decimals, as many as all have. False when one is no int32 then. */
function scale({ mantissas, decimals: all }: PlainPoints, start: number, end: number, decimals: number): boolean {
  const power = 10 ** (all - decimals);
  for (let i = start; i < end; i++) {
    const mantissa = (mantissas[i] as number) * power;
    if ((mantissa | 0) !== mantissa) return false;
    mantissas[i] = mantissa;
  }
  return true;
}
