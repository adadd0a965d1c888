// Blocks of plain points: they read as the blocks that `encodeBlock` makes of the same points, and take no more bytes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeBlock } from '../../../../engine/format/block/block.ts';
import { type BlockMemory, encodePlainBlock, PlainPoints } from '../../../../engine/format/block/plain-block.ts';
import { ByteWriter } from '../../../../engine/format/bytes/byte-cursors.ts';
import { Packer } from '../../../../engine/format/integers/integer-packers.ts';
import { PREDICTORS } from '../../../../engine/format/integers/integer-predictors.ts';
import { ValueType } from '../../../../engine/types.ts';
import { columnsOf, plainSeries, type Shape, TIME_SHAPES, VALUE_SHAPES } from '../plain-series.ts';
import { checkProperty, createRandom } from '../properties.ts';
import { decode } from '../sample-points.ts';

const LEAD = 3;
const LENGTHS = [1, 2, 3, 15, 16, 17, 127, 128, 129, 130, 255, 256, 257, 3072, 8191, 8192];

interface Case {
  readonly points: PlainPoints;
  readonly type?: ValueType;
  readonly statistics?: 'always' | 'when-long' | 'never';
  readonly memory?: BlockMemory;
}

/** Encodes both ways, compares what is read, and returns the plain block. */
function compare({ points, type = ValueType.Double, statistics = 'when-long', memory }: Case) {
  const options = { tagId: 77, type, firstOrdinal: 2 ** 33, ordinalCount: 9000, statistics };
  const columns = columnsOf(points);
  const [general, plain] = [new ByteWriter(8), new ByteWriter(8)];
  general.u8(1);
  plain.u8(1);
  encodeBlock(general, columns, LEAD, points.count, options);
  encodePlainBlock(plain, points, LEAD, points.count, memory === undefined ? options : { ...options, memory });
  const wanted = decode(general.written(), 1);
  const got = decode(plain.written(), 1);
  const { payloadBytes, payloadCrc } = wanted.header;
  assert.deepEqual({ ...got.header, payloadBytes, payloadCrc }, wanted.header);
  assert.equal(plain.length - 1, got.header.headerBytes + got.header.payloadBytes);
  for (const column of ['timesMs', 'ticks', 'nulls', 'qualities'] as const)
    assert.deepEqual(
      got.points[column].subarray(0, got.points.count),
      wanted.points[column].subarray(0, got.points.count),
    );
  assert.deepEqual(
    got.points.bigints.subarray(0, got.points.count),
    wanted.points.bigints.subarray(0, got.points.count),
  );
  return { sizeBytes: plain.length - 1, generalBytes: general.length - 1 };
}

const anyMemory = fc
  .tuple(
    fc.constantFrom(...PREDICTORS),
    fc.constantFrom(...Object.values(Packer)),
    fc.integer({ min: 0, max: 7 }),
    fc.integer({ min: 0, max: 1023 }),
  )
  .map(([predictor, packer, trusted, bits]) => predictor | (packer << 3) | (trusted << 6) | (bits << 9));

const anyCase = fc.record({
  seed: fc.integer(),
  time: fc.constantFrom(...TIME_SHAPES),
  value: fc.constantFrom(...VALUE_SHAPES),
  count: fc.oneof(fc.constantFrom(...LENGTHS), fc.integer({ min: 1, max: 1200 })),
  decimals: fc.integer({ min: 0, max: 9 }),
  type: fc.constantFrom(ValueType.Double, ValueType.Double, ValueType.Int32),
  statistics: fc.constantFrom('always' as const, 'when-long' as const, 'never' as const),
  memory: fc.option(fc.record({ times: anyMemory, values: anyMemory }), { nil: undefined }),
  spareDecimals: fc.integer({ min: 0, max: 2 }),
});

/** The same values with more decimals than they need, if the mantissas fit. */
function withSpareDecimals(points: PlainPoints, spare: number): PlainPoints {
  const power = 10 ** spare;
  const { mantissas, count } = points;
  if (mantissas.subarray(0, count).some((mantissa) => Math.abs(mantissa * power) >= 2 ** 31)) return points;
  for (let i = 0; i < count; i++) mantissas[i] = (mantissas[i] as number) * power;
  points.decimals += spare;
  return points;
}

test('a block of plain points reads as the general block of the same points, whatever its memory says', () => {
  checkProperty(anyCase, ({ seed, time, value, count, decimals, type, statistics, memory, spareDecimals }) => {
    const scale = type === ValueType.Double ? decimals : 0;
    const series = plainSeries(createRandom(seed), time, value, LEAD, count, scale);
    const points = type === ValueType.Double ? series : withSpareDecimals(series, spareDecimals);
    compare({ points, type, statistics, ...(memory && { memory }) });
  });
});

test('a memory that goes from series to series never makes a block that reads otherwise', () => {
  const anySeries = fc.tuple(
    fc.constantFrom(...TIME_SHAPES),
    fc.constantFrom(...VALUE_SHAPES),
    fc.integer({ min: 100, max: 700 }),
    fc.integer({ min: 0, max: 9 }),
  );
  checkProperty(fc.array(anySeries, { minLength: 2, maxLength: 12 }), (list) => {
    const memory = { times: 0, values: 0 };
    const random = createRandom(list.length);
    for (const [time, value, count, decimals] of list)
      compare({ points: plainSeries(random, time, value, LEAD, count, decimals), memory });
  });
});

test('a block with a memory takes the bytes of the general block, within a twentieth', () => {
  for (const time of TIME_SHAPES) {
    for (const value of VALUE_SHAPES) {
      const memory = { times: 0, values: 0 };
      const random = createRandom(3);
      let [plainBytes, generalBytes] = [0, 0];
      for (let block = 0; block < 12; block++) {
        const points = plainSeries(random, time, value, LEAD, 2048, block % 3);
        const sizes = compare({ points, memory });
        plainBytes += sizes.sizeBytes;
        generalBytes += sizes.generalBytes;
      }
      assert.ok(plainBytes <= generalBytes * 1.05, `${time.name}, ${value.name}: ${plainBytes}; want ${generalBytes}`);
    }
  }
});

test('the series of these tests bring every predictor and every packer of 32-bit integers', () => {
  const predictors = new Set<number>();
  const packers = new Set<number>();
  for (const time of TIME_SHAPES) {
    for (const value of VALUE_SHAPES) {
      const memory = { times: 0, values: 0 };
      compare({ points: plainSeries(createRandom(4), time, value, LEAD, 2048, 0), memory });
      for (const code of [memory.times, memory.values].filter((known) => known > 0)) {
        predictors.add(code & 7);
        packers.add((code >> 3) & 7);
      }
    }
  }
  assert.deepEqual([...predictors].sort(), [...PREDICTORS]);
  assert.deepEqual([...packers].sort(), [Packer.Constant, Packer.Radix, Packer.Frames, Packer.Entropy].sort());
});

test('what is remembered is looked for again when the series changes, and after some blocks', () => {
  const [time, wave, other] = [TIME_SHAPES[1], VALUE_SHAPES[5], VALUE_SHAPES[4]] as [Shape, Shape, Shape];
  const memory = { times: 0, values: 0 };
  const random = createRandom(8);
  const seen: number[] = [];
  for (const value of [wave, wave, wave, other, other]) {
    compare({ points: plainSeries(random, time, value, LEAD, 2048, 2), memory });
    seen.push(memory.values & 63);
  }
  assert.equal(new Set(seen.slice(0, 3)).size, 1);
  assert.notEqual(seen[3], seen[2]);
  const trusted: number[] = [];
  for (let block = 0; block < 20; block++) {
    compare({ points: plainSeries(random, time, wave, LEAD, 2048, 2), memory });
    trusted.push((memory.values >> 6) & 7);
  }
  assert.deepEqual(trusted.slice(0, 9), [7, 6, 5, 4, 3, 2, 1, 0, 7]);
});

test('a memory outlives a short block and begins anew with runs', () => {
  const [time, wave, steps] = [TIME_SHAPES[1], VALUE_SHAPES[5], VALUE_SHAPES[7]] as [Shape, Shape, Shape];
  const memory = { times: 0, values: 0 };
  const random = createRandom(9);
  compare({ points: plainSeries(random, time, wave, LEAD, 2048, 2), memory });
  const before = { ...memory };
  compare({ points: plainSeries(random, time, wave, LEAD, 20, 2), memory });
  assert.deepEqual(memory, before);
  compare({ points: plainSeries(random, time, steps, LEAD, 2048, 2), memory });
  assert.equal(memory.values, 0);
});

test('decimals that no value has are left out', () => {
  const points = new PlainPoints(LEAD + 3);
  points.count = LEAD + 3;
  points.decimals = 4;
  points.mantissas.set([10_000, -20_500, 0], LEAD);
  points.offsets.set([0, 1, 2], LEAD);
  const { sizeBytes, generalBytes } = compare({ points });
  assert.equal(sizeBytes, generalBytes);
});

test('blocks of no point and of more than 8,192 are a bug', () => {
  const points = new PlainPoints(9000);
  const options = { tagId: 1, type: ValueType.Double, firstOrdinal: 0, statistics: 'never' } as const;
  for (const count of [0, 8193])
    assert.throws(() => encodePlainBlock(new ByteWriter(), points, 0, count, options), { code: 'BUG' });
});

test('room for more plain points keeps those that are there', () => {
  const points = new PlainPoints(2);
  points.offsets.set([1, 2]);
  points.mantissas.set([3, 4]);
  points.reserve(50);
  assert.deepEqual([...points.offsets.subarray(0, 3), ...points.mantissas.subarray(0, 3)], [1, 2, 0, 3, 4, 0]);
  assert.ok(points.offsets.length >= 50 && points.mantissas.length >= 50);
});
