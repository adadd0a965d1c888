// Damages one file in every way there is, and judges each; a spread of them also by what follows after.

import assert from 'node:assert/strict';
import { damagesOf } from './damages.ts';
import { judge, judgeAfterlife, type SoundPlant } from './verdict.ts';

/** One damage of so many is followed through spills, a stop and the loss of the journals. */
const AFTERLIFE_STEP = 31;
const FEWEST_DAMAGES = 150;

/** Fails with the first damage that is not survived as it must be. */
export async function damageExhaustively(plant: SoundPlant, path: string): Promise<void> {
  const bytes = plant.image.get(path);
  assert.ok(bytes, `no file ${path}`);
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0; // thousands of errors that say where a block is damaged
  let count = 0;
  try {
    for (const damage of damagesOf(path, bytes)) {
      try {
        await judge(plant, damage);
        if (count++ % AFTERLIFE_STEP === 0) await judgeAfterlife(plant, damage);
      } catch (error) {
        throw new Error(`${path} ${damage.what}: ${(error as Error).message}`, { cause: error });
      }
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  assert.ok(count >= FEWEST_DAMAGES, `only ${count} damages`);
}
