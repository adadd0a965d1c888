// Decimals of more digits than a double holds exactly, as the nearest double, without a text: the quotient of two doubles
// and what its rounding left over, both exact (Dekker 1971, A floating-point technique for extending the available
// precision), with Ziv's test of whether that settles the rounding.

import { POWERS_OF_TEN } from './powers-of-ten.ts';

/** Most digits that `nearestDecimal` takes: two halves, each what an int32 holds. */
export const LONG_DIGITS = 18;
export const HALF_DIGITS = 9;

/** Splits a double into halves of 26 bits, whose products are exact. */
const SPLITTER = 2 ** 27 + 1;
/** More than the relative error of the correction: some roundings of 2^-53 each. */
const DOUBT = 2 ** -48;

/**
 * The double that is nearest to (`upper` * 10^`lowerDigits` + `lower`) / 10^`scale`: what `Number` makes of such a text.
 * NaN when that lies so close to the middle between two doubles that more digits would have to be looked at.
 * @param upper whole, from 0 to 10^9 - 1
 * @param lower whole, from 0 to 10^`lowerDigits` - 1
 * @param lowerDigits whole, from 0 to 9
 * @param scale whole, from 0 to 22
 */
export function nearestDecimal(upper: number, lower: number, lowerDigits: number, scale: number): number {
  const front = upper * (POWERS_OF_TEN[lowerDigits] as number); // exact: 10^9 has 9 factors of two, the rest has 51 bits
  const sum = front + lower;
  if (scale === 0) return sum;
  const rest = lower - (sum - front);
  const power = POWERS_OF_TEN[scale] as number;
  const quotient = sum / power;
  const product = quotient * power;
  const remainder = sum - product - productError(quotient, power, product) + rest;
  const correction = remainder / power;
  const doubt = correction * DOUBT;
  const nearest = quotient + (correction + doubt);
  return nearest === quotient + (correction - doubt) ? nearest : Number.NaN;
}

/** What is missing in the rounded `product` of two doubles. */
function productError(a: number, b: number, product: number): number {
  const aSplit = a * SPLITTER;
  const aHigh = aSplit - (aSplit - a);
  const aLow = a - aHigh;
  const bSplit = b * SPLITTER;
  const bHigh = bSplit - (bSplit - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}
