import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseSeed } from '../support/seeded-random.ts';
import { COUNTS, injectFaults } from './io-faults.ts';

const CONTROL_TRIALS = 20;

test('D1, D2, D4, D11: after a fault at any operation of the disk nothing acknowledged is lost, and a failed sync is final', async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const { trials, failures } = await injectFaults({ seed, count: COUNTS.slice, syncs: 'real' });
  assert.deepEqual(failures, []);
  assert.ok(trials >= COUNTS.slice, `${trials} trials`);
});

test('D1, D2, D4, D11, negative control: with syncs as no-ops the same trials fail', async () => {
  const { failures } = await injectFaults({ seed: 1, count: CONTROL_TRIALS, syncs: 'noop' });
  assert.match(failures.join(), /was acknowledged, and is gone/);
});
