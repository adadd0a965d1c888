import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseSeed } from '../support/seeded-random.ts';
import { COUNTS, runTwoProcesses } from './two-processes.ts';

const skip = process.platform === 'linux' ? false : 'a forged LOCK file locks where the lock is a file';

test('of servers on one folder exactly one gets it, whatever LOCK says; the others exit with 75 and say who has it', {
  skip,
}, async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const count = COUNTS.slice;
  assert.deepEqual(await runTwoProcesses({ seed, count, folders: 'one' }), { trials: count, failures: [] });
});

test('negative control: with a folder each, the same trial finds more than one that has it', { skip }, async () => {
  const { failures } = await runTwoProcesses({ seed: 1, count: 1, folders: 'each its own' });
  assert.match(failures.join(), /[23] of [23] servers have the folder/);
});
