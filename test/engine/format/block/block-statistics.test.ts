// The statistics in block headers, against a plain calculation over the points.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BlockStatistics } from '../../../../engine/format/block/block-statistics.ts';
import { ValueType } from '../../../../engine/types.ts';
import { checkProperty } from '../properties.ts';
import { everySecond, roundTrip, type Sample, START_MS, samplesOf } from '../sample-points.ts';

const NUMERIC_TYPES = [
  ValueType.Boolean,
  ValueType.Byte,
  ValueType.Int32,
  ValueType.Single,
  ValueType.Double,
  ValueType.Int64,
  ValueType.UInt64,
  ValueType.Decimal,
];

function numberOf(type: ValueType, sample: Sample): number {
  if (type === ValueType.UInt64) return Number(BigInt.asUintN(64, sample.value as bigint));
  return Number(sample.value);
}

/** In ms; the whole ones apart from the ticks, which would be lost beside years of ms. */
function spanOf(from: Sample, to: Sample): number {
  return to.ms - from.ms + ((to.ticks ?? 0) - (from.ticks ?? 0)) / 10_000;
}

/** Written for clearness only. */
function expectedStatistics(type: ValueType, samples: readonly Sample[]): BlockStatistics {
  const isGood = (sample: Sample | undefined) =>
    sample !== undefined && (sample.quality ?? 192) >= 192 && sample.value !== null;
  const good = samples.filter(isGood).map((sample) => numberOf(type, sample));
  const min = good.reduce((a, b) => Math.min(a, b), Infinity);
  const max = good.reduce((a, b) => Math.max(a, b), -Infinity);
  const indexOf = (wanted: number) =>
    samples.findIndex((sample) => isGood(sample) && numberOf(type, sample) === wanted);
  let [stepped, sloped, duration] = [0, 0, 0];
  samples.forEach((sample, i) => {
    const next = samples[i + 1];
    if (!isGood(sample) || next === undefined) return;
    const span = spanOf(sample, next);
    const value = numberOf(type, sample);
    duration += span;
    stepped += value * span;
    sloped += (isGood(next) ? (value + numberOf(type, next)) / 2 : value) * span;
  });
  const first = samples[0] as Sample;
  return {
    goodNumberCount: good.length,
    firstNumber: isGood(first) ? numberOf(type, first) : undefined,
    min: good.length > 0 ? min : 0,
    max: good.length > 0 ? max : 0,
    minIndex: good.length > 0 ? indexOf(min) : 0,
    maxIndex: good.length > 0 ? indexOf(max) : 0,
    sum: good.reduce((a, b) => a + b, 0),
    steppedIntegral: stepped,
    slopedIntegral: sloped,
    goodDurationMs: duration,
  };
}

/** Equal but for the rounding of sums, `scale` being the size of what was summed. */
function assertClose(got: number, want: number, scale: number, what: string): void {
  if (Object.is(got, want) || !Number.isFinite(scale)) return;
  assert.ok(Math.abs(got - want) <= scale * 1e-9 + 1e-9, `${what}: got ${got}; want ${want}`);
}

function check(type: ValueType, samples: readonly Sample[]): void {
  const { statistics } = roundTrip(type, samples).header;
  const want = expectedStatistics(type, samples);
  assert.ok(statistics !== undefined);
  const largest = Math.max(Math.abs(want.min), Math.abs(want.max));
  const sumScale = largest * samples.length;
  const integralScale = sumScale * Math.max(1, spanOf(samples[0] as Sample, samples.at(-1) as Sample));
  assert.deepEqual(
    [statistics.goodNumberCount, statistics.firstNumber, statistics.minIndex, statistics.maxIndex],
    [want.goodNumberCount, want.firstNumber, want.minIndex, want.maxIndex],
  );
  assert.deepEqual([statistics.min + 0, statistics.max + 0], [want.min + 0, want.max + 0]);
  assertClose(statistics.sum, want.sum, sumScale, 'sum');
  assertClose(statistics.goodDurationMs, want.goodDurationMs, want.goodDurationMs + 1, 'duration');
  assertClose(statistics.steppedIntegral, want.steppedIntegral, integralScale, 'stepped integral');
  assertClose(statistics.slopedIntegral, want.slopedIntegral, integralScale, 'sloped integral');
}

for (const type of NUMERIC_TYPES) {
  test(`statistics of type ${type} are those of its good, non-null numbers`, () => {
    checkProperty(samplesOf(type, 100), (samples) => check(type, samples), 150);
  });
}

test('a worked example: a bad point, a null, and uneven steps', () => {
  const samples: Sample[] = [
    { ms: START_MS, value: 10 },
    { ms: START_MS + 100, value: 20 },
    { ms: START_MS + 200, value: 1000, quality: 64 },
    { ms: START_MS + 250, value: 30 },
    { ms: START_MS + 260, value: null },
    { ms: START_MS + 360, value: 5, ticks: 5000 },
  ];
  assert.deepEqual(roundTrip(ValueType.Double, samples).header.statistics, {
    goodNumberCount: 4,
    firstNumber: 10,
    min: 5,
    minIndex: 5,
    max: 30,
    maxIndex: 3,
    sum: 65,
    steppedIntegral: 10 * 100 + 20 * 100 + 30 * 10,
    slopedIntegral: 15 * 100 + 20 * 100 + 30 * 10,
    goodDurationMs: 210,
  });
});

test('without a good number everything is 0 and there is no first number', () => {
  const samples: Sample[] = [
    { ms: START_MS, value: 7, quality: 0 },
    { ms: START_MS + 1, value: null },
  ];
  const { statistics } = roundTrip(ValueType.Double, samples).header;
  assert.deepEqual([statistics?.goodNumberCount, statistics?.min, statistics?.firstNumber], [0, 0, undefined]);
});

test('statistics are there always, from 64 points up, or never, as asked; and never for text and DateTime', () => {
  const list = (count: number) => everySecond(Array.from({ length: count }, (_, i) => i));
  const has = (type: ValueType, samples: readonly Sample[], statistics: 'always' | 'when-long' | 'never') =>
    roundTrip(type, samples, { statistics }).header.statistics !== undefined;
  assert.deepEqual(
    [has(ValueType.Int32, list(63), 'when-long'), has(ValueType.Int32, list(64), 'when-long')],
    [false, true],
  );
  assert.deepEqual([has(ValueType.Int32, list(1), 'always'), has(ValueType.Int32, list(64), 'never')], [true, false]);
  assert.equal(has(ValueType.String, everySecond(Array(64).fill('x')), 'always'), false);
  assert.equal(has(ValueType.DateTime, everySecond(Array(64).fill(5n)), 'always'), false);
  assert.equal(has(ValueType.Open, everySecond(Array(64).fill(null)), 'always'), false);
});
