// Values and types: what fits, what does not, and what the client is told.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValueType } from '../../../../engine/index.ts';
import { TvqParser } from '../../../../server/codec/read-json/tvq-parser.ts';
import { lookupOf, runsOf } from '../body-support.ts';

const TYPES = {
  Boolean: ValueType.Boolean,
  SByte: ValueType.SByte,
  Byte: ValueType.Byte,
  Int16: ValueType.Int16,
  UInt16: ValueType.UInt16,
  Int32: ValueType.Int32,
  UInt32: ValueType.UInt32,
  Int64: ValueType.Int64,
  UInt64: ValueType.UInt64,
  Single: ValueType.Single,
  Double: ValueType.Double,
  Decimal: ValueType.Decimal,
  String: ValueType.String,
  DateTime: ValueType.DateTime,
} as const;
type Name = keyof typeof TYPES | 'unknown';

const parser = new TvqParser();
const lookup = lookupOf(TYPES);
/** White space behind a body, so that its end is far enough for the short cuts. */
const margin = ' '.repeat(200);

/** What the literal is stored as, or the fault's message; the same on the short and on the general way. */
function store(name: Name, literal: string): unknown {
  const point = `{"t":"2024-01-01T00:00:00.000Z","v":${literal},"q":192}`;
  const loosePoint = `{ "q": 192, "v": ${literal}, "t": "2024-01-01T00:00:00.000Z" }`;
  const bodies = [point, `${point}${margin}`, `${loosePoint}${margin}`];
  const results = bodies.map((body) => {
    const { batch, faults } = parser.parse(Buffer.from(body.replace(/^(.*\})( *)$/s, '[$1]$2')), {
      shape: { kind: 'points', tag: name },
      lookup,
      handling: 'lenient',
      arrivalMs: 0,
      maxTextBytes: 65_536,
    });
    const result = faults[0]?.message ?? runsOf(batch).get(name)?.points[0]?.value;
    parser.release(batch);
    return result;
  });
  assert.deepEqual(results[1], results[0]);
  assert.deepEqual(results[2], results[0]);
  return results[0];
}

function fits(name: Name, literal: string, value: unknown): void {
  assert.deepEqual(store(name, literal), value, `${name} ${literal}`);
}

function refuses(name: Name, literal: string, message: RegExp): void {
  assert.match(String(store(name, literal)), message, `${name} ${literal}`);
}

test('each integer type takes its bounds and refuses one more', () => {
  const bounds: readonly (readonly [Name, bigint, bigint])[] = [
    ['SByte', -128n, 127n],
    ['Byte', 0n, 255n],
    ['Int16', -32_768n, 32_767n],
    ['UInt16', 0n, 65_535n],
    ['Int32', -(2n ** 31n), 2n ** 31n - 1n],
    ['UInt32', 0n, 2n ** 32n - 1n],
  ];
  for (const [name, low, high] of bounds) {
    fits(name, String(low), Number(low));
    fits(name, String(high), Number(high));
    refuses(name, String(low - 1n), /^out of range for System\./);
    refuses(name, String(high + 1n), /^out of range for System\./);
  }
});

test('integers take whole numbers in any form and refuse fractions and text', () => {
  fits('Int32', '5.0', 5);
  fits('Int32', '5e2', 500);
  fits('Int32', '-0', 0);
  refuses('Int32', '5.5', /^got a fraction; want a whole number \(System\.Int32\)$/);
  refuses('Int32', '"5"', /^got text; want a number or null \(System\.Int32\)$/);
  refuses('Int32', 'true', /^got true; want a number/);
  refuses('Int32', '1e400', /^out of range/);
  refuses('Int32', '[]', /^got an array/);
  refuses('Int32', '{}', /^got an object/);
});

test('Int64 and UInt64 keep every digit, from numbers and from text', () => {
  fits('Int64', '9007199254740993', 9_007_199_254_740_993n);
  fits('Int64', '-9223372036854775808', -(2n ** 63n));
  fits('Int64', '"9223372036854775807"', 2n ** 63n - 1n);
  fits('Int64', '1e18', 10n ** 18n);
  fits('Int64', '123.000', 123n);
  fits('Int64', '-0', 0n);
  fits('UInt64', '18446744073709551615', 2n ** 64n - 1n);
  fits('UInt64', '"4294967296"', 2n ** 32n);
  refuses('Int64', '9223372036854775808', /^out of range for System\.Int64$/);
  refuses('Int64', '1e400', /^out of range/);
  refuses('UInt64', '18446744073709551616', /^out of range/);
  refuses('UInt64', '-1', /^out of range/);
  refuses('Int64', '1.5', /^got a fraction/);
  refuses('Int64', '1.00000000000000000001', /^got a fraction/);
  refuses('Int64', '1e-400', /^got a fraction/);
  refuses('Int64', '"007"', /^got text; want a number, its digits as text/);
  refuses('Int64', '"12 "', /^got text/);
  for (const text of ['"1e3"', '"1E3"', '"5.0"', '"1.5"', '"+5"', '""', '"-"']) {
    refuses('Int64', text, /^got text; want a number, its digits as text/);
    refuses('UInt64', text, /^got text; want a number, its digits as text/);
  }
});

test('a Decimal keeps 28 digits and its trailing zeros, and drops exponents and the sign of zero', () => {
  fits('Decimal', '1.50', '1.50');
  fits('Decimal', '-0.0000000000000000000000000001', '-0.0000000000000000000000000001');
  fits('Decimal', '9999999999999999999999999999', '9999999999999999999999999999');
  fits('Decimal', '"12345678901234567890.12345678"', '12345678901234567890.12345678');
  fits('Decimal', '1.50e1', '15.0');
  fits('Decimal', '1.5E+3', '1500');
  fits('Decimal', '25e-3', '0.025');
  fits('Decimal', '-0.00', '0.00');
  fits('Decimal', '0e9', '0');
  refuses('Decimal', '12345678901234567890123456789', /^more digits than System\.Decimal keeps/);
  refuses('Decimal', '1e28', /^more digits/);
  refuses('Decimal', '1e-29', /^more digits/);
  refuses('Decimal', '1e999999999999', /^(more digits|out of range)/);
  fits('Decimal', '"-1.50"', '-1.50');
  for (const text of ['"abc"', '"1e3"', '"1.5E-3"', '".5"', '"5."']) refuses('Decimal', text, /^got text/);
  refuses('Decimal', 'false', /^got false/);
});

test('a Double is the nearest double, with the sign of zero; what is beyond them all is refused', () => {
  fits('Double', '0.1', 0.1);
  fits('Double', '-0', -0);
  fits('Double', '-0.000', -0);
  fits('Double', '1.7976931348623157e308', Number.MAX_VALUE);
  fits('Double', '3.14159265358979323846', Math.PI);
  fits('Double', '1e-400', 0);
  refuses('Double', '1e400', /^out of range for System\.Double$/);
  refuses('Double', '-1e400', /^out of range/);
  refuses('Double', '"1.5"', /^got text/);
});

test('a Single is the nearest to the digits, rounded once', () => {
  for (const [literal, value] of [
    // Above the middle between 1 and the next single by less than a double shows, on it, and below it.
    ['1.000000059604644775390626', 1 + 2 ** -23],
    ['1.000000059604644775390625', 1],
    ['1.000000059604644775390624', 1],
    ['-1.000000059604644775390626', -1 - 2 ** -23],
    [`1.000000059604644775390625${'0'.repeat(300)}1`, 1 + 2 ** -23],
    ['1.000000178813934326171875', 1 + 2 ** -22],
    ['1.000000178813934326171874999', 1 + 2 ** -23],
    ['16777217', 16_777_216],
    ['16777217.0000000000001', 16_777_218],
    ['16777219', 16_777_220],
    ['16777218.9999999999999', 16_777_218],
    // The middle between the greatest single and what overflows.
    ['0.3402823567797336616e39', 3.4028234663852886e38],
    // The middles between the least singles.
    ['7.006492321624085354618e-46', 0],
    ['7.006492321624085354619e-46', 2 ** -149],
    [`${'7006492321624085354618649164449806940137'}e-85`, 2 ** -149],
    ['2.1019476964872256063855943749348741969203929128147736576356024258346866241e-45', 2 ** -148],
    ['2.1019476964872256063855943749348741969203929128147736576356e-45', 2 ** -149],
  ] as const) {
    fits('Single', literal, value);
  }
  refuses('Single', '0.3402823567797336617e39', /^out of range for System\.Single$/);
  refuses('Single', '340282356779733661637539395458142568448', /^out of range for System\.Single$/);
});

test('a Single is rounded to single precision and refused beyond it', () => {
  fits('Single', '0.1', Math.fround(0.1));
  fits('Single', '16777217', 16_777_216);
  fits('Single', '-0', -0);
  refuses('Single', '3.5e38', /^out of range for System\.Single$/);
});

test('a Boolean takes true, false, 1 and 0', () => {
  fits('Boolean', 'true', true);
  fits('Boolean', 'false', false);
  fits('Boolean', '1', true);
  fits('Boolean', '0', false);
  fits('Boolean', '-0', false);
  fits('Boolean', '1.0', true);
  refuses('Boolean', '2', /^got a number; want true, false, 0, 1 or null/);
  refuses('Boolean', '"true"', /^got text/);
});

test('a text is kept up to 64 KiB of UTF-8 and refused with lone surrogates', () => {
  fits('String', '"a\\u0000b"', 'a\u0000b');
  fits('String', '"\\ud83d\\ude00"', '😀');
  fits('String', `"${'ü'.repeat(32_768)}"`, 'ü'.repeat(32_768));
  refuses('String', `"${'ü'.repeat(32_768)}x"`, /^got a text of 65537 bytes; want at most 65536$/);
  refuses('String', '"\\ud83d"', /^a text must not hold lone surrogates$/);
  refuses('String', '5', /^got a number; want text or null \(System\.String\)$/);
});

test('a DateTime is a time stamp as text, exact in ticks since year 1', () => {
  fits('DateTime', '"0001-01-01T00:00:00Z"', 0n);
  fits('DateTime', '"2024-01-01T00:00:00.0000001Z"', 638_396_640_000_000_001n);
  fits('DateTime', '"9999-12-31T23:59:59.9999999Z"', 3_155_378_975_999_999_999n);
  refuses('DateTime', '"yesterday"', /want an ISO 8601 time stamp/);
  refuses('DateTime', '1704067200000', /^got a number; want a time stamp as text/);
});

test('null fits every type', () => {
  for (const name of Object.keys(TYPES) as Name[]) fits(name, 'null', null);
});

test('the first value of an unknown tag decides its type', () => {
  fits('unknown', '1', 1);
  fits('unknown', '"1"', '1');
  fits('unknown', 'true', true);
  refuses('unknown', '[1]', /^got an array; want a number, true, false, text or null$/);
});
