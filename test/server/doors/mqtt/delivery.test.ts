// Runs a short slice of the campaign `npm run campaign mqtt`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COUNTS, runDelivery, TROUBLES } from './delivery.ts';
import { skipWithoutBroker } from './support/broker.ts';

for (const trouble of TROUBLES) {
  test(`what a broker has acknowledged is in the dataset exactly once: ${trouble}`, {
    skip: skipWithoutBroker,
  }, async () => {
    const { failures, trials } = await runDelivery({ seed: 20_261_123, count: COUNTS.slice, troubles: [trouble] });
    assert.deepEqual(failures, []);
    assert.equal(trials, COUNTS.slice);
  });
}

test('negative control: without acknowledgements messages are missing after a kill', {
  skip: skipWithoutBroker,
}, async () => {
  const control = { seed: 3, count: 5, troubles: ['kill server'], qos: 0, arrivalLimitMs: 1_000 } as const;
  const { failures } = await runDelivery(control);
  assert.match(failures[0] ?? '', /are missing/);
});
