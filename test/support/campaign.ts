// A campaign as a program: takes --seed and --count, prints trials, failures and the seed, and exits 1 when there are any.

import { parseArgs } from 'node:util';
import { chooseSeed } from './seeded-random.ts';

/** Which of a campaign's trials a process runs: the `number`-th of every `of`, from 1. */
interface CampaignPart {
  readonly number: number;
  readonly of: number;
}

export interface CampaignRun {
  readonly seed: number;
  readonly count: number;
  /** Undefined: all trials. */
  readonly part?: CampaignPart | undefined;
  /** Called after every trial by campaigns that run long; `total` is roughly how many there will be. */
  readonly onProgress?: ((trials: number, total: number) => void) | undefined;
}

export interface CampaignReport {
  readonly trials: number;
  /** What went wrong, each with what shows it again. */
  readonly failures: readonly string[];
}

export type Campaign = (run: CampaignRun) => Promise<CampaignReport>;

const PROGRESS_MS = 10_000;

/**
 * Runs a campaign when its file is the program: `if (process.argv[1] === import.meta.filename) await runAsProgram(…)`.
 * One that can run in `parts` also takes `--part 1/2`.
 */
export async function runAsProgram(
  name: string,
  defaultCount: number,
  campaign: Campaign,
  division: 'whole' | 'parts' = 'whole',
): Promise<void> {
  const options = { seed: { type: 'string' }, count: { type: 'string' } } as const;
  const { values } = parseArgs({ options: division === 'parts' ? { ...options, part: { type: 'string' } } : options });
  const { seed: givenSeed, count = defaultCount, part: givenPart } = values as Partial<Record<string, string>>;
  const seed = givenSeed === undefined ? chooseSeed() : Number(givenSeed) >>> 0;
  const part = givenPart === undefined ? undefined : parsePart(givenPart);
  const startMs = performance.now();
  const onProgress = progressPrinter(name, startMs);
  const report = await campaign({ seed, count: Number(count), part, onProgress });
  printReport(name, part === undefined ? `${seed}` : `${seed}, part ${part.number} of ${part.of}`, report, startMs);
}

/** Prints how a campaign ended that began at `startMs` of `performance.now`, and sets the exit code. */
export function printReport(name: string, seed: string, { trials, failures }: CampaignReport, startMs: number): void {
  for (const failure of failures) console.log(`FAILED ${failure}`);
  console.log(`${name}: ${trials} trials, ${failures.length} failures, seed ${seed} (${secondsSince(startMs)} s)`);
  if (failures.length > 0 || trials === 0) process.exitCode = 1;
}

export function secondsSince(startMs: number): string {
  return ((performance.now() - startMs) / 1000).toFixed(1);
}

function parsePart(text: string): CampaignPart {
  const [number = 0, of = 0] = text.split('/').map(Number);
  const isPart = Number.isInteger(number) && Number.isInteger(of) && number >= 1 && number <= of;
  if (!isPart) throw new Error(`got part ${text}; want something like 1/2`);
  return { number, of };
}

/** A line every ten seconds: how far it is, and how fast it went since the line before. */
function progressPrinter(name: string, startMs: number): (trials: number, total: number) => void {
  let lastMs = startMs;
  let lastTrials = 0;
  return (trials, total) => {
    const nowMs = performance.now();
    if (nowMs - lastMs < PROGRESS_MS) return;
    const rate = ((trials - lastTrials) / (nowMs - lastMs)) * 1000;
    const seconds = ((nowMs - startMs) / 1000).toFixed(0);
    console.log(
      `${name}: ${trials} of about ${total} trials, ${rate.toFixed(rate < 10 ? 1 : 0)} a second (${seconds} s)`,
    );
    lastMs = nowMs;
    lastTrials = trials;
  };
}
