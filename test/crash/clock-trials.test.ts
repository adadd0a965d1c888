import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseSeed } from '../support/seeded-random.ts';
import { COUNTS, turnClocks } from './clock-trials.ts';

test('D9: with a wrong clock nothing inside the purge age goes, system tags go on, and a blocked tag is repaired by a cut', async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const count = COUNTS.slice;
  assert.deepEqual(await turnClocks({ seed, count, jumps: 'passing' }), { trials: count, failures: [] });
});

test('D9, negative control: clock and points that stay years ahead for hours are believed, and the same look fails', async () => {
  const { failures } = await turnClocks({ seed: 1, count: 1, jumps: 'lasting' });
  assert.match(failures.join(), /points inside the purge age are gone/);
});
