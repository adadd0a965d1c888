// 300 power cuts on a disk in memory, and the proof that the campaign would notice if syncs did nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseSeed } from '../support/seeded-random.ts';
import { COUNTS, runCrashCampaign } from './crash-clones.ts';

const CONTROL_CLONES = 50;

test('D1, D2, D7, D8, D13: after a power cut every acknowledged request is there whole, and every other one whole or not at all', async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const result = await runCrashCampaign({ seed, cloneCount: COUNTS.slice, syncs: 'real' });
  assert.equal(result.cloneCount, COUNTS.slice);
  context.diagnostic(`${result.loadCount} loads, ${result.nestedCount} cuts during recovery`);
});

test('D1, D2, D7, D8, D13, negative control: with syncs as no-ops the same campaign fails', async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  await assert.rejects(
    runCrashCampaign({ seed, cloneCount: CONTROL_CLONES, syncs: 'noop' }),
    /seed \d+: .*dataset .*want/,
  );
});
