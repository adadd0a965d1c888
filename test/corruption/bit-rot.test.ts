import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseSeed } from '../support/seeded-random.ts';
import { rot } from './bit-rot.ts';

const FEWEST_BYTES = 300_000;
const TRIALS = 1500;

test('rule 2: whatever byte or block of whatever file rots, no wrong value is read, and what is missing is said', async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const { trials, failures } = await rot({ seed, count: TRIALS, fewestBytes: FEWEST_BYTES, reports: 'heeded' });
  assert.deepEqual(failures, []);
  assert.ok(trials >= TRIALS);
});

test('rule 2, negative control: with the reports of damage ignored the same trials fail', async () => {
  const { failures } = await rot({ seed: 1, count: 100, fewestBytes: FEWEST_BYTES, reports: 'ignored' });
  assert.match(failures.join(), /pieces are missing, and nothing says so/);
});
