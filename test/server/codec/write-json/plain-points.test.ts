// The fast way of writing plain points, held against the slow one and against the language's own texts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MIN_TIME_MS, PointColumns, ValueType } from '../../../../engine/index.ts';
import { OutputBytes } from '../../../../server/codec/write-json/output-bytes.ts';
import { arePlainPoints } from '../../../../server/codec/write-json/plain-points.ts';
import { TvqWriter } from '../../../../server/codec/write-json/tvq-writer.ts';
import { DEFAULT_STYLE } from '../../../../server/codec/write-json/value-style.ts';
import { seed } from '../value-arbitraries.ts';

const writer = new TvqWriter();

function columnsOf(timesMs: readonly number[], values: readonly number[]): PointColumns {
  const points = new PointColumns(values.length);
  points.count = values.length;
  points.timesMs.set(timesMs);
  points.numbers.set(values);
  points.qualities.fill(192);
  return points;
}

function written(points: PointColumns): string {
  const out = new OutputBytes(16);
  writer.writePoints(out, { type: ValueType.Double, points, start: 0, end: points.count }, DEFAULT_STYLE, 'first');
  return Buffer.from(out.written()).toString();
}

/** The same points, and one with ticks behind them, which makes all of them go the slow way. */
function writtenSlowly(timesMs: readonly number[], values: readonly number[]): string {
  const points = columnsOf([...timesMs, timesMs.at(-1) ?? 0], [...values, 0]);
  points.ticks[values.length] = 1;
  assert.ok(!arePlainPoints(points, 0, points.count));
  const text = written(points);
  return text.slice(0, text.lastIndexOf(',{"t"'));
}

function expected(timesMs: readonly number[], values: readonly number[]): string {
  const texts = values.map((value, i) => {
    const digits = Object.is(value, -0) ? '-0' : String(value);
    return `{"t":"${new Date(timesMs[i] as number).toISOString()}","v":${digits},"q":192}`;
  });
  return texts.join(',');
}

const decimal = fc
  .tuple(fc.integer({ min: -1_500_000, max: 1_500_000 }), fc.integer({ min: 0, max: 6 }))
  .map(([digits, scale]) => digits / 10 ** scale);
const value = fc.oneof(
  { weight: 6, arbitrary: decimal },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { weight: 1, arbitrary: fc.constantFrom(0, -0, 9_999, 9_999.999, 10_000, 0.001, -0.001, 99_999.5, 2e9, 1e15) },
);
const step = fc.oneof(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: 200_000_000 }));

test('plain points are written as the slow way writes them, and as the language does', () => {
  const start = fc.integer({ min: MIN_TIME_MS, max: Date.UTC(9000, 0, 1) });
  const property = fc.property(
    start,
    fc.array(fc.tuple(step, value), { minLength: 1, maxLength: 300 }),
    (first, steps) => {
      let timeMs = first;
      const timesMs = steps.map(([stepMs]) => (timeMs += stepMs));
      const values = steps.map(([, number]) => number);
      const points = columnsOf(timesMs, values);
      assert.ok(arePlainPoints(points, 0, points.count));
      const text = written(points);
      assert.equal(text, expected(timesMs, values));
      assert.equal(text, writtenSlowly(timesMs, values));
    },
  );
  fc.assert(property, { seed, numRuns: 300 });
});

test('every number of up to three digits behind the point below 10,000 is written as the language does', () => {
  const values: number[] = [];
  for (let digits = 0; digits < 10_000_000; digits += 37) values.push(digits / 1000, -digits / 100, digits / 10);
  const timesMs = values.map((_, i) => i * 997);
  assert.equal(written(columnsOf(timesMs, values)), expected(timesMs, values));
});

test('a tick, a null, or another quality is not plain', () => {
  const change: readonly ((points: PointColumns) => void)[] = [
    ({ ticks }) => {
      ticks[1] = 1;
    },
    ({ nulls }) => {
      nulls[1] = 1;
    },
    ({ qualities }) => {
      qualities[1] = 0;
    },
    ({ qualities }) => {
      qualities[1] = -1;
    },
  ];
  for (const spoil of change) {
    const points = columnsOf([0, 1, 2], [1, 2, 3]);
    spoil(points);
    assert.equal(arePlainPoints(points, 0, 3), false);
    assert.equal(arePlainPoints(points, 2, 3), true);
  }
});
