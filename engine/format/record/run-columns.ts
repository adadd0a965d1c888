// The columns of a run after its header and first time: time steps, point flags, values, as in journal records and heads.
// Benchmark: bench ingest.

import { corrupt } from '../../errors.ts';
import { GOOD_QUALITY, MAX_PLAIN_DECIMALS, type PointColumns } from '../../types.ts';
import { type ByteReader, type ByteWriter, VARINT_BYTES } from '../bytes/byte-cursors.ts';
import { decimalsOf, POWERS as PLAIN_POWERS, readWordsAsNumbers, wordBytesOf } from './plain-words.ts';
import { BIGINT, HAS_NULLS, HAS_QUALITIES, HAS_TICKS, MAX_DECIMALS, POWERS, RAW, TEXT } from './run-coding.ts';

/** Decimals with larger mantissas are stored raw: their differences would not fit a varint. */
const MAX_MANTISSA = 2 ** 50;
/** Adding and subtracting it rounds a number below 2^51 in magnitude to a whole one. */
const ROUNDER = 1.5 * 2 ** 52;
/** Columns of runs up to this length are filled by a loop. */
const SHORT_RUN = 32;

/** The `HAS_…` bits of the points: whether some have ticks, are null, or have another quality than good. */
export function pointFlagsOf(points: PointColumns, start: number, end: number): number {
  const { ticks, nulls, qualities } = points;
  let anyTicks = 0;
  let anyNull = 0;
  let anyQuality = 0;
  for (let i = start; i < end; i++) {
    anyTicks |= ticks[i] as number;
    anyNull |= nulls[i] as number;
    anyQuality |= (qualities[i] as number) ^ GOOD_QUALITY;
  }
  return (anyTicks ? HAS_TICKS : 0) | (anyNull ? HAS_NULLS : 0) | (anyQuality ? HAS_QUALITIES : 0);
}

/** The coding of numbers with the fewest bytes, decimals if possible. `last` is the coding of the previous run. */
export function chooseCoding(numbers: Float64Array, last: number, start: number, end: number): number {
  let decimals = 0;
  while (decimals <= MAX_DECIMALS && !isDecimal(numbers[start] as number, decimals)) decimals++;
  // One digit more than needed costs less than storing a change of coding.
  if (last === decimals + 1 && last <= MAX_DECIMALS) decimals = last;
  let raisedAt = start;
  for (let i = start; i < end && decimals <= MAX_DECIMALS; ) {
    if (isDecimal(numbers[i] as number, decimals)) i++;
    else {
      decimals++;
      raisedAt = i;
    }
  }
  // With a larger scale an earlier value may be out of range or inexact: check all with the final one.
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

/** Whether a value is a whole number divided by 10^decimals, bit for bit; -0 is not. */
function isDecimal(value: number, decimals: number): boolean {
  const power = POWERS[decimals] as number;
  const mantissa = mantissaOf(value, power);
  if (mantissa / power !== value || mantissa > MAX_MANTISSA || mantissa < -MAX_MANTISSA) return false;
  return value !== 0 || !Object.is(value, -0);
}

/** The mantissa of a value in a decimal coding; `power` is 10^decimals. */
function mantissaOf(value: number, power: number): number {
  return value * power + ROUNDER - ROUNDER;
}

/**
 * Writes the columns of points `[start, end)` after the first time.
 * @param flags `HAS_…` bits of these points
 * @param numbers the numbers to encode: the points' own, or indexes of their texts
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
      for (let i = start; i < end; i++) out.text(points.nulls[i] ? '' : points.texts.at(numbers[i] as number));
      return;
    default:
      encodeDecimals(out, numbers, start, end, coding);
  }
}

/** The times after the first, each as its difference from the previous one. */
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

/** Writes a varint at an offset with room for it; returns the offset after it. */
function putNumber(out: ByteWriter, byteOffset: number, value: number): number {
  const { bytes } = out;
  if (value < 0x80) {
    bytes[byteOffset] = value;
    return byteOffset + 1;
  }
  if (value < 0x4000) {
    bytes[byteOffset] = (value & 0x7f) | 0x80;
    bytes[byteOffset + 1] = value >>> 7;
    return byteOffset + 2;
  }
  out.length = byteOffset;
  out.varint(value);
  return out.length;
}

/**
 * Reads columns into points `[start, end)` of the target, the first of which has its time already. Throws CORRUPT for an
 * unknown coding.
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
  else fill(target.qualities, GOOD_QUALITY, start, end);
  decodeValues(reader, coding, target, start, end);
}

/** Reads plain points `[start, end)`, the first of which has its time already. Throws CORRUPT for words of an unknown size. */
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
  const byteOffset = reader.take(wordBytes * (end - start - 1));
  target.numbers[start] = mantissa / (PLAIN_POWERS[decimalsOf(coding)] as number);
  readWordsAsNumbers(reader.view, byteOffset, coding, mantissa, target, start, end);
  fill(target.ticks, 0, start, end);
  fill(target.nulls, 0, start, end);
  fill(target.qualities, GOOD_QUALITY, start, end);
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
      for (let i = start; i < end; i++) numbers[i] = target.texts.push(reader.text());
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
