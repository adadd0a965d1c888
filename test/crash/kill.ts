// kill -9 of the real server at random moments under the load of eight writers over HTTP, some of which send points late, and of
// one client that corrects points and undoes that, and one with requests of several batches, at every durability level. After
// each restart every acknowledged point is there, no batch by half, and every value as it was sent; and the corrections that
// were acknowledged are in force, and no others.
//
// Command: npm run campaign kill -- [--seed <n>] [--count <n>] [--extent slice|full]
// [--data <folder>]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Durability } from '../../engine/index.ts';
import {
  type CampaignReport,
  type CampaignRun,
  type OwnOptions,
  runAsProgram,
  secondsSince,
} from '../support/campaign.ts';
import type { HttpClient } from '../support/http-client.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { KillCorrector } from './kill-corrector.ts';
import { KillLongWriter } from './kill-long-writer.ts';
import { KillRounds, plainPlace } from './kill-rounds.ts';
import { DATASET, KillWriter } from './kill-writer.ts';

const WRITER_COUNT = 8;
/** What the writers send late of their points. */
const LATE_SHARES = [0, 0.1, 0, 0.5, 0, 0.02, 0, 0.9];
const LEVELS: readonly Durability[] = ['group', 'interval', 'os'];
/** Requests that are acknowledged before a kill. */
const LOAD = { least: 2 * WRITER_COUNT, most: 500 };
/** Every check reads all that was written before: after so many rounds the campaign goes on in a new data folder. */
const ROUNDS_OF_FOLDER = 50;
/** Small limits, so that spills, rolls and retirements happen within a round. */
const FLAGS = ['--head-limit', '1MiB', '--journal-limit', '1MiB', '--retired-journal-age', '1s'];

export interface KillOptions {
  readonly seed: number;
  readonly roundCount: number;
  /** Holds the data folders; what passed is removed. */
  readonly folder: string;
  /** What else happens to the dataset's folder after a kill; nothing in the campaign, a loss in its negative control. */
  readonly afterKill?: (datasetFolder: string) => void;
  /** Told after each data folder that passed. */
  readonly onFolder?: (report: KillReport) => void;
}

/** A trial is a kill under load, and the restart that finds everything. */
export interface KillReport extends CampaignReport {
  readonly acknowledgedCount: number;
}

/** Ends at the first failure. */
export async function runKillCampaign(options: KillOptions): Promise<KillReport> {
  const { seed, roundCount, folder } = options;
  const random = new SeededRandom(seed);
  let [trials, acknowledgedCount] = [0, 0];
  while (trials < roundCount) {
    const dataFolder = join(folder, `data-${trials}`);
    const rounds = roundsOn(dataFolder, random, options);
    try {
      await rounds.run(trials, Math.min(roundCount, trials + ROUNDS_OF_FOLDER));
    } catch (error) {
      trials = rounds.checkedRounds;
      const failure = `seed ${seed}, round ${trials}, ${dataFolder}: ${(error as Error).message}`;
      return { trials: trials + 1, failures: [failure], acknowledgedCount };
    }
    trials = rounds.checkedRounds;
    acknowledgedCount += rounds.acknowledgedCount;
    rmSync(dataFolder, { recursive: true, force: true });
    options.onFolder?.({ trials, failures: [], acknowledgedCount });
  }
  return { trials, failures: [], acknowledgedCount };
}

/** The rounds on one data folder. */
function roundsOn(dataFolder: string, random: SeededRandom, { afterKill }: KillOptions): KillRounds {
  const startMs = Date.now() - 86_400_000;
  const writers = Array.from(
    { length: WRITER_COUNT },
    (_, i) => new KillWriter(i, random.fork(), startMs, LATE_SHARES[i]),
  );
  return new KillRounds({
    random,
    place: plainPlace(dataFolder, () => afterKill?.(join(dataFolder, DATASET))),
    clients: [...writers, new KillCorrector(random.fork(), startMs), new KillLongWriter(random.fork(), startMs)],
    load: LOAD,
    serverOf: (round) => ({ flags: ['--durability', LEVELS[round % LEVELS.length] as Durability, ...FLAGS] }),
    prepare: createDataset,
  });
}

/** One that accepts late points; of an earlier round it may be there. */
async function createDataset(client: HttpClient): Promise<void> {
  const { status, text } = await client.post('/api/datasets', { n: DATASET, pa: 0, ps: 0, late: 'accept' });
  if (status !== 201 && status !== 409) throw new Error(`the dataset was answered with ${status}: ${text}`);
}

/** Trials: what the tests run, and the whole, in rounds. */
export const COUNTS = { slice: 6, full: 100 } as const;

async function killAsProgram({ seed, count }: CampaignRun, { data }: OwnOptions): Promise<KillReport> {
  const folder = data ?? mkdtempSync(join(tmpdir(), 'varve-kill-'));
  const startMs = performance.now();
  const onFolder = ({ trials, acknowledgedCount }: KillReport): void =>
    console.log(`${trials} rounds, ${acknowledgedCount} requests acknowledged, none lost (${secondsSince(startMs)} s)`);
  const report = await runKillCampaign({ seed, roundCount: count, folder, onFolder });
  // What failed is kept to be looked at.
  if (data === undefined && report.failures.length === 0) rmSync(folder, { recursive: true, force: true });
  return report;
}

if (process.argv[1] === import.meta.filename)
  await runAsProgram({ name: 'kill -9', counts: COUNTS, own: ['data'] }, killAsProgram);
