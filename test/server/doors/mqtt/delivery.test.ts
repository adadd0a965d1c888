// Runs a short slice of the campaign `npm run campaign:mqtt`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runDelivery, TROUBLES } from './delivery.ts';
import { skipWithoutBroker } from './support/broker.ts';

for (const trouble of TROUBLES) {
  test(`what a broker has acknowledged is in the dataset exactly once: ${trouble}`, {
    skip: skipWithoutBroker,
  }, async () => {
    const { failures, trials } = await runDelivery({ seed: 20_261_123, count: 2, troubles: [trouble] });
    assert.deepEqual(failures, []);
    assert.equal(trials, 2);
  });
}
