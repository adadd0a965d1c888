// The columns of a run behind its head and first time: steps of time, states, values. As journal records and heads have
// them. Benchmark: bench ingest.

import { corrupt } from '../../errors.ts';
import { GOOD_QUALITY, MAX_PLAIN_DECIMALS, type PointColumns } from '../../types.ts';
import { type ByteReader, type ByteWriter, VARINT_BYTES } from '../bytes/byte-cursors.ts';
import { decimalsOf, POWERS as PLAIN_POWERS, readWordsAsNumbers, wordBytesOf } from './plain-words.ts';
import { BIGINT, HAS_NULLS, HAS_QUALITIES, HAS_TICKS, MAX_DECIMALS, POWERS, RAW, TEXT } from './run-coding.ts';

/** Decimals above are stored raw: their differences would not fit a small number. */
const MAX_MANTISSA = 2 ** 50;
/** Adding and subtracting it rounds a number below 2^51 in magnitude to a whole one. */
const ROUNDER = 1.5 * 2 ** 52;
/** Columns of a run up to here are filled by a loop. */
const SHORT_RUN = 32;

// An import is looked up at every use; a constant of the module itself is compiled in.
const goodQuality = GOOD_QUALITY;

/** Which states the points have besides good quality, whole milliseconds and a value: `HAS_…` bits. */
export function stateFlags(points: PointColumns, start: number, end: number): number {
  const { ticks, nulls, qualities } = points;
  let anyTicks = 0;
  let anyNull = 0;
  let anyQuality = 0;
  for (let i = start; i < end; i++) {
    anyTicks |= ticks[i] as number;
    anyNull |= nulls[i] as number;
    anyQuality |= (qualities[i] as number) ^ goodQuality;
  }
  return (anyTicks ? HAS_TICKS : 0) | (anyNull ? HAS_NULLS : 0) | (anyQuality ? HAS_QUALITIES : 0);
}

/** The coding of numbers that takes fewest bytes, decimals if they can be. `last` is the coding of the run before. */
export function chooseCoding(numbers: Float64Array, last: number, start: number, end: number): number {
  let decimals = 0;
  while (decimals <= MAX_DECIMALS && !isDecimal(numbers[start] as number, decimals)) decimals++;
  // One digit more than needed costs less than saying that the coding changes.
  if (last === decimals + 1 && last <= MAX_DECIMALS) decimals = last;
  let raisedAt = start;
  for (let i = start; i < end && decimals <= MAX_DECIMALS; ) {
    if (isDecimal(numbers[i] as number, decimals)) i++;
    else {
      decimals++;
      raisedAt = i;
    }
  }
  // A larger scale may push a value out of range or exactness: all must hold at the final one.
  while (decimals <= MAX_DECIMALS && !areDecimals(numbers, start, raisedAt, decimals)) {
    decimals++;
    raisedAt = end;
  }
  return decimals <= MAX_DECIMALS ? decimals : RAW;
}

function areDecimals(numbers: Float64Array, start: number, end: number, decimals: number): boolean {
  for (let i = start; i < end; i++) if (!isDecimal(numbers[i] as number, decimals)) return false;
  return true;
}

/** Whether a value is a whole number over 10^decimals, bit for bit; -0 is none. */
function isDecimal(value: number, decimals: number): boolean {
  const power = POWERS[decimals] as number;
  const mantissa = mantissaOf(value, power);
  if (mantissa / power !== value || mantissa > MAX_MANTISSA || mantissa < -MAX_MANTISSA) return false;
  return value !== 0 || !Object.is(value, -0);
}

/** The whole number that stands for a value with a decimal coding, `power` being ten to so many digits. */
function mantissaOf(value: number, power: number): number {
  return value * power + ROUNDER - ROUNDER;
}

/**
 * Writes the columns of points `[start, end)` behind the first time.
 * @param flags `HAS_…` bits of these points
 * @param numbers what the coding is of: the points' own, or what stands for their texts
 */
export function encodeColumns(
  out: ByteWriter,
  flags: number,
  coding: number,
  points: PointColumns,
  numbers: Float64Array,
  start: number,
  end: number,
): void {
  encodeSteps(out, points.timesMs, start, end);
  if (flags & HAS_TICKS) for (let i = start; i < end; i++) out.varint(points.ticks[i] as number);
  if (flags & HAS_NULLS) out.raw(points.nulls.subarray(start, end));
  if (flags & HAS_QUALITIES) for (let i = start; i < end; i++) out.zigzag(points.qualities[i] as number);
  switch (coding) {
    case RAW:
      encodeRaw(out, numbers, start, end);
      return;
    case BIGINT:
      for (let i = start; i < end; i++) out.i64(points.bigints[i] as bigint);
      return;
    case TEXT:
      for (let i = start; i < end; i++) out.text(points.nulls[i] ? '' : (points.texts[numbers[i] as number] as string));
      return;
    default:
      encodeDecimals(out, numbers, start, end, coding);
  }
}

/** The times behind the first, each as its distance from the one before. */
function encodeSteps(out: ByteWriter, timesMs: Float64Array, start: number, end: number): void {
  out.reserve(VARINT_BYTES * (end - start));
  let at = out.length;
  let previous = timesMs[start] as number;
  for (let i = start + 1; i < end; i++) {
    const time = timesMs[i] as number;
    at = putNumber(out, at, time - previous);
    previous = time;
  }
  out.length = at;
}

function encodeRaw(out: ByteWriter, numbers: Float64Array, start: number, end: number): void {
  out.reserve(8 * (end - start));
  for (let i = start; i < end; i++) out.f64(numbers[i] as number);
}

/** Values as differences of whole numbers over 10^coding. */
function encodeDecimals(out: ByteWriter, numbers: Float64Array, start: number, end: number, coding: number): void {
  const power = POWERS[coding] as number;
  out.reserve(VARINT_BYTES * (end - start));
  let at = out.length;
  let previous = 0;
  for (let i = start; i < end; i++) {
    const mantissa = mantissaOf(numbers[i] as number, power);
    const difference = mantissa - previous;
    previous = mantissa;
    at = putNumber(out, at, difference < 0 ? -2 * difference - 1 : 2 * difference);
  }
  out.length = at;
}

/** Puts a varint at a place where there is room for it; returns the place behind. */
function putNumber(out: ByteWriter, place: number, value: number): number {
  const { bytes } = out;
  if (value < 0x80) {
    bytes[place] = value;
    return place + 1;
  }
  if (value < 0x4000) {
    bytes[place] = (value & 0x7f) | 0x80;
    bytes[place + 1] = value >>> 7;
    return place + 2;
  }
  out.length = place;
  out.varint(value);
  return out.length;
}

/**
 * Reads columns into points `[start, end)` of the target, the first of which has its time already. Throws CORRUPT for a
 * coding that is none.
 */
export function decodeColumns(
  reader: ByteReader,
  flags: number,
  coding: number,
  target: PointColumns,
  start: number,
  end: number,
): void {
  decodeSteps(reader, target.timesMs, start, end);
  if (flags & HAS_TICKS) for (let i = start; i < end; i++) target.ticks[i] = reader.varint();
  else fill(target.ticks, 0, start, end);
  if (flags & HAS_NULLS) target.nulls.set(reader.raw(end - start), start);
  else fill(target.nulls, 0, start, end);
  if (flags & HAS_QUALITIES) for (let i = start; i < end; i++) target.qualities[i] = reader.zigzag();
  else fill(target.qualities, goodQuality, start, end);
  decodeValues(reader, coding, target, start, end);
}

/** Reads plain points `[start, end)`, the first of which has its time already. Throws CORRUPT for words of no known size. */
export function decodePlainColumns(
  reader: ByteReader,
  coding: number,
  target: PointColumns,
  start: number,
  end: number,
): void {
  const mantissa = reader.zigzag() | 0;
  const wordBytes = wordBytesOf(coding);
  if (wordBytes === 0 || decimalsOf(coding) > MAX_PLAIN_DECIMALS)
    throw corrupt(`got coding ${coding}; want words of size 1 to 3 and up to ${MAX_PLAIN_DECIMALS} decimals`, {
      offset: reader.offset,
    });
  const place = reader.take(wordBytes * (end - start - 1));
  target.numbers[start] = mantissa / (PLAIN_POWERS[decimalsOf(coding)] as number);
  readWordsAsNumbers(reader.view, place, coding, mantissa, target, start, end);
  fill(target.ticks, 0, start, end);
  fill(target.nulls, 0, start, end);
  fill(target.qualities, goodQuality, start, end);
}

function decodeSteps(reader: ByteReader, timesMs: Float64Array, start: number, end: number): void {
  let time = timesMs[start] as number;
  for (let i = start + 1; i < end; i++) {
    time += reader.varint();
    timesMs[i] = time;
  }
}

/** A loop for the few points of most runs: calling `fill` costs more than filling them. */
function fill(column: Uint8Array | Uint16Array | Int32Array, value: number, start: number, end: number): void {
  if (end - start > SHORT_RUN) column.fill(value, start, end);
  else for (let i = start; i < end; i++) column[i] = value;
}

function decodeValues(reader: ByteReader, coding: number, target: PointColumns, start: number, end: number): void {
  const { numbers } = target;
  switch (coding) {
    case RAW:
      for (let i = start; i < end; i++) numbers[i] = reader.f64();
      return;
    case BIGINT:
      for (let i = start; i < end; i++) target.bigints[i] = reader.i64();
      return;
    case TEXT:
      for (let i = start; i < end; i++) numbers[i] = target.texts.push(reader.text()) - 1;
      return;
    default: {
      const power = POWERS[coding];
      if (power === undefined)
        throw corrupt(`got value coding ${coding}; want 0 to ${TEXT}`, { offset: reader.offset });
      let mantissa = 0;
      for (let i = start; i < end; i++) {
        mantissa += reader.zigzag();
        numbers[i] = mantissa / power;
      }
    }
  }
}
