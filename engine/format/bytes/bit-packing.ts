// Whole numbers as consecutive fixed-width bit fields, low bits first. Fields are at most 50 bits wide:
// two parts of at most 25 bits. Bytes are written and read a 32-bit word at a time (bench/engine/codecs.ts).

import type { ByteReader, ByteWriter } from './byte-cursors.ts';

export const MAX_FIELD_BITS = 50;
const PART_BITS = 25;
const PART = 2 ** PART_BITS;
/** Bytes that must be readable after the last field, because fields are fetched 8 bytes at a time. */
export const READ_AHEAD_BYTES = 8;
/** Bytes that the writers may overwrite after the last field. */
export const WRITE_AHEAD_BYTES = 4;

/** 2^(32 - shift) for the shifts 0 to 7: the weight of the second word of a fetch. */
const SECOND_WORD_WEIGHT = Float64Array.from({ length: 8 }, (_, shift) => 2 ** (32 - shift));

/** Bits needed for the numbers 0 to `largest` (a whole number below 2^53). */
export function bitWidth(largest: number): number {
  if (largest < 0x8000_0000) return 32 - Math.clz32(largest);
  return 64 - Math.clz32(Math.floor(largest / 0x1_0000_0000));
}

/** Bytes of `count` fields of `width` bits. */
export function packedBytes(count: number, width: number): number {
  return Math.ceil((count * width) / 8);
}

/** Appends `values[start, end) - base` as fields of `width` bits; all must fit. */
export function packFields(
  out: ByteWriter,
  values: Float64Array,
  start: number,
  end: number,
  base: number,
  width: number,
): void {
  const sizeBytes = packedBytes(end - start, width);
  out.reserve(sizeBytes + WRITE_AHEAD_BYTES);
  if (width <= PART_BITS) packNarrow(out.view, out.length, values, start, end, base, width);
  else packWide(out.view, out.length, values, start, end, base, width);
  out.length += sizeBytes;
}

function packNarrow(
  view: DataView,
  offset: number,
  values: Float64Array,
  start: number,
  end: number,
  base: number,
  width: number,
): void {
  let at = offset;
  let pending = 0;
  let filled = 0;
  for (let i = start; i < end; i++) {
    const value = ((values[i] as number) - base) | 0;
    pending |= value << filled;
    filled += width;
    if (filled >= 32) {
      view.setInt32(at, pending, true);
      at += 4;
      filled -= 32;
      pending = value >>> (width - filled);
    }
  }
  if (filled > 0) view.setInt32(at, pending, true);
}

/** Appends the low `width` bits, 1 to 31, of `values[0, count)`. */
export function packLowBits(out: ByteWriter, values: Int32Array, count: number, width: number): void {
  const sizeBytes = packedBytes(count, width);
  out.reserve(sizeBytes + WRITE_AHEAD_BYTES);
  const { view } = out;
  const mask = (1 << width) - 1;
  let at = out.length;
  let pending = 0;
  let filled = 0;
  for (let i = 0; i < count; i++) {
    const value = (values[i] as number) & mask;
    pending |= value << filled;
    filled += width;
    if (filled >= 32) {
      view.setInt32(at, pending, true);
      at += 4;
      filled -= 32;
      pending = value >>> (width - filled);
    }
  }
  if (filled > 0) view.setInt32(at, pending, true);
  out.length += sizeBytes;
}

function packWide(
  view: DataView,
  offset: number,
  values: Float64Array,
  start: number,
  end: number,
  base: number,
  width: number,
): void {
  const part = PART;
  const highWidth = width - PART_BITS;
  let at = offset;
  let pending = 0;
  let filled = 0;
  for (let i = start; i < end; i++) {
    const value = (values[i] as number) - base;
    const high = (value / part) | 0;
    const low = (value - high * part) | 0;
    pending |= low << filled;
    filled += PART_BITS;
    if (filled >= 32) {
      view.setInt32(at, pending, true);
      at += 4;
      filled -= 32;
      pending = low >>> (PART_BITS - filled);
    }
    pending |= high << filled;
    filled += highWidth;
    if (filled >= 32) {
      view.setInt32(at, pending, true);
      at += 4;
      filled -= 32;
      pending = high >>> (highWidth - filled);
    }
  }
  if (filled > 0) view.setInt32(at, pending, true);
}

/**
 * Reads `end - start` fields of `width` bits (1 to 50) into `target[start, end)`, adding `base`.
 * The reader's buffer must have `READ_AHEAD_BYTES` after the reader's end.
 */
export function unpackFields(
  reader: ByteReader,
  target: Float64Array,
  start: number,
  end: number,
  base: number,
  width: number,
): void {
  const offset = reader.take(packedBytes(end - start, width));
  if (width <= PART_BITS) unpackNarrow(reader.view, offset, target, start, end, base, width);
  else unpackWide(reader.view, offset, target, start, end, base, width);
}

function unpackNarrow(
  view: DataView,
  offset: number,
  target: Float64Array,
  start: number,
  end: number,
  base: number,
  width: number,
): void {
  const mask = (1 << width) - 1;
  let bit = 0;
  for (let i = start; i < end; i++) {
    const word = view.getInt32(offset + (bit >>> 3), true);
    target[i] = base + ((word >>> (bit & 7)) & mask);
    bit += width;
  }
}

function unpackWide(
  view: DataView,
  offset: number,
  target: Float64Array,
  start: number,
  end: number,
  base: number,
  width: number,
): void {
  let bit = 0;
  for (let i = start; i < end; i++) {
    target[i] = base + readField(view, offset, bit, width);
    bit += width;
  }
}

/** One field of `width` bits (1 to 50), `bit` bits after `offset`. */
function readField(view: DataView, offset: number, bit: number, width: number): number {
  const at = offset + (bit >>> 3);
  const shift = bit & 7;
  const low = view.getUint32(at, true) >>> shift;
  const highBits = width - 32 + shift;
  if (highBits <= 0) return (low & (0xffff_ffff >>> (32 - width))) >>> 0;
  const high = view.getInt32(at + 4, true) & ((1 << highBits) - 1);
  return low + high * (SECOND_WORD_WEIGHT[shift] as number);
}
