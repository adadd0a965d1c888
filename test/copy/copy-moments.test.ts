// Backups of a running server at random moments, restored and compared; and that the campaign notices a loss.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { cutNewestJournal } from '../support/journal-loss.ts';
import { chooseSeed } from '../support/seeded-random.ts';
import { makeTempFolder } from '../support/temp-folder.ts';
import { COUNTS, copyAtMoments, DATASETS } from './copy-moments.ts';

const CONTROL_MOMENTS = 4;

test('a backup of any moment is restored, sound, and shows what was acknowledged before it began', async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const report = await copyAtMoments({ seed, count: COUNTS.slice, folder: makeTempFolder(context) });
  assert.deepEqual(report, { trials: COUNTS.slice, failures: [] });
});

test('negative control: when a restore takes half of the newest journals along, the campaign fails', async (context) => {
  const { failures } = await copyAtMoments({
    seed: 1,
    count: CONTROL_MOMENTS,
    folder: makeTempFolder(context),
    spoil: (dataFolder) => {
      for (const dataset of DATASETS) cutNewestJournal(join(dataFolder, dataset));
    },
  });
  assert.match(failures.join(), /of \d+ possible states none fits|the restored folder: /);
});
