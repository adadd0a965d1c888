// The fast path for plain points in compact JSON, as most clients write them:
// `{"t":"2024-01-01T00:00:00.123Z","v":12.34,"q":192}`, in that order and without spaces. Bytes are compared eight at a time,
// and digits are summed up as they are read. Everything else is left to the slower paths, which give the same points.

import { NOT_PLAIN, ValueType } from '../../../engine/index.ts';
import { type BatchBuilder, TOO_FAR } from '../body/batch-builder.ts';
import { wholeRange } from '../body/plain-numbers.ts';
import { secondsOf } from '../scalars/digit-words.ts';
import { DECIMAL_POWERS } from '../scalars/plain-decimals.ts';
import { readDecimal, readShortDecimal, WRITTEN_DECIMALS } from '../scalars/short-numbers.ts';
import { MS_TIME_BYTES, type TimeReader } from '../scalars/timestamp.ts';
import {
  asciiHalf,
  asciiWord,
  GOOD_QUALITY_BYTES,
  GOOD_QUALITY_DOUBLE,
  MARGIN_BYTES,
  NEXT_BYTES,
  NEXT_DOUBLE,
  VALUE_BACK,
  VALUE_FRONT,
  VALUE_KEY_BYTES,
} from './compact-bytes.ts';

const CLOSE_BRACE = 0x7d;

const HEAD_WORD = asciiWord('{"t"');
const HEAD_HALF = asciiHalf(':"');
const HEAD_BYTES = 6;
/** Points in one go, so that a long body can be read in pieces. */
const MAX_POINTS = 1024;
const NONE = -1;

export class CompactPoints {
  /** Offset after the last point that was added. */
  position = 0;
  readonly #times: TimeReader;
  /** Entries from here on are not filled in this call. */
  #limit = 0;
  /** The last two minutes, as in `TimeReader`, NaN when there are none; and their offsets from the base, in ms. */
  #minuteFront = Number.NaN;
  #minuteBack = Number.NaN;
  #minuteOffset = 0;
  #olderFront = Number.NaN;
  #olderBack = Number.NaN;
  #olderOffset = 0;
  /** The loop has stopped at a number that it cannot read. */
  #isOther = false;

  constructor(times: TimeReader) {
    this.#times = times;
  }

  /** Adds the points that are next from `start` on; their number. */
  add(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    if (start > bytes.length - MARGIN_BYTES || view.getInt32(start, true) !== HEAD_WORD) return 0;
    if (view.getInt16(start + 4, true) !== HEAD_HALF) return 0;
    return this.addFrom(bytes, view, start + HEAD_BYTES, builder);
  }

  /** The same, from the time of the first point on. */
  addFrom(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const { points } = builder;
    const firstCount = points.count;
    this.#limit = Math.min(points.capacity, firstCount + MAX_POINTS);
    if (builder.decimals === NOT_PLAIN) return 0;
    let cursor = this.#addMinutes(bytes, view, start, builder);
    while (cursor !== NONE) {
      if (this.#isOther) cursor = this.#addOther(bytes, view, cursor, builder);
      else if (!this.#turnTo(view, cursor, builder)) break;
      if (cursor !== NONE) cursor = this.#addMinutes(bytes, view, cursor, builder);
    }
    const added = points.count - firstCount;
    if (added > 0 && builder.type === ValueType.Open) builder.type = ValueType.Double;
    return added;
  }

  /** Begins another body, whose time offsets count from another base. */
  begin(): void {
    this.#minuteFront = Number.NaN;
    this.#olderFront = Number.NaN;
  }

  /** Makes the minute of a time the current one; false when plain points cannot have it. */
  #turnTo(view: DataView, cursor: number, builder: BatchBuilder): boolean {
    const times = this.#times;
    if (!times.readMinute(view, cursor)) return false;
    const offset = builder.offsetOf(times.minuteMs);
    if (offset === TOO_FAR) return false;
    const olderOffset = builder.offsetOf(times.olderMs);
    this.#minuteFront = times.minuteFront;
    this.#minuteBack = times.minuteBack;
    this.#minuteOffset = offset;
    this.#olderFront = olderOffset === TOO_FAR ? Number.NaN : times.olderFront;
    this.#olderBack = times.olderBack;
    this.#olderOffset = olderOffset;
    return true;
  }

  /**
   * Adds points of the last two minutes; the time of the first is at `first`. Returns the offset of the time of the first
   * point of another minute, or with a number of another form (`isOther`); NONE when the points end otherwise. The loop calls
   * only functions that are inlined: any other call would make it load the columns anew (`bench/server/json.ts`).
   */
  #addMinutes(bytes: Buffer, view: DataView, first: number, builder: BatchBuilder): number {
    const { points, type, firstPoint } = builder;
    const { offsets, mantissas } = points;
    const limit = this.#limit;
    const minuteFront = this.#minuteFront;
    const minuteBack = this.#minuteBack;
    const minuteOffset = this.#minuteOffset;
    const olderFront = this.#olderFront;
    const olderBack = this.#olderBack;
    const olderOffset = this.#olderOffset;
    const range = type === ValueType.Double ? undefined : wholeRange(type);
    const isWhole = range !== undefined;
    const low = isWhole ? range[0] : 0;
    const high = isWhole ? range[1] : 0;
    const lastStart = bytes.length - MARGIN_BYTES;
    let { decimals } = builder;
    let count = points.count;
    let next = NONE;
    let position = 0;
    let start = first;
    this.#isOther = false;
    while (count < limit && start <= lastStart) {
      const front = view.getFloat64(start, true);
      const back = view.getFloat64((start + 8) | 0, true);
      const isCurrent = back === minuteBack && front === minuteFront;
      if (!isCurrent && !(back === olderBack && front === olderFront)) {
        next = start;
        break;
      }
      const msOfMinute = secondsOf(view.getInt32((start + 16) | 0, true), view.getInt32((start + 20) | 0, true));
      let cursor = (start + MS_TIME_BYTES) | 0;
      if (msOfMinute < 0) break;
      if (view.getInt32(cursor, true) !== VALUE_FRONT || view.getInt32((cursor + 2) | 0, true) !== VALUE_BACK) break;
      cursor = readShortDecimal(bytes, view, (cursor + VALUE_KEY_BYTES) | 0, mantissas, count);
      const written = WRITTEN_DECIMALS[0] as number;
      if (cursor < 0 || (written !== decimals && count > firstPoint)) {
        const scaled =
          cursor < 0 || written > decimals
            ? Number.NaN
            : (mantissas[count] as number) * (DECIMAL_POWERS[decimals - written] as number);
        if ((scaled | 0) !== scaled) {
          next = start;
          this.#isOther = true;
          break;
        }
        mantissas[count] = scaled;
      } else decimals = written;
      if (isWhole && (decimals > 0 || !((mantissas[count] as number) >= low && (mantissas[count] as number) <= high)))
        break;
      if (view.getFloat64(cursor, true) === GOOD_QUALITY_DOUBLE) cursor = (cursor + GOOD_QUALITY_BYTES) | 0;
      if (bytes[cursor] !== CLOSE_BRACE) break;
      offsets[count] = ((isCurrent ? minuteOffset : olderOffset) + msOfMinute) | 0;
      count = (count + 1) | 0;
      position = (cursor + 1) | 0;
      if (view.getFloat64(cursor, true) !== NEXT_DOUBLE) break;
      start = (cursor + NEXT_BYTES) | 0;
    }
    if (count > points.count) {
      this.position = position;
      builder.decimals = decimals;
    }
    points.count = count;
    return next;
  }

  /**
   * Adds the point whose time is at `start`, in one of the last two minutes, and whose number is long or has more decimals
   * than the run so far. Returns the offset of the time of the next point, or NONE.
   */
  #addOther(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const { points, type } = builder;
    const { offsets, mantissas, count } = points;
    const value = start + MS_TIME_BYTES + VALUE_KEY_BYTES;
    const end = readDecimal(bytes, value, mantissas, count);
    if (end < 0 || !builder.alignDecimals(count, WRITTEN_DECIMALS[0] as number)) return NONE;
    const range = wholeRange(type);
    const mantissa = mantissas[count] as number;
    if (range !== undefined && !(mantissa >= range[0] && mantissa <= range[1])) return NONE;
    const cursor = view.getFloat64(end, true) === GOOD_QUALITY_DOUBLE ? end + GOOD_QUALITY_BYTES : end;
    if (bytes[cursor] !== CLOSE_BRACE) return NONE;
    const isCurrent =
      view.getFloat64(start + 8, true) === this.#minuteBack && view.getFloat64(start, true) === this.#minuteFront;
    const msOfMinute = secondsOf(view.getInt32(start + 16, true), view.getInt32(start + 20, true));
    offsets[count] = ((isCurrent ? this.#minuteOffset : this.#olderOffset) + msOfMinute) | 0;
    points.count = count + 1;
    this.position = cursor + 1;
    const isLast = count + 1 === this.#limit || view.getFloat64(cursor, true) !== NEXT_DOUBLE;
    return isLast ? NONE : cursor + NEXT_BYTES;
  }
}
