// Numbers as the fewest digits that give them again, written into bytes four digits at a time
// (`bench/server/json.ts`). What the short ways do not cover goes through the language's own String().
// Every function writes at `place`, returns the place behind, and may spoil up to three bytes more.

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
/** At no larger scale does a digit stand for less than `SMALLEST_PLAIN`. */
const MAX_REMEMBERED_SCALE = 6;
/** From here on singles are whole numbers. */
const SINGLE_WHOLE = 8_388_608;
/** Below this a single of 9 digits has more than 11 behind the point. */
const SMALLEST_SCALED_SINGLE = 1e-3;
const MAX_SINGLE_SCALE = 11;
/** The most bytes that a number takes, spoilt ones included. */
export const MAX_NUMBER_BYTES = 32;

/** `0000` to `9999` as four ASCII bytes in one little-endian word. */
export const FOUR_DIGITS = Int32Array.from({ length: 10_000 }, (_, value) =>
  Buffer.from(String(value).padStart(4, '0'), 'latin1').readInt32LE(0),
);
const SMALL_POWERS = Int32Array.of(1, 10, 100, 1000, 10_000);

/** A text of ASCII characters. */
export function writeAscii(bytes: Buffer, place: number, text: string): number {
  return place + bytes.write(text, place, 'latin1');
}

/** Four digits, with leading zeros. */
export function writeFourDigits(view: DataView, place: number, value: number): void {
  view.setInt32(place, FOUR_DIGITS[value] as number, true);
}

/** A whole number from 0 to 9,999. */
function writeSmall(view: DataView, place: number, value: number): number {
  // leading zeros are shifted out
  const missing = (value < 10 ? 1 : 0) + (value < 100 ? 1 : 0) + (value < 1000 ? 1 : 0);
  view.setInt32(place, (FOUR_DIGITS[value] as number) >> (missing << 3), true);
  return (place + 4 - missing) | 0;
}

/** The last `count` digits of a whole number from 0 to 2^53, with leading zeros. */
function writeFixed(view: DataView, place: number, value: number, count: number): number {
  let rest = value;
  let end = place + count;
  while (end - place >= 4) {
    const upper = Math.floor(rest / 10_000);
    end -= 4;
    writeFourDigits(view, end, rest - upper * 10_000);
    rest = upper;
  }
  while (end > place) {
    const upper = Math.floor(rest / 10);
    view.setUint8(--end, ZERO + rest - upper * 10);
    rest = upper;
  }
  return place + count;
}

/** A whole number from 0 to 2^53. */
export function writeWhole(view: DataView, place: number, value: number): number {
  if (value < 10_000) return writeSmall(view, place, value);
  const upper = Math.floor(value / 10_000);
  const next = writeWhole(view, place, upper);
  writeFourDigits(view, next, value - upper * 10_000);
  return next + 4;
}

/** `.` and `scale` digits of a fraction other than zero, from which trailing zeros are left out. */
function writeFraction(view: DataView, place: number, fraction: number, scale: number): number {
  if (scale > 4) return writeLongFraction(view, place, fraction, scale);
  const word = FOUR_DIGITS[fraction * (SMALL_POWERS[4 - scale] as number)] as number;
  view.setUint8(place, POINT);
  view.setInt32((place + 1) | 0, word, true);
  const zeroCount = Math.clz32(word ^ ZEROS) >>> 3; // the last digits are the upper bytes
  return (place + 5 - zeroCount) | 0;
}

function writeLongFraction(view: DataView, place: number, fraction: number, scale: number): number {
  let rest = fraction;
  let left = scale;
  while (rest % 10 === 0) {
    rest /= 10;
    left--;
  }
  view.setUint8(place, POINT);
  if (left > 4) return writeFixed(view, place + 1, rest, left);
  writeFourDigits(view, place + 1, rest * (SMALL_POWERS[4 - left] as number));
  return place + 1 + left;
}

/**
 * Writes doubles and singles. Remembers the scale of the last number: the next one of the same tag mostly has it, too.
 */
export class NumberWriter {
  private scale = 0;
  /** 10^scale */
  private power = 1;

  /** Digits behind the point of the last number that had few. */
  get rememberedScale(): number {
    return this.scale;
  }

  /** A finite double, shortest form; `-0` keeps its sign. */
  double(bytes: Buffer, view: DataView, place: number, value: number): number {
    const { power } = this;
    const magnitude = Math.abs(value);
    const scaled = magnitude * power;
    if (scaled >= INT32_LIMIT) return this.otherDouble(bytes, view, place, value);
    const digits = (scaled + 0.5) | 0;
    // Digits of at most 15 places that give the double again when divided are its shortest form: no two share a double.
    if (digits === 0 || digits / power !== magnitude) return this.otherDouble(bytes, view, place, value);
    const next = writeSign(view, place, value);
    const whole = magnitude | 0;
    const fraction = digits - Math.imul(whole, power);
    const wholeEnd = whole < 10_000 ? writeSmall(view, next, whole) : writeWhole(view, next, whole);
    return fraction === 0 ? wholeEnd : writeFraction(view, wholeEnd, fraction, this.scale);
  }

  /** A finite single, fewest digits that give it again in single precision. */
  single(bytes: Buffer, view: DataView, place: number, value: number): number {
    const magnitude = Math.abs(value);
    if (magnitude === 0) return writeZero(view, place, value);
    if (magnitude < SMALLEST_SCALED_SINGLE || magnitude >= SINGLE_WHOLE) {
      return writeAscii(bytes, place, formatSingle(value));
    }
    const next = writeSign(view, place, value);
    for (let scale = 0; scale <= MAX_SINGLE_SCALE; scale++) {
      const power = POWERS_OF_TEN[scale] as number;
      const digits = Math.round(magnitude * power);
      if (Math.fround(digits / power) === magnitude) return writeScaled(view, next, digits, scale);
    }
    return writeAscii(bytes, place, formatSingle(value));
  }

  /** A double that is not a small number of the remembered scale. */
  private otherDouble(bytes: Buffer, view: DataView, place: number, value: number): number {
    const magnitude = Math.abs(value);
    if (magnitude === 0) return writeZero(view, place, value);
    if (magnitude < SMALLEST_PLAIN || magnitude >= EXACT_LIMIT) return writeAscii(bytes, place, String(value));
    const scale = 14 - Math.floor(Math.log10(magnitude));
    const isTooLarge = magnitude * (POWERS_OF_TEN[scale] as number) >= EXACT_LIMIT;
    return this.searched(bytes, view, place, value, isTooLarge ? scale - 1 : scale);
  }

  /** Tries the largest scale that 15 digits have room for: what fails there fails at all of them. */
  private searched(bytes: Buffer, view: DataView, place: number, value: number, largest: number): number {
    const magnitude = Math.abs(value);
    const power = POWERS_OF_TEN[largest] as number;
    let digits = Math.round(magnitude * power);
    if (digits >= EXACT_LIMIT || digits / power !== magnitude) return writeAscii(bytes, place, String(value));
    let scale = largest;
    while (scale > 0 && digits % 10 === 0) {
      digits /= 10;
      scale--;
    }
    if (digits < INT32_LIMIT && scale <= MAX_REMEMBERED_SCALE) {
      this.scale = scale;
      this.power = POWERS_OF_TEN[scale] as number;
    }
    return writeScaled(view, writeSign(view, place, value), digits, scale);
  }
}

function writeSign(view: DataView, place: number, value: number): number {
  if (value >= 0) return place;
  view.setUint8(place, MINUS);
  return place + 1;
}

/** Zero, with its sign. */
function writeZero(view: DataView, place: number, value: number): number {
  const isNegative = Object.is(value, -0);
  if (isNegative) view.setUint8(place, MINUS);
  const next = isNegative ? place + 1 : place;
  view.setUint8(next, ZERO);
  return next + 1;
}

/** `digits` / 10^`scale` in plain notation, for whole digits from 0 to 10^15 that do not end with 0 when there is a scale. */
function writeScaled(view: DataView, place: number, digits: number, scale: number): number {
  if (scale === 0) return writeWhole(view, place, digits);
  const power = POWERS_OF_TEN[scale] as number;
  const whole = Math.floor(digits / power);
  const next = writeWhole(view, place, whole);
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
