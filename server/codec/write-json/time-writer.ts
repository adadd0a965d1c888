// Time stamps into bytes: `2024-01-01T00:00:00.000Z`, with 7 fraction digits when there are ticks.
// The minute last written is kept in words, so that a time costs four stores (`bench/server/json.ts`).

import { writeFourDigits } from '../scalars/number-text.ts';
import { formatMinute, MS_TIME_BYTES } from '../scalars/timestamp.ts';

const MS_PER_MINUTE = 60_000;

/** Bytes of a time stamp with ticks. */
export const TICK_TIME_BYTES = 28;

function asciiWord(text: string): number {
  return Buffer.from(text, 'latin1').readInt32LE(0);
}

/** `:ss.` by second. */
export const SECOND_WORDS = Int32Array.from({ length: 60 }, (_, second) =>
  asciiWord(`:${String(second).padStart(2, '0')}.`),
);
/** `mmmZ` by millisecond. */
const MS_WORDS = Int32Array.from({ length: 1000 }, (_, ms) => asciiWord(`${String(ms).padStart(3, '0')}Z`));
const TWO_DIGITS = Int16Array.from({ length: 60 }, (_, value) =>
  Buffer.from(String(value).padStart(2, '0'), 'latin1').readInt16LE(0),
);
const UPPER_Z = 0x5a;
/** In `YYYY-MM-DDThh:mm`. */
const HOUR_OFFSET = 11;
const MINUTE_OFFSET = 14;
const MINUTES_PER_DAY = 1440;

export class TimeWriter {
  /** Start of the current minute. Read-only from outside, like the two below. */
  minuteMs = Number.NaN;
  /** Its 16 bytes as two doubles; ASCII never makes a NaN, whose bits a store might alter. */
  front = Number.NaN;
  back = Number.NaN;
  /** The 16 bytes, and the day that they are of. */
  readonly #scratch = new DataView(new ArrayBuffer(16));
  #day = Number.NaN;

  /** Writes 24 or 28 bytes at `offset` and returns the offset after them. */
  write(view: DataView, offset: number, ms: number, ticks: number): number {
    let msOfMinute = ms - this.minuteMs;
    if (!(msOfMinute >= 0 && msOfMinute < MS_PER_MINUTE)) msOfMinute = this.turnTo(ms);
    const whole = msOfMinute | 0;
    const second = (whole / 1000) | 0;
    view.setFloat64(offset, this.front, true);
    view.setFloat64((offset + 8) | 0, this.back, true);
    view.setInt32((offset + 16) | 0, SECOND_WORDS[second] as number, true);
    view.setInt32((offset + 20) | 0, MS_WORDS[(whole - second * 1000) | 0] as number, true);
    if (ticks === 0) return (offset + MS_TIME_BYTES) | 0;
    writeFourDigits(view, offset + 23, ticks);
    view.setUint8(offset + 27, UPPER_Z);
    return offset + TICK_TIME_BYTES;
  }

  /** Makes the minute of a time the current one; returns the ms of the time within it. */
  turnTo(ms: number): number {
    const scratch = this.#scratch;
    const minute = Math.floor(ms / MS_PER_MINUTE);
    const day = Math.floor(minute / MINUTES_PER_DAY);
    if (day !== this.#day) this.#turnToDay(day);
    const minuteOfDay = minute - day * MINUTES_PER_DAY;
    const hour = (minuteOfDay / 60) | 0;
    scratch.setInt16(HOUR_OFFSET, TWO_DIGITS[hour] as number, true);
    scratch.setInt16(MINUTE_OFFSET, TWO_DIGITS[minuteOfDay - hour * 60] as number, true);
    this.front = scratch.getFloat64(0, true);
    this.back = scratch.getFloat64(8, true);
    this.minuteMs = minute * MS_PER_MINUTE;
    return ms - this.minuteMs;
  }

  #turnToDay(day: number): void {
    const text = formatMinute(day * MINUTES_PER_DAY);
    for (let i = 0; i < text.length; i++) this.#scratch.setUint8(i, text.charCodeAt(i));
    this.#day = day;
  }
}
