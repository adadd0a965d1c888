// Purge by size on a real folder, at any limit: writes so many times the limit of values that do not compress, purges all the
// while, and looks at the folder after each purge and at how long the main thread was held.
//
// Command: npm run campaign purge-size -- [--extent slice|full] [--mb <limit>] [--tags <n>]
// [--times <n>] [--data <new folder>]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engine, openEngine, PointColumns, type PointRun, ValueType } from '../../engine/index.ts';
import { readThreadTimes } from '../server/fairness/thread-cpu.ts';
import { parseExtent, parseOptions, secondsSince } from '../support/campaign.ts';
import { SeededRandom } from '../support/seeded-random.ts';

const MB = 1e6;
const LIMITS_MB = { slice: 300, full: 2000 } as const;
const BATCH_POINTS = 100_000;
/** Bytes that each of the written values takes on disk. */
const POINT_BYTES = 8;
/** Share of the limit that comes between two purges. */
const SHARE_BETWEEN_PURGES = 0.05;

export interface SizeRun {
  readonly limitBytes: number;
  readonly tagCount: number;
  /** How many times the limit is written. */
  readonly times: number;
  readonly folder: string;
}

export interface SizeReport {
  readonly purges: number;
  /** Largest and, from the first full folder on, smallest size after a purge, as shares of the limit. */
  readonly largest: number;
  readonly smallest: number;
  readonly unmet: number;
  /** Most CPU of the main thread between two turns of the event loop while purge ran, in ms. */
  readonly longestHoldMs: number;
  /** Bytes written to tag files for each byte of points. */
  readonly amplification: number;
}

export async function runPurgeSize({ limitBytes, tagCount, times, folder }: SizeRun): Promise<SizeReport> {
  const tunables = { systemTagIntervalMs: 0, purgeIntervalMs: 1e15 };
  // On the real clock: work in slices goes by it.
  const engine = await openEngine({ folder, tunables });
  await engine.createDataset({ name: 'd', purgeAgeDays: 0, purgeSizeGb: limitBytes / 1e9 });
  const writer = new Writer(engine, tagCount);
  const shares: number[] = [];
  let unmet = 0;
  let longestHoldMs = 0;
  let due = 0;
  while (writer.points * POINT_BYTES < times * limitBytes) {
    await writer.write();
    if (writer.points * POINT_BYTES < due) continue;
    due += SHARE_BETWEEN_PURGES * limitBytes;
    longestHoldMs = Math.max(longestHoldMs, await longestHoldOf(engine.purge()));
    shares.push((engine.dataset('d').sizeGb * 1e9) / limitBytes);
    if (engine.stats().datasets[0]?.purgeUnmet !== undefined) unmet++;
  }
  const amplification = engine.stats().bytesWritten.tags / (writer.points * POINT_BYTES);
  await engine.close();
  const full = shares.slice(shares.findIndex((share) => share > 0.9));
  const [largest, smallest] = [Math.max(...shares), Math.min(...full)];
  return { purges: shares.length, largest, smallest, unmet, longestHoldMs, amplification };
}

class Writer {
  points = 0;
  readonly #engine: Engine;
  readonly #names: readonly string[];
  readonly #random = new SeededRandom(1);
  readonly #startMs = Date.now();

  constructor(engine: Engine, tagCount: number) {
    this.#engine = engine;
    this.#names = Array.from({ length: tagCount }, (_, i) => `T${i}`);
  }

  /** One request of all tags; time goes on by a millisecond a point of each tag. */
  async write(): Promise<void> {
    const each = Math.max(1, Math.floor(BATCH_POINTS / this.#names.length));
    const points = new PointColumns(each * this.#names.length);
    const fromMs = this.#startMs + this.points / this.#names.length;
    const lookup = this.#engine.lookup('d');
    const runs = this.#names.map((name): PointRun => {
      const start = points.count;
      for (let i = 0; i < each; i++) {
        points.timesMs[points.count] = fromMs + i;
        points.numbers[points.count] = this.#random.unit();
        points.qualities[points.count] = 192;
        points.count++;
      }
      return { name, tag: lookup.find(name), type: ValueType.Double, start, count: each, rejected: 0, stamped: 0 };
    });
    await this.#engine.append('d', { points, runs });
    this.points += points.count;
  }
}

async function longestHoldOf(work: Promise<void>): Promise<number> {
  let isDone = false;
  const ending = work.finally(() => {
    isDone = true;
  });
  let longestMs = 0;
  while (!isDone) {
    const { cpuMs } = readThreadTimes(process.pid);
    await new Promise<void>((resolve) => void setImmediate(resolve));
    longestMs = Math.max(longestMs, readThreadTimes(process.pid).cpuMs - cpuMs);
  }
  await ending;
  return longestMs;
}

async function main(): Promise<void> {
  const { extent, mb, tags = '500', times = '1.5', data } = parseOptions(['extent', 'mb', 'tags', 'times', 'data']);
  const folder = data ?? mkdtempSync(join(tmpdir(), 'varve-size-'));
  const startMs = performance.now();
  try {
    const run = {
      limitBytes: Number(mb ?? LIMITS_MB[parseExtent(extent)]) * MB,
      tagCount: Number(tags),
      times: Number(times),
      folder,
    };
    const report = await runPurgeSize(run);
    console.log(JSON.stringify(report), `${secondsSince(startMs)} s`);
    if (report.largest > 1 || report.unmet > 0) process.exitCode = 1;
  } finally {
    if (data === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) await main();
