// kill -9 of the real server at random moments under the load of eight writers over HTTP, some of which send points late, and of
// one client that corrects points and undoes that, at every durability level. After each restart every acknowledged point is there, no request by half,
// and every value as it was sent; and the corrections that were acknowledged are in force, and no others.
//
// As a program: npm run campaign kill -- [--seed <n>] [--count <n>] [--extent slice|full]
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
import { HttpClient } from '../support/http-client.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { ServerProcess } from '../support/server-process.ts';
import { KillCorrector } from './kill-corrector.ts';
import { DATASET, type KilledClient, KillWriter, untilLoaded } from './kill-writer.ts';

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
    const rounds = new KillRounds(random, dataFolder, options.afterKill);
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

/** The rounds on one data folder: each starts on what the kill before left behind. */
class KillRounds {
  checkedRounds = 0;
  readonly #random: SeededRandom;
  readonly #dataFolder: string;
  readonly #afterKill: (datasetFolder: string) => void;
  readonly #writers: readonly KilledClient[];

  constructor(random: SeededRandom, dataFolder: string, afterKill: KillOptions['afterKill']) {
    const startMs = Date.now() - 86_400_000;
    this.#random = random;
    this.#dataFolder = dataFolder;
    this.#afterKill = afterKill ?? (() => undefined);
    const writers = Array.from(
      { length: WRITER_COUNT },
      (_, i) => new KillWriter(i, random.fork(), startMs, LATE_SHARES[i]),
    );
    this.#writers = [...writers, new KillCorrector(random.fork(), startMs)];
  }

  get acknowledgedCount(): number {
    return this.#writers.reduce((sum, writer) => sum + writer.acknowledgedCount, 0);
  }

  /** Rounds `[from, to)`. Throws at the first difference. */
  async run(from: number, to: number): Promise<void> {
    this.checkedRounds = from;
    for (let round = from; round < to; round++) {
      await this.#serve(round, (server) => this.#loadAndKill(server));
      this.#afterKill(join(this.#dataFolder, DATASET));
    }
    await this.#serve(to, () => Promise.resolve());
  }

  /** Starts the server, compares what the kill before left, and works with it. */
  async #serve(round: number, work: (server: ServerProcess) => Promise<void>): Promise<void> {
    const level = LEVELS[round % LEVELS.length] as Durability;
    const transport = this.#random.chance(0.7) ? 'uws' : 'node';
    const flags = ['--durability', level, ...FLAGS];
    const server = await ServerProcess.start({ dataFolder: this.#dataFolder, transport, flags });
    try {
      await checkAll(server, this.#writers);
      this.checkedRounds = round;
      await work(server);
    } catch (error) {
      throw new Error(`${level}: ${(error as Error).message}`, { cause: error });
    } finally {
      await server.kill();
    }
  }

  async #loadAndKill(server: ServerProcess): Promise<void> {
    const client = new HttpClient(server.url);
    if (this.acknowledgedCount === 0) await createDataset(client);
    const running = Promise.all(this.#writers.map((writer) => writer.run(client)));
    const early = running.then(() => Promise.reject(new Error('all writers lost their connection before the kill')));
    await Promise.race([early, untilLoaded(this.#writers, this.#random, { ...LOAD, ended: running })]);
    await server.kill();
    await running;
    client.close();
  }
}

/** One that accepts late points; of an earlier round it may be there. */
async function createDataset(client: HttpClient): Promise<void> {
  const { status, text } = await client.post('/api/datasets', { n: DATASET, pa: 0, ps: 0, late: 'accept' });
  if (status !== 201 && status !== 409) throw new Error(`the dataset was answered with ${status}: ${text}`);
}

async function checkAll(server: ServerProcess, writers: readonly KilledClient[]): Promise<void> {
  const client = new HttpClient(server.url);
  for (const writer of writers) await writer.check(client);
  client.close();
}

/** Trials: what the tests run, and the whole, in rounds. */
export const COUNTS = { slice: 9, full: 100 } as const;

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
