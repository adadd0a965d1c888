// The fast path for columns of numbers in compact JSON: `{"t":["2024-01-01T00:00:00.123Z",…],"v":[12.34,…],"q":192}` without
// spaces; times may be ms as well, keys come in any order. The points are plain as long as all entries of all columns are.
// Short ones of plain points only are read by plain-columns.ts, which has the loops of both; everything else is left to the
// general path (column-reader.ts), which gives the same points.

import { GOOD_QUALITY, NOT_PLAIN, ValueType } from '../../../engine/index.ts';
import { type BatchBuilder, TOO_FAR } from '../body/batch-builder.ts';
import { FastOutcome } from '../body/fast-path.ts';
import { PIECE_BYTES } from '../body/pieces.ts';
import { convertNumber, takesNumbers } from '../body/plain-numbers.ts';
import { DECIMAL_POWERS } from '../scalars/plain-decimals.ts';
import { readDouble, readNumber, readQuality } from '../scalars/short-numbers.ts';
import type { TimeReader } from '../scalars/timestamp.ts';
import { asciiWord } from './compact-bytes.ts';
import type { PlainColumns } from './plain-columns.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const CLOSE_BRACE = 0x7d;

/** Keys of the columns, in the order of TIMES, VALUES, QUALITIES. */
const KEYS = [asciiWord('"t":'), asciiWord('"v":'), asciiWord('"q":')];
const TIMES = 0;
const VALUES = 1;
const QUALITIES = 2;
/** Between two columns. */
const NO_KEY = -1;
const NULL_WORD = asciiWord('null');
const WORD_BYTES = 4;
const NONE = -1;
/** End of a column that is plain throughout. */
const ALL = 2 ** 31 - 1;
/** Returned instead of an offset when the piece is over. */
const PAUSED = -2;
/** Points that are copied to the general columns in a piece: some 3 ms, as their memory is used for the first time. */
const SPREAD_AT_ONCE = 65_536;

export class CompactColumns {
  /** Offset after the object that was read. */
  position = 0;
  readonly #times: TimeReader;
  readonly #plain: PlainColumns;
  /** Offset of what is next: the comma or brace before a key, or an entry of the current column. */
  #cursor = 0;
  /** The current column. */
  #key: number = NO_KEY;
  /** Entries of the columns that were read, or NONE. */
  readonly #counts = [NONE, NONE, NONE];
  /** The piece ends at the first entry from here on. */
  #stopAt = 0;
  /** Qualities are a column; otherwise the first entry holds the one of all points. */
  #hasQualities = false;
  #nullCount = 0;
  /** Times of the entries before this one are in the column of plain points, the others in the general ones. */
  #plainTimesEnd = ALL;
  /** The same of values, and the decimals of those before. */
  #plainValuesEnd = ALL;
  #plainDecimals = 0;
  #areGood = true;
  /** Next point to be copied to the general columns, once all columns were read; NONE before. */
  #nextToSpread = NONE;

  constructor(times: TimeReader, plain: PlainColumns) {
    this.#times = times;
    this.#plain = plain;
  }

  /** Begins with the object at `start`; false when its points cannot be added here. */
  begin(start: number, builder: BatchBuilder): boolean {
    if (!takesNumbers(builder.type)) return false;
    this.#cursor = start;
    this.#key = NO_KEY;
    this.#counts.fill(NONE);
    this.#hasQualities = false;
    this.#nullCount = 0;
    this.#plainTimesEnd = ALL;
    this.#plainValuesEnd = ALL;
    this.#areGood = true;
    this.#nextToSpread = NONE;
    builder.beginPoints(builder.type);
    if (builder.decimals === NOT_PLAIN) this.#plainValuesEnd = builder.points.count;
    return true;
  }

  /** Adds the points of the object begun, or goes on with it; returns a `FastOutcome`. */
  add(bytes: Buffer, view: DataView, builder: BatchBuilder): number {
    if (this.#nextToSpread !== NONE) return this.#finish(builder);
    const first = builder.points.count;
    this.#stopAt = this.#cursor + PIECE_BYTES;
    this.#plain.readUpTo(this.#stopAt, bytes);
    do {
      if (this.#key === NO_KEY && !this.#beginColumn(bytes, view, builder)) return FastOutcome.NotTaken;
      const cursor = this.#addColumn(bytes, view, builder);
      if (cursor === PAUSED) return FastOutcome.ColumnsPaused;
      if (cursor === NONE) return FastOutcome.NotTaken;
      this.#cursor = cursor;
      this.#counts[this.#key] = this.#plain.entry - first;
      this.#key = NO_KEY;
    } while (bytes[this.#cursor] === COMMA);
    const [timeCount = NONE, valueCount = NONE, qualityCount = NONE] = this.#counts;
    if (bytes[this.#cursor] !== CLOSE_BRACE || timeCount === NONE || timeCount !== valueCount)
      return FastOutcome.NotTaken;
    if (this.#hasQualities && qualityCount !== timeCount) return FastOutcome.NotTaken;
    this.position = this.#cursor + 1;
    if (!this.#hasQualities && qualityCount !== NONE) this.#areGood = builder.points.qualities[first] === GOOD_QUALITY;
    if (builder.type === ValueType.Open && this.#nullCount < timeCount) builder.type = ValueType.Double;
    this.#nextToSpread = first;
    return this.#finish(builder);
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
    this.#plain.entry = points.count;
    return true;
  }

  /** Reads on in the current column; returns the offset after it, NONE, or PAUSED. */
  #addColumn(bytes: Buffer, view: DataView, builder: BatchBuilder): number {
    if (this.#key === TIMES) return this.#addTimes(bytes, view, builder);
    if (this.#key === VALUES) return this.#addValues(bytes, view, builder);
    return this.#addQualities(bytes, builder);
  }

  /** Ends the piece before the entry at `cursor`. */
  #pause(cursor: number): number {
    this.#cursor = cursor;
    return PAUSED;
  }

  /** Counts the points; first copies them to the general columns, a part in each piece, when they are not plain. */
  #finish(builder: BatchBuilder): number {
    const { points } = builder;
    const end = points.count + (this.#counts[TIMES] as number);
    const arePlain = this.#plainTimesEnd === ALL && this.#plainValuesEnd === ALL && this.#areGood;
    if (!arePlain) {
      this.#stopPlainValues(builder, end);
      const to = Math.min(end, this.#nextToSpread + SPREAD_AT_ONCE);
      this.#spread(builder, this.#nextToSpread, to);
      this.#nextToSpread = to;
      if (to < end) return FastOutcome.ColumnsPaused;
    }
    points.count = end;
    this.#nextToSpread = NONE;
    return FastOutcome.ColumnsRead;
  }

  /** Copies what plain columns have of points `[from, to)` to the general ones; fills in what no column gave. */
  #spread({ points }: BatchBuilder, from: number, to: number): void {
    const { timesMs, ticks, numbers, nulls, qualities, offsets, mantissas, baseMs } = points;
    const timesEnd = Math.min(to, this.#plainTimesEnd);
    for (let i = from; i < timesEnd; i++) timesMs[i] = baseMs + (offsets[i] as number);
    if (timesEnd > from) ticks.fill(0, from, timesEnd);
    const valuesEnd = Math.min(to, this.#plainValuesEnd);
    const power = DECIMAL_POWERS[this.#plainDecimals] as number;
    for (let i = from; i < valuesEnd; i++) numbers[i] = (mantissas[i] as number) / power;
    if (valuesEnd > from) nulls.fill(0, from, valuesEnd);
    if (this.#hasQualities) return;
    const quality = this.#counts[QUALITIES] === NONE ? GOOD_QUALITY : (qualities[points.count] as number);
    qualities.fill(quality, from, to);
  }

  /** From the entry `i` on, values are in the general columns. */
  #stopPlainValues(builder: BatchBuilder, i: number): void {
    if (builder.decimals === NOT_PLAIN) return;
    this.#plainDecimals = builder.decimals;
    this.#plainValuesEnd = i;
    builder.decimals = NOT_PLAIN;
  }

  /** Adds the times that are left; returns the offset after the array, NONE, or PAUSED. */
  #addTimes(bytes: Buffer, view: DataView, builder: BatchBuilder): number {
    let cursor = this.#cursor;
    for (;;) {
      if (cursor >= this.#stopAt) return this.#pause(cursor);
      builder.reserveTo(this.#plain.entry + 1);
      if (this.#plainTimesEnd === ALL) {
        const isText = bytes[cursor] === QUOTE;
        cursor = isText
          ? this.#plain.addTexts(bytes, view, cursor, builder)
          : this.#plain.addMs(bytes, view, cursor, builder);
        if (this.#plain.entry === builder.points.capacity) continue;
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
    const i = this.#plain.entry++;
    const isText = bytes[start] === QUOTE;
    const end = isText ? times.readQuoted(bytes, view, start + 1) + 1 : readNumber(bytes, start, timesMs, i);
    if (end <= 0 || (!isText && !times.readMs(timesMs[i] as number))) return NONE;
    const isPlain = this.#plainTimesEnd === ALL && times.ticks === 0;
    const offset = isPlain ? builder.offsetOf(times.ms) : TOO_FAR;
    if (offset === TOO_FAR) this.#plainTimesEnd = Math.min(this.#plainTimesEnd, i);
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

  /** Adds the values that are left; returns the offset after the array, NONE, or PAUSED. */
  #addValues(bytes: Buffer, view: DataView, builder: BatchBuilder): number {
    let cursor = this.#cursor;
    for (;;) {
      if (cursor >= this.#stopAt) return this.#pause(cursor);
      builder.reserveTo(this.#plain.entry + 1);
      if (builder.decimals !== NOT_PLAIN) {
        cursor = this.#plain.addDecimals(bytes, view, cursor, builder);
        if (this.#plain.entry === builder.points.capacity) continue;
      }
      if (bytes[cursor] === CLOSE_BRACKET) return this.#endColumn(bytes, cursor);
      cursor = this.#otherValue(bytes, view, cursor, builder);
      if (cursor === NONE || bytes[cursor] === CLOSE_BRACKET) return cursor === NONE ? NONE : cursor + 1;
      if (bytes[cursor++] !== COMMA) return NONE;
    }
  }

  /** Adds a number of another form, or null; returns the offset after it, or NONE. */
  #otherValue(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const { numbers, nulls } = builder.points;
    const i = this.#plain.entry++;
    nulls[i] = 0;
    if (start + WORD_BYTES < bytes.length && view.getInt32(start, true) === NULL_WORD) {
      this.#stopPlainValues(builder, i);
      nulls[i] = 1;
      this.#nullCount++;
      numbers[i] = 0;
      return start + WORD_BYTES;
    }
    const end = readValue(bytes, start, builder, i);
    const isPlain = end !== NONE && builder.decimals !== NOT_PLAIN && builder.setMantissa(i, numbers[i] as number);
    if (!isPlain) this.#stopPlainValues(builder, i);
    return end;
  }

  /** Adds the quality of all points, or those of an array; returns the offset after, NONE, or PAUSED. */
  #addQualities(bytes: Buffer, builder: BatchBuilder): number {
    builder.reserveTo(this.#plain.entry + 1);
    let cursor = this.#cursor;
    if (!this.#hasQualities) return readQuality(bytes, cursor, builder.points.qualities, this.#plain.entry++);
    for (;;) {
      if (cursor >= this.#stopAt) return this.#pause(cursor);
      builder.reserveTo(this.#plain.entry + 1);
      const { qualities } = builder.points;
      cursor = readQuality(bytes, cursor, qualities, this.#plain.entry);
      if (qualities[this.#plain.entry++] !== GOOD_QUALITY) this.#areGood = false;
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
