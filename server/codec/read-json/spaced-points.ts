// The fast path for points in spaced JSON, with their keys in another order, or with a short text, true, false or null for a
// value: keys and texts without escapes, a time stamp, and a quality of few digits. Everything else is left to the general path.

import { GOOD_QUALITY, type PointColumns, ValueType } from '../../../engine/index.ts';
import type { BatchBuilder } from '../body/batch-builder.ts';
import { convertNumber } from '../body/plain-numbers.ts';
import { MOST_RECENT_BYTES, type RecentTexts } from '../body/recent-texts.ts';
import { secondsOf } from '../scalars/digit-words.ts';
import { DECIMAL_POWERS } from '../scalars/plain-decimals.ts';
import { readDouble, readNumber, readQuality, readShortDecimal, WRITTEN_DECIMALS } from '../scalars/short-numbers.ts';
import { MS_TIME_BYTES, type TimeReader } from '../scalars/timestamp.ts';
import { asciiWord } from './compact-bytes.ts';

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const COLON = 0x3a;
const KEY_Q = 0x71;
const KEY_T = 0x74;
const KEY_V = 0x76;
/** A letter in quotes, the letter left out. */
const KEY_FRAME = 0x00220022;

const NULL_WORD = asciiWord('null');
const TRUE_WORD = asciiWord('true');
const FALSE_WORD = asciiWord('fals');
const LETTER_E = 0x65;
/** `192` as the lower three bytes of a word. */
const GOOD_QUALITY_TEXT = asciiWord('192 ') & 0x00ffffff;

/** More than any member that is read here takes: reading whole words this far from the end never runs past it. */
const MARGIN_BYTES = 128;
/** A point with more members is left to the general path, which has a limit for them. */
const MAX_MEMBERS = 8;
/** Points in one go, before the path for compact points is tried again. */
const MAX_POINTS = 64;

/** 1 when the value that was read last is a mantissa as it was written. */
const isShort = new Uint8Array(1);

/** More white space in a row is left to the general path, which steps over very much of it at once. */
const MOST_BLANKS = 1024;

/** Steps over white space. */
const skip = (bytes: Buffer, start: number): number => {
  const last = (start + MOST_BLANKS) | 0;
  let cursor = start;
  let byte = bytes[cursor] as number;
  while (byte <= SPACE && cursor < last && (byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09)) {
    cursor = (cursor + 1) | 0;
    byte = bytes[cursor] as number;
  }
  return cursor;
};

export class SpacedPoints {
  /** Offset after the last point that was added. */
  position = 0;
  readonly #times: TimeReader;
  readonly #texts: RecentTexts<Buffer>;

  constructor(times: TimeReader, texts: RecentTexts<Buffer>) {
    this.#times = times;
    this.#texts = texts;
  }

  /** Adds points from `start` on; returns their number. The type takes numbers, truth values or texts as they are. */
  add(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const { points } = builder;
    const lastStart = bytes.length - MARGIN_BYTES;
    const firstCount = points.count;
    const lastCount = Math.min(points.capacity, firstCount + MAX_POINTS);
    let cursor = skip(bytes, start);
    while (points.count < lastCount && cursor < lastStart && bytes[cursor] === OPEN_BRACE) {
      cursor = this.#point(bytes, view, cursor, builder);
      if (cursor < 0) break;
      if (builder.type === ValueType.Open && points.nulls[points.count] === 0) builder.type = ValueType.Double;
      if (isShort[0] === 1) builder.keepDecimal(WRITTEN_DECIMALS[0] as number);
      else builder.keepPoint();
      this.position = cursor;
      cursor = skip(bytes, cursor);
      if (bytes[cursor] !== COMMA) break;
      cursor = skip(bytes, cursor + 1);
    }
    return points.count - firstCount;
  }

  /** Reads a point into the entry after the last one; returns the offset after it, or -1 (`bench/server/json.ts`). */
  #point(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const { points } = builder;
    const i = points.count;
    const lastStart = bytes.length - MARGIN_BYTES;
    let seen = 0;
    let memberCount = 0;
    let cursor = start;
    points.qualities[i] = GOOD_QUALITY;
    do {
      if (++memberCount > MAX_MEMBERS) return -1;
      cursor = skip(bytes, (cursor + 1) | 0);
      if (cursor >= lastStart) return -1;
      const keyWord = view.getInt32(cursor, true);
      if ((keyWord & 0x00ff00ff) !== KEY_FRAME) return -1;
      cursor = (cursor + 3) | 0;
      if (keyWord >>> 24 !== COLON) cursor = skip(bytes, cursor);
      if (bytes[cursor] !== COLON) return -1;
      cursor = skip(bytes, (cursor + 1) | 0);
      if (cursor >= lastStart) return -1;
      const key = (keyWord >>> 8) & 0xff;
      if (key === KEY_T) {
        cursor = this.#time(bytes, view, cursor, points);
        seen |= 1;
      } else if (key === KEY_V) {
        cursor =
          builder.type === ValueType.String
            ? this.#text(bytes, view, cursor, points)
            : value(bytes, view, cursor, builder);
        seen |= 2;
      } else if (key === KEY_Q) {
        const isGood =
          (view.getInt32(cursor, true) & 0x00ffffff) === GOOD_QUALITY_TEXT && bytes[cursor + 3] === CLOSE_BRACE;
        if (isGood) points.qualities[i] = GOOD_QUALITY;
        cursor = isGood ? (cursor + 3) | 0 : readQuality(bytes, cursor, points.qualities, i);
      } else {
        return -1;
      }
      if (cursor < 0) return -1;
      cursor = skip(bytes, cursor);
    } while (bytes[cursor] === COMMA);
    return bytes[cursor] === CLOSE_BRACE && seen === 3 ? cursor + 1 : -1;
  }

  /** Reads a time into the entry after the last one; returns the offset after it, or -1. */
  #time(bytes: Buffer, view: DataView, start: number, points: PointColumns): number {
    const times = this.#times;
    const i = points.count;
    const cursor = (start + 1) | 0;
    if (bytes[start] !== QUOTE) return this.#timeMs(bytes, start, points);
    if (bytes[cursor + MS_TIME_BYTES] === QUOTE && view.getFloat64((cursor + 8) | 0, true) === times.minuteBack) {
      const msOfMinute = secondsOf(view.getInt32((cursor + 16) | 0, true), view.getInt32((cursor + 20) | 0, true));
      if (msOfMinute >= 0 && view.getFloat64(cursor, true) === times.minuteFront) {
        points.timesMs[i] = times.minuteMs + msOfMinute;
        points.ticks[i] = 0;
        return cursor + MS_TIME_BYTES + 1;
      }
    }
    const end = times.readQuoted(bytes, view, cursor);
    if (end < 0) return -1;
    points.timesMs[i] = times.ms;
    points.ticks[i] = times.ticks;
    return end + 1;
  }

  /** Reads a number of ms since 1970 into that entry; returns the same. */
  #timeMs(bytes: Buffer, start: number, { timesMs, ticks, count }: PointColumns): number {
    const times = this.#times;
    const end = readNumber(bytes, start, timesMs, count);
    if (end < 0 || !times.readMs(timesMs[count] as number)) return -1;
    timesMs[count] = times.ms;
    ticks[count] = times.ticks;
    return end;
  }

  /** Reads a short text, or null, into the entry after the last one; returns the offset after it, or -1. */
  #text(bytes: Buffer, view: DataView, start: number, { count, nulls, numbers, texts }: PointColumns): number {
    isShort[0] = 0;
    const isNull = view.getInt32(start, true) === NULL_WORD;
    nulls[count] = isNull ? 1 : 0;
    numbers[count] = 0;
    if (isNull) return start + 4;
    const end = bytes[start] === QUOTE ? endOfText(bytes, start + 1) : -1;
    if (end < 0) return -1;
    numbers[count] = this.#texts.numberIn(texts, bytes, start + 1, end);
    return end + 1;
  }
}

/** The offset of the closing quote of a short text without escapes; -1 for others. */
function endOfText(bytes: Buffer, start: number): number {
  const last = start + MOST_RECENT_BYTES;
  for (let at = start; at <= last; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) return at;
    if (byte < SPACE || byte === BACKSLASH) return -1;
  }
  return -1;
}

/** Reads a value of the other types into the entry after the last one; returns the offset after it, or -1. */
function value(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
  const { points, type } = builder;
  const { numbers, mantissas, count } = points;
  let end = type === ValueType.Boolean ? -1 : readShortDecimal(bytes, view, start, mantissas, count);
  points.nulls[count] = 0;
  isShort[0] = end >= 0 ? 1 : 0;
  if (end >= 0) {
    numbers[count] = (mantissas[count] as number) / (DECIMAL_POWERS[WRITTEN_DECIMALS[0] as number] as number);
    return convertNumber(type, numbers, builder.words, count, end - start) ? end : -1;
  }
  const word = view.getInt32(start, true);
  if (word === NULL_WORD) {
    points.nulls[count] = 1;
    numbers[count] = 0;
    return start + 4;
  }
  if (type === ValueType.Boolean) return truth(bytes, word, start, numbers, count);
  const isDouble = type === ValueType.Double || type === ValueType.Open;
  end = isDouble ? readDouble(bytes, start, numbers, count) : readNumber(bytes, start, numbers, count);
  return end >= 0 && convertNumber(type, numbers, builder.words, count, end - start) ? end : -1;
}

function truth(bytes: Buffer, word: number, start: number, numbers: Float64Array, i: number): number {
  if (word === TRUE_WORD) {
    numbers[i] = 1;
    return start + 4;
  }
  numbers[i] = 0;
  return word === FALSE_WORD && bytes[start + 4] === LETTER_E ? start + 5 : -1;
}
