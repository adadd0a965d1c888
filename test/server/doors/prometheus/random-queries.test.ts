// Runs a short slice of the campaign `npm run campaign promql`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COUNTS, compareQueries } from './random-queries.ts';
import { skipWithoutPrometheus } from './support/prometheus-process.ts';

test('random queries give what Prometheus gives', { skip: skipWithoutPrometheus }, async () => {
  const { failures, trials } = await compareQueries({ seed: 20_261_128, count: COUNTS.slice });
  assert.deepEqual(failures, []);
  assert.equal(trials, COUNTS.slice);
});
