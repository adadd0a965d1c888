import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatNumber } from '../../../../../server/explorer/model/values/number-format.ts';

const CASES: readonly (readonly [value: number, pattern: string | undefined, text: string])[] = [
  [71.5, '0.0', '71.5'],
  [71.456, '0.0', '71.5'],
  [71, '0.00', '71.00'],
  [71, '0.##', '71'],
  [71.5, '0.0#', '71.5'],
  [7, '000', '007'],
  [1_234_567.891, '#,##0.00', '1,234,567.89'],
  [0, '#,##0', '0'],
  [0.256, '0.0%', '25.6%'],
  [12_345, '0.00E+00', '1.23E+04'],
  [0.000_12, '0.0e0', '1.2E-4'],
  [-3.04, '0.0', '-3.0'],
  [-0.01, '0.0', '0.0'],
  [-5, '0;(0)', '(5)'],
  [5, '0;(0);zero', '5'],
  [0, "0;(0);'zero'", 'zero'],
  [5, "'#'0", '#5'],
  [5, '0" l"', '5 l'],
  [2.345, 'F1', '2.3'],
  [1234.5, 'N0', '1,235'],
  [7, 'D4', '0007'],
  [7.25, 'text', '7.25'],
  [0.30000000000000004, undefined, '0.3'],
  [123_456_789, undefined, '123456789'],
  [1e21, undefined, '1e+21'],
  [12_345_678.25, undefined, '12345678.25'],
  [12_345_678.254_9, undefined, '12345678.25'],
  [1_234_567_890_123_456, undefined, '1234567890123456'],
  [123_456.789, undefined, '123456.79'],
  [-0, undefined, '0'],
  [71.456, '', '71.456'],
];

for (const [value, pattern, text] of CASES) {
  test(`${value} by ${pattern ?? 'no pattern'} is ${text}`, () => assert.equal(formatNumber(value, pattern), text));
}
