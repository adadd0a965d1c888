// A campaign as a program. All of them have the same words: `--extent slice|full` says how much of it runs, where a slice is
// what the tests run; `--count` another number of trials, `--seed` which trials, `--only` which rows of a table, `--transport`
// over which. It prints trials, failures and the seed, and exits 1 when there are failures.

import { parseArgs } from 'node:util';
import { chooseSeed } from './seeded-random.ts';
import type { Transport } from './server-process.ts';

export type Extent = 'slice' | 'full';

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

/** Texts of the options that one campaign has besides those of all. */
export type OwnOptions = Readonly<Partial<Record<string, string>>>;

export type Campaign = (run: CampaignRun, own: OwnOptions) => Promise<CampaignReport>;

export interface CampaignProgram {
  readonly name: string;
  /** Trials in a slice, and in the whole. */
  readonly counts: Readonly<Record<Extent, number>>;
  /** `parts`: it also takes `--part 1/2`. */
  readonly division?: 'whole' | 'parts';
  /** Names of options that only this campaign has. */
  readonly own?: readonly string[];
}

const PROGRESS_MS = 10_000;

/** Runs a campaign when its file is the program: `if (process.argv[1] === import.meta.filename) await runAsProgram(…)`. */
export async function runAsProgram(program: CampaignProgram, campaign: Campaign): Promise<void> {
  const { name, counts, division = 'whole', own = [] } = program;
  const names = ['seed', 'count', 'extent', ...(division === 'parts' ? ['part'] : []), ...own];
  const values = parseOptions(names);
  const seed = parseSeed(values.seed);
  const part = values.part === undefined ? undefined : parsePart(values.part);
  const count = parseCount(values.count) ?? counts[parseExtent(values.extent)];
  const startMs = performance.now();
  const onProgress = progressPrinter(name, startMs);
  const report = await campaign({ seed, count, part, onProgress }, values);
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

/** The options of a program, each with a value. Throws at one that it does not have. */
export function parseOptions(names: readonly string[]): OwnOptions {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' }] as const));
  return parseArgs({ options }).values as OwnOptions;
}

export function parseExtent(text = 'full'): Extent {
  if (text !== 'full' && text !== 'slice') throw new Error(`--extent ${text}: want slice or full`);
  return text;
}

/** Both, when none is named. */
export function parseTransports(text: string | undefined): readonly Transport[] {
  if (text === undefined) return ['uws', 'node'];
  if (text !== 'uws' && text !== 'node') throw new Error(`--transport ${text}: want uws or node`);
  return [text];
}

export function parseSeed(text: string | undefined): number {
  return text === undefined ? chooseSeed() : Number(text) >>> 0;
}

export function parseCount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 0) throw new Error(`--count ${text}: want a whole number`);
  return count;
}

function parsePart(text: string): CampaignPart {
  const [number = 0, of = 0] = text.split('/').map(Number);
  const isPart = Number.isInteger(number) && Number.isInteger(of) && number >= 1 && number <= of;
  if (!isPart) throw new Error(`--part ${text}: want something like 1/2`);
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
