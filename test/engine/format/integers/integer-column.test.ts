// Integer columns: every series comes back, in no more bytes than the best single encoding that suits it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { READ_AHEAD_BYTES } from '../../../../engine/format/bytes/bit-packing.ts';
import { ByteReader, ByteWriter } from '../../../../engine/format/bytes/byte-cursors.ts';
import { decodeIntegers, encodeIntegers } from '../../../../engine/format/integers/integer-column.ts';
import { Packer } from '../../../../engine/format/integers/integer-packers.ts';
import { Predictor } from '../../../../engine/format/integers/integer-predictors.ts';
import { checkProperty, createRandom } from '../properties.ts';

const LIMIT = 2 ** 50 - 1;

function encode(values: readonly number[]): ByteWriter {
  const out = new ByteWriter(4);
  encodeIntegers(out, Float64Array.from(values), 0, values.length);
  return out;
}

/** Bytes of the column, which is decoded and compared. */
function roundTrip(values: readonly number[]): Uint8Array {
  const out = encode(values);
  const sizeBytes = out.length;
  out.reserve(READ_AHEAD_BYTES);
  const reader = new ByteReader(out.bytes, 0, sizeBytes);
  const target = new Float64Array(values.length + 2).fill(-7);
  decodeIntegers(reader, target, 1, values.length + 1);
  assert.deepEqual([...target.subarray(1, values.length + 1)], values);
  assert.equal(reader.remaining, 0);
  assert.equal(target[0], -7);
  assert.equal(target[values.length + 1], -7);
  return out.written();
}

/** The code byte that was chosen. */
function codeOf(values: readonly number[]): number {
  return roundTrip(values)[0] as number;
}

function series(count: number, valueAt: (i: number, random: () => number) => number, from?: number): number[] {
  const random = createRandom(from);
  return Array.from({ length: count }, (_, i) => valueAt(i, random));
}

const anyInteger = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.integer(),
  fc.maxSafeInteger().filter((value) => Math.abs(value) <= LIMIT),
  fc.constantFrom(0, LIMIT, -LIMIT, 2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 25, 2 ** 26, 2 ** 49),
);

test('any whole numbers below 2^50 come back', () => {
  checkProperty(fc.array(anyInteger, { minLength: 1, maxLength: 600 }), (values) => {
    roundTrip(values.map((value) => value + 0));
  });
});

test('any series of narrow range around any level comes back', () => {
  const shape = fc.record({
    level: anyInteger,
    width: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 2 ** 40 })),
    steps: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 400 }),
  });
  checkProperty(shape, ({ level, width, steps }) => {
    const base = Math.max(-LIMIT / 2, Math.min(LIMIT / 2, level)) | 0;
    roundTrip(steps.map((step) => base + Math.floor(step * width)));
  });
});

test('any walk of any step comes back', () => {
  const shape = fc.record({
    start: fc.integer(),
    slope: fc.integer(),
    steps: fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 1, maxLength: 500 }),
  });
  checkProperty(shape, ({ start, slope, steps }) => {
    let value = start;
    roundTrip(steps.map((step) => (value += slope + step)));
  });
});

test('any runs of equal values come back', () => {
  const runs = fc.array(fc.tuple(anyInteger, fc.integer({ min: 1, max: 200 })), { minLength: 1, maxLength: 40 });
  checkProperty(runs, (list) => {
    roundTrip(list.flatMap(([value, length]) => Array.from({ length }, () => value + 0)));
  });
});

test('every radix from 2 to 5,000 comes back, and powers of two around 2^25 and 2^50', () => {
  const random = createRandom();
  const check = (radix: number) => {
    const values = Array.from({ length: 23 }, () => Math.floor(random() * radix));
    roundTrip([0, radix - 1, ...values, radix - 1, 0]);
  };
  for (let radix = 2; radix <= 5000; radix += radix < 300 ? 1 : 17) check(radix);
  for (let bits = 12; bits <= 49; bits++) for (const off of [-1, 0, 1]) check(2 ** bits + off);
});

test('extremes that span 2^51 come back', () => {
  roundTrip([LIMIT, -LIMIT, LIMIT, 0, -LIMIT]);
  roundTrip([-LIMIT]);
  roundTrip([LIMIT, LIMIT]);
});

test('lengths around the frames and samples come back', () => {
  for (const count of [1, 2, 3, 4, 127, 128, 129, 130, 159, 160, 161, 255, 256, 257, 8191, 8192]) {
    roundTrip(series(count, (_, random) => Math.floor(random() * 1000)));
    roundTrip(series(count, (i, random) => i * 1000 + Math.floor(random() * 10)));
    roundTrip(series(count, (i, random) => (i % 50 === 0 ? Math.floor(random() * 2 ** 30) : 5)));
  }
});

test('a constant takes its code and one number', () => {
  assert.equal(roundTrip(series(2048, () => 0)).length, 2);
  assert.equal(roundTrip(series(2048, () => -60)).length, 2);
});

test('an exact grid takes its code and three numbers', () => {
  const bytes = roundTrip(series(2048, (i) => 1_700_000_000_000 + i * 1000));
  assert.ok(bytes.length <= 12, `got ${bytes.length} bytes`);
});

test('each kind of series gets the predictor and the packer made for it', () => {
  // Samples mislead now and then, at the cost of some bytes: the same series each time.
  const fixed = (count: number, valueAt: (i: number, random: () => number) => number): number[] =>
    series(count, valueAt, 4511);
  const jitter = fixed(2048, (i, random) => 1_700_000_000_000 + i * 1000 + Math.floor(random() * 201));
  assert.equal(codeOf(jitter), Predictor.Grid * 16 + Packer.Radix);
  let clock = 0;
  const drifting = fixed(2048, (_, random) => (clock += 1000 + Math.floor(random() * 201)));
  assert.equal(codeOf(drifting), Predictor.Delta * 16 + Packer.Radix);
  const parabola = fixed(2048, (i) => i * i * 7 + i);
  assert.equal(codeOf(parabola), Predictor.DeltaOfDelta * 16 + Packer.Constant);
  const wave = fixed(2048, (i, random) => Math.floor(500 * Math.sin(i / 600) + (random() + random() + random()) * 18));
  assert.equal(codeOf(wave) >> 4, Predictor.Average);
  const averageResidual = fixed(2048, (_, random) => Math.floor(random() * 1000));
  assert.equal(codeOf(averageResidual), Predictor.Raw * 16 + Packer.Radix);
  const outliers = fixed(2048, (i, random) => (i === 700 ? 1e12 : Math.floor(random() * 16)));
  assert.equal(codeOf(outliers), Predictor.Raw * 16 + Packer.Frames);
  assert.equal(codeOf(fixed(2048, (i) => Math.floor(i / 97) % 7)), 0xf0);
});

test('an outlier that no sample saw costs one frame, not the column', () => {
  const calm = series(2048, (_, random) => Math.floor(random() * 16));
  const struck = calm.map((value, i) => (i === 333 ? 2 ** 40 : value));
  const extra = roundTrip(struck).length - roundTrip(calm).length;
  assert.ok(extra < 128 * 5 + 64, `got ${extra} bytes more`);
});

test('sizes are those of the information, for noise of known entropy', () => {
  const limits: readonly (readonly [kinds: number, bytesPerValue: number])[] = [
    [2, 0.126],
    [10, 0.423],
    [101, 0.845],
    [201, 0.962],
    [1000, 1.26],
    [100_000, 2.14],
  ];
  for (const [kinds, bytesPerValue] of limits) {
    const sizeBytes = roundTrip(series(2048, (_, random) => Math.floor(random() * kinds))).length;
    assert.ok(
      sizeBytes <= bytesPerValue * 2048 + 8,
      `${kinds} kinds: got ${sizeBytes / 2048} bytes a value; want ${bytesPerValue}`,
    );
  }
});

test('bytes of the writer beyond the column do not show in it', () => {
  const values = Float64Array.from(series(300, (_, random) => Math.floor(random() * 77)));
  const clean = new ByteWriter(4096);
  const dirty = new ByteWriter(4096);
  dirty.bytes.fill(0xff);
  for (const out of [clean, dirty]) encodeIntegers(out, values, 0, values.length);
  assert.deepEqual(dirty.written(), clean.written());
});

/** Sum of twelve uniform numbers: nearly normal, with a standard deviation of `spread`. */
function normal(random: () => number, spread: number): number {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += random();
  return Math.round(sum * spread) + 0;
}

test('what gathers around a middle is packed by entropy, close to what that is', () => {
  for (const [spread, count] of [
    [1, 2048],
    [9, 2048],
    [9, 1000],
    [100, 4096],
    [50_000, 2048],
  ] as const) {
    const values = series(count, (_, random) => normal(random, spread));
    const bytes = roundTrip(values);
    assert.equal((bytes[0] as number) & 15, Packer.Entropy, `spread ${spread}`);
    const entropyBits = Math.log2(spread * Math.sqrt(2 * Math.PI * Math.E));
    const bits = (8 * (bytes.length - 40)) / count;
    // The values of one draw may spread a little more than they do on average.
    assert.ok(bits < entropyBits + 0.25, `${bits} bits a value at spread ${spread}; entropy ${entropyBits}`);
  }
});

test('skewed values of few and many kinds come back', () => {
  const shape = fc.record({
    count: fc.integer({ min: 256, max: 3000 }),
    kinds: fc.integer({ min: 2, max: 100_000 }),
    power: fc.integer({ min: 2, max: 12 }),
    level: fc.integer({ min: -1_000_000, max: 1_000_000 }),
  });
  checkProperty(shape, ({ count, kinds, power, level }) => {
    roundTrip(series(count, (_, random) => level + Math.floor(random() ** power * kinds)));
  });
});

test('a damaged table of frequencies is refused', () => {
  const values = series(2048, (_, random) => normal(random, 9));
  const bytes = roundTrip(values).slice();
  let refused = 0;
  for (let offset = 0; offset < 60; offset++) {
    const damaged = new Uint8Array(bytes.length + READ_AHEAD_BYTES);
    damaged.set(bytes);
    damaged[offset] = (damaged[offset] as number) ^ 0x15;
    const target = new Float64Array(values.length);
    try {
      decodeIntegers(new ByteReader(damaged, 0, bytes.length), target, 0, values.length);
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'CORRUPT');
      refused++;
    }
  }
  assert.ok(refused > 20, `${refused} of 60`);
});
