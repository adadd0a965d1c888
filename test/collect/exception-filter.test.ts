// Runs a short slice of the campaign `npm run campaign exceptions`, and what the rules say in single cases.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseSeed } from '../support/seeded-random.ts';
import { COUNTS, filter, point, runSeries } from './random-series.ts';

test('what is stored of a thousand random series is what the plain rules say, near the line between, and counted', () => {
  const { failures, trials } = runSeries({ seed: chooseSeed(), count: COUNTS.slice });
  assert.deepEqual(failures, []);
  assert.equal(trials, COUNTS.slice);
});

test('the point before a jump is stored with it', () => {
  const rules = { deadband: 1, shortestMs: 0, longestMs: 1e9 };
  const points = [point(0, 5), point(1000, 5.1), point(2000, 5), point(3000, 50)];
  assert.deepEqual(
    filter(points, rules).map(({ timeMs }) => timeMs),
    [0, 2000, 3000],
  );
});

test('a change of quality and a value that is no number are never held back', () => {
  const rules = { deadband: 10, shortestMs: 0, longestMs: 1e9 };
  const none = { timeMs: 2000, ticks: 0, json: 'null', number: undefined, quality: 0 };
  const points = [point(0, 5), point(1000, 5, 64), none, point(3000, 5)];
  assert.deepEqual(filter(points, rules), points);
});
