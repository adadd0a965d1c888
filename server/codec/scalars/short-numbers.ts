// Reads numbers in their common forms, mostly without an exponent, from bytes into a column (`bench/server/json.ts`).

import { isNumberLiteral } from './decimal-literal.ts';
import { countDigits, digitsOf } from './digit-words.ts';
import { HALF_DIGITS, LONG_DIGITS, nearestDecimal } from './long-decimals.ts';
import { EXACT_DIGITS, POWERS_OF_TEN } from './powers-of-ten.ts';

const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const CLOSE_BRACE = 0x7d;
/** What tells a bracket from a brace in ASCII. */
const BRACE_BIT = 0x20;
const SMALL_POWERS = Int32Array.of(1, 10, 100, 1000, 10_000);
const MAX_MANTISSA = 2_147_483_647;
const MOST_DECIMALS = 9;
/** Bytes of the longest number that is read here, its sign left out. */
const MAX_BYTES = 24;
/** Bytes of the longest number with an exponent. */
const MAX_LITERAL_BYTES = 32;
const QUALITY_DIGITS = 9;
const SPACE = 0x20;

/** Whether a number ends before this byte: a comma, a bracket, a brace, white space (or an invalid byte, which the next reader rejects). */
const endsNumber = (byte: number): boolean => byte <= COMMA || (byte | BRACE_BIT) === CLOSE_BRACE;

/** Whether a number of any form ends before this byte. */
const endsLiteral = (byte: number): boolean => byte <= SPACE || byte === COMMA || (byte | BRACE_BIT) === CLOSE_BRACE;

/** Decimals of the number that `readDecimal` has read last. */
export const WRITTEN_DECIMALS = new Int32Array(1);
const writtenDecimals = WRITTEN_DECIMALS;

/**
 * Reads a JSON number of up to four digits on each side of the point as mantissa `i`. Returns the offset after it, and puts
 * its decimals into `WRITTEN_DECIMALS`; -1 when it is something else, or -0. Reads words up to 12 bytes after the start.
 */
export function readShortDecimal(
  bytes: Buffer,
  view: DataView,
  start: number,
  mantissas: Int32Array,
  i: number,
): number {
  const isNegative = bytes[start] === MINUS;
  const first = isNegative ? (start + 1) | 0 : start;
  const word = view.getInt32(first, true);
  const wholeCount = countDigits(word);
  if (wholeCount === 0 || ((word & 0xff) === ZERO && wholeCount > 1)) return -1;
  let mantissa = digitsOf(word, wholeCount) | 0;
  let end = (first + wholeCount) | 0;
  let decimals = 0;
  if (bytes[end] === POINT) {
    const fractionWord = view.getInt32((end + 1) | 0, true);
    decimals = countDigits(fractionWord);
    if (decimals === 0) return -1;
    const fraction = digitsOf(fractionWord, decimals);
    mantissa = (Math.imul(mantissa, SMALL_POWERS[decimals] as number) + fraction) | 0;
    end = (end + 1 + decimals) | 0;
  }
  if (!endsNumber(bytes[end] as number)) return -1;
  if (isNegative) {
    if (mantissa === 0) return -1; // types differ about -0
    mantissa = -mantissa | 0;
  }
  mantissas[i] = mantissa;
  writtenDecimals[0] = decimals;
  return end;
}

/** The same for a mantissa of up to 32 bits with up to 9 decimals. */
export function readDecimal(bytes: Buffer, start: number, mantissas: Int32Array, i: number): number {
  const isNegative = bytes[start] === MINUS;
  const first = isNegative ? (start + 1) | 0 : start;
  let mantissa = 0;
  let point = 0;
  let offset = first;
  // Zeros in front leave the mantissa as it is: without a limit they would be read up to the end, and beyond it for ever.
  const last = (first + MAX_BYTES) | 0;
  for (; mantissa <= MAX_MANTISSA && offset < last; offset = (offset + 1) | 0) {
    const digit = ((bytes[offset] as number) - ZERO) | 0;
    if (digit >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit;
    } else {
      if (digit !== POINT - ZERO || point > 0) break;
      point = offset;
    }
  }
  const wholeCount = (point > 0 ? point : offset) - first;
  const decimals = point > 0 ? offset - point - 1 : 0;
  if (wholeCount === 0 || (bytes[first] === ZERO && wholeCount > 1)) return -1;
  if ((point > 0 && decimals === 0) || decimals > MOST_DECIMALS || !endsNumber(bytes[offset] as number)) return -1;
  if (mantissa > MAX_MANTISSA || (isNegative && mantissa === 0)) return -1;
  mantissas[i] = isNegative ? -mantissa : mantissa;
  writtenDecimals[0] = decimals;
  return offset;
}

/**
 * Reads a JSON number of any number of digits on each side of the point into entry `i`; the offset after it, or -1 when it
 * is something else, or -0.
 */
export function readNumber(bytes: Buffer, start: number, numbers: Float64Array, i: number): number {
  const isNegative = bytes[start] === MINUS;
  const first = isNegative ? start + 1 : start;
  const last = Math.min(first + MAX_BYTES, bytes.length);
  // Two halves in whole numbers of 32 bits: a sum of doubles would wait for two operations at every digit.
  let upper = 0;
  let lower = 0;
  let digitCount = 0;
  let point = -1;
  let offset = first;
  for (; offset < last; offset++) {
    const digit = ((bytes[offset] as number) - ZERO) | 0;
    if (digit >= 0 && digit <= 9) {
      if (digitCount < HALF_DIGITS) upper = (Math.imul(upper, 10) + digit) | 0;
      else if (digitCount < LONG_DIGITS) lower = (Math.imul(lower, 10) + digit) | 0;
      digitCount++;
    } else {
      if (digit !== POINT - ZERO || point >= 0) break;
      point = offset;
    }
  }
  const wholeCount = (point < 0 ? offset : point) - first;
  if (wholeCount === 0 || (bytes[first] === ZERO && wholeCount > 1)) return -1;
  if (offset === last || point === offset - 1 || !endsNumber(bytes[offset] as number)) return -1;
  const scale = point < 0 ? 0 : offset - point - 1;
  const lowerDigits = Math.max(0, Math.min(HALF_DIGITS, digitCount - HALF_DIGITS));
  let value = Number.NaN;
  if (digitCount <= EXACT_DIGITS) {
    value = upper * (POWERS_OF_TEN[lowerDigits] as number) + lower;
    if (scale > 0) value /= POWERS_OF_TEN[scale] as number;
  } else if (digitCount <= LONG_DIGITS) value = nearestDecimal(upper, lower, lowerDigits, scale);
  if (Number.isNaN(value)) value = Number(bytes.toString('latin1', first, offset));
  if (isNegative && value === 0) return -1; // types differ about -0
  numbers[i] = isNegative ? -value : value;
  return offset;
}

/** Any JSON number that a double holds, `-0` included; otherwise as `readNumber`. */
export function readDouble(bytes: Buffer, start: number, numbers: Float64Array, i: number): number {
  const end = readNumber(bytes, start, numbers, i);
  if (end >= 0) return end;
  const last = Math.min(start + MAX_LITERAL_BYTES, bytes.length);
  let offset = start;
  while (offset < last && !endsLiteral(bytes[offset] as number)) offset++;
  const literal = bytes.toString('latin1', start, offset);
  const value = isNumberLiteral(literal) ? Number(literal) : Number.NaN;
  if (offset === last || !Number.isFinite(value)) return -1;
  numbers[i] = value;
  return offset;
}

/** Reads a quality of up to 9 digits without a sign into entry `i`; the offset after the digits, or -1. */
export function readQuality(bytes: Buffer, start: number, qualities: Int32Array, i: number): number {
  let quality = 0;
  let offset = start;
  const last = Math.min(start + QUALITY_DIGITS, bytes.length);
  for (; offset < last; offset++) {
    const digit = (bytes[offset] as number) - ZERO;
    if (digit < 0 || digit > 9) break;
    quality = quality * 10 + digit;
  }
  qualities[i] = quality;
  const hasLeadingZero = bytes[start] === ZERO && offset > start + 1;
  return offset === start || hasLeadingZero ? -1 : offset;
}
