import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseSeed } from '../support/seeded-random.ts';
import { COUNTS, startWithFaults } from './start-faults.ts';

const CONTROL_TRIALS = 20;

test('D8, D10: whatever fails at a start, a dataset is read whole or said to be unavailable, never gone, and takes writes once the disk is mended', async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const { trials, failures, readOnly, unavailable } = await startWithFaults({
    seed,
    count: COUNTS.slice,
    syncs: 'real',
  });
  assert.deepEqual(failures, []);
  assert.ok(trials >= COUNTS.slice, `${trials} trials`);
  assert.ok(readOnly > 0, 'no trial has seen a dataset that can only be read');
  assert.ok(unavailable > 0, 'no trial has seen a dataset that cannot be opened');
});

test('D8, D10, negative control: with syncs as no-ops the same trials fail', async () => {
  const { failures } = await startWithFaults({ seed: 1, count: CONTROL_TRIALS, syncs: 'noop' });
  assert.match(failures.join(), /was acknowledged, and is gone/);
});
