// Backups of a running server at random moments: between requests of every kind, while they are under way, after a clean stop
// and after kill -9. Each is restored, checked, and served; it shows what was acknowledged before it began, nothing that was
// never sent, and goes on.
//
// Command: npm run campaign copy -- [--seed <n>] [--count <n>] [--extent slice|full]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { checkUnusedFolder } from '../../engine/index.ts';
import { backUp } from '../../server/commands/backup/backup.ts';
import { restore } from '../../server/commands/backup/restore.ts';
import { KillAmender } from '../crash/kill-amender.ts';
import { drawLimits } from '../crash/kill-limits.ts';
import { PossibleStates } from '../model/possible-states.ts';
import { type CampaignReport, type CampaignRun, runAsProgram } from '../support/campaign.ts';
import { HttpClient } from '../support/http-client.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { ServerProcess } from '../support/server-process.ts';
import { type ServedFolder, serveFolder } from './served-folder.ts';

export const DATASETS = ['Copied 1', 'Copied 2', 'Copied 3'];
/** Every look goes through all that was done before: after so many moments the campaign goes on with empty datasets. */
const MOMENTS_OF_FOLDER = 20;
const MOST_STEPS = 6;
/** Between two files of a copy under load. */
const LONGEST_PAUSE_MS = 8;
/** A copy is quicker than this: the files that it needs are there. */
const RETIRED_FILE_MS = 600_000;
type Moment = 'between' | 'under way' | 'stopped' | 'killed' | 'killed under way';
const RUNNING: readonly Moment[] = ['between', 'under way'];
const ENDED: readonly Moment[] = ['stopped', 'killed', 'killed under way'];
/** After these the server starts anew, which takes longest. */
const ENDED_SHARE = 0.25;
/** Copies that are served by a process of their own, as users do it. */
const PROCESS_SHARE = 0.1;

export interface CopyRun extends CampaignRun {
  /** Holds the data and the copies. */
  readonly folder: string;
  /** Does to a restored folder what a negative control must notice. */
  readonly spoil?: (dataFolder: string) => void;
}

/** A trial is a moment. Ends at the first failure. */
export async function copyAtMoments(run: CopyRun): Promise<CampaignReport> {
  const random = new SeededRandom(run.seed);
  let trials = 0;
  while (trials < run.count) {
    const copies = new CopiedServer(run, random.fork());
    try {
      const to = Math.min(run.count, trials + MOMENTS_OF_FOLDER);
      await copies.start();
      for (; trials < to; trials++) {
        await copies.copyOnce();
        run.onProgress?.(trials + 1, run.count);
      }
    } catch (error) {
      const failure = `seed ${run.seed}, moment ${trials} (${copies.moment}), ${run.folder}: ${(error as Error).message}`;
      return { trials: trials + 1, failures: [failure] };
    } finally {
      await copies.end();
    }
    copies.remove();
  }
  return { trials, failures: [] };
}

class CopiedServer {
  moment: Moment | undefined;
  readonly #run: CopyRun;
  readonly #random: SeededRandom;
  readonly #clients: readonly KillAmender[];
  readonly #flags: readonly string[];
  readonly #folders: Readonly<Record<'data' | 'backup' | 'restored' | 'parquet', string>>;
  #server!: ServerProcess;
  #client!: HttpClient;
  #isRunning = false;

  constructor(run: CopyRun, random: SeededRandom) {
    this.#run = run;
    this.#random = random;
    this.#clients = DATASETS.map((dataset) => new KillAmender({ dataset, random: random.fork() }));
    const place = (name: string): string => join(run.folder, name);
    this.#folders = {
      data: place('data'),
      backup: place('backup'),
      restored: place('restored'),
      parquet: place('parquet'),
    };
    this.#flags = random.chance(0.3)
      ? ['--site', 'Site', '--centre', `parquet://${this.#folders.parquet}`]
      : ['--durability', random.pick(['group', 'interval', 'os'])];
  }

  async start(): Promise<void> {
    const transport = this.#random.chance(0.7) ? 'uws' : 'node';
    const limits = { ...drawLimits(this.#random), retiredFileMs: RETIRED_FILE_MS };
    this.#server = await ServerProcess.start({ dataFolder: this.#folders.data, transport, flags: this.#flags, limits });
    this.#client = new HttpClient(this.#server.url);
    this.#isRunning = true;
    for (const one of this.#clients) await one.check(this.#client);
  }

  async copyOnce(): Promise<void> {
    const random = this.#random;
    await Promise.all(this.#clients.map((one) => this.#steps(one, random.between(1, MOST_STEPS))));
    this.moment = random.pick(random.chance(ENDED_SHARE) ? ENDED : RUNNING);
    const copied = await this.#backUpAt(this.moment);
    await this.#restore();
    await this.#compare(copied);
    if (!this.#isRunning) await this.start();
  }

  async end(): Promise<void> {
    if (this.#isRunning) await this.#kill();
  }

  remove(): void {
    for (const folder of Object.values(this.#folders)) rmSync(folder, { recursive: true, force: true });
  }

  async #steps(one: KillAmender, count: number): Promise<void> {
    for (let i = 0; i < count; i++)
      if (!(await one.step(this.#client))) throw new Error(`${one.dataset}: the connection broke`);
  }

  /** Clients that know what the copy of their dataset may hold. */
  async #backUpAt(moment: Moment): Promise<KillAmender[]> {
    if (moment === 'under way') return this.#backUpUnderWay();
    if (moment === 'stopped') {
      this.#client.close();
      await this.#server.stop();
      this.#isRunning = false;
    }
    if (moment === 'killed') await this.#kill();
    if (moment === 'killed under way') {
      const running = Promise.all(this.#clients.map((one) => one.run(this.#client)));
      await delay(this.#random.between(1, 40));
      await this.#kill();
      await running;
    }
    const copied = this.#clients.map((one) => one.fork());
    await this.#backUp(() => Promise.resolve());
    return copied;
  }

  /** Requests of a dataset come one after the other, so a copy has those before some moment of it, the last perhaps by half. */
  async #backUpUnderWay(): Promise<KillAmender[]> {
    let isOver = false;
    const runs = this.#clients.map(async (one) => {
      const states = [one.states.fork()];
      while (!isOver) {
        await this.#steps(one, 1);
        states.push(one.states.fork());
      }
      return PossibleStates.anyOf(states);
    });
    const copying = this.#backUp(() => delay(this.#random.between(0, LONGEST_PAUSE_MS)));
    const [states] = await Promise.all([Promise.all(runs), copying.finally(() => (isOver = true))]);
    return this.#clients.map((one, i) => one.fork(states[i]));
  }

  /** Into the backup of before, or a new one. */
  async #backUp(checkpoint: () => Promise<void>): Promise<void> {
    const { data: dataFolder, backup: target } = this.#folders;
    if (this.#random.chance(0.4)) rmSync(target, { recursive: true, force: true });
    const silent = (): void => undefined;
    const { faults } = await backUp({
      dataFolder,
      target,
      datasets: undefined,
      verify: 'all',
      say: silent,
      checkpoint,
    });
    if (faults.length > 0) throw new Error(`the backup has faults: ${faults.slice(0, 3).join('; ')}`);
  }

  async #restore(): Promise<void> {
    const { backup, restored: dataFolder } = this.#folders;
    rmSync(dataFolder, { recursive: true, force: true });
    const checkpoint = (): Promise<void> => Promise.resolve();
    await restore({ backup, dataFolder, datasets: undefined, as: undefined, say: () => undefined, checkpoint });
    this.#run.spoil?.(dataFolder);
    const { findings, clean } = await checkUnusedFolder(dataFolder);
    // What a kill leaves behind a deletion is in the copy, too, and told without being a fault.
    const faults = findings.filter(({ level }) => level !== 'info');
    const said = faults.map(({ level, path, message }) => `${level} ${path}: ${message}`);
    if (!clean || said.length > 0) throw new Error(`the restored folder: ${said.slice(0, 3).join('; ')}`);
  }

  async #compare(copied: readonly KillAmender[]): Promise<void> {
    const server = await this.#serve(this.#folders.restored);
    const client = new HttpClient(server.url);
    try {
      for (const one of copied) await one.check(client);
      for (const one of copied) {
        for (let i = 0; i < 2; i++) await one.step(client);
        await one.check(client);
      }
    } catch (error) {
      throw new Error(`the copy: ${(error as Error).message}`, { cause: error });
    } finally {
      client.close();
      await server.close();
    }
  }

  async #serve(dataFolder: string): Promise<ServedFolder> {
    const limits = drawLimits(this.#random);
    if (!this.#random.chance(PROCESS_SHARE)) return serveFolder(dataFolder, limits);
    const server = await ServerProcess.start({ dataFolder, limits });
    return { url: server.url, close: () => server.kill() };
  }

  async #kill(): Promise<void> {
    this.#isRunning = false;
    await this.#server.kill();
    this.#client.close();
  }
}

/** Moments: what the tests run, and the whole. */
export const COUNTS = { slice: 6, full: 500 } as const;

async function copyAsProgram(run: CampaignRun): Promise<CampaignReport> {
  const folder = mkdtempSync(join(tmpdir(), 'varve-copy-'));
  const report = await copyAtMoments({ ...run, folder });
  // What failed is kept to be looked at.
  if (report.failures.length === 0) rmSync(folder, { recursive: true, force: true });
  return report;
}

if (process.argv[1] === import.meta.filename)
  await runAsProgram({ name: 'copies at random moments', counts: COUNTS }, copyAsProgram);
