// The real server for many minutes under small and large writes, reads, new datasets and deletions at full speed, with a
// kill -9 every minute: nothing acknowledged is lost, and memory, descriptors and files stay flat.
//
// Command: npm run campaign soak -- [--seed <n>] [--count <minutes>] [--extent slice|full]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type CampaignReport, type CampaignRun, runAsProgram } from '../support/campaign.ts';
import { HttpClient } from '../support/http-client.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { ServerProcess } from '../support/server-process.ts';
import { descriptorCount, findGrowth, measureFolder, median, residentMb, type SoakRow } from './soak-figures.ts';
import { SoakTags } from './soak-tag.ts';

const MINUTE_MS = 60_000;
const KEPT = 'kept';
const SMALL_WRITERS = 6;
const SMALL_POINTS = 12;
const BULK_WRITERS = 2;
const BULK_POINTS = 1500;
const READERS = 2;
const READ_POINTS = 2000;
const SAMPLE_INTERVAL_MS = 250;
/** On a busy machine a round goes on until so much was done. */
const LEAST_REQUESTS = 20;
const LEAST_READS = 5;
const LOOK_INTERVAL_MS = 50;
const MOST_LOOKS = 1200;
/** Small enough that spills, rolls, moves and retirements happen in every round, as over weeks in a plant. */
const FLAGS = [
  '--head-limit',
  '16MiB',
  '--journal-limit',
  '32MiB',
  '--retired-journal-age',
  '1s',
  '--disk-reserve',
  '1MB',
];

export interface SoakRun {
  readonly seed: number;
  readonly rounds: number;
  readonly roundMs: number;
  readonly dataFolder: string;
  /** What else happens to the folder after a kill; nothing in the campaign, a loss in its negative control. */
  readonly afterKill?: (dataFolder: string) => void;
  readonly onRow?: (row: SoakRow) => void;
}

export async function soak(run: SoakRun): Promise<CampaignReport> {
  const rows: SoakRow[] = [];
  const load = new SoakLoad(run);
  try {
    for (let round = 0; round < run.rounds; round++) {
      const row = await load.round(round);
      rows.push(row);
      run.onRow?.(row);
      run.afterKill?.(run.dataFolder);
    }
    await load.checkEverything();
    return { trials: rows.length, failures: findGrowth(rows) };
  } catch (error) {
    return { trials: rows.length, failures: [`seed ${run.seed}, round ${rows.length}: ${(error as Error).message}`] };
  }
}

class SoakLoad {
  readonly #run: SoakRun;
  readonly #random: SeededRandom;
  readonly #kept = Array.from({ length: SMALL_WRITERS }, (_, i) => new SoakTags(KEPT, i));
  #bulk: readonly SoakTags[] = [];
  #reads = 0;

  constructor(run: SoakRun) {
    this.#run = run;
    this.#random = new SeededRandom(run.seed);
  }

  /** Starts the server, compares what the last kill left, loads it with everything, kills it. */
  async round(round: number): Promise<SoakRow> {
    const startMs = performance.now();
    const server = await this.#start(round);
    const client = new HttpClient(server.url);
    try {
      for (const tags of [...this.#kept, ...this.#bulk]) await tags.checkNew(client);
      await this.#replaceBulk(client, round);
      const recoveryMs = Math.round(performance.now() - startMs);
      return await this.#loadAndKill(server, client, recoveryMs);
    } finally {
      client.close();
      await server.kill();
    }
  }

  async checkEverything(): Promise<void> {
    const server = await this.#start(this.#run.rounds);
    const client = new HttpClient(server.url);
    try {
      for (const tags of [...this.#kept, ...this.#bulk]) {
        await tags.checkNew(client);
        await tags.compare(client, 0, tags.acknowledged);
      }
    } finally {
      client.close();
      await server.kill();
    }
  }

  /** The transports differ in memory: one in four is the other, so that any four rounds compare with any others. */
  #start(round: number): Promise<ServerProcess> {
    const transport = round % 4 === 3 ? 'node' : 'uws';
    return ServerProcess.start({ dataFolder: this.#run.dataFolder, transport, flags: FLAGS });
  }

  /** The large dataset of the round before has been compared: it goes, and another takes its place. */
  async #replaceBulk(client: HttpClient, round: number): Promise<void> {
    const old = this.#bulk.find((tags) => tags.acknowledged > 0)?.dataset;
    if (old !== undefined) {
      const { status, text } = await client.delete(`/api/datasets/${old}`);
      if (status !== 200) throw new Error(`deleting ${old}: status ${status}: ${text}`);
    }
    this.#bulk = Array.from({ length: BULK_WRITERS }, (_, i) => new SoakTags(`bulk-${round}`, i));
  }

  async #loadAndKill(server: ServerProcess, client: HttpClient, recoveryMs: number): Promise<SoakRow> {
    const before = this.#totals();
    const round = { isOver: false };
    const running = Promise.all([
      ...this.#kept.map((tags) => this.#keepWriting(tags, client, SMALL_POINTS)),
      ...this.#bulk.map((tags) => this.#keepWriting(tags, client, BULK_POINTS)),
      ...Array.from({ length: READERS }, () => this.#keepReading(client, round)),
    ]);
    const early = running.then(() => new Error(`the server ended by itself:\n${server.logLines.slice(-5).join('\n')}`));
    const memory = this.#watchMemory(server.pid);
    const failed = await Promise.race([early, this.#untilLoaded(before)]);
    if (failed !== undefined) throw failed;
    const figures = { descriptors: descriptorCount(server.pid), memoryMb: memory.settled() };
    await server.kill();
    round.isOver = true;
    await running;
    const { files, megabytes } = measureFolder(this.#run.dataFolder);
    const after = this.#totals();
    return {
      requests: after.requests - before.requests,
      points: after.points - before.points,
      reads: after.reads - before.reads,
      recoveryMs,
      ...figures,
      files,
      dataMb: megabytes,
    };
  }

  /** The time of a round is over, and there was a load, however long that took. */
  async #untilLoaded(before: { readonly requests: number; readonly reads: number }): Promise<undefined> {
    await delay(this.#run.roundMs);
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      const { requests, reads } = this.#totals();
      if (requests - before.requests >= LEAST_REQUESTS && reads - before.reads >= LEAST_READS) return;
      await delay(LOOK_INTERVAL_MS);
    }
  }

  async #keepWriting(tags: SoakTags, client: HttpClient, mostPoints: number): Promise<void> {
    while (await tags.write(client, this.#random.between(1, mostPoints)));
  }

  /** Reads what has been acknowledged, anywhere in it. Ends when the connection breaks. */
  async #keepReading(client: HttpClient, round: { readonly isOver: boolean }): Promise<void> {
    while (!round.isOver) {
      const tags = this.#random.pick([...this.#kept, ...this.#bulk]);
      const from = this.#random.below(Math.max(1, tags.acknowledged - READ_POINTS));
      const to = Math.min(tags.acknowledged, from + READ_POINTS);
      if (!(await tags.compare(client, from, to))) return;
      this.#reads++;
      if (to === 0) await delay(1);
    }
  }

  /** Samples until the round is over; the middle of its second half. */
  #watchMemory(pid: number): { settled(): number } {
    const samples: number[] = [];
    const timer = setInterval(() => samples.push(residentMb(pid)), SAMPLE_INTERVAL_MS);
    return {
      settled: () => {
        clearInterval(timer);
        return median([residentMb(pid), ...samples.slice(samples.length >> 1)]);
      },
    };
  }

  #totals(): { requests: number; points: number; reads: number } {
    const all = [...this.#kept, ...this.#bulk];
    const sum = (figure: (tags: SoakTags) => number): number => all.reduce((total, tags) => total + figure(tags), 0);
    return { requests: sum((tags) => tags.requests), points: 2 * sum((tags) => tags.acknowledged), reads: this.#reads };
  }
}

/** A row as text; the head when there is none. */
function formatRow(row?: SoakRow): string {
  if (row === undefined)
    return 'minute  requests    points   reads  start(ms)  memory(MB)  descriptors  files  data(MB)';
  const { requests, points, reads, recoveryMs, memoryMb, descriptors, files, dataMb } = row;
  const widths = [10, 10, 8, 11, 12, 13, 7, 10];
  const cells = [requests, points, reads, recoveryMs, memoryMb, descriptors, files, dataMb];
  return cells.map((cell, i) => String(cell).padStart(widths[i] as number)).join('');
}

/** Trials: what the tests run, and the whole, in minutes; the tests take shorter ones. */
export const COUNTS = { slice: 2, full: 20 } as const;

async function soakAsProgram({ seed, count }: CampaignRun): Promise<CampaignReport> {
  const folder = mkdtempSync(join(tmpdir(), 'varve-soak-'));
  console.log(formatRow());
  let minute = 0;
  const report = await soak({
    seed,
    rounds: count,
    roundMs: MINUTE_MS,
    dataFolder: join(folder, 'data'),
    onRow: (row) => console.log(String(++minute).padStart(6) + formatRow(row)),
  });
  rmSync(folder, { recursive: true, force: true });
  return report;
}

if (process.argv[1] === import.meta.filename) await runAsProgram({ name: 'soak', counts: COUNTS }, soakAsProgram);
