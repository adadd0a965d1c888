// Chance that can be had again: everything drawn follows from one seed.

import type { Random } from '../../engine/io/random.ts';

export class SeededRandom implements Random {
  readonly seed: number;
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number) {
    this.seed = seed >>> 0;
    this.#a = this.seed;
    this.#b = 0x9e3779b9;
    this.#c = 0x243f6a88;
    for (let i = 0; i < 15; i++) this.uint32();
  }

  /** Chris Doty-Humphrey's sfc32. */
  uint32(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** From 0 up to 1, without 1. */
  unit(): number {
    return this.uint32() / 2 ** 32;
  }

  /** A whole number from 0 to `count - 1`. */
  below(count: number): number {
    return Math.floor(this.unit() * count);
  }

  /** A whole number; both bounds are possible. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error('BUG: a choice from nothing');
    return choices[this.below(choices.length)] as T;
  }

  /** A new list in random order. */
  shuffled<T>(list: readonly T[]): T[] {
    const result = [...list];
    for (let i = result.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [result[i], result[j]] = [result[j] as T, result[i] as T];
    }
    return result;
  }

  /** An independent stream that follows from this one. */
  fork(): SeededRandom {
    return new SeededRandom(this.uint32());
  }
}

/** CI repeats itself; chance is for runs by hand and for campaigns. */
const CI_SEED = '1';

/** The seed of a random test: from the environment variable SEED, else new. Print it. */
export function chooseSeed(): number {
  const given = process.env.SEED ?? (process.env.CI ? CI_SEED : undefined);
  return given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given) >>> 0;
}
