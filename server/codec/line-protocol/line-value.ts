// One value of a field as it was found: its kind, and where it is in the body.

import { isUtf8 } from 'node:buffer';
import { isNumberLiteral, parseWhole } from '../scalars/decimal-literal.ts';
import { readNumber } from '../scalars/short-numbers.ts';
import { endsValue, NONE, QUOTE, stringEnd } from './line-bytes.ts';

export const LineKind = { Float: 0, Integer: 1, Unsigned: 2, True: 3, False: 4, Text: 5 } as const;
export type LineKind = (typeof LineKind)[keyof typeof LineKind];

const MINUS = 0x2d;
const ZERO = 0x30;
const SMALL_I = 0x69;
const SMALL_U = 0x75;
/** Whole numbers of so many digits are exact as doubles. */
const EXACT_DIGITS = 15;
/** Longer numbers are refused. */
const MAX_NUMBER_BYTES = 1_024;
const FLOAT = /^-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const WHOLE = /^-?[0-9]+i$|^[0-9]+u$/;
const TRUTHS = /^(?:t|T|true|True|TRUE)$/;
const UNTRUTHS = /^(?:f|F|false|False|FALSE)$/;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const MAX_UINT64 = 2n ** 64n - 1n;

export class LineValue {
  kind: LineKind = LineKind.Float;
  /** The nearest double of a number. */
  number = Number.NaN;
  /** Whether a whole number is exactly `number`. */
  isExact = false;
  /** Bounds of the text without its quotes, or of the number without its suffix. */
  start = 0;
  end = 0;
  /** Why `read` has returned NONE. */
  fault = '';
  readonly #numbers = new Float64Array(1);

  /** Reads the value at `start`; returns the offset behind it, or NONE. */
  read(bytes: Buffer, start: number, limit: number): number {
    if (bytes[start] === QUOTE) return this.#readText(bytes, start + 1, limit);
    this.start = start;
    const end = readNumber(bytes, start, this.#numbers, 0);
    if (end < 0 || end > limit || !endsValue(bytes, end, limit)) return this.#readOther(bytes, start, limit);
    this.kind = LineKind.Float;
    this.number = this.#numbers[0] as number;
    this.end = end;
    return end;
  }

  #readText(bytes: Buffer, start: number, limit: number): number {
    const end = stringEnd(bytes, start, limit);
    if (end === NONE) return this.#refuse('unbalanced quotes');
    if (!isUtf8(bytes.subarray(start, end))) return this.#refuse('a text that is not UTF-8');
    this.kind = LineKind.Text;
    this.start = start;
    this.end = end;
    return end + 1;
  }

  #readOther(bytes: Buffer, start: number, limit: number): number {
    const end = this.#readShortWhole(bytes, start, limit);
    if (end !== NONE) return end;
    const last = Math.min(limit, start + MAX_NUMBER_BYTES);
    let at = start;
    while (at < last && !endsValue(bytes, at, limit)) at++;
    if (at === last && at < limit) return this.#refuse('a number of too many digits');
    return this.#readWord(bytes.toString('latin1', start, at)) ? at : NONE;
  }

  /** A whole number of few digits with its suffix. */
  #readShortWhole(bytes: Buffer, start: number, limit: number): number {
    const isNegative = bytes[start] === MINUS;
    const first = isNegative ? start + 1 : start;
    let value = 0;
    let at = first;
    for (; at < first + EXACT_DIGITS; at++) {
      const digit = (bytes[at] as number) - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
    }
    const suffix = bytes[at];
    const isWhole = suffix === SMALL_I || (suffix === SMALL_U && !isNegative);
    if (at === first || !isWhole || at >= limit || !endsValue(bytes, at + 1, limit)) return NONE;
    this.kind = suffix === SMALL_I ? LineKind.Integer : LineKind.Unsigned;
    this.number = isNegative ? 0 - value : value;
    this.isExact = true;
    this.end = at;
    return at + 1;
  }

  #readWord(word: string): boolean {
    if (TRUTHS.test(word)) this.kind = LineKind.True;
    else if (UNTRUTHS.test(word)) this.kind = LineKind.False;
    else return this.#readLongNumber(word);
    return true;
  }

  #readLongNumber(word: string): boolean {
    const suffix = word.at(-1);
    const digits = word.slice(0, -1);
    if (WHOLE.test(word)) return this.#readLongWhole(digits, suffix === 'i' ? LineKind.Integer : LineKind.Unsigned);
    this.kind = LineKind.Float;
    this.end = this.start + word.length;
    this.number = FLOAT.test(word) ? Number(word) : Number.NaN;
    if (Number.isFinite(this.number)) return true;
    this.fault = FLOAT.test(word) ? 'a number out of range' : 'invalid field value';
    return false;
  }

  #readLongWhole(digits: string, kind: LineKind): boolean {
    const whole = parseWhole(jsonLiteral(digits));
    const [least, most] = kind === LineKind.Integer ? [MIN_INT64, MAX_INT64] : [0n, MAX_UINT64];
    if (typeof whole !== 'bigint' || whole < least || whole > most) {
      this.fault = 'a whole number out of range';
      return false;
    }
    this.kind = kind;
    this.number = Number(whole);
    this.isExact = false;
    this.end = this.start + digits.length;
    return true;
  }

  #refuse(fault: string): typeof NONE {
    this.fault = fault;
    return NONE;
  }
}

/** A number of a line as JSON writes it: no zeros in front, and digits on both sides of the point. */
export function jsonLiteral(digits: string): string {
  if (isNumberLiteral(digits)) return digits;
  return digits
    .replace(/^(-?)\./, '$10.')
    .replace(/^(-?)0+(?=[0-9])/, '$1')
    .replace(/\.(?=[eE]|$)/, '');
}
