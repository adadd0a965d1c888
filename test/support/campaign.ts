// A campaign as a program: takes --seed and --count, prints trials, failures and the seed, and exits 1 when there are any.

import { parseArgs } from 'node:util';
import { chooseSeed } from './seeded-random.ts';

export interface CampaignRun {
  readonly seed: number;
  readonly count: number;
}

export interface CampaignReport {
  readonly trials: number;
  /** What went wrong, each with what shows it again. */
  readonly failures: readonly string[];
}

export type Campaign = (run: CampaignRun) => Promise<CampaignReport>;

/** Runs a campaign when its file is the program: `if (process.argv[1] === import.meta.filename) await runAsProgram(…)`. */
export async function runAsProgram(name: string, defaultCount: number, campaign: Campaign): Promise<void> {
  const { values } = parseArgs({ options: { seed: { type: 'string' }, count: { type: 'string' } } });
  const seed = values.seed === undefined ? chooseSeed() : Number(values.seed) >>> 0;
  const startMs = performance.now();
  const { trials, failures } = await campaign({ seed, count: Number(values.count ?? defaultCount) });
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  for (const failure of failures) console.log(`FAILED ${failure}`);
  console.log(`${name}: ${trials} trials, ${failures.length} failures, seed ${seed} (${seconds} s)`);
  if (failures.length > 0 || trials === 0) process.exitCode = 1;
}
