// Cells of a grid: no edge of an interval lies within one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridOf, spansOf } from '../../../centre/intervals/grid.ts';
import { chooseSeed, SeededRandom } from '../../support/seeded-random.ts';

const START = { ms: 1_000, ticks: 5 };
const MANY = 1e9;

test('edges of random intervals lie where steps begin, and spans cover the range without a gap', (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const random = new SeededRandom(seed);
  for (let round = 0; round < 500; round++) {
    const unit = random.pick([1, 250, 3_600_000]);
    const edges = [0, random.below(unit) + 1];
    for (let count = random.below(20); count > 0; count--)
      edges.push((edges.at(-1) as number) + unit * (1 + random.below(5)));
    edges.push((edges.at(-1) as number) + random.pick([0.5, unit]));
    const endMs = edges.at(-1) as number;
    const grid = gridOf(START, Float64Array.from(edges), MANY);
    assert.ok(grid);
    const before = START.ms - grid.origin.ms;
    assert.ok(before >= 0 && grid.origin.ticks === START.ticks);
    for (const edge of edges.slice(1, -1)) assert.equal((before + edge) % grid.stepMs, 0, `${edges}`);
    assert.ok(before + endMs <= grid.stepMs * grid.stepCount);
    assert.ok(before < grid.stepMs && before + endMs > grid.stepMs * (grid.stepCount - 1));
    const end = { ms: START.ms + Math.floor(endMs), ticks: 5 + 10_000 * (endMs % 1) };
    const spans = spansOf(grid, { start: START, end }, random.pick([1, 7, 8192]));
    assert.deepEqual(spans[0]?.start, START);
    assert.deepEqual(spans.at(-1)?.end, end);
    for (const [i, span] of spans.slice(1).entries()) {
      assert.deepEqual(span.start, spans[i]?.end);
      assert.equal((span.start.ms - grid.origin.ms) % grid.stepMs, 0);
    }
  }
});

test('few points, and edges between ms, have no grid', () => {
  const hours = Float64Array.from({ length: 25 }, (_, i) => i * 3_600_000);
  assert.equal(gridOf(START, hours, 24 * 49), undefined);
  assert.equal(gridOf(START, hours, 24 * 50)?.stepCount, 24);
  assert.equal(gridOf(START, Float64Array.of(0, 0.5, 1000), MANY), undefined);
});

test('one interval has many cells, so that points that are not good spoil few', () => {
  assert.deepEqual(gridOf(START, Float64Array.of(0, 86_400_000), 100_000), {
    origin: START,
    stepMs: 86_400_000,
    stepCount: 1,
    parts: 1024,
  });
});
