// .NET custom patterns. Expected texts are what .NET's own ToString gives.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatByPattern, formatDate, formatNumber } from '../../../../simulator/config/fields/patterns.ts';

test('a value 2 with the letters FL and three zeros renders as FL002', () => {
  assert.equal(formatByPattern('2', 'FL000'), 'FL002');
});

test('zeros pad, also a text that is a number', () => {
  assert.equal(formatByPattern('7', '000'), '007');
  assert.equal(formatByPattern('0012', '000'), '012');
  assert.equal(formatByPattern('1234', '000'), '1234');
  assert.equal(formatByPattern('-5', '000'), '-005');
});

test('a text that is no number stays as it is', () => {
  assert.equal(formatByPattern('North', '000'), 'North');
  assert.equal(formatByPattern('', '000'), '');
});

const NUMBERS: readonly (readonly [value: number, pattern: string, text: string])[] = [
  [1.5, '0.00', '1.50'],
  [1.005, '0.00', '1.01'],
  [1.5, '0.##', '1.5'],
  [2, '0.##', '2'],
  [0.256, '0.0', '0.3'],
  [1234567.5, '#,##0.0', '1,234,567.5'],
  [12, '#,##0', '12'],
  [0, '#', ''],
  [0.5, '#.0', '.5'],
  [0.125, '0.0%', '12.5%'],
  [5, "0' kg'", '5 kg'],
  [5, '0"C"', '5C'],
  [5, '\\00', '05'],
  [-3, '0;(0)', '(3)'],
  [0, '0;-0;zero', 'zero'],
  [1500, '0.0E+0', '1.5E+3'],
  [12, 'LINE000', 'LINE012'],
  [5551234, '000-0000', '555-1234'],
  [123456789, '00-00', '1234567-89'],
  [42, 'P-00-X', 'P-42-X'],
];

for (const [value, pattern, text] of NUMBERS) {
  test(`${value} by ${pattern} is ${text}`, () => assert.equal(formatNumber(value, pattern), text));
}

const MOMENT = Date.UTC(2024, 1, 3, 14, 5, 6, 78);

const DATES: readonly (readonly [pattern: string, text: string])[] = [
  ['yyyyMMdd', '20240203'],
  ['yyMMddHHmm', '2402031405'],
  ['yyyy-MM-ddTHH:mm:ssZ', '2024-02-03T14:05:06Z'],
  ['d.M.yy H:m:s', '3.2.24 14:5:6'],
  ['hh:mm tt', '02:05 PM'],
  ['ss.fff', '06.078'],
  ['dddd, dd MMMM yyyy', 'Saturday, 03 February 2024'],
  ['ddd MMM', 'Sat Feb'],
  ["'day' d", 'day 3'],
  ['yyyy\\d', '2024d'],
];

for (const [pattern, text] of DATES) {
  test(`a date by ${pattern} is ${text}`, () => assert.equal(formatDate(MOMENT, pattern), text));
}
