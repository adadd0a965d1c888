// The fast path for columns of numbers in compact JSON: `{"t":["2024-01-01T00:00:00.123Z",…],"v":[12.34,…],"q":192}` without
// spaces; times may be ms as well, keys come in any order. The points are plain as long as all entries of all columns are.
// Everything else is left to the general path (column-reader.ts), which gives the same points.

import { GOOD_QUALITY, MAX_PLAIN_DECIMALS, NOT_PLAIN, ValueType } from '../../../engine/index.ts';
import { type BatchBuilder, TOO_FAR } from '../body/batch-builder.ts';
import { FastOutcome } from '../body/fast-path.ts';
import { convertNumber, takesNumbers, wholeRange } from '../body/plain-numbers.ts';
import { digitsOf, isFourDigits, secondsOf } from '../scalars/digit-words.ts';
import { DECIMAL_POWERS, scaleUp } from '../scalars/plain-decimals.ts';
import {
  readDecimal,
  readDouble,
  readNumber,
  readQuality,
  readShortDecimal,
  WRITTEN_DECIMALS,
} from '../scalars/short-numbers.ts';
import { MS_TIME_BYTES, type TimeReader } from '../scalars/timestamp.ts';
import { asciiHalf, asciiWord, GOOD_QUALITY_BYTES, GOOD_QUALITY_DOUBLE } from './compact-bytes.ts';

// An import is looked up at every use; a constant of the module itself is compiled in.
const timeBytes = MS_TIME_BYTES;
const readSeconds = secondsOf;
const readShort = readShortDecimal;
const readLong = readDecimal;
const writtenDecimals = WRITTEN_DECIMALS;
const powers = DECIMAL_POWERS;
const tooFar = TOO_FAR;
const goodQuality = GOOD_QUALITY;
const areDigits = isFourDigits;
const goodQualityDouble = GOOD_QUALITY_DOUBLE;
const goodQualityBytes = GOOD_QUALITY_BYTES;
const digitValueOf = digitsOf;

const QUOTE = 0x22;
const COMMA = 0x2c;
const ZERO = 0x30;
const OPEN_BRACKET = 0x5b;
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
/** Of the columns, in the order of TIMES, VALUES, QUALITIES. */
const KEYS = [asciiWord('"t":'), asciiWord('"v":'), asciiWord('"q":')];
const TIMES = 0;
const VALUES = 1;
const QUALITIES = 2;
/** Between two columns. */
const NO_KEY = -1;
const NULL_WORD = asciiWord('null');
const WORD_BYTES = 4;
/** Digits of a time in ms from September 2001 to November 2286. */
const MS_DIGITS = 13;

/** More than any entry that is read in words takes: reading whole words this far from the end never runs past it. */
const MARGIN_BYTES = 64;
const MIN_INT32 = -2_147_483_648;
const MAX_INT32 = 2_147_483_647;
const NONE = -1;
/** Returned instead of an offset when the step is over. */
const PAUSED = -2;

export class CompactColumns {
  /** Offset after the object that was read. */
  position = 0;
  readonly #times: TimeReader;
  /** Offset of what is next: the comma or brace before a key, or an entry of the current column. */
  #cursor = 0;
  /** The current column. */
  #key: number = NO_KEY;
  /** Entries of the columns that were read, or NONE. */
  readonly #counts = [NONE, NONE, NONE];
  /** The step ends at the first entry from here on. */
  #stopAt = 0;
  /** The last offset at which an entry may be read in words. */
  #lastStart = 0;
  /** The next entry of the current column. */
  #entry = 0;
  /** Qualities are a column; otherwise the first entry holds the one of all points. */
  #hasQualities = false;
  #nullCount = 0;
  /** Whether the times read so far are in the column of plain points; otherwise they are in the general ones. */
  #arePlainTimes = true;
  #areGood = true;
  /** The body has columns that are too long for `addWhole`: none of them is tried in vain. */
  #areLong = false;

  constructor(times: TimeReader) {
    this.#times = times;
  }

  /** Begins another body. */
  beginBody(): void {
    this.#areLong = false;
  }

  /** Begins with the object at `start`; false when its points cannot be added here. */
  begin(start: number, builder: BatchBuilder): boolean {
    if (!takesNumbers(builder.type)) return false;
    this.#cursor = start;
    this.#key = NO_KEY;
    this.#counts.fill(NONE);
    this.#hasQualities = false;
    this.#nullCount = 0;
    this.#arePlainTimes = true;
    this.#areGood = true;
    builder.beginPoints(builder.type);
    return true;
  }

  /**
   * Adds the points of the object at `start` in one go: a column of times, one of values, and nothing or a good quality, all
   * of them plain. Returns the offset after it, or NONE with nothing added: then it may still be one for `begin`. The builder
   * has begun the points.
   */
  addWhole(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const { points } = builder;
    const first = points.count;
    this.#lastStart = Math.min(bytes.length - MARGIN_BYTES, start + MAX_WHOLE_BYTES);
    if (start > this.#lastStart || this.#areLong || builder.decimals === NOT_PLAIN) return NONE;
    if (view.getInt32(start, true) !== TIMES_WORD || view.getInt16(start + 4, true) !== TIMES_HALF) return NONE;
    this.#entry = first;
    let cursor = start + TIMES_BYTES;
    const areTexts = bytes[cursor] === QUOTE;
    cursor = areTexts ? this.#addTexts(bytes, view, cursor, builder) : this.#addMs(bytes, view, cursor, builder);
    this.#areLong = cursor > start + MAX_WHOLE_BYTES;
    const end = this.#entry;
    if (end === first || bytes[cursor - 1] === COMMA) return NONE;
    if (view.getInt32(cursor, true) !== VALUES_FRONT || view.getInt32(cursor + 3, true) !== VALUES_BACK) return NONE;
    this.#entry = first;
    cursor = this.#addDecimals(bytes, view, cursor + VALUES_BYTES, builder);
    if (this.#entry !== end || bytes[cursor - 1] === COMMA || bytes[cursor++] !== CLOSE_BRACKET) return NONE;
    if (view.getFloat64(cursor, true) === goodQualityDouble) cursor += goodQualityBytes;
    if (bytes[cursor] !== CLOSE_BRACE) return NONE;
    if (builder.type === ValueType.Open) builder.type = ValueType.Double;
    points.count = end;
    return cursor + 1;
  }

  /** Adds the points of the object begun, or goes on with it; returns a `FastOutcome`. */
  add(bytes: Buffer, view: DataView, builder: BatchBuilder, stepBytes: number): number {
    const first = builder.points.count;
    this.#stopAt = this.#cursor + stepBytes;
    this.#lastStart = Math.min(bytes.length - MARGIN_BYTES, this.#stopAt);
    do {
      if (this.#key === NO_KEY && !this.#beginColumn(bytes, view, builder)) return FastOutcome.NotTaken;
      const cursor = this.#addColumn(bytes, view, builder);
      if (cursor === PAUSED) return FastOutcome.ColumnsPaused;
      if (cursor === NONE) return FastOutcome.NotTaken;
      this.#cursor = cursor;
      this.#counts[this.#key] = this.#entry - first;
      this.#key = NO_KEY;
    } while (bytes[this.#cursor] === COMMA);
    const [timeCount = NONE, valueCount = NONE, qualityCount = NONE] = this.#counts;
    if (bytes[this.#cursor] !== CLOSE_BRACE || timeCount === NONE || timeCount !== valueCount)
      return FastOutcome.NotTaken;
    if (this.#hasQualities && qualityCount !== timeCount) return FastOutcome.NotTaken;
    this.position = this.#cursor + 1;
    this.#finish(builder, timeCount, qualityCount);
    return FastOutcome.ColumnsRead;
  }

  /** Steps over the key of a column and into its array; false when it is no column that is read here. */
  #beginColumn(bytes: Buffer, view: DataView, { points }: BatchBuilder): boolean {
    const start = this.#cursor + 1;
    if (start + WORD_BYTES >= bytes.length) return false;
    const key = KEYS.indexOf(view.getInt32(start, true));
    if (key < 0 || this.#counts[key] !== NONE) return false;
    const isArray = bytes[start + WORD_BYTES] === OPEN_BRACKET;
    if (!isArray && key !== QUALITIES) return false;
    if (key === QUALITIES) this.#hasQualities = isArray;
    this.#key = key;
    this.#cursor = start + WORD_BYTES + (isArray ? 1 : 0);
    this.#entry = points.count;
    return true;
  }

  /** Reads on in the current column; returns the offset after it, NONE, or PAUSED. */
  #addColumn(bytes: Buffer, view: DataView, builder: BatchBuilder): number {
    if (this.#key === TIMES) return this.#addTimes(bytes, view, builder);
    if (this.#key === VALUES) return this.#addValues(bytes, view, builder);
    return this.#addQualities(bytes, builder);
  }

  /** Ends the step before the entry at `cursor`. */
  #pause(cursor: number): number {
    this.#cursor = cursor;
    return PAUSED;
  }

  /** Counts the points; fills in what no column gave when they are not plain. */
  #finish(builder: BatchBuilder, count: number, qualityCount: number): void {
    const { points } = builder;
    const first = points.count;
    const end = first + count;
    const quality = qualityCount === NONE ? goodQuality : (points.qualities[first] as number);
    if (!this.#hasQualities) this.#areGood = quality === goodQuality;
    if (!this.#arePlainTimes || !this.#areGood || builder.decimals === NOT_PLAIN) {
      this.#spreadTimes(builder, end);
      this.#spreadValues(builder, end);
      if (!this.#hasQualities) points.qualities.fill(quality, first, end);
    }
    if (builder.type === ValueType.Open && this.#nullCount < count) builder.type = ValueType.Double;
    points.count = end;
  }

  /** Copies the times up to `end` to the general columns, unless they are there. */
  #spreadTimes({ points }: BatchBuilder, end: number): void {
    if (!this.#arePlainTimes) return;
    this.#arePlainTimes = false;
    const { timesMs, offsets, baseMs } = points;
    for (let i = points.count; i < end; i++) timesMs[i] = baseMs + (offsets[i] as number);
    points.ticks.fill(0, points.count, end);
  }

  /** Copies the values up to `end` to the general columns, unless they are there. */
  #spreadValues(builder: BatchBuilder, end: number): void {
    const { points, decimals } = builder;
    if (decimals === NOT_PLAIN) return;
    builder.decimals = NOT_PLAIN;
    const { numbers, mantissas } = points;
    const power = powers[decimals] as number;
    for (let i = points.count; i < end; i++) numbers[i] = (mantissas[i] as number) / power;
    points.nulls.fill(0, points.count, end);
  }

  /** Adds the times that are left; returns the offset after the array, NONE, or PAUSED. */
  #addTimes(bytes: Buffer, view: DataView, builder: BatchBuilder): number {
    let cursor = this.#cursor;
    for (;;) {
      if (cursor >= this.#stopAt) return this.#pause(cursor);
      builder.reserveTo(this.#entry + 1);
      if (this.#arePlainTimes) {
        const isText = bytes[cursor] === QUOTE;
        cursor = isText ? this.#addTexts(bytes, view, cursor, builder) : this.#addMs(bytes, view, cursor, builder);
        if (this.#entry === builder.points.capacity) continue;
      }
      if (bytes[cursor] === CLOSE_BRACKET) return this.#endColumn(bytes, cursor);
      cursor = this.#otherTime(bytes, view, cursor, builder);
      if (cursor === NONE || bytes[cursor] === CLOSE_BRACKET) return cursor === NONE ? NONE : cursor + 1;
      if (bytes[cursor++] !== COMMA) return NONE;
    }
  }

  /** Adds a time of another form; returns the offset after it, or NONE. */
  #otherTime(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const times = this.#times;
    const { timesMs, ticks, offsets } = builder.points;
    const i = this.#entry++;
    const isText = bytes[start] === QUOTE;
    const end = isText ? times.readQuoted(bytes, view, start + 1) + 1 : readNumber(bytes, start, timesMs, i);
    if (end <= 0 || (!isText && !times.readMs(timesMs[i] as number))) return NONE;
    const offset = this.#arePlainTimes && times.ticks === 0 ? builder.offsetOf(times.ms) : TOO_FAR;
    if (offset === TOO_FAR) this.#spreadTimes(builder, i);
    offsets[i] = offset;
    timesMs[i] = times.ms;
    ticks[i] = times.ticks;
    return end;
  }

  /** Ends a column after the last entry that was read: a comma after it would make it unfinished. */
  #endColumn(bytes: Buffer, cursor: number): number {
    return bytes[cursor] === CLOSE_BRACKET && bytes[cursor - 1] !== COMMA && bytes[cursor - 1] !== OPEN_BRACKET
      ? cursor + 1
      : NONE;
  }

  /** Adds times that are text, minute by minute; stops before any other form (`bench/server/json.ts`). */
  #addTexts(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const times = this.#times;
    const { capacity } = builder.points;
    let cursor = start;
    while (cursor <= this.#lastStart && bytes[cursor] === QUOTE && times.readMinute(view, cursor + 1)) {
      const before = this.#entry;
      cursor = this.#addMinute(bytes, view, cursor, builder);
      if (this.#entry === before || this.#entry === capacity) break;
    }
    return cursor;
  }

  #addMinute(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const { offsets, capacity } = builder.points;
    const { minuteMs, minuteFront, minuteBack } = this.#times;
    const lastStart = this.#lastStart;
    const minuteOffset = builder.offsetOf(minuteMs);
    if (minuteOffset === tooFar) return start;
    let entry = this.#entry;
    let cursor = start;
    while (entry < capacity && cursor <= lastStart) {
      if (bytes[cursor] !== QUOTE || bytes[(cursor + 1 + timeBytes) | 0] !== QUOTE) break;
      if (view.getFloat64((cursor + 9) | 0, true) !== minuteBack) break;
      if (view.getFloat64((cursor + 1) | 0, true) !== minuteFront) break;
      const msOfMinute = readSeconds(view.getInt32((cursor + 17) | 0, true), view.getInt32((cursor + 21) | 0, true));
      if (msOfMinute < 0) break;
      const end = bytes[(cursor + timeBytes + 2) | 0];
      if (end !== COMMA && end !== CLOSE_BRACKET) break;
      offsets[entry] = (minuteOffset + msOfMinute) | 0;
      entry = (entry + 1) | 0;
      cursor = (cursor + timeBytes + 2) | 0;
      if (end !== COMMA) break;
      cursor = (cursor + 1) | 0;
    }
    this.#entry = entry;
    return cursor;
  }

  /** Adds times in ms of 13 digits; stops before any other form (`bench/server/json.ts`). */
  #addMs(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const { offsets, capacity } = builder.points;
    const lastStart = this.#lastStart;
    let entry = this.#entry;
    let cursor = start;
    let front = Number.NaN; // the upper eight digits as the double that their bytes make, which is not NaN
    let frontOffset = 0;
    while (entry < capacity && cursor <= lastStart) {
      if (view.getFloat64(cursor, true) !== front) {
        const upper = view.getInt32(cursor, true);
        const middle = view.getInt32((cursor + 4) | 0, true);
        if (!areDigits(upper) || !areDigits(middle) || (upper & 0xff) === ZERO) break;
        front = view.getFloat64(cursor, true);
        frontOffset = builder.offsetOf((digitValueOf(upper, 4) * 10_000 + digitValueOf(middle, 4)) * 100_000);
        if (frontOffset === tooFar) break;
      }
      const lower = view.getInt32((cursor + 8) | 0, true);
      const last = ((bytes[(cursor + 12) | 0] as number) - ZERO) | 0;
      const end = bytes[(cursor + MS_DIGITS) | 0];
      if (!areDigits(lower) || last < 0 || last > 9 || (end !== COMMA && end !== CLOSE_BRACKET)) break;
      offsets[entry] = (frontOffset + digitValueOf(lower, 4) * 10 + last) | 0;
      entry = (entry + 1) | 0;
      cursor = (cursor + MS_DIGITS) | 0;
      if (end !== COMMA) break;
      cursor = (cursor + 1) | 0;
    }
    this.#entry = entry;
    return cursor;
  }

  /** Adds the values that are left; returns the offset after the array, NONE, or PAUSED. */
  #addValues(bytes: Buffer, view: DataView, builder: BatchBuilder): number {
    let cursor = this.#cursor;
    for (;;) {
      if (cursor >= this.#stopAt) return this.#pause(cursor);
      builder.reserveTo(this.#entry + 1);
      if (builder.decimals !== NOT_PLAIN) {
        cursor = this.#addDecimals(bytes, view, cursor, builder);
        if (this.#entry === builder.points.capacity) continue;
      }
      if (bytes[cursor] === CLOSE_BRACKET) return this.#endColumn(bytes, cursor);
      cursor = this.#otherValue(bytes, view, cursor, builder);
      if (cursor === NONE || bytes[cursor] === CLOSE_BRACKET) return cursor === NONE ? NONE : cursor + 1;
      if (bytes[cursor++] !== COMMA) return NONE;
    }
  }

  /** Adds numbers of few digits; stops before any other form (`bench/server/json.ts`). */
  #addDecimals(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const { mantissas, capacity } = builder.points;
    const range = wholeRange(builder.type);
    const low = range === undefined ? MIN_INT32 : range[0];
    const high = range === undefined ? MAX_INT32 : range[1];
    const most = range === undefined ? MAX_PLAIN_DECIMALS : 0;
    const first = builder.points.count;
    const lastStart = this.#lastStart;
    let { decimals } = builder;
    let entry = this.#entry;
    let cursor = start;
    while (entry < capacity && cursor <= lastStart) {
      let end = readShort(bytes, view, cursor, mantissas, entry);
      if (end < 0) end = readLong(bytes, cursor, mantissas, entry);
      if (end < 0) break;
      const separator = bytes[end];
      if (separator !== COMMA && separator !== CLOSE_BRACKET) break;
      const written = writtenDecimals[0] as number;
      if (written > decimals) {
        if (written > most || !scaleUp(mantissas, first, entry, powers[written - decimals] as number)) break;
        decimals = written;
      }
      const mantissa = (mantissas[entry] as number) * (powers[decimals - written] as number);
      if (!(mantissa >= low && mantissa <= high)) break;
      mantissas[entry] = mantissa;
      entry = (entry + 1) | 0;
      cursor = end;
      if (separator !== COMMA) break;
      cursor = (cursor + 1) | 0;
    }
    this.#entry = entry;
    builder.decimals = decimals;
    return cursor;
  }

  /** Adds a number of another form, or null; returns the offset after it, or NONE. */
  #otherValue(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const { numbers, nulls } = builder.points;
    const i = this.#entry++;
    nulls[i] = 0;
    if (start + WORD_BYTES < bytes.length && view.getInt32(start, true) === NULL_WORD) {
      this.#spreadValues(builder, i);
      nulls[i] = 1;
      this.#nullCount++;
      numbers[i] = 0;
      return start + WORD_BYTES;
    }
    const end = readValue(bytes, start, builder, i);
    const isPlain = end !== NONE && builder.decimals !== NOT_PLAIN && builder.setMantissa(i, numbers[i] as number);
    if (!isPlain) this.#spreadValues(builder, i);
    return end;
  }

  /** Adds the quality of all points, or those of an array; returns the offset after, NONE, or PAUSED. */
  #addQualities(bytes: Buffer, builder: BatchBuilder): number {
    builder.reserveTo(this.#entry + 1);
    let cursor = this.#cursor;
    if (!this.#hasQualities) return readQuality(bytes, cursor, builder.points.qualities, this.#entry++);
    for (;;) {
      if (cursor >= this.#stopAt) return this.#pause(cursor);
      builder.reserveTo(this.#entry + 1);
      const { qualities } = builder.points;
      cursor = readQuality(bytes, cursor, qualities, this.#entry);
      if (qualities[this.#entry++] !== goodQuality) this.#areGood = false;
      if (cursor < 0 || bytes[cursor] === CLOSE_BRACKET) return cursor < 0 ? NONE : cursor + 1;
      if (bytes[cursor++] !== COMMA) return NONE;
    }
  }
}

/** Reads a number of the type into entry `i`; returns the offset after it, or NONE. */
function readValue(bytes: Buffer, start: number, { points, words, type }: BatchBuilder, i: number): number {
  if (type === ValueType.Double || type === ValueType.Open) return readDouble(bytes, start, points.numbers, i);
  const end = readNumber(bytes, start, points.numbers, i);
  return end >= 0 && convertNumber(type, points.numbers, words, i, end - start) ? end : NONE;
}
