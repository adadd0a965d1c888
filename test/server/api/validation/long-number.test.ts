// Numbers that a double does not hold come through a body and back to JSON as they were written.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJsonBody } from '../../../../server/api/validation/json-body.ts';
import { exactJson, LongNumber } from '../../../../server/api/validation/long-number.ts';

function through(text: string): string {
  return exactJson(parseJsonBody(Buffer.from(text), 'exact'));
}

test('what a double loses stays as it was written, all else is what JSON.parse makes of it', () => {
  for (const text of [
    '9007199254740993',
    '-9223372036854775808',
    '18446744073709551615',
    '0.12345678901234567891',
    '-79228162514264337593543950335',
    '1.00000000000000000001e-5',
    '1e400',
    '-1e400',
    '1e-400',
  ]) {
    assert.equal(through(text), text);
    assert.equal(through(`{"a":[${text}]}`), `{"a":[${text}]}`);
  }
  for (const text of ['1764216000000000', '0.1', '100000000000000000000', '1e300', '0e500', '0.1000000000000000000000'])
    assert.equal(typeof parseJsonBody(Buffer.from(text), 'exact'), 'number', text);
  assert.equal(typeof parseJsonBody(Buffer.from('9007199254740993')), 'number');
  assert.equal(JSON.stringify(LongNumber.of('9007199254740993', 9007199254740992)), '9007199254740992');
});

test('decimal numbers of any digits mean the same behind it', () => {
  const digits = fc.stringMatching(/^[1-9][0-9]{0,27}$/);
  fc.assert(
    fc.property(digits, fc.integer({ min: 0, max: 27 }), fc.boolean(), (all, decimals, isNegative) => {
      const padded = all.padStart(decimals + 1, '0');
      const whole = padded.slice(0, padded.length - decimals);
      const text = `${isNegative ? '-' : ''}${whole}${decimals > 0 ? `.${padded.slice(whole.length)}` : ''}`;
      assert.equal(scaled(through(text)), scaled(text));
    }),
    { numRuns: 2000 },
  );
});

test('JSON without long numbers is that of JSON.stringify', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (json) => {
      const value: unknown = JSON.parse(json);
      assert.equal(exactJson(value), JSON.stringify(value));
    }),
  );
  assert.equal(exactJson({ a: undefined, b: null }), '{"b":null}');
});

/** A number of JSON in units of 1e-60. */
function scaled(literal: string): bigint {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(60 - fraction.length + Number(exponent));
}
