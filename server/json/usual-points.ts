// The short cut for plain points as most clients write them: `{"t":"2024-01-01T00:00:00.123Z","v":12.34,"q":192}`, in that
// order and without spaces. Bytes are compared eight at a time, and digits become whole numbers on the way. Whatever else
// it meets it leaves alone, for the next way through the body, which gives the same.

import { ValueType } from '../../engine/index.ts';
import { type BatchBuilder, TOO_FAR } from './batch-builder.ts';
import { secondsOf } from './digit-words.ts';
import { DECIMAL_POWERS, NOT_PLAIN } from './plain-decimals.ts';
import { wholeRange } from './plain-numbers.ts';
import { readDecimal, readShortDecimal, WRITTEN_DECIMALS } from './short-numbers.ts';
import { MS_TIME_BYTES, type TimeReader } from './timestamp.ts';
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
} from './usual-bytes.ts';

// An import is looked up at every use; a constant of the module itself is compiled in.
const timeBytes = MS_TIME_BYTES;
const readSeconds = secondsOf;
const readShort = readShortDecimal;
const readLong = readDecimal;
const writtenDecimals = WRITTEN_DECIMALS;
const powers = DECIMAL_POWERS;
const tooFar = TOO_FAR;
const double = ValueType.Double;
const valueFront = VALUE_FRONT;
const valueBack = VALUE_BACK;
const valueKeyBytes = VALUE_KEY_BYTES;
const goodQualityDouble = GOOD_QUALITY_DOUBLE;
const goodQualityBytes = GOOD_QUALITY_BYTES;
const nextDouble = NEXT_DOUBLE;
const nextBytes = NEXT_BYTES;
const marginBytes = MARGIN_BYTES;

const CLOSE_BRACE = 0x7d;

const HEAD_WORD = asciiWord('{"t"');
const HEAD_HALF = asciiHalf(':"');
const HEAD_BYTES = 6;
/** Points in one go, so that a long body can be read in steps. */
const MAX_POINTS = 1024;
const MIN_INT32 = -2_147_483_648;
const MAX_INT32 = 2_147_483_647;
const MOST_DECIMALS = 9;
const NONE = -1;

export class UsualPoints {
  /** Behind the last point that was added. */
  position = 0;
  private readonly times: TimeReader;
  /** No point is read into an entry from here on. */
  private limit = 0;
  /** The minutes at hand, as in `TimeReader`, NaN when there are none; and their offsets. */
  private minuteFront = Number.NaN;
  private minuteBack = Number.NaN;
  private minuteOffset = 0;
  private olderFront = Number.NaN;
  private olderBack = Number.NaN;
  private olderOffset = 0;

  constructor(times: TimeReader) {
    this.times = times;
  }

  /** Adds the points that are next from `start` on; their number. */
  add(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    if (start > bytes.length - marginBytes || view.getInt32(start, true) !== HEAD_WORD) return 0;
    if (view.getInt16(start + 4, true) !== HEAD_HALF) return 0;
    return this.addFrom(bytes, view, start + HEAD_BYTES, builder);
  }

  /** The same, from the time of the first point on. */
  addFrom(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const { points } = builder;
    const firstCount = points.count;
    this.limit = Math.min(points.capacity, firstCount + MAX_POINTS);
    if (builder.decimals === NOT_PLAIN) return 0;
    let place = this.addMinutes(bytes, view, start, builder);
    while (place !== NONE && this.turnTo(view, place, builder)) place = this.addMinutes(bytes, view, place, builder);
    const added = points.count - firstCount;
    if (added > 0 && builder.type === ValueType.Open) builder.type = ValueType.Double;
    return added;
  }

  /** Begins another body, whose offsets are told from another base. */
  begin(): void {
    this.minuteFront = Number.NaN;
    this.olderFront = Number.NaN;
  }

  /** Makes the minute of a time the one at hand; false when it is none that plain points can be in. */
  private turnTo(view: DataView, place: number, builder: BatchBuilder): boolean {
    const { times } = this;
    if (!times.readMinute(view, place)) return false;
    const offset = builder.offsetOf(times.minuteMs);
    if (offset === tooFar) return false;
    const olderOffset = builder.offsetOf(times.olderMs);
    this.minuteFront = times.minuteFront;
    this.minuteBack = times.minuteBack;
    this.minuteOffset = offset;
    this.olderFront = olderOffset === tooFar ? Number.NaN : times.olderFront;
    this.olderBack = times.olderBack;
    this.olderOffset = olderOffset;
    return true;
  }

  /**
   * Adds the points of the two minutes at hand, the first of which has its time at `first`. Returns where the time of a
   * point of another minute is, or NONE. Only long numbers are read by a call; all else is compiled into the loop, because
   * every call makes it look at the columns anew (`bench/server/json.ts`).
   */
  private addMinutes(bytes: Buffer, view: DataView, first: number, builder: BatchBuilder): number {
    const { points, type, firstPoint } = builder;
    const { offsets, mantissas } = points;
    const { limit, minuteFront, minuteBack, minuteOffset, olderFront, olderBack, olderOffset } = this;
    const range = type === double ? undefined : wholeRange(type);
    const low = range === undefined ? MIN_INT32 : range[0];
    const high = range === undefined ? MAX_INT32 : range[1];
    const most = range === undefined ? MOST_DECIMALS : 0;
    const lastStart = bytes.length - marginBytes;
    let { decimals } = builder;
    let count = points.count;
    let next = NONE;
    let position = 0;
    let place = first;
    while (count < limit && place <= lastStart) {
      const front = view.getFloat64(place, true);
      const back = view.getFloat64((place + 8) | 0, true);
      const isAtHand = back === minuteBack && front === minuteFront;
      if (!isAtHand && !(back === olderBack && front === olderFront)) {
        next = place;
        break;
      }
      const msOfMinute = readSeconds(view.getInt32((place + 16) | 0, true), view.getInt32((place + 20) | 0, true));
      place = (place + timeBytes) | 0;
      if (msOfMinute < 0) break;
      if (view.getInt32(place, true) !== valueFront || view.getInt32((place + 2) | 0, true) !== valueBack) break;
      place = (place + valueKeyBytes) | 0;
      const start = place;
      place = readShort(bytes, view, start, mantissas, count);
      if (place < 0) place = readLong(bytes, start, mantissas, count);
      if (place < 0) break;
      const written = writtenDecimals[0] as number;
      if (written > decimals) {
        const power = powers[written - decimals] as number;
        let fits = written <= most;
        for (let j = firstPoint; j < count; j++) {
          const scaled = (mantissas[j] as number) * power;
          if ((scaled | 0) !== scaled) fits = false;
        }
        if (!fits) break;
        for (let j = firstPoint; j < count; j++) mantissas[j] = (mantissas[j] as number) * power;
        decimals = written;
      }
      const mantissa = (mantissas[count] as number) * (powers[decimals - written] as number);
      if (!(mantissa >= low && mantissa <= high)) break;
      mantissas[count] = mantissa;
      if (view.getFloat64(place, true) === goodQualityDouble) place = (place + goodQualityBytes) | 0;
      if (bytes[place] !== CLOSE_BRACE) break;
      offsets[count] = ((isAtHand ? minuteOffset : olderOffset) + msOfMinute) | 0;
      count = (count + 1) | 0;
      position = (place + 1) | 0;
      if (view.getFloat64(place, true) !== nextDouble) break;
      place = (place + nextBytes) | 0;
    }
    if (count > points.count) this.position = position;
    points.count = count;
    builder.decimals = decimals;
    return next;
  }
}
