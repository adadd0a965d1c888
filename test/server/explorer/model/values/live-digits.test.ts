// Live points come as JSON numbers, whose digits a double may not have.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withAllDigits } from '../../../../../server/explorer/model/values/live-digits.ts';
import { exactValue } from '../../../../../server/explorer/model/values/value-text.ts';

const parsed = (json: string): unknown => JSON.parse(withAllDigits(json));

test('digits that a double would change become a text, all other values stay as they are', () => {
  const at = '"t":"2026-01-01T00:00:00.000Z"';
  for (const [value, wanted] of [
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['1.50', '1.50'],
    ['12345678.25', 12345678.25],
    ['1e300', 1e300],
    ['42', 42],
    ['true', true],
    ['null', null],
    ['"9007199254740993"', '9007199254740993'],
  ] as const) {
    assert.deepEqual(parsed(`{"a":[{${at},"v":${value},"q":192}]}`), {
      a: [{ t: '2026-01-01T00:00:00.000Z', v: wanted, q: 192 }],
    });
  }
});

test('texts and names that look like a value are left alone', () => {
  const points = { 'x"v': [{ t: 'then', v: '{"v":9007199254740993,' }] };
  assert.deepEqual(parsed(JSON.stringify(points)), points);
});

test('numbers of tags with exact digits are texts, however they came', () => {
  assert.equal(exactValue({ n: 'a', t: 'System.Int64' }, 42), '42');
  assert.equal(exactValue({ n: 'a', t: 'System.Decimal' }, 1.5), '1.5');
  assert.equal(exactValue({ n: 'a', t: 'System.Double' }, 42), 42);
  assert.equal(exactValue({ n: 'a', t: 'System.Int64' }, null), null);
});
