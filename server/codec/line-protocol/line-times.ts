// Times of lines: whole numbers of a unit since 1970, into ms and ticks of 100 ns.

import { MAX_TIME_MS, MIN_TIME_MS } from '../../../engine/index.ts';
import { NONE } from './line-bytes.ts';

/** Units below the millisecond are cut off digit by digit; the others are multiples of it. */
interface Precision {
  /** Digits below the millisecond. */
  readonly fineDigits: number;
  readonly unitMs: number;
}

const PRECISIONS: ReadonlyMap<string, Precision> = new Map([
  ['ns', { fineDigits: 6, unitMs: 1 }],
  ['n', { fineDigits: 6, unitMs: 1 }],
  ['us', { fineDigits: 3, unitMs: 1 }],
  ['u', { fineDigits: 3, unitMs: 1 }],
  ['µ', { fineDigits: 3, unitMs: 1 }],
  ['ms', { fineDigits: 0, unitMs: 1 }],
  ['s', { fineDigits: 0, unitMs: 1_000 }],
  ['m', { fineDigits: 0, unitMs: 60_000 }],
  ['h', { fineDigits: 0, unitMs: 3_600_000 }],
]);

const MINUS = 0x2d;
const ZERO = 0x30;
/** Digits of a whole number of 64 bits. */
const MAX_DIGITS = 19;
const FINE_UNITS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];
const TICK_DIGITS = 4;

export function isPrecision(name: string): boolean {
  return PRECISIONS.has(name);
}

export class LineTimes {
  /** Time that was read last, rounded down to 100 ns. */
  ms = Number.NaN;
  ticks = 0;
  #fineDigits = 6;
  #unitMs = 1;

  /** The unit of the times that follow; the name must be one. */
  begin(name: string): void {
    const precision = PRECISIONS.get(name);
    if (precision === undefined) throw new Error(`BUG: '${name}' is no precision`);
    this.#fineDigits = precision.fineDigits;
    this.#unitMs = precision.unitMs;
  }

  /** Reads the number at `start`; returns the offset behind it, or NONE when there is none or its time is out of range. */
  read(bytes: Uint8Array, start: number, limit: number): number {
    const isNegative = bytes[start] === MINUS;
    const first = isNegative ? start + 1 : start;
    const last = Math.min(limit, first + MAX_DIGITS + 1);
    let end = first;
    while (end < last && isDigit(bytes[end] as number)) end++;
    if (end === first || end - first > MAX_DIGITS) return NONE;
    const border = Math.max(first, end - this.#fineDigits);
    return this.#set(digitsAt(bytes, first, border) * this.#unitMs, digitsAt(bytes, border, end), isNegative)
      ? end
      : NONE;
  }

  #set(wholeMs: number, fine: number, isNegative: boolean): boolean {
    const fineUnits = FINE_UNITS[this.#fineDigits] as number;
    const isBorrowed = isNegative && fine > 0;
    const rest = isBorrowed ? fineUnits - fine : fine;
    this.ms = (isNegative ? -wholeMs : wholeMs) - (isBorrowed ? 1 : 0) + 0;
    this.ticks = Math.floor(rest * 10 ** (TICK_DIGITS - this.#fineDigits));
    return this.ms >= MIN_TIME_MS && this.ms <= MAX_TIME_MS;
  }
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}

function digitsAt(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + ((bytes[at] as number) - ZERO);
  return value;
}
