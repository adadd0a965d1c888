// Numbers of many digits are the same doubles that the language makes of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HALF_DIGITS, LONG_DIGITS, nearestDecimal } from '../../../../server/codec/scalars/long-decimals.ts';
import { seed } from '../value-arbitraries.ts';

const RUNS = 20_000;

/** NaN where it leaves the digits to another. */
function nearestOf(digits: string, scale: number): number {
  const lower = digits.slice(HALF_DIGITS);
  return nearestDecimal(Number(digits.slice(0, HALF_DIGITS)), Number(lower), lower.length, scale);
}

/** Compares with what the language reads; false when there is nothing to compare. */
function isNearest(digits: string, scale: number): boolean {
  const nearest = nearestOf(digits, scale);
  if (Number.isNaN(nearest)) return false;
  assert.equal(nearest, Number(`${digits}e-${scale}`), `${digits}e-${scale}`);
  return true;
}

test('any digits with any scale are the nearest double, and hardly any are left to another', () => {
  let settled = 0;
  const digits = fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }).map(String);
  fc.assert(
    fc.property(digits, fc.integer({ min: 0, max: 22 }), (some, scale) => {
      if (isNearest(some, scale)) settled++;
    }),
    { seed, numRuns: RUNS },
  );
  assert.ok(settled > 0.98 * RUNS, `${settled} of ${RUNS}`);
});

test('the shortest digits of doubles are all settled', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-3, max: 1e15, noNaN: true }), (value) => {
      const [whole = '', fraction = ''] = String(value).split('.');
      if (/e/.test(fraction) || whole.length + fraction.length > LONG_DIGITS) return;
      assert.ok(isNearest(whole + fraction, fraction.length), String(value));
    }),
    { seed, numRuns: RUNS },
  );
});

test('decimals about the middle between two doubles are rounded right, or left to another', () => {
  const whole = fc.bigInt({ min: 2n ** 53n, max: 2n ** 56n });
  fc.assert(
    fc.property(whole, fc.integer({ min: 0, max: 1 }), fc.integer({ min: -3, max: 3 }), (middle, scale, step) => {
      const digits = String((2n * middle + 1n + BigInt(step)) * 10n ** BigInt(scale)).slice(0, LONG_DIGITS);
      isNearest(digits, scale);
    }),
    { seed, numRuns: RUNS },
  );
  assert.ok(Number.isNaN(nearestOf('90071992547409930', 1)), 'the middle itself');
});
