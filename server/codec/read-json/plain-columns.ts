// Columns of plain points in compact JSON: good numbers of few digits at whole ms. The loops that read a column, and short
// columns in one go: `{"t":["2024-01-01T00:00:00.123Z",…],"v":[12.34,…],"q":192}`, or with times in ms. What is anything else
// stops them, and is left to compact-columns.ts.

import { MAX_PLAIN_DECIMALS, NOT_PLAIN, ValueType } from '../../../engine/index.ts';
import { type BatchBuilder, TOO_FAR } from '../body/batch-builder.ts';
import { wholeRange } from '../body/plain-numbers.ts';
import { digitsOf, isFourDigits, secondsOf } from '../scalars/digit-words.ts';
import { DECIMAL_POWERS, scaleUp } from '../scalars/plain-decimals.ts';
import { readDecimal, readShortDecimal, WRITTEN_DECIMALS } from '../scalars/short-numbers.ts';
import { MS_TIME_BYTES, type TimeReader } from '../scalars/timestamp.ts';
import { asciiHalf, asciiWord, GOOD_QUALITY_BYTES, GOOD_QUALITY_DOUBLE } from './compact-bytes.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const ZERO = 0x30;
const CLOSE_BRACKET = 0x5d;
const CLOSE_BRACE = 0x7d;

/** `{"t":[`, and `],"v":[` as two words that share a byte. */
const TIMES_WORD = asciiWord('{"t"');
const TIMES_HALF = asciiHalf(':[');
const TIMES_BYTES = 6;
const VALUES_FRONT = asciiWord('],"v');
const VALUES_BACK = asciiWord('v":[');
const VALUES_BYTES = 7;
/** More in one go would hold the event loop; and what is read in vain, where an entry is not plain, is no more. */
const MAX_WHOLE_BYTES = 4096;
/** Digits of a time in ms from September 2001 to November 2286. */
const MS_DIGITS = 13;

/** More than any entry that is read in words takes: reading whole words this far from the end never runs past it. */
const MARGIN_BYTES = 64;
const MIN_INT32 = -2_147_483_648;
const MAX_INT32 = 2_147_483_647;
const NONE = -1;

export class PlainColumns {
  /** The next entry of the column being read. */
  entry = 0;
  /** The last offset at which an entry is read. */
  lastStart = 0;
  readonly #times: TimeReader;
  /** The body has columns that are too long for `addWhole`: none of them is tried in vain. */
  #areLong = false;

  constructor(times: TimeReader) {
    this.#times = times;
  }

  /** Entries are read up to an offset, or to where they can be read in words. */
  readUpTo(offset: number, bytes: Buffer): void {
    this.lastStart = Math.min(bytes.length - MARGIN_BYTES, offset);
  }

  /** Begins another body. */
  beginBody(): void {
    this.#areLong = false;
  }

  /**
   * Adds the points of the object at `start` in one go: a column of times, one of values, and nothing or a good quality, all
   * of them plain. Returns the offset after it, or NONE with nothing added: then it may still be one for `begin`. The builder
   * has begun the points.
   */
  addWhole(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const { points } = builder;
    const first = points.count;
    this.readUpTo(start + MAX_WHOLE_BYTES, bytes);
    if (start > this.lastStart || this.#areLong || builder.decimals === NOT_PLAIN) return NONE;
    if (view.getInt32(start, true) !== TIMES_WORD || view.getInt16(start + 4, true) !== TIMES_HALF) return NONE;
    this.entry = first;
    let cursor = start + TIMES_BYTES;
    const areTexts = bytes[cursor] === QUOTE;
    cursor = areTexts ? this.addTexts(bytes, view, cursor, builder) : this.addMs(bytes, view, cursor, builder);
    this.#areLong = cursor > start + MAX_WHOLE_BYTES;
    const end = this.entry;
    if (end === first || bytes[cursor - 1] === COMMA) return NONE;
    if (view.getInt32(cursor, true) !== VALUES_FRONT || view.getInt32(cursor + 3, true) !== VALUES_BACK) return NONE;
    this.entry = first;
    cursor = this.addDecimals(bytes, view, cursor + VALUES_BYTES, builder);
    if (this.entry !== end) this.#areLong = cursor > start + MAX_WHOLE_BYTES;
    if (this.entry !== end || bytes[cursor - 1] === COMMA || bytes[cursor++] !== CLOSE_BRACKET) return NONE;
    if (view.getFloat64(cursor, true) === GOOD_QUALITY_DOUBLE) cursor += GOOD_QUALITY_BYTES;
    if (bytes[cursor] !== CLOSE_BRACE) return NONE;
    if (builder.type === ValueType.Open) builder.type = ValueType.Double;
    points.count = end;
    return cursor + 1;
  }

  /** Adds times that are text, minute by minute; stops before any other form (`bench/server/json.ts`). */
  addTexts(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const times = this.#times;
    const { capacity } = builder.points;
    let cursor = start;
    while (cursor <= this.lastStart && bytes[cursor] === QUOTE && times.readMinute(view, cursor + 1)) {
      const before = this.entry;
      cursor = this.#addMinute(bytes, view, cursor, builder);
      if (this.entry === before || this.entry === capacity) break;
    }
    return cursor;
  }

  #addMinute(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const { offsets, capacity } = builder.points;
    const { minuteMs, minuteFront, minuteBack } = this.#times;
    const lastStart = this.lastStart;
    const minuteOffset = builder.offsetOf(minuteMs);
    if (minuteOffset === TOO_FAR) return start;
    let entry = this.entry;
    let cursor = start;
    while (entry < capacity && cursor <= lastStart) {
      if (bytes[cursor] !== QUOTE || bytes[(cursor + 1 + MS_TIME_BYTES) | 0] !== QUOTE) break;
      if (view.getFloat64((cursor + 9) | 0, true) !== minuteBack) break;
      if (view.getFloat64((cursor + 1) | 0, true) !== minuteFront) break;
      const msOfMinute = secondsOf(view.getInt32((cursor + 17) | 0, true), view.getInt32((cursor + 21) | 0, true));
      if (msOfMinute < 0) break;
      const end = bytes[(cursor + MS_TIME_BYTES + 2) | 0];
      if (end !== COMMA && end !== CLOSE_BRACKET) break;
      offsets[entry] = (minuteOffset + msOfMinute) | 0;
      entry = (entry + 1) | 0;
      cursor = (cursor + MS_TIME_BYTES + 2) | 0;
      if (end !== COMMA) break;
      cursor = (cursor + 1) | 0;
    }
    this.entry = entry;
    return cursor;
  }

  /** Adds times in ms of 13 digits; stops before any other form (`bench/server/json.ts`). */
  addMs(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const { offsets, capacity } = builder.points;
    const lastStart = this.lastStart;
    let entry = this.entry;
    let cursor = start;
    let front = Number.NaN; // the upper eight digits as the double that their bytes make, which is not NaN
    let frontOffset = 0;
    while (entry < capacity && cursor <= lastStart) {
      if (view.getFloat64(cursor, true) !== front) {
        const upper = view.getInt32(cursor, true);
        const middle = view.getInt32((cursor + 4) | 0, true);
        if (!isFourDigits(upper) || !isFourDigits(middle) || (upper & 0xff) === ZERO) break;
        front = view.getFloat64(cursor, true);
        frontOffset = builder.offsetOf((digitsOf(upper, 4) * 10_000 + digitsOf(middle, 4)) * 100_000);
        if (frontOffset === TOO_FAR) break;
      }
      const lower = view.getInt32((cursor + 8) | 0, true);
      const last = ((bytes[(cursor + 12) | 0] as number) - ZERO) | 0;
      const end = bytes[(cursor + MS_DIGITS) | 0];
      if (!isFourDigits(lower) || last < 0 || last > 9 || (end !== COMMA && end !== CLOSE_BRACKET)) break;
      offsets[entry] = (frontOffset + digitsOf(lower, 4) * 10 + last) | 0;
      entry = (entry + 1) | 0;
      cursor = (cursor + MS_DIGITS) | 0;
      if (end !== COMMA) break;
      cursor = (cursor + 1) | 0;
    }
    this.entry = entry;
    return cursor;
  }

  /** Adds numbers of few digits; stops before any other form (`bench/server/json.ts`). */
  addDecimals(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const { mantissas, capacity } = builder.points;
    const range = wholeRange(builder.type);
    const low = range === undefined ? MIN_INT32 : range[0];
    const high = range === undefined ? MAX_INT32 : range[1];
    const most = range === undefined ? MAX_PLAIN_DECIMALS : 0;
    const first = builder.points.count;
    const lastStart = this.lastStart;
    let { decimals } = builder;
    let entry = this.entry;
    let cursor = start;
    while (entry < capacity && cursor <= lastStart) {
      let end = readShortDecimal(bytes, view, cursor, mantissas, entry);
      if (end < 0) end = readDecimal(bytes, cursor, mantissas, entry);
      if (end < 0) break;
      const separator = bytes[end];
      if (separator !== COMMA && separator !== CLOSE_BRACKET) break;
      const written = WRITTEN_DECIMALS[0] as number;
      if (written > decimals) {
        if (written > most || !scaleUp(mantissas, first, entry, DECIMAL_POWERS[written - decimals] as number)) break;
        decimals = written;
      }
      const mantissa = (mantissas[entry] as number) * (DECIMAL_POWERS[decimals - written] as number);
      if (!(mantissa >= low && mantissa <= high)) break;
      mantissas[entry] = mantissa;
      entry = (entry + 1) | 0;
      cursor = end;
      if (separator !== COMMA) break;
      cursor = (cursor + 1) | 0;
    }
    this.entry = entry;
    builder.decimals = decimals;
    return cursor;
  }
}
