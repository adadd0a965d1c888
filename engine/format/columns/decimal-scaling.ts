// Doubles as scaled decimals: v = m / 10^e with whole m of at most 15 digits, proved value by value. Two decimals of at
// most 15 digits never share a double, and m / 10^e is one correctly rounded division, so the double comes back bit for bit.

/** Largest exponent tried; 10^e stays exact far beyond. */
export const MAX_EXPONENT = 12;
export const POWERS_OF_TEN: Float64Array = Float64Array.from({ length: MAX_EXPONENT + 1 }, (_, e) => 10 ** e);
const MAX_MANTISSA = 999_999_999_999_999;
const MAX_SINGLE_MANTISSA = 9_999_999;

/** Number of values from which the exponent is guessed. */
const SAMPLE_COUNT = 32;

/** Adding and subtracting it rounds a number below 2^51 in magnitude to a whole one. */
const ROUNDER = 1.5 * 2 ** 52;

/**
 * The smallest exponent under which `value` is a scaled decimal, or `likely` if it is one under that; -1 if there is none.
 * `-0` is not a scaled decimal: m / 10^e is never -0.
 */
export function exponentOf(value: number, likely: number): number {
  if (isScaled(value, POWERS_OF_TEN[likely] as number)) return likely;
  for (let e = 0; e <= MAX_EXPONENT; e++) {
    const scale = POWERS_OF_TEN[e] as number;
    if (isScaled(value, scale)) return e;
    // A larger scale only gives more digits.
    if (Math.abs(value * scale) > MAX_MANTISSA) return -1;
  }
  return -1;
}

function isScaled(value: number, scale: number): boolean {
  const mantissa = value * scale + ROUNDER - ROUNDER;
  return mantissa / scale === value && Math.abs(mantissa) <= MAX_MANTISSA && (value !== 0 || 1 / value > 0);
}

/** Exponent of a single: m / 10^e rounded to single precision must be `value`, and m has at most 7 digits. */
export function exponentOfSingle(value: number): number {
  if (Object.is(value, -0)) return -1;
  for (let e = 0; e <= MAX_EXPONENT; e++) {
    const scale = POWERS_OF_TEN[e] as number;
    const mantissa = Math.round(value * scale);
    if (Math.abs(mantissa) > MAX_SINGLE_MANTISSA) return -1;
    if (Math.fround(mantissa / scale) === value) return e;
  }
  return -1;
}

/** The exponent that fits a sample of `values[0, count)`, or -1 when more than an eighth of the sample are not decimals. */
export function guessExponent(
  values: Float64Array,
  count: number,
  exponentOfValue: (value: number, likely: number) => number,
): number {
  const stride = Math.max(1, Math.floor(count / SAMPLE_COUNT));
  let exponent = 0;
  let misses = 0;
  let tried = 0;
  for (let i = 0; i < count; i += stride, tried++) {
    const own = exponentOfValue(values[i] as number, exponent);
    if (own < 0) misses++;
    else if (own > exponent) exponent = own;
  }
  return misses * 8 > tried ? -1 : exponent;
}

/**
 * Fills `mantissas` with `values[0, count)` scaled by 10^exponent, and `exceptions` with the indexes of the values that
 * have no exact one (there the mantissa repeats). Stops beyond `exceptionLimit`. Returns how many exceptions were met.
 * Measured by bench/engine/codecs.ts.
 */
export function scaleDecimals(
  values: Float64Array,
  count: number,
  exponent: number,
  mantissas: Float64Array,
  exceptions: Float64Array,
  exceptionLimit: number,
): number {
  const scale = POWERS_OF_TEN[exponent] as number;
  let found = 0;
  let before = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i] as number;
    const mantissa = value * scale + ROUNDER - ROUNDER;
    // `isScaled`, inlined: the call would make this loop a tenth slower.
    if (
      mantissa / scale === value &&
      mantissa <= MAX_MANTISSA &&
      mantissa >= -MAX_MANTISSA &&
      (value !== 0 || 1 / value > 0)
    ) {
      before = mantissa;
    } else {
      if (found === exceptionLimit) return found + 1;
      exceptions[found++] = i;
    }
    mantissas[i] = before;
  }
  return found;
}

/** Fills `mantissas` with singles scaled by 10^exponent; returns whether every one of them is exact. */
export function scaleSingles(values: Float64Array, count: number, exponent: number, mantissas: Float64Array): boolean {
  const scale = POWERS_OF_TEN[exponent] as number;
  for (let i = 0; i < count; i++) {
    const value = values[i] as number;
    const mantissa = Math.round(value * scale);
    if (Math.fround(mantissa / scale) !== value || Math.abs(mantissa) > MAX_SINGLE_MANTISSA || Object.is(value, -0))
      return false;
    mantissas[i] = mantissa;
  }
  return true;
}

/** Converts the mantissas in `target[start, end)` to doubles, in place. */
export function unscaleDecimals(target: Float64Array, start: number, end: number, exponent: number): void {
  if (exponent === 0) return;
  const scale = POWERS_OF_TEN[exponent] as number;
  for (let i = start; i < end; i++) target[i] = (target[i] as number) / scale;
}
