// Decimal numbers as System.Single, rounded once. By way of the nearest double they would be rounded twice, which goes wrong
// where that double lies in the middle between two singles: then the digits decide.

import { parseDigits } from './decimal-literal.ts';

/** The bits of a double that a single does not have, and the highest of them, which is half of the last one it has. */
const LOST_BITS = 0x1fff_ffff;
const HALF_BIT = 0x1000_0000;
const LEAST_NORMAL = 2 ** -126;
/** The middle between 0 and the least single; those between smaller singles are odd multiples. */
const LEAST_MIDDLE = 2 ** -150;
/** More than any middle between two singles has. */
const MOST_DIGITS = 200;
const FRACTION_BITS = 52n;
const EXPONENT_BITS = 0x7ffn;
/** The bias of the exponent of a double whose fraction is taken for a whole number. */
const EXPONENT_BIAS = 1075;

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
const bits = new BigUint64Array(double.buffer);

/** Whether a finite double lies exactly in the middle between two singles, or between the largest one and what overflows. */
export function isMiddle(value: number): boolean {
  const magnitude = Math.abs(value);
  if (magnitude < LEAST_NORMAL) return (magnitude / LEAST_MIDDLE) % 2 === 1;
  double[0] = value;
  return ((words[0] as number) & LOST_BITS) === HALF_BIT;
}

/**
 * The single that is nearest to a number written as `literal`, in the way of JSON; infinite when it is too large.
 * @param value its nearest double, which lies in the middle between two singles
 */
export function nearestSingle(value: number, literal: string): number {
  const magnitude = Math.abs(value);
  const side = compareDigits(literal, magnitude);
  double[0] = magnitude;
  bits[0] = (bits[0] as bigint) + BigInt(side);
  return Math.fround(Math.sign(value) * (double[0] as number));
}

/** Whether the digits of a number are above (1), at (0) or below (-1) its nearest double, without their signs. */
function compareDigits(literal: string, magnitude: number): -1 | 0 | 1 {
  const parsed = parseDigits(literal);
  if (parsed === undefined) throw new Error('BUG: not a number literal');
  const { digits, scale } = shortened(parsed);
  double[0] = magnitude;
  const raw = bits[0] as bigint;
  const fraction = (raw & ((1n << FRACTION_BITS) - 1n)) | (1n << FRACTION_BITS);
  const exponent = Number((raw >> FRACTION_BITS) & EXPONENT_BITS) - EXPONENT_BIAS;
  const left = BigInt(digits) * power(10n, -scale) * power(2n, -exponent);
  const right = fraction * power(2n, exponent) * power(10n, scale);
  if (left === right) return 0;
  return left > right ? 1 : -1;
}

/** A digit that is not 0 stands for all that are cut off. */
function shortened({ digits, scale }: { digits: string; scale: number }): { digits: string; scale: number } {
  const cut = digits.length - MOST_DIGITS;
  if (cut <= 0) return { digits, scale };
  const rest = /[1-9]/.test(digits.slice(MOST_DIGITS)) ? '1' : '0';
  return { digits: digits.slice(0, MOST_DIGITS) + rest, scale: scale - cut + 1 };
}

/** 1 for a negative exponent: its power is on the other side of the comparison. */
function power(base: bigint, exponent: number): bigint {
  return exponent > 0 ? base ** BigInt(exponent) : 1n;
}
