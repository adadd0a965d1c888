// Bytes per point of representative series, header and statistics included. Seeded: the figures are the same in every run.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValueType } from '../../../engine/types.ts';
import { createRandom } from './properties.ts';
import { roundTrip, type Sample, type SampleValue, START_MS } from './sample-points.ts';

const POINT_COUNT = 2048;

/** Points 1 s apart with ±100 ms jitter. */
function jittered(valueAt: (i: number, random: () => number) => SampleValue): Sample[] {
  const random = createRandom(1);
  return Array.from({ length: POINT_COUNT }, (_, i) => ({
    ms: START_MS + i * 1000 + Math.floor(random() * 201) - 100,
    value: valueAt(i, random),
  }));
}

/** Points exactly 1 s apart. */
function regular(valueAt: (i: number, random: () => number) => SampleValue): Sample[] {
  return jittered(valueAt).map((sample, i) => ({ ...sample, ms: START_MS + i * 1000 }));
}

function assertBytesPerPoint(type: ValueType, samples: readonly Sample[], limit: number): void {
  const { header } = roundTrip(type, samples, { statistics: 'when-long' });
  const bytesPerPoint = (header.headerBytes + header.payloadBytes) / samples.length;
  assert.ok(bytesPerPoint <= limit, `got ${bytesPerPoint} bytes a point; want ${limit}`);
}

/** Bell-shaped noise of standard deviation 0.09 around a slow wave, to two decimals. */
function plantValue(i: number, random: () => number): number {
  return Math.round((50 + 5 * Math.sin(i / 600) + (random() + random() + random() - 1.5) * 0.18) * 100) / 100;
}

test('two decimals a second with ±100 ms of jitter take at most 1.85 bytes a point', () => {
  assertBytesPerPoint(ValueType.Double, jittered(plantValue), 1.85);
});

test('a constant on a regular clock takes its header and next to nothing', () => {
  assertBytesPerPoint(
    ValueType.Double,
    regular(() => 21.5),
    160 / POINT_COUNT,
  );
});

test('a stepping integer takes less than a twentieth of a byte beside its header', () => {
  assertBytesPerPoint(
    ValueType.Int32,
    regular((i) => Math.floor(i / 97) % 7),
    190 / POINT_COUNT,
  );
});

test('a Boolean that changes now and then takes less than a twentieth of a byte beside its header', () => {
  let on = 0;
  assertBytesPerPoint(
    ValueType.Boolean,
    regular((_, random) => {
      if (random() < 0.02) on = 1 - on;
      return on;
    }),
    0.12,
  );
});

test('a Boolean at random takes a bit', () => {
  assertBytesPerPoint(
    ValueType.Boolean,
    regular((_, random) => (random() < 0.5 ? 1 : 0)),
    1 / 8 + 0.08,
  );
});

test('a text of four states takes less than a twentieth of a byte beside its header', () => {
  const states = ['Stopped', 'Starting', 'Running', 'Stopping'];
  assertBytesPerPoint(
    ValueType.String,
    regular((i) => states[Math.floor(i / 40) % 4] as string),
    0.12,
  );
});

test('singles widened to doubles take at most 3 bytes, not 8', () => {
  assertBytesPerPoint(
    ValueType.Double,
    regular((i, random) => Math.fround(50 + 5 * Math.sin(i / 600) + random() * 0.01)),
    3,
  );
});

test('decimal singles take no more than decimal doubles', () => {
  assertBytesPerPoint(
    ValueType.Single,
    jittered((i, random) => Math.fround(plantValue(i, random))),
    1.85,
  );
});

test('full-precision doubles on a slow wave take less than 6 bytes', () => {
  assertBytesPerPoint(
    ValueType.Double,
    regular((i, random) => 50 + 5 * Math.sin(i / 600) + random() * 0.01),
    6,
  );
});

test('full-precision doubles that mostly repeat take a fraction of 8 bytes', () => {
  let value = Math.PI;
  assertBytesPerPoint(
    ValueType.Double,
    regular((_, random) => {
      if (random() < 0.2) value = random() * 100;
      return value;
    }),
    2.6,
  );
});

test('DateTimes of one a second take next to nothing', () => {
  assertBytesPerPoint(
    ValueType.DateTime,
    regular((i) => 638_000_000_000_000_000n + BigInt(i) * 10_000_000n),
    160 / POINT_COUNT,
  );
});

test('a counter that runs beyond 2^53 takes what its steps take', () => {
  let total = 2n ** 60n;
  assertBytesPerPoint(
    ValueType.Int64,
    regular((_, random) => (total += BigInt(Math.floor(random() * 16)))),
    0.6,
  );
});

test('a few exceptions among decimals cost about 10 bytes each', () => {
  const samples = jittered((i, random) => (i % 500 === 7 ? Math.sqrt(i) : plantValue(i, random)));
  assertBytesPerPoint(ValueType.Double, samples, 1.85 + 60 / POINT_COUNT);
});
