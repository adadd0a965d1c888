// How points lie in a chunk of a head: pieces of a few points, coded like the runs of journal records, because heads are
// scattered all over memory, and waiting for it is most of what appending and reading take (bench ingest).
//
// A piece: a byte of coding and states, a byte of count, zigzag of its first time less the last one before, columns.

import { ByteReader, ByteWriter, putZigzag } from '../format/byte-cursors.ts';
import { HAS_NULLS, HAS_QUALITIES, HAS_TICKS, MAX_DECIMALS, POWERS } from '../format/run-coding.ts';
import { decodeColumns, encodeColumns } from '../format/run-columns.ts';
import { GOOD_QUALITY, type PointColumns } from '../types.ts';
import { CHUNK_BYTES, CHUNK_HEADER_BYTES, type Slab } from './head-chunks.ts';

// An import is looked up at every use; a constant of the module itself is compiled in.
const goodQuality = GOOD_QUALITY;
const powers = POWERS;

/** Bits of a piece's first byte: the coding, and the states that `HAS_…` bits stand for. */
const CODING = 0x0f;
const STATES = HAS_TICKS | HAS_NULLS | HAS_QUALITIES;
/** Coding, count, time. */
export const PIECE_HEAD_BYTES = 10;
/** As its count is one byte. */
export const MAX_PIECE_POINTS = 255;
const WORD_BYTES = 4;

/** Bytes to copy from: of a record on its way to the journal, or of one read back. */
export interface CodedBytes {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** The piece being made. */
export const piece = new ByteWriter(4 * CHUNK_BYTES);

/** Makes a piece of points `[start, end)`. */
export function encodePiece(
  coding: number,
  flags: number,
  points: PointColumns,
  numbers: Float64Array,
  start: number,
  end: number,
  stepMs: number,
): void {
  piece.clear();
  piece.u8(coding | flags);
  piece.u8(end - start);
  piece.zigzag(stepMs);
  encodeColumns(piece, flags, coding, points, numbers, start, end);
}

/** Begins a piece without states in a slab; returns the place behind its head. */
export function putPieceHead({ bytes }: Slab, place: number, coding: number, count: number, stepMs: number): number {
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
export class PieceReader {
  #slab: Slab | undefined;
  #reader = new ByteReader(new Uint8Array(0));
  #at = 0;
  #timeMs = 0;

  /** Reads the first `count` points of a chunk; a few more when a piece goes on beyond. */
  read(slab: Slab, offset: number, count: number, target: PointColumns): void {
    if (this.#slab !== slab) {
      this.#slab = slab;
      this.#reader = new ByteReader(slab.bytes);
    }
    this.#at = offset + CHUNK_HEADER_BYTES;
    this.#timeMs = slab.times[(offset >> 3) + 1] as number;
    const end = target.count + count;
    while (target.count < end) this.#readPiece(slab.bytes, target);
  }

  /** Lets go of the memory. */
  release(): void {
    this.#slab = undefined;
    this.#reader = new ByteReader(new Uint8Array(0));
  }

  #readPiece(bytes: Uint8Array, target: PointColumns): void {
    const first = bytes[this.#at] as number;
    const count = bytes[this.#at + 1] as number;
    const start = target.count;
    const end = start + count;
    const reader = this.#reader;
    reader.offset = this.#at + 2;
    target.reserve(end);
    this.#timeMs += reader.zigzag();
    target.timesMs[start] = this.#timeMs;
    const coding = first & CODING;
    if ((first & STATES) === 0 && coding <= MAX_DECIMALS) readPlain(bytes, reader, coding, target, start, end);
    else decodeColumns(reader, first & STATES, coding, target, start, end);
    this.#timeMs = target.timesMs[end - 1] as number;
    this.#at = reader.offset;
    target.count = end;
  }
}

/** `decodeColumns` for decimals without states; numbers of one and two bytes are read here. */
function readPlain(
  bytes: Uint8Array,
  reader: ByteReader,
  coding: number,
  target: PointColumns,
  start: number,
  end: number,
): void {
  const { timesMs, numbers, ticks, nulls, qualities } = target;
  const power = powers[coding] as number;
  let at = reader.offset;
  let time = timesMs[start] as number;
  for (let i = start + 1; i < end; i++) {
    let step = bytes[at++] as number;
    if (step >= 0x80) {
      const high = bytes[at++] as number;
      if (high < 0x80) step = (step & 0x7f) | (high << 7);
      else {
        reader.offset = at - 2;
        step = reader.varint();
        at = reader.offset;
      }
    }
    time += step;
    timesMs[i] = time;
  }
  let mantissa = 0;
  for (let i = start; i < end; i++) {
    const low = bytes[at++] as number;
    const high = low < 0x80 ? 0 : (bytes[at++] as number);
    if (high < 0x80) {
      const zigzag = (low & 0x7f) | (high << 7);
      mantissa += (zigzag >>> 1) ^ -(zigzag & 1);
    } else {
      reader.offset = at - 2;
      mantissa += reader.zigzag();
      at = reader.offset;
    }
    numbers[i] = mantissa / power;
    ticks[i] = 0;
    nulls[i] = 0;
    qualities[i] = goodQuality;
  }
  reader.offset = at;
}
