// The simulator against the real server, killed at random moments and begun again: the server then holds what an
// undisturbed run writes. KILLS sets how often it is killed, SEED the moments.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { assertSamePoints, readDataset } from '../../support/dataset-reader.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { SimulatorProcess } from '../../support/simulator-process.ts';
import { mixedPlant, NOW_MS, simulate } from '../../support/simulator-runs.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const KILLS = Number(process.env.KILLS ?? 4);
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const BACKFILL_DAYS = 8;
console.log(`SEED=${SEED} KILLS=${KILLS}`);

test(`killed ${KILLS} times during the back-fill, the server's points are those of an undisturbed run`, async (context) => {
  const random = new SeededRandom(SEED);
  const server = await ServerProcess.start();
  context.after(() => server.stop());
  const configuration = mixedPlant(BACKFILL_DAYS);
  const url = new URL(server.url);
  const folder = makeTempFolder(context);
  await simulate({ folder: makeTempFolder(context), configuration, options: { url, dataset: 'Reference' } });
  const config = join(folder, 'plant.json');
  writeFileSync(config, JSON.stringify(configuration));
  const now = new Date(NOW_MS).toISOString();
  let kills = 0;
  for (let round = 0; kills < KILLS; round++) {
    const dataset = `Killed ${round}`;
    const args = ['--config', config, '--dataset', dataset, '--url', server.url, '--seed', '7', '--now', now, '--once'];
    let isComplete = false;
    while (!isComplete) {
      const simulator = new SimulatorProcess(args);
      await simulator.waitFor(/^seed 7/);
      if (kills < KILLS) await Promise.race([delay(random.between(0, 400)), simulator.ended]);
      if (kills < KILLS) await simulator.kill();
      isComplete = (await simulator.ended) === 0;
      if (!isComplete) kills++;
    }
    assertSamePoints(await readDataset(server.url, dataset), await readDataset(server.url, 'Reference'));
  }
  assert.equal(kills, KILLS);
});
