// What is fuzzed, and the judge: only declared errors, no hang, no allocation out of proportion.

import { SeededRandom } from '../support/seeded-random.ts';

export interface FuzzTarget {
  readonly name: string;
  /** Whether an error is one of those that the code under test says it throws. */
  isDeclared(error: unknown): boolean;
  /** One trial: makes an input and has it read. Nothing else may be random. */
  run(random: SeededRandom): void | Promise<void>;
}

/** The event loop is never held longer. */
const LIMIT_MS = 200;
const MOST_TRIES = 3;
/** Inputs are some thousand bytes; what a trial may allocate beyond. */
const LIMIT_BYTES = 64 * 2 ** 20;

export interface FuzzResult {
  readonly name: string;
  readonly trials: number;
  /** Trials whose input was refused with a declared error. */
  readonly refused: number;
  readonly longestMs: number;
}

export interface FuzzOptions {
  readonly seed: number;
  readonly count: number;
}

/** Throws at the first trial that breaks a rule; the message holds the seed that shows it again with a count of 1. */
export async function fuzz(target: FuzzTarget, { seed, count }: FuzzOptions): Promise<FuzzResult> {
  let refused = 0;
  let longestMs = 0;
  for (let i = 0; i < count; i++) {
    const trialSeed = (seed + i) >>> 0;
    const outcome = await judgedTrial(target, trialSeed);
    if (outcome.isRefused) refused++;
    longestMs = Math.max(longestMs, outcome.durationMs);
  }
  return { name: target.name, trials: count, refused, longestMs };
}

interface Trial {
  readonly isRefused: boolean;
  readonly durationMs: number;
}

/** An input that takes long takes long each time; where the machine was slow for a moment, another try is quick. */
async function judgedTrial(target: FuzzTarget, seed: number): Promise<Trial> {
  for (let tries = 1; ; tries++) {
    const trial = await runTrial(target, seed);
    if (trial.durationMs <= LIMIT_MS) return trial;
    if (tries === MOST_TRIES) throw new Error(`${target.name}, seed ${seed}: took ${trial.durationMs.toFixed(0)} ms`);
  }
}

async function runTrial(target: FuzzTarget, seed: number): Promise<Trial> {
  const beforeBytes = process.memoryUsage().arrayBuffers;
  const beforeCpu = process.cpuUsage();
  const beforeMs = performance.now();
  let isRefused = false;
  try {
    await target.run(new SeededRandom(seed));
  } catch (error) {
    if (!target.isDeclared(error)) {
      const stack = error instanceof Error ? error.stack : String(error);
      throw new Error(`${target.name}, seed ${seed}: an error that is not declared: ${stack}`, { cause: error });
    }
    isRefused = true;
  }
  const { user, system } = process.cpuUsage(beforeCpu);
  // A process that was only not given the processor has not hung.
  const durationMs = Math.min(performance.now() - beforeMs, (user + system) / 1000);
  const grownBytes = process.memoryUsage().arrayBuffers - beforeBytes;
  if (grownBytes > LIMIT_BYTES) throw new Error(`${target.name}, seed ${seed}: allocated ${grownBytes} bytes`);
  return { isRefused, durationMs };
}
