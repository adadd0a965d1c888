// The short cut for points as most clients write them: `{"t":"2024-01-01T00:00:00.123Z","v":12.34,"q":192}`, in that
// order and without spaces, with short numbers and good qualities. Bytes are compared eight at a time and digits become
// numbers on the way. Whatever else it meets it leaves alone, for the next way through the body, which gives the same.

import { GOOD_QUALITY, type PointColumns, ValueType } from '../../engine/index.ts';
import type { BatchBuilder } from './batch-builder.ts';
import { secondsOf } from './digit-words.ts';
import { type WholeRange, wholeRange } from './plain-numbers.ts';
import { readShortNumber } from './short-numbers.ts';
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
const goodQuality = GOOD_QUALITY;
const timeBytes = MS_TIME_BYTES;
const readSeconds = secondsOf;
const readValue = readShortNumber;
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
const NONE = -1;

export class UsualPoints {
  /** Behind the last point that was added. */
  position = 0;
  private readonly times: TimeReader;

  constructor(times: TimeReader) {
    this.times = times;
  }

  /** Adds the points that are next from `start` on; their number. */
  add(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const { type, points } = builder;
    const range = wholeRange(type);
    if (range === undefined && type !== ValueType.Double && type !== ValueType.Open) return 0;
    if (start > bytes.length - marginBytes || view.getInt32(start, true) !== HEAD_WORD) return 0;
    if (view.getInt16(start + 4, true) !== HEAD_HALF) return 0;
    const firstCount = points.count;
    let place = start + HEAD_BYTES;
    while (place !== NONE && this.times.readMinute(view, place))
      place = this.addMinute(bytes, view, place, points, range);
    const added = points.count - firstCount;
    if (added > 0 && type === ValueType.Open) builder.type = ValueType.Double;
    return added;
  }

  /**
   * Adds the points of the minute at hand, the first of which has its time at `start`. Returns where the time of a point
   * of another minute is, or NONE. Nothing is called here that is not compiled into the loop, because every call would
   * make it look at the columns anew (`bench/server/json.ts`).
   */
  private addMinute(
    bytes: Buffer,
    view: DataView,
    start: number,
    points: PointColumns,
    range: WholeRange | undefined,
  ): number {
    const { timesMs, ticks, numbers, nulls, qualities, capacity } = points;
    const { minuteMs, minuteFront, minuteBack } = this.times;
    const isWhole = range !== undefined;
    const low = isWhole ? range[0] : 0;
    const high = isWhole ? range[1] : 0;
    const lastStart = bytes.length - marginBytes;
    let count = points.count;
    let next = NONE;
    let position = 0;
    let place = start;
    while (count < capacity && place <= lastStart) {
      if (view.getFloat64((place + 8) | 0, true) !== minuteBack || view.getFloat64(place, true) !== minuteFront) {
        next = place;
        break;
      }
      const msOfMinute = readSeconds(view.getInt32((place + 16) | 0, true), view.getInt32((place + 20) | 0, true));
      place = (place + timeBytes) | 0;
      if (msOfMinute < 0) break;
      if (view.getInt32(place, true) !== valueFront || view.getInt32((place + 2) | 0, true) !== valueBack) break;
      place = readValue(bytes, view, (place + valueKeyBytes) | 0, numbers, count);
      if (place < 0) break;
      if (isWhole) {
        const value = numbers[count] as number;
        if (!(value >= low && value <= high) || Math.floor(value) !== value) break;
      }
      if (view.getFloat64(place, true) === goodQualityDouble) place = (place + goodQualityBytes) | 0;
      if (bytes[place] !== CLOSE_BRACE) break;
      timesMs[count] = minuteMs + msOfMinute;
      ticks[count] = 0;
      nulls[count] = 0;
      qualities[count] = goodQuality;
      count = (count + 1) | 0;
      position = (place + 1) | 0;
      if (view.getFloat64(place, true) !== nextDouble) break;
      place = (place + nextBytes) | 0;
    }
    if (count > points.count) this.position = position;
    points.count = count;
    return next;
  }
}
