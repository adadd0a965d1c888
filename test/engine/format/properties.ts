// Random tests of the formats: one seed for all, printed, and taken from the environment to repeat a run.

import fc from 'fast-check';

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
console.log(`SEED=${seed}`);

/** Checks a property on `runs` random cases; a failure names the seed and the smallest case found. */
export function checkProperty<T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => void, runs = 300): void {
  fc.assert(fc.property(arbitrary, check), { seed, numRuns: runs });
}

/** The seed for generators of our own. */
export const SEED = seed;

/** A small seeded generator of numbers from 0 to below 1 (mulberry32). */
export function createRandom(from: number = seed): () => number {
  let state = from | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
