// The loop of models that are compared with an engine at every step: many trials with a seed each, and of one that differs
// the last steps.

import type { CampaignReport, CampaignRun } from '../support/campaign.ts';
import { SeededRandom } from '../support/seeded-random.ts';

const STEPS_SHOWN = 8;

/** Runs `count` trials, with a seed each, one more than the last; a trial throws at the first difference. */
export async function runTrials(
  { seed, count, onProgress }: CampaignRun,
  trial: (random: SeededRandom) => Promise<void>,
): Promise<CampaignReport> {
  const failures: string[] = [];
  for (let i = 0; i < count; i++) {
    const trialSeed = (seed + i) >>> 0;
    try {
      await trial(new SeededRandom(trialSeed));
    } catch (error) {
      failures.push(`seed ${trialSeed}: ${(error as Error).message}`);
    }
    onProgress?.(i + 1, count);
  }
  return { trials: count, failures };
}

/** What was done, newest last, for the report of a difference. */
export class StepLog {
  readonly #steps: string[] = [];

  push(step: string): void {
    this.#steps.push(step);
  }

  /** The error, with what was done before it. */
  explain(error: unknown): Error {
    const steps = this.#steps.slice(-STEPS_SHOWN).join('; ');
    return new Error(`${(error as Error).message} after step ${this.#steps.length} (${steps})`, { cause: error });
  }
}

export interface StepwisePlan {
  readonly count: number;
  readonly log: StepLog;
  readonly step: () => Promise<void>;
  readonly compare: () => Promise<void>;
}

/** Throws at the first difference. */
export async function compareAtEachStep({ count, log, step, compare }: StepwisePlan): Promise<void> {
  try {
    for (let i = 0; i < count; i++) {
      await step();
      await compare();
    }
  } catch (error) {
    throw log.explain(error);
  }
}
