import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyNoCluster } from '../../support/clickhouse/cluster.ts';
import { chooseSeed } from '../../support/seeded-random.ts';
import { whyNoSmallDisk } from '../../support/small-disk.ts';
import type { FaultPlant } from './fault-plant.ts';
import { COUNTS, runFaultRounds } from './fault-rounds.ts';

const skip = whyNoCluster() || whyNoSmallDisk();
const SPOILT_LIMIT_MS = 8_000;

/** Points of one shard, on both of its servers, are gone. */
async function losePoints(plant: FaultPlant): Promise<void> {
  const query = 'TRUNCATE TABLE varve.points_local';
  await fetch(`${plant.cluster.urlOf(1)}/`, { method: 'POST', body: query });
  await fetch(`${plant.cluster.urlOf(3)}/`, { method: 'POST', body: query });
}

test('after each fault of ten edge and centre answer the same; and a centre that lacks points is noticed', {
  skip,
}, async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const spoil = { how: losePoints, limitMs: SPOILT_LIMIT_MS };
  const onRound = (text: string): void => context.diagnostic(text);
  const { trials, failures } = await runFaultRounds({ seed, count: COUNTS.slice, spoil, onRound });
  assert.equal(trials, COUNTS.slice, failures.join());
  assert.deepEqual(
    failures.filter((failure) => !failure.startsWith('spoilt: ')),
    [],
  );
  assert.equal(failures.length, 1, 'the lost points were not noticed');
});
