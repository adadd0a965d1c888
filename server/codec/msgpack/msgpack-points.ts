// The fast path for points in msgpack: maps of t, v and, where it is given, q, in any order, with a time in ms or as text, a
// number for a value, and a small quality. Everything else is left to the general path, which gives the same points.

import { GOOD_QUALITY, MAX_TIME_MS, MIN_TIME_MS, type PointColumns, ValueType } from '../../../engine/index.ts';
import type { BatchBuilder } from '../body/batch-builder.ts';
import { convertValue } from '../body/plain-numbers.ts';
import { MAX_TIME_BYTES, TimeReader } from '../scalars/timestamp.ts';
import { numberAt, numberBytes } from './msgpack-numbers.ts';

const MAP_OF_TWO = 0x82;
const MAP_OF_THREE = 0x83;
const TEXT_OF_ONE = 0xa1;
const SHORT_TEXT = 0xa0;
const SHORT_TEXT_MOST = 0xbf;
const TEXT_8 = 0xd9;
const [KEY_T, KEY_V, KEY_Q] = [0x74, 0x76, 0x71];
const [SEEN_T, SEEN_V, SEEN_Q] = [1, 2, 4];
const UINT_8 = 0xcc;
const DOUBLE = 0xcb;
const DOUBLE_BYTES = 9;
const LAST_FIXED = 0x7f;

/** More than any point that is read here takes: reading this far from the end never runs past it. */
const MARGIN_BYTES = 128;
/** Points in one go, so that a long body can be read in pieces. */
const MAX_POINTS = 1024;
const NONE = -1;

export class MsgpackPoints {
  /** Offset after the last point that was added. */
  position = 0;
  readonly #times = new TimeReader();

  /** Adds points from `start` on, at most `left`; returns their number. The type takes numbers. */
  add(view: DataView, start: number, left: number, builder: BatchBuilder): number {
    const { points } = builder;
    const first = points.count;
    const end = Math.min(first + Math.min(left, MAX_POINTS), points.capacity);
    const lastStart = view.byteLength - MARGIN_BYTES;
    let cursor = start;
    while (points.count < end && cursor <= lastStart) {
      const next = this.#point(view, cursor, builder);
      if (next === NONE) break;
      if (builder.type === ValueType.Open) builder.type = ValueType.Double;
      builder.keepPoint();
      cursor = next;
    }
    this.position = cursor;
    return points.count - first;
  }

  /** Reads a point into the entry after the last one; returns the offset after it, or NONE (`bench/server/json.ts`). */
  #point(view: DataView, start: number, builder: BatchBuilder): number {
    const { points } = builder;
    const i = points.count;
    const lead = view.getUint8(start);
    if (lead !== MAP_OF_TWO && lead !== MAP_OF_THREE) return NONE;
    let seen = 0;
    let cursor = start + 1;
    points.qualities[i] = GOOD_QUALITY;
    for (let member = lead - MAP_OF_TWO + 2; member > 0; member--) {
      if (view.getUint8(cursor) !== TEXT_OF_ONE) return NONE;
      const key = view.getUint8(cursor + 1);
      cursor += 2;
      if (key === KEY_T && (seen & SEEN_T) === 0) {
        cursor = this.#time(view, cursor, points);
        seen |= SEEN_T;
      } else if (key === KEY_V && (seen & SEEN_V) === 0) {
        cursor = value(view, cursor, builder);
        seen |= SEEN_V;
      } else if (key === KEY_Q && (seen & SEEN_Q) === 0) {
        cursor = quality(view, cursor, points);
        seen |= SEEN_Q;
      } else {
        return NONE;
      }
      if (cursor === NONE) return NONE;
    }
    return (seen & (SEEN_T | SEEN_V)) === (SEEN_T | SEEN_V) ? cursor : NONE;
  }

  /** Reads a time into the entry after the last one; returns the offset after it, or NONE. */
  #time(view: DataView, start: number, points: PointColumns): number {
    const lead = view.getUint8(start);
    if (lead === DOUBLE && wholeMs(view, start + 1, points)) return start + DOUBLE_BYTES;
    const sizeBytes = numberBytes(lead);
    if (sizeBytes === 0) return this.#timeText(view, start, lead, points);
    return this.#keep(this.#times.readMs(numberAt(view, start)), points, start + sizeBytes);
  }

  #timeText(view: DataView, start: number, lead: number, points: PointColumns): number {
    const isShort = lead >= SHORT_TEXT && lead <= SHORT_TEXT_MOST;
    if (!isShort && lead !== TEXT_8) return NONE;
    const textStart = isShort ? start + 1 : start + 2;
    const sizeBytes = isShort ? lead - SHORT_TEXT : view.getUint8(start + 1);
    if (sizeBytes > MAX_TIME_BYTES) return NONE;
    const end = textStart + sizeBytes;
    return this.#keep(this.#times.read(view, textStart, end), points, end);
  }

  #keep(isTime: boolean, { timesMs, ticks, count }: PointColumns, end: number): number {
    timesMs[count] = this.#times.ms;
    ticks[count] = this.#times.ticks;
    return isTime ? end : NONE;
  }
}

// Doubles are read by functions of their own: out of any other form a number is one on the heap.

/** Reads a double as a time into the entry after the last one; false when it is no whole ms. */
function wholeMs(view: DataView, start: number, { timesMs, ticks, count }: PointColumns): boolean {
  const timeMs = view.getFloat64(start);
  if (!(timeMs >= MIN_TIME_MS && timeMs <= MAX_TIME_MS) || Math.floor(timeMs) !== timeMs) return false;
  timesMs[count] = timeMs;
  ticks[count] = 0;
  return true;
}

/** Reads a double into the entry after the last one; false when it is not finite. */
function finite(view: DataView, start: number, { numbers, nulls, count }: PointColumns): boolean {
  const number = view.getFloat64(start);
  if (number - number !== 0) return false; // NaN and the infinities
  numbers[count] = number;
  nulls[count] = 0;
  return true;
}

/** Reads a number into the entry after the last one; returns the offset after it, or NONE. */
function value(view: DataView, start: number, builder: BatchBuilder): number {
  const { points } = builder;
  const lead = view.getUint8(start);
  if (lead === DOUBLE && builder.type === ValueType.Double)
    return finite(view, start + 1, points) ? start + DOUBLE_BYTES : NONE;
  const sizeBytes = numberBytes(lead);
  if (sizeBytes === 0 || !convertValue(builder, points.count, numberAt(view, start))) return NONE;
  points.nulls[points.count] = 0;
  return start + sizeBytes;
}

/** Reads a quality of one byte; otherwise as `value`. */
function quality(view: DataView, start: number, { qualities, count }: PointColumns): number {
  const lead = view.getUint8(start);
  if (lead !== UINT_8 && lead > LAST_FIXED) return NONE;
  qualities[count] = lead === UINT_8 ? view.getUint8(start + 1) : lead;
  return lead === UINT_8 ? start + 2 : start + 1;
}
