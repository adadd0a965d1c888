// The parts that statistics are made of: sorting in steps, samples, percentiles.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { percentileOf } from '../../../../engine/aggregates/statistics/percentile.ts';
import { SlicedSort } from '../../../../engine/aggregates/statistics/sliced-sort.ts';
import { ValueSample } from '../../../../engine/aggregates/statistics/value-sample.ts';
import { SeededRandom } from '../../../support/seeded-random.ts';

const PART = 16_384;

function draw(random: SeededRandom, count: number): Float64Array {
  const isFew = random.chance(0.5);
  return Float64Array.from({ length: count }, () => (isFew ? random.between(-3, 3) : random.between(-1e9, 1e9) / 7));
}

describe('sorting in steps', () => {
  it('gives what the sort of the runtime gives, for lengths around its parts', () => {
    const random = new SeededRandom(11);
    for (const count of [0, 1, 2, 1000, PART - 1, PART, PART + 1, 2 * PART, 3 * PART + 5, 5 * PART - 1, 8 * PART + 1]) {
      const values = draw(random, count);
      const want = values.slice().sort();
      const sort = new SlicedSort(values);
      let steps = 0;
      while (!sort.step()) assert.ok(++steps < 100, `${count} values take ${steps} steps`);
      assert.deepEqual(sort.values, want, `${count} values`);
    }
  });

  it('looks at a part only in each step', () => {
    const sort = new SlicedSort(draw(new SeededRandom(5), 10 * PART));
    let steps = 0;
    while (!sort.step()) steps++;
    // Each of 10 parts, and four times all of them merged, one step being the last.
    assert.equal(steps, 10 + 4 * 10 - 1);
  });
});

describe('a sample of values', () => {
  it('is all of them up to its limit', () => {
    const sample = new ValueSample(10_000, { take: () => {} });
    for (let i = 0; i < 10_000; i++) sample.add(i);
    assert.ok(sample.isWhole);
    assert.deepEqual([...sample.values], [...Array(10_000).keys()]);
    sample.add(1);
    assert.ok(!sample.isWhole);
    assert.equal(sample.values.length, 10_000);
  });

  it('has each of very many with the same chance, whatever their order', () => {
    const sample = new ValueSample(10_000, { take: () => {} });
    for (let i = 0; i < 400_000; i++) sample.add(i);
    const parts = new Array<number>(8).fill(0);
    for (const value of sample.values) parts[Math.floor(value / 50_000)] = (parts[Math.floor(value / 50_000)] ?? 0) + 1;
    // 1,250 are expected of each, with a deviation of 33.
    for (const count of parts) assert.ok(Math.abs(count - 1250) < 200, `${parts}`);
    assert.equal(new Set(sample.values).size, 10_000);
  });
});

describe('percentiles', () => {
  it('lie between the values that are next to their rank', () => {
    const sorted = Float64Array.of(10, 20, 30, 40);
    assert.equal(percentileOf(sorted, 0), 10);
    assert.equal(percentileOf(sorted, 50), 25);
    assert.equal(percentileOf(sorted, 100), 40);
    assert.equal(percentileOf(sorted, 95), 38.5);
    assert.equal(percentileOf(Float64Array.of(7), 5), 7);
    assert.equal(percentileOf(Float64Array.of(Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY), 5), -Infinity);
  });
});
