// Several servers started at once on one data folder, whatever its LOCK file says, also on a copy of a folder in use:
// exactly one gets it, the others exit with 75 and say who has it; what it acknowledges is there for the next.
//
// Command: npm run campaign processes -- [--seed <n>] [--count <n>] [--extent slice|full]

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExitCode } from '../../server/exit-codes.ts';
import { type CampaignReport, type CampaignRun, runAsProgram } from '../support/campaign.ts';
import { HttpClient } from '../support/http-client.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { type ProcessEnd, runServerToEnd, ServerProcess } from '../support/server-process.ts';
import { SoakTags } from './soak-tag.ts';

/** Above the kernel's largest pid. */
const DEAD_PID = 2 ** 22 + 1;
const SINCE = 'since 2020-01-01T00:00:00.000Z\n';
/** What a LOCK file may hold that no server on this folder wrote. */
const FORGED = [
  `pid ${DEAD_PID}\nhost ${hostname()}\n${SINCE}`,
  `pid 1\nhost ${hostname()}\n${SINCE}`,
  `pid 1\nhost another\n${SINCE}`,
  'no such form',
  '',
] as const;

export interface TwoProcessesRun extends CampaignRun {
  /** `each its own`: a folder for each process, so that nobody loses; the negative control. */
  readonly folders: 'one' | 'each its own';
}

export async function runTwoProcesses({ seed, count, folders }: TwoProcessesRun): Promise<CampaignReport> {
  const random = new SeededRandom(seed);
  const parent = mkdtempSync(join(tmpdir(), 'varve-two-'));
  const tags = new SoakTags('plant', 0);
  const failures: string[] = [];
  let trials = 0;
  try {
    let folder = join(parent, 'data-0');
    mkdirSync(folder);
    for (; trials < count && failures.length === 0; trials++) {
      const round = new Round(random, tags, folder);
      const copy = join(parent, `data-${trials + 1}`);
      await round.run(folders, copy).catch((error: Error) => {
        failures.push(`seed ${seed}, round ${trials}: ${error.message}`);
      });
      rmSync(folder, { recursive: true });
      folder = copy;
    }
    return { trials, failures };
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

class Round {
  readonly #random: SeededRandom;
  readonly #tags: SoakTags;
  readonly #folder: string;

  constructor(random: SeededRandom, tags: SoakTags, folder: string) {
    this.#random = random;
    this.#tags = tags;
    this.#folder = folder;
  }

  /** `copy`: where the folder is copied to while its server runs; the next round goes on there. */
  async run(folders: TwoProcessesRun['folders'], copy: string): Promise<void> {
    if (this.#random.chance(0.8)) writeFileSync(join(this.#folder, 'LOCK'), this.#random.pick(FORGED));
    const winner = await this.#race(folders);
    try {
      await this.#use(winner);
      await this.#challenge(winner);
      cpSync(this.#folder, copy, { recursive: true });
      await this.#openCopy(copy);
    } finally {
      await this.#end(winner);
    }
  }

  async #race(folders: TwoProcessesRun['folders']): Promise<ServerProcess> {
    const racers = this.#random.between(2, 3);
    const starts = await Promise.allSettled(
      Array.from({ length: racers }, (_, i) => {
        const dataFolder = folders === 'one' ? this.#folder : `${this.#folder}/apart-${i}`;
        return ServerProcess.start({ dataFolder, transport: this.#random.pick(['uws', 'node'] as const) });
      }),
    );
    const winners = starts.filter((start) => start.status === 'fulfilled').map((start) => start.value);
    const losers = starts.filter((start) => start.status === 'rejected').map((start) => String(start.reason));
    const [winner] = winners;
    try {
      if (winner === undefined || winners.length > 1) {
        throw new Error(`${winners.length} of ${racers} servers have the folder:\n${losers.join('\n')}`);
      }
      for (const loser of losers) {
        if (!loser.includes(`exit code ${ExitCode.InUse}`)) throw new Error(`a loser ended otherwise: ${loser}`);
        if (!/is in use by (process \d+|another process)/.test(loser)) throw new Error(`a loser says: ${loser}`);
      }
      return winner;
    } catch (error) {
      for (const server of winners) await server.kill();
      throw error;
    }
  }

  /** Compares what earlier rounds left, and writes. */
  async #use(server: ServerProcess): Promise<void> {
    const client = new HttpClient(server.url);
    try {
      await this.#tags.checkNew(client);
      await this.#tags.compare(client, 0, this.#tags.acknowledged);
      for (let i = 0; i < 10; i++) await this.#tags.write(client, this.#random.between(1, 20));
    } finally {
      client.close();
    }
  }

  /** One that comes later learns who has it, and takes nothing from it. */
  async #challenge(winner: ServerProcess): Promise<void> {
    const end: ProcessEnd = await runServerToEnd(['serve', '--data', this.#folder, '--port', '0']);
    const who = `is in use by process ${winner.pid} on ${hostname()} since 20`;
    if (end.code !== ExitCode.InUse || !end.stderr.includes(who)) {
      throw new Error(`a second server ended with ${end.code}, want ${ExitCode.InUse} and "${who}":\n${end.stderr}`);
    }
    await this.#use(winner);
  }

  /** A copy has the LOCK file of a living process, and opens beside it with all that was acknowledged before. */
  async #openCopy(copy: string): Promise<void> {
    const server = await ServerProcess.start({ dataFolder: copy });
    try {
      await this.#use(server);
    } finally {
      await this.#end(server);
    }
  }

  async #end(server: ServerProcess): Promise<void> {
    if (this.#random.chance(0.5)) await server.kill();
    else await server.stop();
  }
}

/** Trials: what the tests run, and the whole. */
export const COUNTS = { slice: 1, full: 20 } as const;

if (process.argv[1] === import.meta.filename) {
  await runAsProgram({ name: 'several processes on one folder', counts: COUNTS }, (run) =>
    runTwoProcesses({ ...run, folders: 'one' }),
  );
}
