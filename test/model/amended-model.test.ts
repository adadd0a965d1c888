// Widened rules, late points, corrections and removals together: the engine and a model in plain words show the same, and a
// fault would show.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseSeed } from '../support/seeded-random.ts';
import { COUNTS, runAmendedModel } from './amended-model.ts';

test('D1, D9: late points and corrections that were accepted are read until a rule in force takes them, over widened rules, removals, restarts and kills', async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  assert.deepEqual(await runAmendedModel({ seed, count: COUNTS.slice }), { trials: COUNTS.slice, failures: [] });
});

test('D9, negative control: a first point left that moves on with what is stored is found', async () => {
  const { failures } = await runAmendedModel({ seed: 1, count: 10, firstLeft: 'moves-on' });
  assert.ok(failures.length >= 3, `${failures.length} of 10 trials differ`);
  assert.match(failures.join(), /the receipt|of [A-C]: got|whether the correction is taken/);
});
