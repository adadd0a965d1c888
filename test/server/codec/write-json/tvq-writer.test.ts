// Points as JSON: exact text, and back again by the parser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PointColumns, ValueType } from '../../../../engine/index.ts';
import { TvqParser } from '../../../../server/codec/read-json/tvq-parser.ts';
import { OutputBytes } from '../../../../server/codec/write-json/output-bytes.ts';
import { TvqWriter, type ValueStyle } from '../../../../server/codec/write-json/tvq-writer.ts';
import { DEFAULT_STYLE } from '../../../../server/codec/write-json/value-style.ts';
import { ALL_TYPES, chunkOf, lookupOf, runsOf } from '../body-support.ts';
import type { ReferencePoint } from '../tvq-reference.ts';
import { pointsArbitrary, seed } from '../value-arbitraries.ts';

const TICKS = 17_040_672_000_000_000n;
const writer = new TvqWriter();
const parser = new TvqParser();

function write(type: ValueType, points: readonly ReferencePoint[], style: ValueStyle = DEFAULT_STYLE): string {
  const out = new OutputBytes(16);
  writer.writePoints(out, chunkOf(type, points), style, 'first');
  return Buffer.from(out.written()).toString();
}

/** The value's text in a point. */
function valueText(type: ValueType, value: unknown, style: ValueStyle = DEFAULT_STYLE): string {
  const text = write(type, [{ ticks: TICKS, value, quality: 192 }], style);
  const match = /^\{"t":"2024-01-01T00:00:00\.000Z","v":(.*),"q":192\}$/s.exec(text);
  assert.ok(match !== null, text);
  return match[1] as string;
}

test('a point is t, v and q, and points are separated by commas', () => {
  const points = [
    { ticks: TICKS, value: 12.34, quality: 192 },
    { ticks: TICKS + 1n, value: null, quality: -5 },
  ];
  assert.equal(
    write(ValueType.Double, points),
    '{"t":"2024-01-01T00:00:00.000Z","v":12.34,"q":192},{"t":"2024-01-01T00:00:00.0000001Z","v":null,"q":-5}',
  );
});

test('a comma comes first when points stand before, and nothing is written for no points', () => {
  const out = new OutputBytes(16);
  const chunk = chunkOf(ValueType.Int32, [{ ticks: TICKS, value: 7, quality: 0 }]);
  writer.writePoints(out, chunk, DEFAULT_STYLE, 'comma');
  writer.writePoints(out, { ...chunk, end: 0 }, DEFAULT_STYLE, 'comma');
  assert.equal(Buffer.from(out.written()).toString(), ',{"t":"2024-01-01T00:00:00.000Z","v":7,"q":0}');
});

test('only the points from start to end are written', () => {
  const out = new OutputBytes();
  const points = [1, 2, 3, 4].map((value) => ({ ticks: TICKS, value, quality: 192 }));
  writer.writePoints(out, { ...chunkOf(ValueType.Double, points), start: 1, end: 3 }, DEFAULT_STYLE, 'first');
  assert.deepEqual(
    (JSON.parse(`[${Buffer.from(out.written())}]`) as { v: number }[]).map((point) => point.v),
    [2, 3],
  );
});

test('doubles are written with the fewest digits, and -0 with its sign', () => {
  const plain = [
    0.1,
    1e21,
    1e-7,
    1.5e300,
    5e-324,
    1e15,
    123456789012345680000,
    0.000001,
    1e-6 + 1e-21,
    4294967296.5,
    99999.5,
    100,
    0.30000000000000004,
  ];
  for (const value of [...plain, ...plain.map((v) => -v)])
    assert.equal(valueText(ValueType.Double, value), String(value));
  assert.equal(valueText(ValueType.Double, -0), '-0');
  assert.equal(valueText(ValueType.Double, 0), '0');
});

test('singles are written with the fewest digits that give them again in single precision', () => {
  assert.equal(valueText(ValueType.Single, Math.fround(0.1)), '0.1');
  assert.equal(valueText(ValueType.Single, Math.fround(3.4028235e38)), '3.4028235e+38');
  assert.equal(valueText(ValueType.Single, 2 ** -149), '1e-45');
  assert.equal(valueText(ValueType.Single, 16_777_216), '16777216');
  assert.equal(valueText(ValueType.Single, Math.fround(123_456_789)), '123456790');
  assert.equal(valueText(ValueType.Single, -0), '-0');
});

test('exact types are numbers with every digit, or texts when asked for', () => {
  const texts: ValueStyle = { ...DEFAULT_STYLE, exact: 'string' };
  for (const value of [
    2n ** 63n - 1n,
    -(2n ** 63n),
    0n,
    -1n,
    2n ** 53n,
    9_007_199_254_740_993n,
    10_000n,
    123_456_789n,
  ]) {
    assert.equal(valueText(ValueType.Int64, value), String(value));
    assert.equal(valueText(ValueType.Int64, value, texts), `"${value}"`);
  }
  assert.equal(valueText(ValueType.UInt64, 2n ** 64n - 1n), '18446744073709551615');
  assert.equal(valueText(ValueType.Decimal, '1.50'), '1.50');
  assert.equal(valueText(ValueType.Decimal, '1.50', texts), '"1.50"');
});

test('Booleans are true and false, or 1 and 0', () => {
  const digits: ValueStyle = { ...DEFAULT_STYLE, booleans: 'digit' };
  assert.equal(valueText(ValueType.Boolean, true), 'true');
  assert.equal(valueText(ValueType.Boolean, false), 'false');
  assert.equal(valueText(ValueType.Boolean, true, digits), '1');
  assert.equal(valueText(ValueType.Boolean, false, digits), '0');
});

test('a DateTime is a time stamp by the rule of answers', () => {
  assert.equal(valueText(ValueType.DateTime, 0n), '"0001-01-01T00:00:00.000Z"');
  assert.equal(valueText(ValueType.DateTime, 638_396_640_000_000_001n), '"2024-01-01T00:00:00.0000001Z"');
  assert.equal(valueText(ValueType.DateTime, 3_155_378_975_999_999_999n), '"9999-12-31T23:59:59.9999999Z"');
});

test('texts are escaped as JSON wants and written in UTF-8', () => {
  for (const text of [
    '',
    'plain',
    '"\\/',
    '\u0000\n\u001f\u007f',
    'ü€😀\u2028',
    'x'.repeat(300),
    `${'y'.repeat(48)}"`,
    'é'.repeat(70_000),
  ]) {
    assert.equal(JSON.parse(valueText(ValueType.String, text)), text);
  }
});

test('v is left out of null points when nulls are omitted', () => {
  const style: ValueStyle = { ...DEFAULT_STYLE, nulls: 'omit' };
  for (const type of [ValueType.Double, ValueType.String, ValueType.Open]) {
    const text = write(type, [{ ticks: TICKS, value: null, quality: 192 }], style);
    assert.equal(text, '{"t":"2024-01-01T00:00:00.000Z","q":192}');
  }
});

for (const type of ALL_TYPES) {
  const name = Object.entries(ValueType).find(([, code]) => code === type)?.[0];
  for (const exact of ['number', 'string'] as const) {
    test(`points of type ${name} written with exact=${exact} are read back as they were`, () => {
      fc.assert(
        fc.property(pointsArbitrary(type), (points) => {
          const body = Buffer.from(`{"T":[${write(type, points, { ...DEFAULT_STYLE, exact })}]}`);
          const lookup = lookupOf({ T: type });
          const parsed = parser.parse(body, {
            shape: { kind: 'tags' },
            lookup,
            handling: 'strict',
            arrivalMs: 0,
            maxTextBytes: 65_536,
          });
          assert.deepEqual(parsed.faults, []);
          assert.deepEqual(runsOf(parsed.batch).get('T')?.points, points);
          parser.release(parsed.batch);
        }),
        { seed, numRuns: 150 },
      );
    });
  }
}

test('decimals of 1 to 15 digits and any doubles are written as String would, one behind the other', () => {
  const decimals = fc
    .tuple(fc.integer({ min: 1, max: 15 }), fc.nat(1_000_000_000), fc.nat(999_999), fc.nat(9), fc.boolean())
    .map(([length, upper, lower, scale, isNegative]) => {
      const digits = Number(`${upper}${lower}`.slice(0, length)) / 10 ** scale;
      return isNegative ? -digits : digits;
    });
  const doubles = fc.oneof({ weight: 3, arbitrary: decimals }, fc.double({ noNaN: true, noDefaultInfinity: true }));
  fc.assert(
    fc.property(fc.array(doubles, { minLength: 1, maxLength: 50 }), (list) => {
      const text = write(
        ValueType.Double,
        list.map((value) => ({ ticks: TICKS, value, quality: 192 })),
      );
      const written = [...text.matchAll(/"v":([^,]+)/g)].map((match) => match[1]);
      assert.deepEqual(
        written,
        list.map((value) => (Object.is(value, -0) ? '-0' : String(value))),
      );
    }),
    { seed, numRuns: 3000 },
  );
});

test('any single is written as the shortest text that toPrecision finds', () => {
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
      let shortest = String(value);
      for (let precision = 9; precision >= 1; precision--) {
        const candidate = Number(value.toPrecision(precision));
        if (Math.fround(candidate) !== value) break;
        shortest = String(candidate);
      }
      const text = valueText(ValueType.Single, value);
      assert.equal(Math.fround(Number(text)), value);
      if (value !== 0) assert.ok(text.length <= shortest.length, `${text} is longer than ${shortest}`);
    }),
    { seed, numRuns: 3000 },
  );
});

test('a chunk of more points than are written at a time is written whole', () => {
  const columns = new PointColumns(3000);
  columns.count = 3000;
  for (let i = 0; i < 3000; i++) {
    columns.timesMs[i] = i * 1000;
    columns.numbers[i] = i / 4;
    columns.qualities[i] = 192;
  }
  const out = new OutputBytes(16);
  writer.writePoints(out, { type: ValueType.Double, points: columns, start: 0, end: 3000 }, DEFAULT_STYLE, 'first');
  const points = JSON.parse(`[${Buffer.from(out.written())}]`) as { t: string; v: number }[];
  assert.equal(points.length, 3000);
  assert.deepEqual(points[2999], { t: new Date(2_999_000).toISOString(), v: 749.75, q: 192 });
});
