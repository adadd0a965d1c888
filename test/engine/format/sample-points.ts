// Points for the tests of blocks: made from plain lists, compared bit for bit, and random ones of every type.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type BlockOptions, decodeBlock, decodeBlockHeader, encodeBlock } from '../../../engine/format/block/block.ts';
import type { BlockHeader } from '../../../engine/format/block/block-header.ts';
import { ByteWriter } from '../../../engine/format/bytes/byte-cursors.ts';
import { MAX_TIME_MS, MIN_TIME_MS, PointColumns, ValueType } from '../../../engine/types.ts';
import { integerBounds, payloadOf } from '../../../engine/value-types.ts';

export type SampleValue = number | bigint | string | null;

export interface Sample {
  readonly ms: number;
  readonly ticks?: number;
  readonly value: SampleValue;
  readonly quality?: number;
}

export const START_MS = Date.UTC(2024, 0, 1);

/** Points of one type as columns; `lead` unused points come first. */
export function pointsOf(type: ValueType, samples: readonly Sample[], lead = 0): PointColumns {
  const points = new PointColumns(samples.length + lead);
  points.count = samples.length + lead;
  samples.forEach((sample, k) => {
    const i = k + lead;
    points.timesMs[i] = sample.ms;
    points.ticks[i] = sample.ticks ?? 0;
    points.qualities[i] = sample.quality ?? 192;
    points.nulls[i] = sample.value === null ? 1 : 0;
    if (typeof sample.value === 'number') points.numbers[i] = sample.value;
    if (typeof sample.value === 'bigint') points.bigints[i] = sample.value;
    if (typeof sample.value === 'string') points.numbers[i] = points.texts.push(sample.value);
  });
  assert.ok(payloadOf(type).length > 0);
  return points;
}

/** Values one a second. */
export function everySecond(values: readonly SampleValue[]): Sample[] {
  return values.map((value, i) => ({ ms: START_MS + i * 1000, value }));
}

export const PLAIN_OPTIONS = { tagId: 4_000_000_000, firstOrdinal: 2 ** 40, statistics: 'always' } as const;

/** The bytes of one block, exactly. */
export function blockOf(type: ValueType, samples: readonly Sample[], options: Partial<BlockOptions> = {}): Uint8Array {
  const out = new ByteWriter(16);
  encodeBlock(out, pointsOf(type, samples, 3), 3, samples.length + 3, { ...PLAIN_OPTIONS, type, ...options });
  return out.written().slice();
}

export interface DecodedBlock {
  readonly header: BlockHeader;
  readonly points: PointColumns;
}

export function decode(bytes: Uint8Array, offset = 0): DecodedBlock {
  const header = decodeBlockHeader(bytes, offset);
  const points = new PointColumns(1);
  points.texts.push('left over');
  decodeBlock(bytes, offset, header, points);
  return { header, points };
}

/** Encodes, decodes and compares every column bit for bit. */
export function roundTrip(
  type: ValueType,
  samples: readonly Sample[],
  options: Partial<BlockOptions> = {},
): DecodedBlock {
  const bytes = blockOf(type, samples, options);
  const decoded = decode(bytes);
  assert.equal(decoded.header.headerBytes + decoded.header.payloadBytes, bytes.length);
  assertSame(type, decoded.points, samples);
  return decoded;
}

export function assertSame(type: ValueType, points: PointColumns, samples: readonly Sample[]): void {
  assert.equal(points.count, samples.length);
  samples.forEach((sample, i) => {
    assert.equal(points.timesMs[i], sample.ms, `time ${i}`);
    assert.equal(points.ticks[i], sample.ticks ?? 0, `ticks ${i}`);
    assert.equal(points.qualities[i], sample.quality ?? 192, `quality ${i}`);
    assert.equal(points.nulls[i], sample.value === null ? 1 : 0, `null ${i}`);
    assert.ok(
      Object.is(valueAt(type, points, i), sample.value),
      `value ${i}: got ${valueAt(type, points, i)}; want ${sample.value}`,
    );
    if (sample.value === null) assert.equal(points.bigints[i], 0n, `payload of null ${i}`);
  });
}

function valueAt(type: ValueType, points: PointColumns, index: number): SampleValue | undefined {
  if (points.nulls[index] !== 0) return null;
  const payload = payloadOf(type);
  if (payload === 'bigint') return points.bigints[index];
  const number = points.numbers[index] as number;
  return payload === 'text' ? points.texts.at(number) : number;
}

const finite = { noNaN: true, noDefaultInfinity: true } as const;
const anyDecimal = fc
  .tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.integer({ min: 0, max: 6 }))
  .map(([m, e]) => m / 10 ** e);
const anyDouble = fc.oneof(
  fc.double(finite),
  anyDecimal,
  fc.constantFrom(0, -0, 5e-324, -5e-324, Number.MAX_VALUE, -Number.MAX_VALUE, 2 ** 53 - 1, 1e308, 1e15, 0.1 + 0.2),
);
const anySingle = fc.oneof(
  fc.float({ noNaN: true, noDefaultInfinity: true }),
  anyDecimal.map(Math.fround),
  fc.constantFrom(0, -0),
);
const anyInt64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -1000n, max: 1000n }),
);
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('', 'on', 'off', '\u0000', '😀'),
);

/** A list of values of a type that look alike, as a tag's do, or not at all. */
export function valuesOf(type: ValueType, maxLength: number): fc.Arbitrary<SampleValue[]> {
  const length = { minLength: 1, maxLength };
  if (type === ValueType.Open) return fc.array(fc.constant(null), length);
  const mixed = fc.array(fc.option(anyValueOf(type), { freq: 6 }), length);
  const repeating = fc
    .array(anyValueOf(type), { minLength: 1, maxLength: 3 })
    .chain((few) => fc.array(fc.constantFrom(...few), length));
  const whole = fc.array(anyValueOf(type), length);
  return fc.oneof<fc.Arbitrary<SampleValue[]>[]>(mixed, repeating, whole, fc.array(fc.constant(null), length));
}

function anyValueOf(type: ValueType): fc.Arbitrary<number | bigint | string> {
  if (payloadOf(type) === 'bigint') return anyInt64;
  if (type === ValueType.Decimal)
    return fc.tuple(fc.integer(), fc.integer({ min: 0, max: 4 })).map(([m, e]) => (m / 1000).toFixed(e));
  if (type === ValueType.String) return anyText;
  if (type === ValueType.Double) return fc.oneof(anyDouble, anyDecimal);
  if (type === ValueType.Single) return anySingle;
  if (type === ValueType.Boolean) return fc.constantFrom(0, 1);
  const [min, max] = integerBounds(type) as readonly [number, number];
  return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max, 0));
}

/** Points of a type with ordered times anywhere in years 1 to 9999, ticks and qualities of several habits. */
export function samplesOf(type: ValueType, maxLength = 300): fc.Arbitrary<Sample[]> {
  const habits = fc.record({
    values: valuesOf(type, maxLength),
    start: fc.oneof(
      fc.constantFrom(MIN_TIME_MS, START_MS),
      fc.integer({ min: MIN_TIME_MS, max: MAX_TIME_MS - 10 ** 12 }),
    ),
    step: fc.constantFrom(0, 1, 1000, 86_400_000, 10 ** 9),
    jitter: fc.constantFrom(0, 1, 200),
    ticks: fc.constantFrom('none', 'fixed', 'rising'),
    quality: fc.constantFrom('good', 'bad', 'alternating', 'any'),
    salt: fc.integer(),
  });
  return habits.map((habit) => {
    let ms = habit.start;
    return habit.values.map((value, i) => {
      const salt = Math.imul(habit.salt ^ i, 0x9e37_79b1) >>> 0;
      if (i > 0) ms = Math.min(MAX_TIME_MS, ms + habit.step + (habit.jitter === 0 ? 0 : salt % habit.jitter));
      const ticks = { none: 0, fixed: 77, rising: i * 33 }[habit.ticks] as number;
      const quality = { good: 192, bad: 0, alternating: i % 2 === 0 ? 192 : 64, any: salt | 0 }[
        habit.quality
      ] as number;
      return { ms, ticks, value, quality };
    });
  });
}

export const ALL_TYPES: readonly ValueType[] = Object.values(ValueType);
