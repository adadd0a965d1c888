// The short cut for points that are written with spaces, with their keys in another order, or with true, false or null
// for a value: plain keys, a time stamp, and a quality of few digits. Everything else is left to the general way.

import { GOOD_QUALITY, type PointColumns, ValueType } from '../../engine/index.ts';
import type { BatchBuilder } from './batch-builder.ts';
import { settleNumber } from './plain-numbers.ts';
import { readNumber, readQuality } from './short-numbers.ts';
import type { TimeReader } from './timestamp.ts';

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const KEY_Q = 0x71;
const KEY_T = 0x74;
const KEY_V = 0x76;

function asciiWord(text: string): number {
  return Buffer.from(text, 'latin1').readInt32LE(0);
}
const NULL_WORD = asciiWord('null');
const TRUE_WORD = asciiWord('true');
const FALSE_WORD = asciiWord('fals');
const LETTER_E = 0x65;

/** More than any value that is read here takes: so far from the end, no word is read past it. */
const MARGIN_BYTES = 64;

/** Steps over white space. */
function skip(bytes: Buffer, start: number): number {
  let place = start;
  let byte = bytes[place] as number;
  while (byte <= SPACE && (byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09))
    byte = bytes[++place] as number;
  return place;
}

export class LoosePoints {
  /** Behind the last point that was added. */
  position = 0;
  private readonly times: TimeReader;
  /** Members of the point at hand that were read: 1 for the time, 2 for the value. */
  private seen = 0;

  constructor(times: TimeReader) {
    this.times = times;
  }

  /** Adds the points that are next from `start` on; their number. The type takes numbers or truth values. */
  add(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const { points } = builder;
    const lastStart = bytes.length - MARGIN_BYTES;
    const firstCount = points.count;
    let place = start;
    while (points.count < points.capacity && place < lastStart && bytes[place] === OPEN_BRACE) {
      place = this.point(bytes, view, place, builder);
      if (place < 0) break;
      if (builder.type === ValueType.Open && points.nulls[points.count] === 0) builder.type = ValueType.Double;
      points.count++;
      this.position = place;
      place = skip(bytes, place);
      if (bytes[place] !== COMMA) break;
      place = skip(bytes, place + 1);
    }
    return points.count - firstCount;
  }

  /** Reads a point into the entry behind the last one; the place behind it, or -1. */
  private point(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const { points } = builder;
    const i = points.count;
    const lastStart = bytes.length - MARGIN_BYTES;
    points.qualities[i] = GOOD_QUALITY;
    this.seen = 0;
    let place = start;
    do {
      place = skip(bytes, place + 1);
      const key = bytes[place + 1] as number;
      if (bytes[place] !== QUOTE || bytes[place + 2] !== QUOTE) return -1;
      place = skip(bytes, place + 3);
      if (bytes[place] !== COLON) return -1;
      place = skip(bytes, place + 1);
      if (place >= lastStart) return -1;
      if (key === KEY_T) place = this.time(bytes, view, place, points);
      else if (key === KEY_V) place = this.value(bytes, view, place, builder);
      else place = key === KEY_Q ? readQuality(bytes, place, points.qualities, i) : -1;
      if (place < 0) return -1;
      place = skip(bytes, place);
    } while (bytes[place] === COMMA);
    return bytes[place] === CLOSE_BRACE && this.seen === 3 ? place + 1 : -1;
  }

  private time(bytes: Buffer, view: DataView, start: number, points: PointColumns): number {
    const { times } = this;
    if (bytes[start] !== QUOTE) return -1;
    const end = times.readQuoted(bytes, view, start + 1);
    if (end < 0) return -1;
    points.timesMs[points.count] = times.ms;
    points.ticks[points.count] = times.ticks;
    this.seen |= 1;
    return end + 1;
  }

  private value(bytes: Buffer, view: DataView, start: number, builder: BatchBuilder): number {
    const { points, type } = builder;
    const { numbers, count } = points;
    const word = view.getInt32(start, true);
    this.seen |= 2;
    points.nulls[count] = 0;
    if (word === NULL_WORD) {
      points.nulls[count] = 1;
      numbers[count] = 0;
      return start + 4;
    }
    if (type === ValueType.Boolean) return truth(bytes, word, start, numbers, count);
    const end = readNumber(bytes, view, start, numbers, count);
    return end >= 0 && settleNumber(type, numbers, builder.words, count, end - start) ? end : -1;
  }
}

function truth(bytes: Buffer, word: number, start: number, numbers: Float64Array, i: number): number {
  if (word === TRUE_WORD) {
    numbers[i] = 1;
    return start + 4;
  }
  numbers[i] = 0;
  return word === FALSE_WORD && bytes[start + 4] === LETTER_E ? start + 5 : -1;
}
