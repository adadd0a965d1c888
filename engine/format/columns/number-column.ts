// The value column of types stored in `numbers`: whole numbers unchanged, doubles and singles as scaled decimals with a few
// exceptions, or by their bits.

import { corrupt } from '../../errors.ts';
import { MAX_BLOCK_POINTS } from '../bytes/block-limits.ts';
import type { ByteReader, ByteWriter } from '../bytes/byte-cursors.ts';
import { decodeIntegers, encodeIntegers } from '../integers/integer-column.ts';
import {
  exponentOf,
  exponentOfSingle,
  guessExponent,
  MAX_EXPONENT,
  scaleDecimals,
  scaleSingles,
  unscaleDecimals,
} from './decimal-scaling.ts';
import {
  commonShift,
  decodeShiftedBits,
  decodeSplitBits,
  decodeXor,
  encodeShiftedBits,
  encodeSplitBits,
  encodeXor,
  fitsOneColumn,
  xorBytes,
} from './double-bits.ts';

/** The number is the code on disk, so it never changes. */
export const NumberForm = {
  /** Exponent, and a column of mantissas. */
  Decimals: 1,
  /** Decimals, with positions and bits of the values that are none. */
  DecimalsWithExceptions: 2,
  ShiftedBits: 3,
  SplitBits: 4,
  Xor: 5,
  /** Exponent, and a column of mantissas; each quotient is then rounded to single precision. */
  SingleDecimals: 6,
} as const;

/** At most one value in this many may be an exception among decimals. */
const EXCEPTION_SHARE = 16;

const mantissas = new Float64Array(MAX_BLOCK_POINTS);
const exceptionIndexes = new Float64Array(MAX_BLOCK_POINTS);
const exceptionValues = new Float64Array(MAX_BLOCK_POINTS);
const exceptionWords = new Uint32Array(exceptionValues.buffer);

/** Appends `values[0, count)`; `words` is their memory as 32-bit halves. */
export function encodeDoubles(out: ByteWriter, values: Float64Array, words: Uint32Array, count: number): void {
  const exponent = guessExponent(values, count, exponentOf);
  if (exponent >= 0 && encodeDecimals(out, values, count, exponent)) return;
  encodeBits(out, words, count);
}

/** Appends singles, `values[0, count)`, widened to doubles. */
export function encodeSingles(out: ByteWriter, values: Float64Array, words: Uint32Array, count: number): void {
  const exponent = guessExponent(values, count, exponentOfSingle);
  if (exponent < 0 || !scaleSingles(values, count, exponent, mantissas))
    return encodeDoubles(out, values, words, count);
  out.u8(NumberForm.SingleDecimals);
  out.u8(exponent);
  encodeIntegers(out, mantissas, 0, count);
}

function encodeDecimals(out: ByteWriter, values: Float64Array, count: number, guess: number): boolean {
  const exceptionLimit = Math.floor(count / EXCEPTION_SHARE);
  let exponent = guess;
  let found = scaleDecimals(values, count, exponent, mantissas, exceptionIndexes, exceptionLimit);
  if (found > exceptionLimit) {
    exponent = largestExponent(values, count);
    if (exponent <= guess) return false;
    found = scaleDecimals(values, count, exponent, mantissas, exceptionIndexes, exceptionLimit);
    if (found > exceptionLimit) return false;
  }
  out.u8(found > 0 ? NumberForm.DecimalsWithExceptions : NumberForm.Decimals);
  out.u8(exponent);
  encodeIntegers(out, mantissas, 0, count);
  if (found > 0) encodeExceptions(out, values, found);
  return true;
}

function largestExponent(values: Float64Array, count: number): number {
  let exponent = -1;
  for (let i = 0; i < count; i++) exponent = Math.max(exponent, exponentOf(values[i] as number, 0));
  return exponent;
}

function encodeExceptions(out: ByteWriter, values: Float64Array, found: number): void {
  for (let k = 0; k < found; k++) exceptionValues[k] = values[exceptionIndexes[k] as number] as number;
  out.varint(found);
  encodeIntegers(out, exceptionIndexes, 0, found);
  encodeXor(out, exceptionWords, found);
}

function encodeBits(out: ByteWriter, words: Uint32Array, count: number): void {
  const before = out.length;
  const shift = commonShift(words, count);
  if (fitsOneColumn(shift)) {
    out.u8(NumberForm.ShiftedBits);
    encodeShiftedBits(out, words, count, shift);
  } else {
    out.u8(NumberForm.SplitBits);
    encodeSplitBits(out, words, count, shift);
  }
  if (xorBytes(words, count) + 1 >= out.length - before) return;
  out.length = before;
  out.u8(NumberForm.Xor);
  encodeXor(out, words, count);
}

/** Fills `values[0, count)`, `words` is its memory. Throws CORRUPT. */
export function decodeDoubles(reader: ByteReader, values: Float64Array, words: Uint32Array, count: number): void {
  const form = reader.u8();
  switch (form) {
    case NumberForm.Decimals:
    case NumberForm.DecimalsWithExceptions:
      return decodeDecimals(reader, values, count, form);
    case NumberForm.ShiftedBits:
      return decodeShiftedBits(reader, words, count);
    case NumberForm.SplitBits:
      return decodeSplitBits(reader, words, count);
    case NumberForm.Xor:
      return decodeXor(reader, words, count);
    default:
      throw corrupt(`got number form ${form}; want 1 to 5`, { offset: reader.offset });
  }
}

/** Fills `values` with singles. Throws CORRUPT. */
export function decodeSingles(reader: ByteReader, values: Float64Array, words: Uint32Array, count: number): void {
  if (reader.bytes[reader.offset] !== NumberForm.SingleDecimals) return decodeDoubles(reader, values, words, count);
  reader.take(1);
  decodeDecimals(reader, values, count, NumberForm.Decimals);
  for (let i = 0; i < count; i++) values[i] = Math.fround(values[i] as number);
}

function decodeDecimals(reader: ByteReader, values: Float64Array, count: number, form: number): void {
  const exponent = reader.u8();
  if (exponent > MAX_EXPONENT)
    throw corrupt(`got exponent ${exponent}; want at most ${MAX_EXPONENT}`, { offset: reader.offset });
  decodeIntegers(reader, values, 0, count);
  unscaleDecimals(values, 0, count, exponent);
  if (form === NumberForm.DecimalsWithExceptions) decodeExceptions(reader, values, count);
}

function decodeExceptions(reader: ByteReader, values: Float64Array, count: number): void {
  const found = reader.varint();
  if (found < 1 || found > count)
    throw corrupt(`got ${found} exceptions; want at most ${count}`, { offset: reader.offset });
  decodeIntegers(reader, exceptionIndexes, 0, found);
  decodeXor(reader, exceptionWords, found);
  for (let k = 0; k < found; k++) {
    const index = exceptionIndexes[k] as number;
    if (!(index >= 0 && index < count))
      throw corrupt(`exception at ${index} of ${count} values`, { offset: reader.offset });
    values[index] = exceptionValues[k] as number;
  }
}
