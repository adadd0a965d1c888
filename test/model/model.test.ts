// The engine and a model of plain lists give the same answers to random requests and reads.

import { test } from 'node:test';
import { chooseSeed } from '../support/seeded-random.ts';
import { runModel } from './model.ts';

const RUN_COUNT = 12;
const STEP_COUNT = 300;

test('after every create, write, delete, cut and restart all reads answer as the model does', async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  for (let i = 0; i < RUN_COUNT; i++) await runModel({ seed: (seed + i) >>> 0, stepCount: STEP_COUNT });
});
