// A slice of the fuzzing, and the proof that it would notice a fault.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseSeed } from '../support/seeded-random.ts';
import { COUNTS, makeTargets } from './fuzz.ts';
import { type FuzzTarget, fuzz } from './fuzz-target.ts';
import { mutateText } from './mutate.ts';

const BUDGET_MS = 1000;
const STEP = 20;
/** Twice what is allowed, and some: a trial is judged by the processor time that it takes. */
const HANG_CPU_US = 500_000;

test('random input brings out declared errors only, without a hang or a large allocation', async (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  for (const target of await makeTargets()) {
    const endMs = performance.now() + BUDGET_MS;
    let trials = 0;
    let refused = 0;
    do {
      refused += (await fuzz(target, { seed: seed + trials, count: STEP })).refused;
      trials += STEP;
    } while (trials < COUNTS.slice && performance.now() < endMs);
    context.diagnostic(`${target.name}: ${trials} trials, ${refused} refused`);
  }
});

/** A reader with a fault that one input in some hundreds brings out. */
function plant(fault: (text: string) => void): FuzzTarget {
  return {
    name: 'planted',
    isDeclared: (error) => error instanceof SyntaxError,
    run: (random) => {
      const text = mutateText('{"t":1,"v":[1,2,3]}', random);
      if (text.includes('1e400')) fault(text);
      JSON.parse(text);
    },
  };
}

test('negative control: an undeclared error, a hang and a large allocation are found', async () => {
  const held: Uint8Array[] = [];
  const throws = plant((text) => (undefined as unknown as Map<string, number>).get(text));
  const hangs = plant(() => {
    const before = process.cpuUsage();
    const used = (): number => process.cpuUsage(before).user + process.cpuUsage(before).system;
    while (used() < HANG_CPU_US);
  });
  const allocates = plant(() => held.push(new Uint8Array(100 * 2 ** 20)));
  const options = { seed: 1, count: 3000 };
  await assert.rejects(fuzz(throws, options), /seed \d+: an error that is not declared: TypeError/);
  await assert.rejects(fuzz(hangs, options), /seed \d+: took \d+ ms/);
  await assert.rejects(fuzz(allocates, options), /seed \d+: allocated \d+ bytes/);
});
