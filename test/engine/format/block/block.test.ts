// Blocks: points of every type come back bit for bit, with the extremes of each type.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeBlock, MAX_BLOCK_POINTS } from '../../../../engine/format/block/block.ts';
import { BLOCK_HEADER_LAYOUT, decodeBlockHeader } from '../../../../engine/format/block/block-header.ts';
import { BLOCK_STATISTICS_LAYOUT } from '../../../../engine/format/block/block-statistics.ts';
import { ByteWriter } from '../../../../engine/format/bytes/byte-cursors.ts';
import { MAX_TIME_MS, MIN_TIME_MS, PointColumns, ValueType } from '../../../../engine/types.ts';
import { checkProperty, createRandom } from '../properties.ts';
import {
  ALL_TYPES,
  assertSame,
  blockOf,
  decode,
  everySecond,
  PLAIN_OPTIONS,
  pointsOf,
  roundTrip,
  type Sample,
  START_MS,
  samplesOf,
} from '../sample-points.ts';

test('the header has 80 bytes and the statistics 62: the format changed, so raise the version', () => {
  assert.equal(BLOCK_HEADER_LAYOUT.sizeBytes, 80);
  assert.equal(BLOCK_STATISTICS_LAYOUT.sizeBytes, 62);
});

for (const type of ALL_TYPES) {
  test(`any points of type ${type} come back`, () => {
    checkProperty(samplesOf(type), (samples) => void roundTrip(type, samples), 150);
  });
}

test('doubles come back bit for bit: denormals, both zeros, the largest, the 2^53rd, and 17 digits', () => {
  const doubles = [
    0,
    -0,
    5e-324,
    -5e-324,
    2.2250738585072014e-308,
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
    2 ** 53 - 1,
    2 ** 53,
    0.1 + 0.2,
    1 / 3,
    1e308,
    123456789.12345678,
  ];
  roundTrip(ValueType.Double, everySecond(doubles));
  for (const value of doubles) {
    roundTrip(ValueType.Double, everySecond([value]));
    roundTrip(ValueType.Double, everySecond([value, value, value]));
    roundTrip(ValueType.Double, everySecond(Array.from({ length: 100 }, (_, i) => (i === 50 ? value : i / 100))));
  }
});

test('every decimal of up to 15 digits comes back', () => {
  const random = createRandom();
  for (let exponent = 0; exponent <= 12; exponent++) {
    const values = Array.from(
      { length: 400 },
      () => Math.round((random() - 0.5) * 2 * 10 ** (1 + Math.floor(random() * 15))) / 10 ** exponent,
    );
    roundTrip(ValueType.Double, everySecond(values));
  }
});

test('a few -0 among decimals stay -0', () => {
  roundTrip(
    ValueType.Double,
    everySecond(Array.from({ length: 200 }, (_, i) => (i % 20 === 3 ? -0 : (i - 100) / 100))),
  );
});

test('singles come back as the same singles, decimal or not', () => {
  const random = createRandom();
  roundTrip(ValueType.Single, everySecond(Array.from({ length: 500 }, (_, i) => Math.fround(i / 100))));
  roundTrip(ValueType.Single, everySecond(Array.from({ length: 500 }, () => Math.fround(random() * 1e6))));
  roundTrip(
    ValueType.Single,
    everySecond([Math.fround(1e-45), -0, Math.fround(3.4028234663852886e38), 0, Math.fround(16_777_216.5)]),
  );
});

test('64-bit types come back over their whole range', () => {
  const edges = [
    -(2n ** 63n),
    2n ** 63n - 1n,
    0n,
    -1n,
    2n ** 53n,
    2n ** 53n + 1n,
    -(2n ** 53n) - 1n,
    2n ** 32n,
    -(2n ** 32n),
    2n ** 50n,
    2n ** 31n,
  ];
  for (const type of [ValueType.Int64, ValueType.UInt64, ValueType.DateTime]) {
    roundTrip(type, everySecond(edges));
    for (const edge of edges) roundTrip(type, everySecond([edge, edge]));
    for (const edge of edges) roundTrip(type, everySecond([0n, edge]));
  }
  const largest = BigInt.asIntN(64, 2n ** 64n - 1n);
  assert.equal(roundTrip(ValueType.UInt64, everySecond([largest, null, largest])).header.lastBigint, -1n);
});

test('DateTimes of whole seconds and milliseconds come back, across the 32-bit halves and backwards', () => {
  const now = 638_000_000_000_000_000n;
  for (const unit of [1n, 10_000n, 10_000_000n, 36_000_000_000n]) {
    roundTrip(
      ValueType.DateTime,
      everySecond(Array.from({ length: 300 }, (_, i) => now + BigInt((i * 7919) % 300) * unit)),
    );
    roundTrip(ValueType.DateTime, everySecond(Array.from({ length: 300 }, (_, i) => now - BigInt(i) * unit)));
  }
});

test('texts of 64 KiB, of none, and of any characters come back', () => {
  const long = 'é'.repeat(32_768);
  roundTrip(ValueType.String, everySecond([long, '', 'x'.repeat(65_536), long, '\u0000\u{10ffff}', null, '']));
  roundTrip(ValueType.Decimal, everySecond(['1.10', '1.1', '-0.00', '7922816251426433759354395033.5']));
});

test('texts are kept once each, in order of first appearance', () => {
  const { points } = roundTrip(ValueType.String, everySecond(['b', 'a', 'b', 'c', 'a']));
  assert.deepEqual([...points.texts], ['b', 'a', 'c']);
});

test('times come back from year 1 to year 9999, with ticks', () => {
  const samples: Sample[] = [
    { ms: MIN_TIME_MS, value: 1 },
    { ms: MIN_TIME_MS, ticks: 9999, value: 2 },
    { ms: -1, ticks: 1, value: 3 },
    { ms: 0, value: 4 },
    { ms: START_MS, ticks: 5000, value: 5 },
    { ms: MAX_TIME_MS, ticks: 9999, value: 6 },
  ];
  const { header } = roundTrip(ValueType.Double, samples);
  assert.deepEqual(
    [header.firstMs, header.firstTicks, header.lastMs, header.lastTicks],
    [MIN_TIME_MS, 0, MAX_TIME_MS, 9999],
  );
});

test('a block of nulls only has no value column, for every type', () => {
  for (const type of ALL_TYPES) {
    const { header } = roundTrip(type, everySecond([null, null, null]));
    assert.equal(header.nullCount, 3);
    assert.equal(header.lastNull, true);
  }
});

test('nulls cost little beside the values that they interrupt', () => {
  const values = Array.from({ length: 2000 }, (_, i) => 1_000_000 + (i % 10));
  const plain = blockOf(ValueType.Int32, everySecond(values)).length;
  const holed = blockOf(ValueType.Int32, everySecond(values.map((value, i) => (i % 400 < 40 ? null : value)))).length;
  assert.ok(holed - plain < 60, `got ${holed - plain} bytes more`);
});

test('the header says first and last, counts, and the worst quality and where', () => {
  const samples: Sample[] = [
    { ms: START_MS, ticks: 3, value: 1.5, quality: 192 },
    { ms: START_MS + 10, value: null, quality: 200 },
    { ms: START_MS + 20, value: 2.5, quality: -7 },
    { ms: START_MS + 20, value: 2.5, quality: 191 },
    { ms: START_MS + 30, ticks: 4, value: -8.25, quality: -7 },
  ];
  const { header } = roundTrip(ValueType.Double, samples, { ordinalCount: 9 });
  assert.deepEqual(
    { ...header, statistics: undefined, payloadCrc: 0, payloadBytes: 0, flags: 0 },
    {
      tagId: PLAIN_OPTIONS.tagId,
      type: ValueType.Double,
      flags: 0,
      headerBytes: 142,
      payloadBytes: 0,
      firstOrdinal: PLAIN_OPTIONS.firstOrdinal,
      ordinalCount: 9,
      pointCount: 5,
      firstMs: START_MS,
      firstTicks: 3,
      lastMs: START_MS + 30,
      lastTicks: 4,
      lastNull: false,
      lastNumber: -8.25,
      lastBigint: 0n,
      lastQuality: -7,
      nullCount: 1,
      goodCount: 2,
      notGoodCount: 3,
      worstQuality: -7,
      worstIndex: 2,
      statistics: undefined,
      payloadCrc: 0,
    },
  );
});

test('the last value is that of the last point, and 0 for null and for texts', () => {
  assert.equal(decode(blockOf(ValueType.Double, everySecond([1, -0]))).header.lastNumber, -0);
  assert.equal(decode(blockOf(ValueType.Int64, everySecond([1n, 2n ** 62n]))).header.lastBigint, 2n ** 62n);
  const withNull = decode(blockOf(ValueType.Int64, everySecond([1n, null]))).header;
  assert.deepEqual([withNull.lastBigint, withNull.lastNull], [0n, true]);
  assert.equal(decode(blockOf(ValueType.String, everySecond(['a', 'b']))).header.lastNumber, 0);
});

test('blocks lie one behind the other and are found by their lengths', () => {
  const out = new ByteWriter(16);
  const lists = [everySecond([1, 2, 3]), everySecond([null]), everySecond([0.25, 1e300])];
  for (const list of lists)
    encodeBlock(out, pointsOf(ValueType.Double, list), 0, list.length, { ...PLAIN_OPTIONS, type: ValueType.Double });
  const bytes = out.written();
  let offset = 0;
  for (const list of lists) {
    const { header, points } = decode(bytes, offset);
    assertSame(ValueType.Double, points, list);
    offset += header.headerBytes + header.payloadBytes;
  }
  assert.equal(offset, bytes.length);
});

test('8,192 points of noise come back; none and 8,193 are a bug of the caller', () => {
  const random = createRandom();
  roundTrip(
    ValueType.Double,
    everySecond(Array.from({ length: MAX_BLOCK_POINTS }, () => random() * 10 ** Math.floor(random() * 300))),
  );
  const points = new PointColumns(MAX_BLOCK_POINTS + 1);
  const options = { ...PLAIN_OPTIONS, type: ValueType.Double };
  assert.throws(() => encodeBlock(new ByteWriter(), points, 0, MAX_BLOCK_POINTS + 1, options), { code: 'BUG' });
  assert.throws(() => encodeBlock(new ByteWriter(), points, 5, 5, options), { code: 'BUG' });
});

test('a header is read from its own bytes alone, without the payload', () => {
  const bytes = blockOf(ValueType.Double, everySecond([1, 2, 3]));
  const { headerBytes } = decodeBlockHeader(bytes, 0);
  assert.deepEqual(decodeBlockHeader(bytes.slice(0, headerBytes), 0), decodeBlockHeader(bytes, 0));
});
