// The common case of answers, as JSON in one loop: doubles that are decimals of few digits, good, not null, at whole
// milliseconds. Everything else is left to tvq-writer.ts, which gives the same bytes more slowly.

import { GOOD_QUALITY, type PointColumns } from '../../../engine/index.ts';
import { FOUR_DIGITS, MAX_NUMBER_BYTES, type NumberWriter } from '../scalars/number-text.ts';
import type { OutputBytes } from './output-bytes.ts';
import { SECOND_WORDS, type TimeWriter } from './time-writer.ts';

const MS_PER_MINUTE = 60_000;
const MINUS = 0x2d;
const COMMA = 0x2c;
/** Room for one point: the longest number, and bytes that stores may overwrite. */
const POINT_BYTES = 96;
/** The same of a value and its comma. */
const VALUE_BYTES = MAX_NUMBER_BYTES + 8;
/** Decimals that one store writes. */
const MAX_SCALE = 3;
const POWERS = Int32Array.of(1, 10, 100, 1000);
/** Magnitudes from here on do not fit the words. */
const WHOLE_LIMIT = 10_000;

/** Eight ASCII bytes, which never make a NaN, in one store. */
function asciiDouble(text: string): number {
  return Buffer.from(text, 'latin1').readDoubleLE(0);
}

const HEAD = '{"t":"';
const QUALITY = asciiDouble(',"q":192');
const BETWEEN = asciiDouble('},{"t":"');
/** `mmmZ","v` by millisecond, and what follows it. */
const MS_DOUBLES = Float64Array.from({ length: 1000 }, (_, ms) => asciiDouble(`${String(ms).padStart(3, '0')}Z","v`));
const COLON = Buffer.from('":', 'latin1').readInt16LE(0);
/** `.ddd` by thousandth. */
const FRACTION_WORDS = Int32Array.from({ length: 1000 }, (_, thousandths) =>
  Buffer.from(`.${String(thousandths).padStart(3, '0')}`, 'latin1').readInt32LE(0),
);
/** A word XORed with this is zero in the bytes of trailing zeros. */
const NO_FRACTION = FRACTION_WORDS[0] as number;

/** Factor that makes a number of the remembered scale whole; 0, which fits no number, when the scale is too large. */
function powerOf({ rememberedScale: scale }: NumberWriter): number {
  return scale <= MAX_SCALE ? (POWERS[scale] as number) : 0;
}

/** Factor that makes the fraction, as a whole number of the remembered scale, thousandths. */
function padOf({ rememberedScale: scale }: NumberWriter): number {
  return scale <= MAX_SCALE ? (POWERS[MAX_SCALE - scale] as number) : 0;
}

const NOT_WRITTEN = -1;

/** Writes a double below 10,000 that is a decimal of at most the given scale; returns the offset after, or `NOT_WRITTEN`. */
function writeDecimal(view: DataView, start: number, value: number, power: number, pad: number): number {
  const magnitude = Math.abs(value);
  if (magnitude >= WHOLE_LIMIT) return NOT_WRITTEN;
  const digits = (magnitude * power + 0.5) | 0;
  // Digits that give the double again when divided are its shortest form: no two share a double.
  if (digits === 0 || digits / power !== magnitude) return NOT_WRITTEN;
  let offset = start;
  if (value < 0) {
    view.setUint8(offset, MINUS);
    offset = (offset + 1) | 0;
  }
  const units = magnitude | 0;
  const missing = (units < 10 ? 1 : 0) + (units < 100 ? 1 : 0) + (units < 1000 ? 1 : 0);
  view.setInt32(offset, (FOUR_DIGITS[units] as number) >> (missing << 3), true);
  offset = (offset + 4 - missing) | 0;
  const fraction = FRACTION_WORDS[Math.imul(digits - Math.imul(units, power), pad)] as number;
  view.setInt32(offset, fraction, true);
  // Without the zeros at its end; all of it, point included, when there is nothing but zeros.
  return (offset + 4 - (Math.clz32(fraction ^ NO_FRACTION) >>> 3)) | 0;
}

/** Whether the points `[start, end)` are good, not null and without ticks. */
export function arePlainPoints({ ticks, nulls, qualities }: PointColumns, start: number, end: number): boolean {
  let others = 0;
  for (let i = start; i < end; i++) {
    others |= (ticks[i] as number) | (nulls[i] as number) | ((qualities[i] as number) ^ GOOD_QUALITY);
  }
  return others === 0;
}

/** Appends points that `arePlainPoints`, with doubles as values; a comma after each. `bench/server/json.ts` */
export function writePlainPoints(
  out: OutputBytes,
  points: PointColumns,
  start: number,
  end: number,
  times: TimeWriter,
  numbers: NumberWriter,
): void {
  const { timesMs, numbers: values } = points;
  out.reserve((end - start + 1) * POINT_BYTES);
  out.ascii(HEAD);
  const { bytes, view } = out;
  let { minuteMs, front, back } = times;
  let power = powerOf(numbers);
  let pad = padOf(numbers);
  let offset = out.length;
  for (let i = start; i < end; i++) {
    const ms = timesMs[i] as number;
    let msOfMinute = ms - minuteMs;
    if (!(msOfMinute >= 0 && msOfMinute < MS_PER_MINUTE)) {
      msOfMinute = times.turnTo(ms);
      ({ minuteMs, front, back } = times);
    }
    const whole = msOfMinute | 0;
    const second = (whole / 1000) | 0;
    view.setFloat64(offset, front, true);
    view.setFloat64((offset + 8) | 0, back, true);
    view.setInt32((offset + 16) | 0, SECOND_WORDS[second] as number, true);
    view.setFloat64((offset + 20) | 0, MS_DOUBLES[(whole - second * 1000) | 0] as number, true);
    view.setInt16((offset + 28) | 0, COLON, true);
    offset = (offset + 30) | 0;
    const value = values[i] as number;
    const valueEnd = writeDecimal(view, offset, value, power, pad);
    if (valueEnd === NOT_WRITTEN) {
      offset = numbers.double(bytes, view, offset, value);
      power = powerOf(numbers);
      pad = padOf(numbers);
    } else {
      offset = valueEnd;
    }
    view.setFloat64(offset, QUALITY, true);
    view.setFloat64((offset + 8) | 0, BETWEEN, true);
    offset = (offset + 16) | 0;
  }
  out.length = offset - HEAD.length;
}

/** Whether none of the points `[start, end)` is null. */
export function haveValues({ nulls }: PointColumns, start: number, end: number): boolean {
  let others = 0;
  for (let i = start; i < end; i++) others |= nulls[i] as number;
  return others === 0;
}

/** Appends values that are doubles and not null, a comma after each. `bench/server/json.ts` */
export function writePlainValues(
  out: OutputBytes,
  { numbers: values }: PointColumns,
  start: number,
  end: number,
  numbers: NumberWriter,
): void {
  out.reserve((end - start) * VALUE_BYTES);
  const { bytes, view } = out;
  let power = powerOf(numbers);
  let pad = padOf(numbers);
  let offset = out.length;
  for (let i = start; i < end; i++) {
    const value = values[i] as number;
    const valueEnd = writeDecimal(view, offset, value, power, pad);
    if (valueEnd === NOT_WRITTEN) {
      offset = numbers.double(bytes, view, offset, value);
      power = powerOf(numbers);
      pad = padOf(numbers);
    } else {
      offset = valueEnd;
    }
    view.setUint8(offset, COMMA);
    offset = (offset + 1) | 0;
  }
  out.length = offset;
}
