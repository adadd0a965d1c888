// Purge rules that change in both directions: the engine and a model in plain words show the same, and a fault would show.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseSeed } from '../support/seeded-random.ts';
import { COUNTS, runPurgeModel } from './purge-model.ts';

test('D9: a point that was accepted is readable until the rule in force takes it, over changes of rules, restarts and kills', async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const count = COUNTS.slice;
  assert.deepEqual(await runPurgeModel({ seed, count }), { trials: count, failures: [] });
});

test('D9, negative control: a cut that outlives its rule is found', async () => {
  const { failures } = await runPurgeModel({ seed: 1, count: 5, life: 'stays-for-ever' });
  assert.ok(failures.length >= 3, `${failures.length} of 5 trials differ`);
  assert.match(failures.join(), /the receipt|points of [A-E]/);
});
