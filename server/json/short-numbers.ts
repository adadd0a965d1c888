// Reads the numbers that points mostly have, short and without an exponent, from bytes into a column.

import { countDigits, digitsOf } from './digit-words.ts';
import { EXACT_DIGITS, POWERS_OF_TEN } from './powers-of-ten.ts';

const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const CLOSE_BRACE = 0x7d;
const SMALL_POWERS = [1, 10, 100, 1000, 10_000] as const;
/** Bytes of the longest number that is read here, its sign left out. */
const MAX_BYTES = 24;
const QUALITY_DIGITS = 9;

/** Whether a number ends before this byte: a comma, white space (or worse, which its reader will see), a brace. */
function endsNumber(byte: number): boolean {
  return byte <= COMMA || byte === CLOSE_BRACE;
}

/**
 * Reads a JSON number into entry `i`; the place behind it, or -1 when it is none, has an exponent, is too long, or is -0.
 * Words are read up to 12 bytes behind the start.
 */
export function readNumber(bytes: Buffer, view: DataView, start: number, numbers: Float64Array, i: number): number {
  const first = bytes[start] === MINUS ? start + 1 : start;
  const word = view.getInt32(first, true);
  const wholeCount = countDigits(word);
  if (wholeCount === 0 || ((word & 0xff) === ZERO && wholeCount > 1)) return -1;
  const whole = digitsOf(word, wholeCount);
  let end = first + wholeCount;
  if (bytes[end] === POINT) {
    const fractionWord = view.getInt32(end + 1, true);
    const fractionCount = countDigits(fractionWord);
    if (fractionCount === 0) return -1;
    end += 1 + fractionCount;
    const power = SMALL_POWERS[fractionCount] as number;
    numbers[i] = (whole * power + digitsOf(fractionWord, fractionCount)) / power;
  } else {
    numbers[i] = whole;
  }
  if (!endsNumber(bytes[end] as number)) {
    end = readLongNumber(bytes, first, numbers, i);
    if (end < 0) return -1;
  }
  if (first === start) return end;
  numbers[i] = -(numbers[i] as number);
  return numbers[i] === 0 ? -1 : end; // types differ about -0
}

/** The same without a sign, of any number of digits on each side of the point. */
function readLongNumber(bytes: Buffer, start: number, numbers: Float64Array, i: number): number {
  const last = start + MAX_BYTES;
  let digits = 0;
  let point = -1;
  let place = start;
  for (; place < last; place++) {
    const digit = (bytes[place] as number) - ZERO;
    if (digit >= 0 && digit <= 9) {
      digits = digits * 10 + digit;
    } else {
      if (digit !== POINT - ZERO || point >= 0) break;
      point = place;
    }
  }
  if (place === last || point === place - 1 || !endsNumber(bytes[place] as number)) return -1;
  const digitCount = place - start - (point < 0 ? 0 : 1);
  if (digitCount > EXACT_DIGITS) numbers[i] = Number(bytes.toString('latin1', start, place));
  else numbers[i] = point < 0 ? digits : digits / (POWERS_OF_TEN[place - point - 1] as number);
  return place;
}

/** Reads a quality of up to 9 digits without a sign into entry `i`; the place behind the digits, or -1. */
export function readQuality(bytes: Buffer, start: number, qualities: Int32Array, i: number): number {
  let quality = 0;
  let place = start;
  for (; place < start + QUALITY_DIGITS; place++) {
    const digit = (bytes[place] as number) - ZERO;
    if (digit < 0 || digit > 9) break;
    quality = quality * 10 + digit;
  }
  qualities[i] = quality;
  const hasLeadingZero = bytes[start] === ZERO && place > start + 1;
  return place === start || hasLeadingZero ? -1 : place;
}
