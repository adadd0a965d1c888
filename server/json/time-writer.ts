// Time stamps into bytes: `2024-01-01T00:00:00.000Z`, with 7 fraction digits when there are ticks.
// The minute last written is kept in words, so that a time costs four stores (`bench/server/json.ts`).

import { writeFourDigits } from './number-text.ts';
import { formatMinute, MS_TIME_BYTES } from './timestamp.ts';

const MS_PER_MINUTE = 60_000;

/** Bytes of a time stamp with ticks. */
export const TICK_TIME_BYTES = 28;

function asciiWord(text: string): number {
  return Buffer.from(text, 'latin1').readInt32LE(0);
}

/** `:ss.` by second. */
const SECOND_WORDS = Int32Array.from({ length: 60 }, (_, second) => asciiWord(`:${String(second).padStart(2, '0')}.`));
/** `mmmZ` by millisecond. */
const MS_WORDS = Int32Array.from({ length: 1000 }, (_, ms) => asciiWord(`${String(ms).padStart(3, '0')}Z`));
const UPPER_Z = 0x5a;

export class TimeWriter {
  /** When the minute at hand begins. */
  private minuteMs = Number.NaN;
  /** Its 16 bytes as two doubles; ASCII never makes a NaN, whose bits a store might alter. */
  private front = Number.NaN;
  private back = Number.NaN;

  /** Writes 24 or 28 bytes at `place` and returns the place behind them. */
  write(view: DataView, place: number, ms: number, ticks: number): number {
    let msOfMinute = ms - this.minuteMs;
    if (!(msOfMinute >= 0 && msOfMinute < MS_PER_MINUTE)) msOfMinute = this.turnTo(ms);
    const second = (msOfMinute / 1000) | 0;
    view.setFloat64(place, this.front, true);
    view.setFloat64(place + 8, this.back, true);
    view.setInt32(place + 16, SECOND_WORDS[second] as number, true);
    view.setInt32(place + 20, MS_WORDS[(msOfMinute | 0) - second * 1000] as number, true);
    if (ticks === 0) return place + MS_TIME_BYTES;
    writeFourDigits(view, place + 23, ticks);
    view.setUint8(place + 27, UPPER_Z);
    return place + TICK_TIME_BYTES;
  }

  /** Makes the minute of a time the one at hand; what the time is behind its beginning. */
  private turnTo(ms: number): number {
    const minute = Math.floor(ms / MS_PER_MINUTE);
    const bytes = Buffer.from(formatMinute(minute), 'latin1');
    this.front = bytes.readDoubleLE(0);
    this.back = bytes.readDoubleLE(8);
    this.minuteMs = minute * MS_PER_MINUTE;
    return ms - this.minuteMs;
  }
}
