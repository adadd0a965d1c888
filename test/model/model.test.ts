// The engine and a model of plain lists give the same answers to random requests and reads; and faults would show.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseSeed } from '../support/seeded-random.ts';
import { type Fault, withFault } from './forgetful-engine.ts';
import { COUNTS, runModel } from './model.ts';

const STEP_COUNT = 300;

test('after every create, write, delete, cut and restart all reads answer as the model does', async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const report = await runModel({ seed, count: COUNTS.slice, stepCount: STEP_COUNT });
  assert.deepEqual(report, { trials: COUNTS.slice, failures: [] });
});

const FAULTS: readonly [Fault, RegExp][] = [
  ['takes a point back', /got \d+( points)?[,;] want \d+|\d+ written, \d+ ignored/],
  ['alters a quality', /want .* q-?\d+/],
];

for (const [fault, wanted] of FAULTS) {
  test(`negative control: an engine that now and then ${fault} differs from the model`, async () => {
    for (const seed of [1, 2, 3]) {
      const disguise = (engine: Parameters<typeof withFault>[0]) => withFault(engine, fault);
      const { failures } = await runModel({ seed, count: 1, stepCount: STEP_COUNT, disguise });
      assert.match(failures.join(), wanted);
    }
  });
}
