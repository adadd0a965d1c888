// Rounds of kill -9 under late points, corrections, removals, re-creation and changes of rules and types; and that the
// campaign notices a loss.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { cutNewestJournal } from '../support/journal-loss.ts';
import { chooseSeed } from '../support/seeded-random.ts';
import { makeTempFolder } from '../support/temp-folder.ts';
import { COUNTS, DATASETS, runAmendedKills } from './kill-amended.ts';

const CONTROL_ROUNDS = 6;

test('D1, D2, D9: after kill -9 every dataset shows what was acknowledged of late points, corrections, removals, deletions, rules and types', async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const run = { seed, count: COUNTS.slice, place: 'folder', folder: makeTempFolder(context) } as const;
  assert.deepEqual(await runAmendedKills(run), { trials: COUNTS.slice, failures: [] });
});

test('D1, D2, negative control: when a kill takes half of the newest journals along, the campaign fails', async (context) => {
  const { failures } = await runAmendedKills({
    seed: 1,
    count: CONTROL_ROUNDS,
    place: 'folder',
    folder: makeTempFolder(context),
    afterKill: (dataFolder) => {
      for (const dataset of DATASETS) cutNewestJournal(join(dataFolder, dataset));
    },
  });
  assert.match(failures.join(), /of \d+ possible states none fits|has gaps/);
});
