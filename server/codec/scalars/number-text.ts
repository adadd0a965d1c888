// Numbers as the fewest digits that give them again, written into bytes four digits at a time
// (`bench/server/json.ts`). Numbers outside the fast paths go through the language's own String().
// Every function writes at `offset`, returns the offset after what it wrote, and may overwrite up to three bytes more.

import { POWERS_OF_TEN } from './powers-of-ten.ts';

const ZERO = 0x30;
const ZEROS = 0x30303030;
const MINUS = 0x2d;
const POINT = 0x2e;

/** Below this magnitude decimals of at most 15 digits are told apart by doubles. */
const EXACT_LIMIT = 1e15;
/** Smaller magnitudes are written with an exponent. */
const SMALLEST_PLAIN = 1e-6;
const INT32_LIMIT = 2e9;
/** Larger scales have digits that stand for less than `SMALLEST_PLAIN`. */
const MAX_REMEMBERED_SCALE = 6;
/** From here on singles are whole numbers. */
const SINGLE_WHOLE = 8_388_608;
/** Below this a single of 9 digits has more than 11 after the point. */
const SMALLEST_SCALED_SINGLE = 1e-3;
const MAX_SINGLE_SCALE = 11;
/** The most bytes that a number takes, overwritten ones included. */
export const MAX_NUMBER_BYTES = 32;

/** `0000` to `9999` as four ASCII bytes in one little-endian word. */
export const FOUR_DIGITS = Int32Array.from({ length: 10_000 }, (_, value) =>
  Buffer.from(String(value).padStart(4, '0'), 'latin1').readInt32LE(0),
);
const SMALL_POWERS = Int32Array.of(1, 10, 100, 1000, 10_000);

/** A text of ASCII characters. */
export function writeAscii(bytes: Buffer, offset: number, text: string): number {
  return offset + bytes.write(text, offset, 'latin1');
}

/** Four digits, with leading zeros. */
export function writeFourDigits(view: DataView, offset: number, value: number): void {
  view.setInt32(offset, FOUR_DIGITS[value] as number, true);
}

/** A whole number from 0 to 9,999. */
function writeSmall(view: DataView, offset: number, value: number): number {
  // leading zeros are shifted out
  const missing = (value < 10 ? 1 : 0) + (value < 100 ? 1 : 0) + (value < 1000 ? 1 : 0);
  view.setInt32(offset, (FOUR_DIGITS[value] as number) >> (missing << 3), true);
  return (offset + 4 - missing) | 0;
}

/** The last `count` digits of a whole number from 0 to 2^53, with leading zeros. */
function writeFixed(view: DataView, offset: number, value: number, count: number): number {
  let rest = value;
  let end = offset + count;
  while (end - offset >= 4) {
    const upper = Math.floor(rest / 10_000);
    end -= 4;
    writeFourDigits(view, end, rest - upper * 10_000);
    rest = upper;
  }
  while (end > offset) {
    const upper = Math.floor(rest / 10);
    view.setUint8(--end, ZERO + rest - upper * 10);
    rest = upper;
  }
  return offset + count;
}

/** A whole number from 0 to 2^53. */
export function writeWhole(view: DataView, offset: number, value: number): number {
  if (value < 10_000) return writeSmall(view, offset, value);
  const upper = Math.floor(value / 10_000);
  const next = writeWhole(view, offset, upper);
  writeFourDigits(view, next, value - upper * 10_000);
  return next + 4;
}

/** `.` and `scale` digits of a fraction other than zero, from which trailing zeros are left out. */
function writeFraction(view: DataView, offset: number, fraction: number, scale: number): number {
  if (scale > 4) return writeLongFraction(view, offset, fraction, scale);
  const word = FOUR_DIGITS[fraction * (SMALL_POWERS[4 - scale] as number)] as number;
  view.setUint8(offset, POINT);
  view.setInt32((offset + 1) | 0, word, true);
  const zeroCount = Math.clz32(word ^ ZEROS) >>> 3; // the last digits are the upper bytes
  return (offset + 5 - zeroCount) | 0;
}

function writeLongFraction(view: DataView, offset: number, fraction: number, scale: number): number {
  let rest = fraction;
  let left = scale;
  while (rest % 10 === 0) {
    rest /= 10;
    left--;
  }
  view.setUint8(offset, POINT);
  if (left > 4) return writeFixed(view, offset + 1, rest, left);
  writeFourDigits(view, offset + 1, rest * (SMALL_POWERS[4 - left] as number));
  return offset + 1 + left;
}

/**
 * Writes doubles and singles. Remembers the scale of the last number: the next one of the same tag mostly has it, too.
 */
export class NumberWriter {
  #scale = 0;
  /** 10^scale */
  #power = 1;

  /** Decimals of the last number that had few. */
  get rememberedScale(): number {
    return this.#scale;
  }

  /** A finite double, shortest form; `-0` keeps its sign. */
  double(bytes: Buffer, view: DataView, offset: number, value: number): number {
    const power = this.#power;
    const magnitude = Math.abs(value);
    const scaled = magnitude * power;
    if (scaled >= INT32_LIMIT) return this.#otherDouble(bytes, view, offset, value);
    const digits = (scaled + 0.5) | 0;
    // At most 15 digits that give the double again when divided are its shortest form: no two share a double.
    if (digits === 0 || digits / power !== magnitude) return this.#otherDouble(bytes, view, offset, value);
    const next = writeSign(view, offset, value);
    const whole = magnitude | 0;
    const fraction = digits - Math.imul(whole, power);
    const wholeEnd = whole < 10_000 ? writeSmall(view, next, whole) : writeWhole(view, next, whole);
    return fraction === 0 ? wholeEnd : writeFraction(view, wholeEnd, fraction, this.#scale);
  }

  /** A finite single, fewest digits that give it again in single precision. */
  single(bytes: Buffer, view: DataView, offset: number, value: number): number {
    const magnitude = Math.abs(value);
    if (magnitude === 0) return writeZero(view, offset, value);
    if (magnitude < SMALLEST_SCALED_SINGLE || magnitude >= SINGLE_WHOLE) {
      return writeAscii(bytes, offset, formatSingle(value));
    }
    const next = writeSign(view, offset, value);
    for (let scale = 0; scale <= MAX_SINGLE_SCALE; scale++) {
      const power = POWERS_OF_TEN[scale] as number;
      const digits = Math.round(magnitude * power);
      if (Math.fround(digits / power) === magnitude) return writeScaled(view, next, digits, scale);
    }
    return writeAscii(bytes, offset, formatSingle(value));
  }

  /** A double that is not a small number of the remembered scale. */
  #otherDouble(bytes: Buffer, view: DataView, offset: number, value: number): number {
    const magnitude = Math.abs(value);
    if (magnitude === 0) return writeZero(view, offset, value);
    if (magnitude < SMALLEST_PLAIN || magnitude >= EXACT_LIMIT) return writeAscii(bytes, offset, String(value));
    const scale = 14 - Math.floor(Math.log10(magnitude));
    const isTooLarge = magnitude * (POWERS_OF_TEN[scale] as number) >= EXACT_LIMIT;
    return this.#searched(bytes, view, offset, value, isTooLarge ? scale - 1 : scale);
  }

  /** Tries the largest scale that 15 digits have room for: a value that fails there fails at every scale. */
  #searched(bytes: Buffer, view: DataView, offset: number, value: number, largest: number): number {
    const magnitude = Math.abs(value);
    const power = POWERS_OF_TEN[largest] as number;
    let digits = Math.round(magnitude * power);
    if (digits >= EXACT_LIMIT || digits / power !== magnitude) return writeAscii(bytes, offset, String(value));
    let scale = largest;
    while (scale > 0 && digits % 10 === 0) {
      digits /= 10;
      scale--;
    }
    if (digits < INT32_LIMIT && scale <= MAX_REMEMBERED_SCALE) {
      this.#scale = scale;
      this.#power = POWERS_OF_TEN[scale] as number;
    }
    return writeScaled(view, writeSign(view, offset, value), digits, scale);
  }
}

function writeSign(view: DataView, offset: number, value: number): number {
  if (value >= 0) return offset;
  view.setUint8(offset, MINUS);
  return offset + 1;
}

/** Zero, with its sign. */
function writeZero(view: DataView, offset: number, value: number): number {
  const isNegative = Object.is(value, -0);
  if (isNegative) view.setUint8(offset, MINUS);
  const next = isNegative ? offset + 1 : offset;
  view.setUint8(next, ZERO);
  return next + 1;
}

/** `digits` / 10^`scale` in plain notation, for whole digits from 0 to 10^15 that do not end with 0 when there is a scale. */
function writeScaled(view: DataView, offset: number, digits: number, scale: number): number {
  if (scale === 0) return writeWhole(view, offset, digits);
  const power = POWERS_OF_TEN[scale] as number;
  const whole = Math.floor(digits / power);
  const next = writeWhole(view, offset, whole);
  view.setUint8(next, POINT);
  return writeFixed(view, next + 1, digits - whole * power, scale);
}

/** A finite single other than zero, by the fewest digits that give it again in single precision. */
function formatSingle(value: number): string {
  for (let precision = 1; precision < 9; precision++) {
    const candidate = Number(value.toPrecision(precision));
    if (Math.fround(candidate) === value) return String(candidate);
  }
  return String(Number(value.toPrecision(9)));
}
