// msgpack bodies and answers: the rules of JSON, and what msgpack has besides.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Packr, Unpackr } from 'msgpackr';
import { ValueType } from '../../../engine/index.ts';
import type { ParsedBody } from '../../../server/codec/body/batch-builder.ts';
import { MsgpackParser } from '../../../server/codec/msgpack/msgpack-body.ts';
import { MsgpackWriter } from '../../../server/codec/msgpack/msgpack-writer.ts';
import { type ParseOptions, TvqParser } from '../../../server/codec/read-json/tvq-parser.ts';
import { OutputBytes } from '../../../server/codec/write-json/output-bytes.ts';
import type { ValueStyle } from '../../../server/codec/write-json/tvq-writer.ts';
import { DEFAULT_STYLE } from '../../../server/codec/write-json/value-style.ts';
import { ProblemError } from '../../../server/problem.ts';
import { ALL_TYPES, chunkOf, lookupOf, runsOf } from './body-support.ts';
import type { ReferencePoint } from './tvq-reference.ts';
import { pointsArbitrary, seed } from './value-arbitraries.ts';

const T = '2024-01-01T00:00:00.000Z';
const T_MS = Date.parse(T);
const T_TICKS = BigInt(T_MS) * 10_000n;
const TYPES = {
  D: ValueType.Double,
  I: ValueType.Int64,
  U: ValueType.UInt64,
  M: ValueType.Decimal,
  S: ValueType.String,
  T: ValueType.DateTime,
  N: ValueType.Int32,
  B: ValueType.Boolean,
  F: ValueType.Single,
};

const packr = new Packr({ useRecords: false, variableMapSize: true });
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true, int64AsType: 'bigint' });
const parser = new MsgpackParser();

function parse(bytes: Uint8Array, options: Partial<ParseOptions> = {}): ParsedBody {
  return parser.parse(bytes, {
    shape: { kind: 'tags' },
    lookup: lookupOf(TYPES),
    handling: 'lenient',
    arrivalMs: 0,
    maxTextBytes: 65_536,
    ...options,
  });
}

function only(body: unknown): ReferencePoint[] | undefined {
  const parsed = parse(packr.pack(body));
  assert.deepEqual(parsed.faults, []);
  return [...runsOf(parsed.batch).values()][0]?.points;
}

function valuesOf(tag: string, ...values: unknown[]): unknown[] {
  return (only({ [tag]: values.map((v) => ({ t: T, v })) }) ?? []).map((point) => point.value);
}

test('numbers, bigints, booleans, texts and nil are values', () => {
  assert.deepEqual(valuesOf('D', 1, -1, 1.5, 200, 70_000, -40_000, 2 ** 40, -(2 ** 40), 2n ** 60n, null), [
    1,
    -1,
    1.5,
    200,
    70_000,
    -40_000,
    2 ** 40,
    -(2 ** 40),
    2 ** 60,
    null,
  ]);
  assert.deepEqual(valuesOf('I', 5, 9_007_199_254_740_993n, -(2n ** 63n), '12'), [
    5n,
    9_007_199_254_740_993n,
    -(2n ** 63n),
    12n,
  ]);
  assert.deepEqual(valuesOf('U', 2n ** 64n - 1n), [2n ** 64n - 1n]);
  assert.deepEqual(valuesOf('M', '1.50', 1.5, 7, 2n ** 63n), ['1.50', '1.5', '7', '9223372036854775808']);
  assert.deepEqual(valuesOf('S', 'ü', 'x'.repeat(300)), ['ü', 'x'.repeat(300)]);
  assert.deepEqual(valuesOf('new', true, false), [true, false]);
  assert.deepEqual(valuesOf('B', true, 0), [true, false]);
});

test('a time may be text, a number of ms, or a time stamp of msgpack, exact to 100 ns', () => {
  const points = only({ D: [{ t: T }, { t: T_MS }, { t: T_MS + 0.5 }, { t: new Date(T_MS + 7) }] });
  assert.deepEqual(
    points?.map((point) => point.ticks),
    [T_TICKS, T_TICKS, T_TICKS + 5000n, T_TICKS + 70_000n],
  );
  // 96-bit: 4 bytes of nanoseconds, 8 of seconds; year 1
  const extension = Buffer.alloc(15);
  extension.set([0xc7, 12, 0xff]);
  extension.writeUInt32BE(123_456_789, 3);
  extension.writeBigInt64BE(-62_135_596_800n, 7);
  const body = Buffer.concat([Buffer.from([0x81, 0xa1, 0x44, 0x91, 0x81, 0xa1, 0x74]), extension]);
  const parsed = parse(body);
  assert.deepEqual(
    runsOf(parsed.batch).get('D')?.points[0]?.ticks,
    BigInt(Date.parse('0001-01-01T00:00:00Z')) * 10_000n + 1_234_567n,
  );
});

test('the value of a DateTime may be a time stamp of msgpack, and no other value may', () => {
  assert.deepEqual(valuesOf('T', new Date(T_MS), T), [638_396_640_000_000_000n, 638_396_640_000_000_000n]);
  for (const tag of ['D', 'S', 'new']) {
    assert.match(
      parse(packr.pack({ [tag]: [{ v: new Date(T_MS) }] })).faults[0]?.message ?? '',
      /^got a time stamp; want/,
    );
  }
});

test('faults have the pointers that JSON has', () => {
  const parsed = parse(
    packr.pack({
      D: [{ t: true, v: 'x', q: 1.5, z: [{ a: 1 }] }, 5, { t: Number.NaN }, { v: Number.POSITIVE_INFINITY }],
      '..': [1, 2],
      N: 7,
    }),
  );
  assert.deepEqual(
    parsed.faults.map((fault) => fault.path),
    ['/D/0/t', '/D/0/q', '/D/0/z', '/D/0/v', '/D/1', '/D/2/t', '/D/3/v', '/..', '/N'],
  );
  assert.equal(parsed.rejected, 7);
});

test('not-a-number and infinities fit no type', () => {
  for (const tag of ['D', 'I', 'M', 'N', 'B', 'new']) {
    for (const v of [Number.NaN, Number.POSITIVE_INFINITY])
      assert.equal(parse(packr.pack({ [tag]: [{ v }] })).faultCount, 1, tag);
  }
});

test('of a repeated key the last one wins, for tags and in points', () => {
  const point = (...members: number[]): number[] => [0x80 + members.length / 3, ...members];
  const v = (value: number): number[] => [0xa1, 0x76, value];
  const twice = Buffer.from([
    0x82,
    0xa1,
    0x44,
    0x91,
    ...point(...v(1), ...v(2)),
    0xa1,
    0x44,
    0x91,
    ...point(...v(3), ...v(4)),
  ]);
  const parsed = parse(twice);
  assert.deepEqual(
    [...runsOf(parsed.batch)].map(([name, run]) => [name, run.points.map((entry) => entry.value)]),
    [['D', [4]]],
  );
});

test('claimed lengths allocate nothing and a cut body is a 400, at every byte', () => {
  const whole = packr.pack({
    D: [
      { t: T, v: 1, q: 192 },
      { t: new Date(T_MS), v: 2n ** 60n },
    ],
    S: [{ v: 'text'.repeat(20) }],
  });
  for (let length = 0; length < whole.length; length++) {
    assert.throws(() => parse(whole.subarray(0, length)), ProblemError, `cut at ${length}`);
  }
  for (const claim of [
    [0xdd, 0xff, 0xff, 0xff, 0xff],
    [0xdf, 0xff, 0xff, 0xff, 0xff],
    [0xdb, 0xff, 0xff, 0xff, 0xff],
  ]) {
    const body = Buffer.from([0x81, 0xa1, 0x44, 0x91, 0x81, 0xa1, 0x76, ...claim]);
    assert.throws(() => parse(body), ProblemError);
  }
});

test('bytes behind the body, keys that are no texts, unused bytes and broken UTF-8 are a 400', () => {
  assert.throws(() => parse(Buffer.concat([packr.pack({}), Buffer.from([0])])), /bytes follow/);
  assert.throws(() => parse(packr.pack(new Map([[1, []]]))), /a key is not text/);
  assert.throws(() => parse(Buffer.from([0x81, 0xa1, 0x44, 0xc1])), /no meaning/);
  assert.throws(() => parse(Buffer.from([0x81, 0xa1, 0xff, 0x90])), /not UTF-8/);
});

test('any bytes are read or refused with a 400, and nothing else is thrown', () => {
  const base = packr.pack({
    D: [
      { t: T, v: 1.5, q: 192 },
      { t: new Date(T_MS), v: 2 },
    ],
    S: [{ v: 'x' }],
  });
  const mutations = fc.array(fc.tuple(fc.nat(base.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(mutations, (changes) => {
      const bytes = Buffer.from(base);
      for (const [place, value] of changes) bytes[place] = value;
      try {
        parser.release(parse(bytes).batch);
      } catch (error) {
        assert.ok(error instanceof ProblemError, String(error));
      }
    }),
    { seed, numRuns: 5000 },
  );
});

test('a msgpack body and the JSON body of the same content give the same batch', () => {
  const json = new TvqParser();
  const options: ParseOptions = {
    shape: { kind: 'tags' },
    lookup: lookupOf(TYPES), // the same for all, so that tags are expected
    handling: 'lenient',
    arrivalMs: 5,
    maxTextBytes: 100,
  };
  const members = fc.record(
    {
      t: fc.constantFrom(T, T, '2024-01-01T00:00:00.1234567+02:00', '2024-01-01', 'never', null),
      v: fc.oneof(
        { arbitrary: fc.integer(), weight: 3 },
        { arbitrary: fc.integer({ min: -200, max: 300 }), weight: 2 },
        { arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }), weight: 3 },
        fc.boolean(),
        fc.string(),
        fc.constant(null),
      ),
      q: fc.constantFrom(192, 192, 0, 255, -1, 70_000, null, 1.5),
    },
    { requiredKeys: [] },
  );
  const inOrder = fc.shuffledSubarray(['t', 'v', 'q'], { minLength: 3 });
  const points = fc.tuple(members, inOrder).map(([point, keys]) => {
    const known = keys.filter((key) => key in point).map((key) => [key, point[key as keyof typeof point]]);
    return Object.fromEntries(known);
  });
  const tags = fc.constantFrom('D', 'I', 'U', 'M', 'S', 'T', 'N', 'B', 'F', 'new');
  /** Points behind all others: near the end of the bytes short cuts are not taken. */
  const margin = {
    'a long text': [
      { t: T, v: 'x'.repeat(99) },
      { t: T, v: 'y'.repeat(99) },
    ],
  };
  fc.assert(
    fc.property(fc.dictionary(tags, fc.array(points, { maxLength: 6 })), (body) => {
      for (const end of [{}, margin, margin]) {
        const text = JSON.stringify({ ...body, ...end }); // writes -0 as 0
        const fromJson = json.parse(Buffer.from(text), options);
        const fromMsgpack = parse(packr.pack(JSON.parse(text)), options);
        assert.deepEqual(runsOf(fromMsgpack.batch), runsOf(fromJson.batch));
        assert.deepEqual(fromMsgpack.faults, fromJson.faults);
        json.release(fromJson.batch);
        parser.release(fromMsgpack.batch);
      }
    }),
    { seed, numRuns: 2000 },
  );
});

function writePoints(type: ValueType, points: readonly ReferencePoint[], style: ValueStyle = DEFAULT_STYLE): Buffer {
  const out = new OutputBytes(16);
  const writer = new MsgpackWriter();
  writer.arrayHeader(out, points.length);
  writer.points(out, chunkOf(type, points), style);
  return Buffer.from(out.written());
}

for (const type of ALL_TYPES) {
  const name = Object.entries(ValueType).find(([, code]) => code === type)?.[0];
  test(`points of type ${name} written as msgpack are read back as they were`, () => {
    fc.assert(
      fc.property(pointsArbitrary(type), (points) => {
        const parsed = parse(writePoints(type, points), {
          shape: { kind: 'points', tag: 'X' },
          lookup: lookupOf({ X: type }),
          handling: 'strict',
        });
        assert.deepEqual(parsed.faults, []);
        assert.deepEqual(runsOf(parsed.batch).get('X')?.points, points);
        parser.release(parsed.batch);
      }),
      { seed, numRuns: 150 },
    );
  });
}

test('a client with a msgpack library reads points as t, v and q', () => {
  const points = [
    { ticks: T_TICKS, value: 1.5, quality: 192 },
    { ticks: T_TICKS + 1n, value: null, quality: -70_000 },
  ];
  assert.deepEqual(unpackr.unpack(writePoints(ValueType.Double, points)), [
    { t: T, v: 1.5, q: 192 },
    { t: '2024-01-01T00:00:00.0000001Z', v: null, q: -70_000 },
  ]);
});

test('styles work as in JSON', () => {
  const point = (value: unknown): ReferencePoint[] => [{ ticks: T_TICKS, value, quality: 192 }];
  const read = (type: ValueType, value: unknown, style: Partial<ValueStyle>): unknown =>
    (unpackr.unpack(writePoints(type, point(value), { ...DEFAULT_STYLE, ...style })) as { v: unknown }[])[0]?.v;
  assert.equal(read(ValueType.Int64, 2n ** 60n, {}), 2n ** 60n);
  assert.equal(read(ValueType.Int64, 2n ** 60n, { exact: 'string' }), String(2n ** 60n));
  assert.equal(read(ValueType.UInt64, 2n ** 64n - 1n, {}), 2n ** 64n - 1n);
  assert.equal(read(ValueType.Boolean, true, { booleans: 'digit' }), 1);
  assert.equal(read(ValueType.Boolean, true, {}), true);
  assert.deepEqual(unpackr.unpack(writePoints(ValueType.Double, point(null), { ...DEFAULT_STYLE, nulls: 'omit' })), [
    { t: T, q: 192 },
  ]);
});

test('headers, texts and tags of every size are read by a msgpack library', () => {
  const writer = new MsgpackWriter();
  for (const count of [0, 1, 15, 16, 65_535, 65_536]) {
    const out = new OutputBytes(4);
    writer.arrayHeader(out, count);
    for (let i = 0; i < count; i++) out.byte(0xc0);
    assert.equal((unpackr.unpack(out.written()) as unknown[]).length, count);
  }
  for (const length of [0, 1, 31, 32, 255, 256, 65_535, 65_536]) {
    const out = new OutputBytes(4);
    writer.text(out, 'x'.repeat(length));
    assert.equal(unpackr.unpack(out.written()), 'x'.repeat(length));
  }
  for (const value of [
    0,
    127,
    128,
    32_767,
    32_768,
    65_535,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 32 - 1,
    -1,
    -32,
    -33,
    -32_768,
    -32_769,
    -(2 ** 31),
  ]) {
    const out = new OutputBytes(4);
    writer.integer(out, value);
    assert.equal(unpackr.unpack(out.written()), value);
  }
  const out = new OutputBytes(4);
  writer.tag(out, { name: 'x', units: new Map([[1, 'On']]), fields: new Map(), type: ValueType.Int32 });
  assert.deepEqual(unpackr.unpack(out.written()), { n: 'x', u: { 1: 'On' }, fl: {}, t: 'System.Int32' });
});
