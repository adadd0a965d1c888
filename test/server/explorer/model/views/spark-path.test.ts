// The line of a sparkline in its box.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSeries } from '../../../../../server/explorer/model/trend/series.ts';
import { sparkOf } from '../../../../../server/explorer/model/views/spark-path.ts';

const window = { startMs: 0, endMs: 100 };
const series = createSeries(
  { dataset: 'D', name: 'A' },
  { n: 'A' },
  { t: [-50, 50, 60, 80, 150], v: [0, 100, null, 0, 7], q: 192 },
);
const extent = { min: 8, max: 92 };

test('it begins at the start with the value in force, has a gap at null, and ends at the end', () => {
  const { path } = sparkOf(series, window, extent, false);
  assert.equal(path, `M0 ${y(0)}L50 ${y(100)}L60 ${y(100)}M80 ${y(0)}L100 ${y(0)}`);
});

test('steps hold until the next', () => {
  const { path } = sparkOf(series, window, extent, true);
  assert.equal(path, `M0 ${y(0)}L50 ${y(0)}L50 ${y(100)}L60 ${y(100)}M80 ${y(0)}L100 ${y(0)}`);
});

test('without a number there is nothing to draw', () => {
  assert.equal(sparkOf({ ...series, values: [null, null, null, null, null] }, window, undefined, false).path, '');
});

function y(value: number): string {
  return String(Number(sparkOf(series, window, extent, false).y(value).toFixed(2)));
}
