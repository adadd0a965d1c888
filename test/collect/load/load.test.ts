// Runs a short slice of the campaign `npm run campaign opcua-load`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runLoad } from './load.ts';

test('every value of many variables is in the dataset, in order, once', async () => {
  const { failures, trials } = await runLoad({ seed: 1, count: 1, variableCount: 300, durationMs: 5000 });
  assert.deepEqual(failures, []);
  assert.ok(trials >= 300, `${trials} values`);
});
