// Plain points as words: for each point after the first, the time step and the difference of its mantissa. Journal records
// and heads use the same words, so that a point is encoded once. Benchmark: bench ingest.

import { MAX_PLAIN_DECIMALS, type PointColumns } from '../../types.ts';

/** Flag in a run's byte of coding: its points are plain. The lowest 4 bits are the decimals, those above the size of words. */
export const PLAIN = 0x80;
const DECIMALS = 0x0f;
const SIZE_SHIFT = 4;
const SIZE = 0x07;

/** 10^decimals of a plain run. */
export const POWERS = Float64Array.from({ length: MAX_PLAIN_DECIMALS + 1 }, (_, decimals) => 10 ** decimals);

/** Sizes of words; the codes never change. */
const NONE = 0;
/** 3 bytes: 16 bits of time, 8 of mantissa. */
const SMALL = 1;
/** 4 bytes: 16 and 16. */
const MEDIUM = 2;
/** 8 bytes: 32 and 32. */
const LARGE = 3;
const WORD_BYTES = [0, 3, 4, 8] as const;
/** Most bytes of a word, including the bytes after it that a write may touch. */
export const MAX_WORD_BYTES = 8;

export function plainCoding(decimals: number, size: number): number {
  return PLAIN | (size << SIZE_SHIFT) | decimals;
}

export function decimalsOf(coding: number): number {
  return coding & DECIMALS;
}

/** Bytes of a word in a coding; 0 when there is no such size. */
export function wordBytesOf(coding: number): number {
  return WORD_BYTES[(coding >> SIZE_SHIFT) & SIZE] ?? 0;
}

/** The size of words that points `[start, end)`, two or more, need; 0 when their times do not ascend. */
export function wordSize({ offsets, mantissas }: PointColumns, start: number, end: number): number {
  let offset = offsets[start] as number;
  let mantissa = mantissas[start] as number;
  let steps = 0;
  let changes = 0;
  for (let i = start + 1; i < end; i = (i + 1) | 0) {
    const nextOffset = offsets[i] as number;
    const nextMantissa = mantissas[i] as number;
    if (nextOffset <= offset) return NONE;
    const change = (nextMantissa - mantissa) | 0;
    steps |= nextOffset - offset;
    changes |= change ^ (change >> 31);
    offset = nextOffset;
    mantissa = nextMantissa;
  }
  if (steps >>> 16 !== 0 || changes >>> 15 !== 0) return LARGE;
  return changes >>> 7 === 0 ? SMALL : MEDIUM;
}

/**
 * Writes the words of points `[start, end)`, `wordBytes` each, at an offset with `MAX_WORD_BYTES` of room for each; returns
 * the offset after them. A difference beyond int32 is restored correctly, because both directions compute modulo 2^32.
 */
export function putWords(
  view: DataView,
  byteOffset: number,
  wordBytes: number,
  { offsets, mantissas }: PointColumns,
  start: number,
  end: number,
): number {
  if (wordBytes === 8) return putLargeWords(view, byteOffset, offsets, mantissas, start, end);
  let at = byteOffset;
  let offset = offsets[start] as number;
  let mantissa = mantissas[start] as number;
  for (let i = start + 1; i < end; i = (i + 1) | 0) {
    const nextOffset = offsets[i] as number;
    const nextMantissa = mantissas[i] as number;
    // The upper byte written for a small word is overwritten by the next word.
    view.setInt32(at, ((nextOffset - offset) & 0xffff) | ((nextMantissa - mantissa) << 16), true);
    at = (at + wordBytes) | 0;
    offset = nextOffset;
    mantissa = nextMantissa;
  }
  return at;
}

function putLargeWords(
  view: DataView,
  byteOffset: number,
  offsets: Int32Array,
  mantissas: Int32Array,
  start: number,
  end: number,
): number {
  let at = byteOffset;
  for (let i = start + 1; i < end; i++, at += 8) {
    view.setInt32(at, (offsets[i] as number) - (offsets[i - 1] as number), true);
    view.setInt32(at + 4, (mantissas[i] as number) - (mantissas[i - 1] as number), true);
  }
  return at;
}

/** Steps from one point of a run to the next. */
export class WordReader {
  /** The current point: ms since the first one, and its mantissa. */
  offset = 0;
  mantissa = 0;
  /** The offset of the next word. */
  at = 0;

  /** Begins at the first point of a run, whose words are at `at`. */
  begin(mantissa: number, at: number): void {
    this.offset = 0;
    this.mantissa = mantissa;
    this.at = at;
  }

  /** Skips `count` words of `wordBytes` bytes. */
  skip(view: DataView, wordBytes: number, count: number): void {
    let { offset, mantissa, at } = this;
    for (let i = 0; i < count; i++, at += wordBytes) {
      offset += stepAt(view, at, wordBytes);
      mantissa = (mantissa + changeAt(view, at, wordBytes)) | 0;
    }
    this.offset = offset;
    this.mantissa = mantissa;
    this.at = at;
  }
}

function stepAt(view: DataView, at: number, wordBytes: number): number {
  return wordBytes === 8 ? view.getUint32(at, true) : view.getUint16(at, true);
}

function changeAt(view: DataView, at: number, wordBytes: number): number {
  if (wordBytes === 8) return view.getInt32(at + 4, true);
  return wordBytes === 4 ? view.getInt16(at + 2, true) : view.getInt8(at + 2);
}

/**
 * Fills `offsets[start, end)` and `mantissas[start, end)`, the first of which are set already; the sum of all steps must fit an int32.
 */
export function readWords(
  view: DataView,
  byteOffset: number,
  wordBytes: number,
  offsets: Int32Array,
  mantissas: Int32Array,
  start: number,
  end: number,
): void {
  let at = byteOffset;
  let offset = offsets[start] as number;
  let mantissa = mantissas[start] as number;
  if (wordBytes === 3) {
    for (let i = start + 1; i < end; i = (i + 1) | 0) {
      // Some byte precedes every word, so that four bytes can be read at once.
      const word = view.getInt32((at - 1) | 0, true);
      offset = (offset + ((word >>> 8) & 0xffff)) | 0;
      mantissa = (mantissa + (word >> 24)) | 0;
      offsets[i] = offset;
      mantissas[i] = mantissa;
      at = (at + 3) | 0;
    }
    return;
  }
  for (let i = start + 1; i < end; i = (i + 1) | 0) {
    offset = (offset + stepAt(view, at, wordBytes)) | 0;
    mantissa = (mantissa + changeAt(view, at, wordBytes)) | 0;
    offsets[i] = offset;
    mantissas[i] = mantissa;
    at = (at + wordBytes) | 0;
  }
}

/** Fills times and numbers `[start, end)`, the first of which are set already. */
export function readWordsAsNumbers(
  view: DataView,
  byteOffset: number,
  coding: number,
  firstMantissa: number,
  { timesMs, numbers }: PointColumns,
  start: number,
  end: number,
): void {
  const wordBytes = wordBytesOf(coding);
  const power = POWERS[decimalsOf(coding)] as number;
  let at = byteOffset;
  let time = timesMs[start] as number;
  let mantissa = firstMantissa;
  for (let i = start + 1; i < end; i++, at += wordBytes) {
    time += stepAt(view, at, wordBytes);
    mantissa = (mantissa + changeAt(view, at, wordBytes)) | 0;
    timesMs[i] = time;
    numbers[i] = mantissa / power;
  }
}
