// Runs a short slice of the campaign `npm run campaign opcua`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runFaults } from './faults.ts';

test('what a server of OPC UA has kept is in the dataset once, under faults of everything around the collector', async () => {
  const faults = ['collector and historian killed', 'line cut', 'nodes gone', 'both servers killed'] as const;
  const { failures, trials } = await runFaults({ seed: 20_261_129, count: faults.length, faults, backLimitMs: 30_000 });
  assert.deepEqual(failures, []);
  assert.equal(trials, faults.length);
});
