// The short cut for points as most clients write them: `{"t":"2024-01-01T00:00:00.123Z","v":12.34,"q":192}`, in that
// order and without spaces. Bytes are compared four at a time and digits become numbers on the way. Whatever else it
// meets it leaves alone, for the general way through the body, which gives the same results (`bench/server/json.ts`).

import { GOOD_QUALITY, PointColumns, ValueType } from '../../engine/index.ts';
import type { BatchBuilder } from './batch-builder.ts';
import { secondsOf } from './digit-words.ts';
import { settleNumber } from './plain-numbers.ts';
import { readNumber, readQuality } from './short-numbers.ts';
import { MS_TIME_BYTES, type TimeReader } from './timestamp.ts';

const COLON = 0x3a;
const CLOSE_BRACE = 0x7d;

function asciiHalf(text: string): number {
  return Buffer.from(text, 'latin1').readInt16LE(0);
}
function asciiWord(text: string): number {
  return Buffer.from(text, 'latin1').readInt32LE(0);
}
/** Eight ASCII bytes as the double they make: never NaN and never zero, so that equality is equality of the bytes. */
function asciiDouble(text: string): number {
  return Buffer.from(text, 'latin1').readDoubleLE(0);
}

const HEAD_WORD = asciiWord('{"t"');
const HEAD_HALF = asciiHalf(':"');
const HEAD_BYTES = 6;
const VALUE_WORD = asciiWord('","v');
const VALUE_HALF = asciiHalf('":');
const VALUE_KEY_BYTES = 6;
const QUALITY_WORD = asciiWord(',"q"');
const GOOD_QUALITY_DOUBLE = asciiDouble(',"q":192');
const GOOD_QUALITY_BYTES = 8;
/** The end of a point and the beginning of the next. */
const NEXT_DOUBLE = asciiDouble('},{"t":"');
const NEXT_BYTES = 8;

/** More than any point of the usual shape takes: so far from the end, no word is read past it. */
const MARGIN_BYTES = 128;

/**
 * What is read goes straight into the columns; methods return places and other small integers, because a double that is
 * returned may be allocated.
 */
export class UsualPoints {
  /** Behind the last point that was added. */
  position = 0;
  private readonly times: TimeReader;
  private points = new PointColumns(0);
  private words: Int32Array = new Int32Array(0);

  constructor(times: TimeReader) {
    this.times = times;
  }

  /** Adds the points that are next from `start` on; their number. The type is one that takes numbers. */
  add(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const { type, points } = builder;
    const firstCount = points.count;
    this.points = points;
    this.words = builder.words;
    this.readPoints(bytes, view, start, type);
    const added = points.count - firstCount;
    if (added > 0 && type === ValueType.Open) builder.type = ValueType.Double;
    return added;
  }

  private readPoints(bytes: Buffer, view: DataView, start: number, type: ValueType): void {
    const { points, times, words } = this;
    const { timesMs, ticks, numbers, nulls, qualities, capacity } = points;
    const isDouble = type === ValueType.Double || type === ValueType.Open;
    const lastStart = bytes.length - MARGIN_BYTES;
    if (start > lastStart || view.getInt32(start, true) !== HEAD_WORD || view.getInt16(start + 4, true) !== HEAD_HALF)
      return;
    let { minuteMs, minuteFront, minuteBack } = times;
    let count = points.count;
    let place = start + HEAD_BYTES;
    while (count < capacity && place <= lastStart) {
      if (view.getFloat64(place + 8, true) !== minuteBack || view.getFloat64(place, true) !== minuteFront) {
        if (times.readMinute(view, place)) ({ minuteMs, minuteFront, minuteBack } = times);
        else minuteFront = Number.NaN;
      }
      const msOfMinute = secondsOf(view.getInt32(place + 16, true), view.getInt32(place + 20, true));
      if (msOfMinute >= 0 && !Number.isNaN(minuteFront)) {
        timesMs[count] = minuteMs + msOfMinute;
        ticks[count] = 0;
        place += MS_TIME_BYTES;
      } else {
        place = this.otherTime(bytes, view, place, count);
        if (place < 0) break;
      }
      if (view.getInt32(place, true) !== VALUE_WORD || view.getInt16(place + 4, true) !== VALUE_HALF) break;
      const valueStart = place + VALUE_KEY_BYTES;
      place = readNumber(bytes, view, valueStart, numbers, count);
      if (place < 0 || (!isDouble && !settleNumber(type, numbers, words, count, place - valueStart))) break;
      nulls[count] = 0;
      qualities[count] = GOOD_QUALITY;
      if (view.getFloat64(place, true) === GOOD_QUALITY_DOUBLE) {
        place += GOOD_QUALITY_BYTES;
      } else if (view.getInt32(place, true) === QUALITY_WORD) {
        place = bytes[place + 4] === COLON ? readQuality(bytes, place + 5, qualities, count) : -1;
        if (place < 0) break;
      }
      if (view.getFloat64(place, true) !== NEXT_DOUBLE) {
        if (bytes[place] !== CLOSE_BRACE) break;
        this.position = place + 1;
        count++;
        break;
      }
      count++;
      this.position = place + 1;
      place += NEXT_BYTES;
    }
    points.count = count;
  }

  /** Reads a time stamp of any form into entry `i`; the place of the quote behind it, or -1. */
  private otherTime(bytes: Buffer, view: DataView, start: number, i: number): number {
    const { times, points } = this;
    const end = times.readQuoted(bytes, view, start);
    if (end < 0) return -1;
    points.timesMs[i] = times.ms;
    points.ticks[i] = times.ticks;
    return end;
  }
}
