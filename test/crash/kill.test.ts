// Rounds of kill -9 under load; and that the campaign notices a loss.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutNewestJournal } from '../support/journal-loss.ts';
import { chooseSeed } from '../support/seeded-random.ts';
import { makeTempFolder } from '../support/temp-folder.ts';
import { COUNTS, runKillCampaign } from './kill.ts';

/** Its first round is nearly the longest there is; the campaign ends at the first round that lost something. */
const CONTROL_SEED = 8;

test('D1, D2: after kill -9 under load every acknowledged point is there at every durability level, and no half request', async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const folder = makeTempFolder(context);
  const { trials, failures, acknowledgedCount } = await runKillCampaign({ seed, roundCount: COUNTS.slice, folder });
  assert.deepEqual({ trials, failures }, { trials: COUNTS.slice, failures: [] });
  context.diagnostic(`${acknowledgedCount} requests acknowledged`);
  assert.ok(acknowledgedCount > COUNTS.slice * 8, `${acknowledgedCount} requests are no load`);
});

test('D1, D2, negative control: when a kill takes half of the newest journal along, the campaign fails', async (context) => {
  const folder = makeTempFolder(context);
  const options = { seed: CONTROL_SEED, roundCount: 3, folder, afterKill: cutNewestJournal };
  const { failures } = await runKillCampaign(options);
  assert.match(failures.join(), /seed 8, round \d, .*: writer \d: .*: got \d+ points, want \d+/);
});
