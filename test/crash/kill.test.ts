// 25 rounds of kill -9 under load.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { chooseSeed } from '../support/seeded-random.ts';
import { makeTempFolder } from '../support/temp-folder.ts';
import { runKillCampaign } from './kill.ts';

const ROUND_COUNT = 25;

test('rule 1: after kill -9 under load every acknowledged point is there at every durability level, and no half request', async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const dataFolder = join(makeTempFolder(context), 'data');
  const result = await runKillCampaign({ seed, roundCount: ROUND_COUNT, dataFolder });
  context.diagnostic(`${result.acknowledgedCount} requests acknowledged`);
  assert.ok(result.acknowledgedCount > ROUND_COUNT * 8, `${result.acknowledgedCount} requests are no load`);
});
