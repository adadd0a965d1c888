import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseSeed } from '../support/seeded-random.ts';
import { COUNTS, runRaces } from './races.ts';

/** With another seed it takes up to some 20 trials, too. */
const CONTROL_SEED = 1;
const CONTROL_TRIALS = 100;

test('D12: deletes and purges that race with reads and writes leave no half dataset, bring none back and break no read', async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const count = COUNTS.slice;
  assert.deepEqual(await runRaces({ seed, count, fault: 'none' }), { trials: count, failures: [] });
});

test('D12, negative control: a deletion that is answered before it is done is found', async () => {
  const { failures } = await runRaces({ seed: CONTROL_SEED, count: CONTROL_TRIALS, fault: 'early-answers' });
  assert.match(failures.join(), /was deleted|is back|dataset was deleted since|was refused|two lives/);
});

test('D12, negative control: a purge of what is half as old as it should be is found', async () => {
  const { failures } = await runRaces({ seed: CONTROL_SEED, count: CONTROL_TRIALS, fault: 'eager-purge' });
  assert.match(failures.join(), /lacks (\d+|its first or last point)|expired, which no rule takes/);
});
