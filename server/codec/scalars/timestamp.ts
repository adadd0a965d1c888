// ISO 8601 time stamps, exact to 100 ns, from and to text and bytes.
//
// Read: YYYY-MM-DD alone (midnight), or followed by Thh:mm, Thh:mm:ss or Thh:mm:ss.f with 1 to 9 fraction digits (what
// is past the 7th is dropped), then nothing or Z (UTC), or an offset ±hh, ±hhmm or ±hh:mm. T and Z may be lower case.
// A leap second, 23:59:60 of UTC with any fraction, is the start of the next second: a time in it is not later than
// the times of that second. Refused: year 0000, hour 24, second 60 of any other minute, a date that does not exist, and what
// lies outside years 0001 to 9999 in UTC.

import { type Instant, MAX_TIME_MS, MIN_TIME_MS } from '../../../engine/index.ts';
import { civilFromDays, daysFromCivil, daysInMonth } from './civil-date.ts';
import { secondsOf } from './digit-words.ts';

export const TIME_FORM = 'an ISO 8601 time stamp of years 0001 to 9999 with at most 9 fraction digits';

/** Bytes of the longest time stamp: `9999-12-31T23:59:59.123456789+00:00`. */
export const MAX_TIME_BYTES = 35;

const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;
/** 23:59 of its day. */
const LAST_MINUTE_MS = MS_PER_DAY - MS_PER_MINUTE;
const LEAP_SECOND_MS = MS_PER_MINUTE;
const QUOTE = 0x22;
/** `YYYY-MM-DDThh:mm` */
const MINUTE_BYTES = 16;
/** `YYYY-MM-DDThh:mm:ss.mmmZ` */
export const MS_TIME_BYTES = 24;
const DATE_BYTES = 10;

/**
 * Reads time stamps from bytes; the last one read is in `ms` and `ticks`. Remembers the last two minutes it met, so that
 * a run of points costs the seconds only (`bench/server/json.ts`).
 */
export class TimeReader {
  /** Starts as a double, so that the field never changes its representation. */
  ms = Number.NaN;
  ticks = 0;
  /** The minute read last, in ms. */
  minuteMs = Number.NaN;
  /**
   * Its 16 bytes as two doubles. The bytes of a minute are ASCII and thus neither NaN nor zero, so that equal doubles are
   * equal bytes; NaN at first, which equals nothing.
   */
  minuteFront = Number.NaN;
  minuteBack = Number.NaN;
  /** The same of the minute before. */
  olderFront = Number.NaN;
  olderBack = Number.NaN;
  olderMs = Number.NaN;
  #position = 0;

  /** Reads the bytes from `start` to `end`, all of them; false when they are not a time stamp. */
  read(view: DataView, start: number, end: number): boolean {
    if (end - start < MINUTE_BYTES) return this.#readDate(view, start, end);
    if (!this.readMinute(view, start)) return false;
    this.ticks = 0;
    if (end - start === MS_TIME_BYTES) {
      const msOfMinute = secondsOf(view.getInt32(start + 16, true), view.getInt32(start + 20, true));
      if (msOfMinute >= 0) {
        this.ms = this.minuteMs + msOfMinute;
        return true;
      }
    }
    this.#position = start + MINUTE_BYTES;
    const secondsMs = this.#seconds(view, end);
    if (secondsMs < 0) return false;
    const offsetMinutes = this.#offset(view, end);
    if (Number.isNaN(offsetMinutes)) return false;
    const minuteMs = this.minuteMs - offsetMinutes * MS_PER_MINUTE;
    if (secondsMs === LEAP_SECOND_MS && !isLastMinute(minuteMs)) return false;
    this.ms = minuteMs + secondsMs;
    return this.ms >= MIN_TIME_MS && this.ms <= MAX_TIME_MS;
  }

  /** A time in ms since 1970, whose fraction counts in whole ticks; false when it is not one of years 0001 to 9999. */
  readMs(timeMs: number): boolean {
    this.ms = Math.floor(timeMs) + 0; // -0 becomes 0
    this.ticks = Math.floor((timeMs - this.ms) * 10_000);
    // A time just before 1970 can have a difference that is rounded to a whole ms: there are no 10,000 ticks.
    if (this.ticks === 10_000) {
      this.ms++;
      this.ticks = 0;
    }
    return this.ms >= MIN_TIME_MS && this.ms <= MAX_TIME_MS;
  }

  /** Reads a time stamp that ends with a quote; returns the offset of the quote, or -1. Reads at most 36 bytes. */
  readQuoted(bytes: Uint8Array, view: DataView, start: number): number {
    const fastEnd = start + MS_TIME_BYTES;
    if (bytes[fastEnd] === QUOTE && this.read(view, start, fastEnd)) return fastEnd;
    const last = start + MAX_TIME_BYTES;
    let end = start;
    while (bytes[end] !== QUOTE) if (++end > last) return -1;
    return this.read(view, start, end) ? end : -1;
  }

  /** Reads the 16 bytes from `start` on into `minuteMs`; false when they are not `YYYY-MM-DDThh:mm`. */
  readMinute(view: DataView, start: number): boolean {
    const front = view.getFloat64(start, true);
    const back = view.getFloat64(start + 8, true);
    return (back === this.minuteBack && front === this.minuteFront) || this.#turnToMinute(view, start);
  }

  /** Makes another minute the current one, and the current one the older one. */
  #turnToMinute(view: DataView, start: number): boolean {
    const front = view.getFloat64(start, true);
    const back = view.getFloat64(start + 8, true);
    const isOlder = back === this.olderBack && front === this.olderFront;
    const ms = isOlder ? this.olderMs : parseMinute(view, start);
    if (Number.isNaN(ms)) return false;
    this.olderFront = this.minuteFront;
    this.olderBack = this.minuteBack;
    this.olderMs = this.minuteMs;
    this.minuteFront = front;
    this.minuteBack = back;
    this.minuteMs = ms;
    return true;
  }

  #readDate(view: DataView, start: number, end: number): boolean {
    if (end - start !== DATE_BYTES) return false;
    this.ms = parseDate(view, start);
    this.ticks = 0;
    return !Number.isNaN(this.ms);
  }

  /** `:ss` and a fraction, if they are there: their whole ms (the ticks go to `ticks`), or -1; of second 60 its start. */
  #seconds(view: DataView, end: number): number {
    const start = this.#position;
    if (start >= end || view.getUint8(start) !== 0x3a) return 0;
    if (start + 3 > end) return -1;
    const seconds = twoDigits(view, start + 1);
    if (seconds < 0 || seconds > 60) return -1;
    this.#position = start + 3;
    if (this.#position >= end || view.getUint8(this.#position) !== 0x2e) return seconds * 1000;
    const fractionTicks = this.#fraction(view, end);
    if (fractionTicks < 0) return -1;
    if (seconds === 60) return LEAP_SECOND_MS;
    const ms = (fractionTicks / 10_000) | 0;
    this.ticks = fractionTicks - ms * 10_000;
    return seconds * 1000 + ms;
  }

  /** `.f` to `.fffffffff` as ticks of 100 ns, or -1. */
  #fraction(view: DataView, end: number): number {
    const start = this.#position + 1;
    let position = start;
    let ticks = 0;
    for (; position < end; position++) {
      const digit = view.getUint8(position) - 0x30;
      if (digit < 0 || digit > 9) break;
      if (position - start < 7) ticks = ticks * 10 + digit;
    }
    const digitCount = position - start;
    if (digitCount === 0 || digitCount > 9) return -1;
    for (let digits = digitCount; digits < 7; digits++) ticks *= 10;
    this.#position = position;
    return ticks;
  }

  /** Nothing, `Z`, `±hh`, `±hhmm` or `±hh:mm` up to the end, in minutes; NaN for anything else. */
  #offset(view: DataView, end: number): number {
    const start = this.#position;
    const length = end - start;
    if (length === 0) return 0;
    const first = view.getUint8(start);
    if (length === 1) return (first | 0x20) === 0x7a ? 0 : Number.NaN;
    if (first !== 0x2b && first !== 0x2d) return Number.NaN;
    if (length !== 3 && length !== 5 && length !== 6) return Number.NaN;
    if (length === 6 && view.getUint8(start + 3) !== 0x3a) return Number.NaN;
    const hours = twoDigits(view, start + 1);
    const minutes = length === 3 ? 0 : twoDigits(view, end - 2);
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return Number.NaN;
    const total = hours * 60 + minutes;
    return first === 0x2d ? -total : total;
  }
}

/** Whether a minute is the last of its day, in UTC: the only one that may have a leap second. */
function isLastMinute(minuteMs: number): boolean {
  return minuteMs - Math.floor(minuteMs / MS_PER_DAY) * MS_PER_DAY === LAST_MINUTE_MS;
}

/** The two digits at `offset` as a number; -1 when they are not digits. */
function twoDigits(view: DataView, offset: number): number {
  const tens = view.getUint8(offset) - 0x30;
  const ones = view.getUint8(offset + 1) - 0x30;
  if (tens < 0 || tens > 9 || ones < 0 || ones > 9) return -1;
  return tens * 10 + ones;
}

/** `YYYY-MM-DD` in ms, or NaN. */
function parseDate(view: DataView, start: number): number {
  const century = twoDigits(view, start);
  const yearOfCentury = twoDigits(view, start + 2);
  const month = twoDigits(view, start + 5);
  const day = twoDigits(view, start + 8);
  if (view.getUint8(start + 4) !== 0x2d || view.getUint8(start + 7) !== 0x2d) return Number.NaN;
  if (century < 0 || yearOfCentury < 0) return Number.NaN;
  const year = century * 100 + yearOfCentury;
  if (year === 0 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return Number.NaN;
  return daysFromCivil(year, month, day) * MS_PER_DAY;
}

/** `YYYY-MM-DDThh:mm` in ms, or NaN. */
function parseMinute(view: DataView, start: number): number {
  const dateMs = parseDate(view, start);
  const hours = twoDigits(view, start + 11);
  const minutes = twoDigits(view, start + 14);
  if ((view.getUint8(start + 10) | 0x20) !== 0x74 || view.getUint8(start + 13) !== 0x3a) return Number.NaN;
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return Number.NaN;
  return dateMs + (hours * 60 + minutes) * MS_PER_MINUTE;
}

const textReader = new TimeReader();
const textBytes = new Uint8Array(MAX_TIME_BYTES);
const textView = new DataView(textBytes.buffer);

/** Reads a whole text into `reader`; false when it is not a time stamp. */
export function readTimeText(text: string, reader: TimeReader): boolean {
  if (text.length > MAX_TIME_BYTES) return false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return false;
    textBytes[i] = code;
  }
  return reader.read(textView, 0, text.length);
}

/** The instant a time stamp names, or undefined when the text is not one. */
export function parseInstant(text: string): Instant | undefined {
  return readTimeText(text, textReader) ? { ms: textReader.ms, ticks: textReader.ticks } : undefined;
}

/** The instant of a time in ms since 1970, as `TimeReader.readMs` has it. */
export function instantOfMs(timeMs: number): Instant | undefined {
  return textReader.readMs(timeMs) ? { ms: textReader.ms, ticks: textReader.ticks } : undefined;
}

const date = { year: 0, month: 0, day: 0 };

/** `2024-01-01T00:00:00.000Z`; with 7 fraction digits when there are ticks. */
export function formatInstant(instant: Instant): string {
  const secondText = `${formatMinute(Math.floor(instant.ms / MS_PER_MINUTE))}:`;
  const msOfMinute = instant.ms - Math.floor(instant.ms / MS_PER_MINUTE) * MS_PER_MINUTE;
  const seconds = Math.floor(msOfMinute / 1000);
  const fraction = padded(msOfMinute - seconds * 1000, 3) + (instant.ticks === 0 ? '' : padded(instant.ticks, 4));
  return `${secondText}${padded(seconds, 2)}.${fraction}Z`;
}

/** `YYYY-MM-DDThh:mm` of a minute counted from 1970. */
export function formatMinute(minute: number): string {
  const days = Math.floor(minute / 1440);
  const minuteOfDay = minute - days * 1440;
  civilFromDays(days, date);
  const dateText = `${padded(date.year, 4)}-${padded(date.month, 2)}-${padded(date.day, 2)}`;
  return `${dateText}T${padded(Math.floor(minuteOfDay / 60), 2)}:${padded(minuteOfDay % 60, 2)}`;
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}
