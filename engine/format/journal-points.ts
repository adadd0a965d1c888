// The points of a request in a journal record: runs of columns, row by row as small numbers. Most of a run's head is
// equal to the run before (next id, same count, same type), and is then left out.
// Benchmark of the hot loops: bench/engine/journal-record.ts.

import { corrupt } from '../errors.ts';
import { type PointColumns, ValueType as Types, type ValueType } from '../types.ts';
import { payloadOf } from '../value-types.ts';
import type { ByteReader, ByteWriter } from './byte-cursors.ts';
import { decodeType } from './definition-codec.ts';

/** Bits of a run's first byte. */
const NEXT_ID = 1;
const SAME_COUNT = 2;
const SAME_ORDINAL = 4;
const SAME_CODING = 8;
const HAS_TICKS = 16;
const HAS_NULLS = 32;
const HAS_QUALITIES = 64;
const HAS_STAMPED = 128;

/** Codings of numbers: 0 to 6 are decimals with so many digits behind the point; then: */
const RAW = 7;
const BIGINT = 8;
const TEXT = 9;
const MAX_DECIMALS = 6;
const POWERS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6];
/** Decimals above are stored raw: their differences would not fit a small number. */
const MAX_MANTISSA = 2 ** 50;
const GOOD = 192;
const SHORT_RUN = 32;

export interface RunHead {
  tagId: number;
  firstOrdinal: number;
  count: number;
  type: ValueType;
  /** Points that the server stamped with its own time. */
  stamped: number;
}

/** Coding state that carries over from run to run within one record. */
class RunContext {
  tagId = 0;
  count = 0;
  ordinal = 0;
  type: number = Types.Open;
  coding = RAW;
  timeMs = 0;
}

/** Writes runs one behind the other; make a new one for each record. */
export class RunEncoder {
  readonly #out: ByteWriter;
  readonly #last = new RunContext();

  constructor(out: ByteWriter) {
    this.#out = out;
  }

  /** The run's points are `points[start, start + head.count)`, in time order. */
  run(head: RunHead, points: PointColumns, start: number): void {
    const end = start + head.count;
    const coding = chooseCoding(head.type, this.#last.coding, points, start, end);
    const flags = runFlags(points, start, end) | this.#sharedFlags(head, coding);
    this.#head(flags, head, coding);
    this.#times(points, start, end);
    if (flags & HAS_TICKS) encodeTicks(this.#out, points, start, end);
    if (flags & HAS_NULLS) this.#out.raw(points.nulls.subarray(start, end));
    if (flags & HAS_QUALITIES) encodeQualities(this.#out, points, start, end);
    encodeValues(this.#out, coding, points, start, end);
  }

  #sharedFlags(head: RunHead, coding: number): number {
    const last = this.#last;
    let flags = 0;
    if (head.tagId === last.tagId + 1) flags |= NEXT_ID;
    if (head.count === last.count) flags |= SAME_COUNT;
    if (head.firstOrdinal === last.ordinal) flags |= SAME_ORDINAL;
    if (head.type === last.type && coding === last.coding) flags |= SAME_CODING;
    if (head.stamped > 0) flags |= HAS_STAMPED;
    return flags;
  }

  #head(flags: number, head: RunHead, coding: number): void {
    const out = this.#out;
    const last = this.#last;
    out.u8(flags);
    if (!(flags & NEXT_ID)) out.varint(head.tagId);
    if (!(flags & SAME_COUNT)) out.varint(head.count);
    if (!(flags & SAME_ORDINAL)) out.varint(head.firstOrdinal);
    if (!(flags & SAME_CODING)) {
      out.u8(head.type);
      out.u8(coding);
    }
    if (flags & HAS_STAMPED) out.varint(head.stamped);
    last.tagId = head.tagId;
    last.count = head.count;
    last.ordinal = head.firstOrdinal;
    last.type = head.type;
    last.coding = coding;
  }

  #times(points: PointColumns, start: number, end: number): void {
    const out = this.#out;
    const times = points.timesMs;
    const first = times[start] as number;
    out.zigzag(first - this.#last.timeMs);
    this.#last.timeMs = first;
    out.reserve(9 * (end - start));
    const { bytes } = out;
    let at = out.length;
    let previous = first;
    for (let i = start + 1; i < end; i++) {
      const time = times[i] as number;
      const delta = time - previous;
      previous = time;
      if (delta < 0x80) bytes[at++] = delta;
      else if (delta < 0x4000) {
        bytes[at++] = (delta & 0x7f) | 0x80;
        bytes[at++] = delta >>> 7;
      } else {
        out.length = at;
        out.varint(delta);
        at = out.length;
      }
    }
    out.length = at;
  }
}

function runFlags(points: PointColumns, start: number, end: number): number {
  const { ticks, nulls, qualities } = points;
  let anyTicks = 0;
  let anyNull = 0;
  let anyQuality = 0;
  for (let i = start; i < end; i++) {
    anyTicks |= ticks[i] as number;
    anyNull |= nulls[i] as number;
    anyQuality |= (qualities[i] as number) ^ GOOD;
  }
  return (anyTicks ? HAS_TICKS : 0) | (anyNull ? HAS_NULLS : 0) | (anyQuality ? HAS_QUALITIES : 0);
}

/** Whole numbers over 10^decimals of the run at hand, once its coding is chosen. */
let mantissas = new Float64Array(1024);

/** Adding and subtracting it rounds a number below 2^51 in magnitude to a whole one. */
const ROUNDER = 1.5 * 2 ** 52;

/** The coding of a run's values; decimals are in `mantissas` afterwards. `last` is the coding of the run before. */
function chooseCoding(type: ValueType, last: number, points: PointColumns, start: number, end: number): number {
  const payload = payloadOf(type);
  if (payload === 'bigint') return BIGINT;
  if (payload === 'text') return TEXT;
  if (end - start > mantissas.length) mantissas = new Float64Array(2 * (end - start));
  const { numbers } = points;
  let decimals = 0;
  while (decimals <= MAX_DECIMALS && !isDecimal(numbers[start] as number, decimals)) decimals++;
  // One digit more than needed costs less than saying that the coding changes.
  if (last === decimals + 1 && last <= MAX_DECIMALS) decimals = last;
  // A larger scale may push a value out of range or exactness: all must hold at the final one.
  while (decimals <= MAX_DECIMALS && !scale(numbers, start, end, POWERS[decimals] as number)) decimals++;
  return decimals <= MAX_DECIMALS ? decimals : RAW;
}

/** Fills `mantissas`; says false when a value is no such decimal. */
function scale(numbers: Float64Array, start: number, end: number, power: number): boolean {
  const target = mantissas;
  for (let i = start; i < end; i++) {
    const value = numbers[i] as number;
    const mantissa = value * power + ROUNDER - ROUNDER;
    if (mantissa / power !== value || mantissa > MAX_MANTISSA || mantissa < -MAX_MANTISSA) return false;
    if (value === 0 && Object.is(value, -0)) return false;
    target[i - start] = mantissa;
  }
  return true;
}

/** Whether a whole number over 10^decimals gives exactly this double back; never for -0. */
function isDecimal(value: number, decimals: number): boolean {
  const power = POWERS[decimals] as number;
  const mantissa = value * power + ROUNDER - ROUNDER;
  if (mantissa / power !== value || mantissa > MAX_MANTISSA || mantissa < -MAX_MANTISSA) return false;
  return value !== 0 || !Object.is(value, -0);
}

function encodeTicks(out: ByteWriter, points: PointColumns, start: number, end: number): void {
  for (let i = start; i < end; i++) out.varint(points.ticks[i] as number);
}

function encodeQualities(out: ByteWriter, points: PointColumns, start: number, end: number): void {
  for (let i = start; i < end; i++) out.zigzag(points.qualities[i] as number);
}

function encodeValues(out: ByteWriter, coding: number, points: PointColumns, start: number, end: number): void {
  switch (coding) {
    case RAW:
      for (let i = start; i < end; i++) out.f64(points.numbers[i] as number);
      return;
    case BIGINT:
      for (let i = start; i < end; i++) out.i64(points.bigints[i] as bigint);
      return;
    case TEXT:
      for (let i = start; i < end; i++)
        out.text(points.nulls[i] ? '' : (points.texts[points.numbers[i] as number] as string));
      return;
    default:
      encodeMantissas(out, end - start);
  }
}

function encodeMantissas(out: ByteWriter, count: number): void {
  out.reserve(9 * count);
  const { bytes } = out;
  let at = out.length;
  let previous = 0;
  for (let i = 0; i < count; i++) {
    const mantissa = mantissas[i] as number;
    const delta = mantissa - previous;
    previous = mantissa;
    const zigzag = delta < 0 ? -2 * delta - 1 : 2 * delta;
    if (zigzag < 0x80) bytes[at++] = zigzag;
    else if (zigzag < 0x4000) {
      bytes[at++] = (zigzag & 0x7f) | 0x80;
      bytes[at++] = zigzag >>> 7;
    } else {
      out.length = at;
      out.varint(zigzag);
      at = out.length;
    }
  }
  out.length = at;
}

/** Reads the runs of one record; throws CORRUPT for whatever `RunEncoder` does not write. */
export class RunDecoder {
  readonly #reader: ByteReader;
  readonly #last = new RunContext();

  constructor(reader: ByteReader) {
    this.#reader = reader;
  }

  /** The next run: its points fill `target` from index 0 on. */
  run(target: PointColumns): RunHead {
    const reader = this.#reader;
    const flags = reader.u8();
    const head = this.#head(flags);
    target.clear();
    target.reserve(head.count);
    target.count = head.count;
    this.#times(target, head.count);
    fillTicks(reader, target, flags);
    fillNulls(reader, target, flags);
    fillQualities(reader, target, flags);
    decodeValues(reader, this.#last.coding, target);
    return head;
  }

  #head(flags: number): RunHead {
    const reader = this.#reader;
    const last = this.#last;
    last.tagId = flags & NEXT_ID ? last.tagId + 1 : reader.varint();
    if (!(flags & SAME_COUNT)) last.count = reader.varint();
    if (!(flags & SAME_ORDINAL)) last.ordinal = reader.varint();
    if (!(flags & SAME_CODING)) {
      last.type = decodeType(reader);
      last.coding = reader.u8();
    }
    const stamped = flags & HAS_STAMPED ? reader.varint() : 0;
    // Each point takes a byte at least, which bounds what a damaged count can make us reserve.
    if (last.count === 0 || last.count > reader.remaining)
      throw corrupt(`a run of ${last.count} points runs past the end`, { offset: reader.offset });
    return { tagId: last.tagId, firstOrdinal: last.ordinal, count: last.count, type: last.type as ValueType, stamped };
  }

  #times(target: PointColumns, count: number): void {
    const reader = this.#reader;
    let time = this.#last.timeMs + reader.zigzag();
    this.#last.timeMs = time;
    target.timesMs[0] = time;
    for (let i = 1; i < count; i++) {
      time += reader.varint();
      target.timesMs[i] = time;
    }
  }
}

/** A loop for the few points of most runs: calling `fill` costs more than filling them. */
function fillColumn(column: Uint8Array | Uint16Array | Int32Array, value: number, count: number): void {
  if (count > SHORT_RUN) column.fill(value, 0, count);
  else for (let i = 0; i < count; i++) column[i] = value;
}

function fillTicks(reader: ByteReader, target: PointColumns, flags: number): void {
  if (!(flags & HAS_TICKS)) return fillColumn(target.ticks, 0, target.count);
  for (let i = 0; i < target.count; i++) target.ticks[i] = reader.varint();
}

function fillNulls(reader: ByteReader, target: PointColumns, flags: number): void {
  if (flags & HAS_NULLS) target.nulls.set(reader.raw(target.count));
  else fillColumn(target.nulls, 0, target.count);
}

function fillQualities(reader: ByteReader, target: PointColumns, flags: number): void {
  if (!(flags & HAS_QUALITIES)) return fillColumn(target.qualities, GOOD, target.count);
  for (let i = 0; i < target.count; i++) target.qualities[i] = reader.zigzag();
}

function decodeValues(reader: ByteReader, coding: number, target: PointColumns): void {
  const { count, numbers } = target;
  switch (coding) {
    case RAW:
      for (let i = 0; i < count; i++) numbers[i] = reader.f64();
      return;
    case BIGINT:
      for (let i = 0; i < count; i++) target.bigints[i] = reader.i64();
      return;
    case TEXT:
      for (let i = 0; i < count; i++) {
        numbers[i] = target.texts.length;
        target.texts.push(reader.text());
      }
      return;
    default: {
      const power = POWERS[coding];
      if (power === undefined)
        throw corrupt(`got value coding ${coding}; want 0 to ${TEXT}`, { offset: reader.offset });
      let mantissa = 0;
      for (let i = 0; i < count; i++) {
        mantissa += reader.zigzag();
        numbers[i] = mantissa / power;
      }
    }
  }
}
