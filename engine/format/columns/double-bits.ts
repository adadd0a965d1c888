// Doubles that are not decimals, by their bit patterns: without the zero bits that all of them end in, as one or two columns
// of whole numbers (singles widened to doubles, smooth curves), or as exclusive-ors with the previous value (repeats).

import { corrupt } from '../../errors.ts';
import { MAX_BLOCK_POINTS } from '../bytes/block-limits.ts';
import type { ByteReader, ByteWriter } from '../bytes/byte-cursors.ts';
import { decodeIntegers, encodeIntegers } from '../integers/integer-column.ts';

/** Patterns with at least this many common trailing zero bits fit whole numbers below 2^50. */
const ONE_COLUMN_SHIFT = 14;

const highs = new Float64Array(MAX_BLOCK_POINTS);
const lows = new Float64Array(MAX_BLOCK_POINTS);

/** Zero bits that all patterns end in, 32 at most. `words` has the low and the high half of each pattern. */
export function commonShift(words: Uint32Array, count: number): number {
  let union = 0;
  for (let i = 0; i < count; i++) union |= words[2 * i] as number;
  return union === 0 ? 32 : 31 - Math.clz32(union & -union);
}

/** Whether `encodeShiftedBits` accepts patterns of that shift. */
export function fitsOneColumn(shift: number): boolean {
  return shift >= ONE_COLUMN_SHIFT;
}

/** Appends the patterns without their last `shift` bits, as signed whole numbers. */
export function encodeShiftedBits(out: ByteWriter, words: Uint32Array, count: number, shift: number): void {
  const weight = 2 ** (32 - shift);
  for (let i = 0; i < count; i++) {
    const low = shift === 32 ? 0 : (words[2 * i] as number) >>> shift;
    highs[i] = ((words[2 * i + 1] as number) | 0) * weight + low;
  }
  out.u8(shift);
  encodeIntegers(out, highs, 0, count);
}

export function decodeShiftedBits(reader: ByteReader, words: Uint32Array, count: number): void {
  const shift = reader.u8();
  if (shift > 32) throw corrupt(`got a shift of ${shift} bits; want at most 32`, { offset: reader.offset });
  decodeIntegers(reader, highs, 0, count);
  const weight = 2 ** (32 - shift);
  const unit = 2 ** shift;
  for (let i = 0; i < count; i++) {
    const value = highs[i] as number;
    const high = Math.floor(value / weight);
    words[2 * i] = (value - high * weight) * unit;
    words[2 * i + 1] = high;
  }
}

/** Appends the patterns as two columns: high halves (signed), low halves without their last `shift` bits. */
export function encodeSplitBits(out: ByteWriter, words: Uint32Array, count: number, shift: number): void {
  for (let i = 0; i < count; i++) {
    lows[i] = shift === 32 ? 0 : (words[2 * i] as number) >>> shift;
    highs[i] = (words[2 * i + 1] as number) | 0;
  }
  out.u8(shift);
  encodeIntegers(out, highs, 0, count);
  encodeIntegers(out, lows, 0, count);
}

export function decodeSplitBits(reader: ByteReader, words: Uint32Array, count: number): void {
  const shift = reader.u8();
  if (shift > 32) throw corrupt(`got a shift of ${shift} bits; want at most 32`, { offset: reader.offset });
  decodeIntegers(reader, highs, 0, count);
  decodeIntegers(reader, lows, 0, count);
  const unit = 2 ** shift;
  for (let i = 0; i < count; i++) {
    words[2 * i] = (lows[i] as number) * unit;
    words[2 * i + 1] = highs[i] as number;
  }
}

/** Significant bytes, from the low end, of a pattern given by its halves. */
function significantBytes(high: number, low: number): number {
  if (high !== 0) return 4 + ((39 - Math.clz32(high)) >> 3);
  return (39 - Math.clz32(low)) >> 3;
}

/** Bytes that `encodeXor` takes. */
export function xorBytes(words: Uint32Array, count: number): number {
  let sizeBytes = (count + 1) >> 1;
  let low = 0;
  let high = 0;
  for (let i = 0; i < count; i++) {
    sizeBytes += significantBytes(((words[2 * i + 1] as number) ^ high) >>> 0, ((words[2 * i] as number) ^ low) >>> 0);
    low = words[2 * i] as number;
    high = words[2 * i + 1] as number;
  }
  return sizeBytes;
}

/**
 * Appends each pattern as its exclusive-or with the one before (Gorilla, Pelkonen et al., VLDB 2015), in whole bytes:
 * a nibble says how many low bytes follow (as in FPC, Burtscher and Ratanaworabhan, DCC 2007), 0 for a repeat.
 */
export function encodeXor(out: ByteWriter, words: Uint32Array, count: number): void {
  const nibbles = (count + 1) >> 1;
  out.reserve(nibbles + count * 8);
  const { bytes } = out;
  let control = out.length;
  let at = control + nibbles;
  bytes.fill(0, control, at);
  let low = 0;
  let high = 0;
  for (let i = 0; i < count; i++) {
    let xorLow = ((words[2 * i] as number) ^ low) >>> 0;
    let xorHigh = ((words[2 * i + 1] as number) ^ high) >>> 0;
    const length = significantBytes(xorHigh, xorLow);
    bytes[control] = (bytes[control] as number) | (length << ((i & 1) * 4));
    control += i & 1;
    for (let j = 0; j < length; j++) {
      bytes[at++] = xorLow;
      xorLow = (xorLow >>> 8) | (xorHigh << 24);
      xorHigh >>>= 8;
    }
    low = words[2 * i] as number;
    high = words[2 * i + 1] as number;
  }
  out.length = at;
}

export function decodeXor(reader: ByteReader, words: Uint32Array, count: number): void {
  const { bytes } = reader;
  const control = reader.take((count + 1) >> 1);
  let low = 0;
  let high = 0;
  for (let i = 0; i < count; i++) {
    const length = ((bytes[control + (i >> 1)] as number) >> ((i & 1) * 4)) & 15;
    if (length > 8) throw corrupt(`got ${length} bytes of a double; want at most 8`, { offset: reader.offset });
    const at = reader.take(length);
    for (let j = 0; j < length; j++) {
      const byte = bytes[at + j] as number;
      if (j < 4) low ^= byte << (j * 8);
      else high ^= byte << ((j - 4) * 8);
    }
    words[2 * i] = low;
    words[2 * i + 1] = high;
  }
}
