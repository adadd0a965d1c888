// Power cuts on real file systems: the server writes under the load of eight clients, the file system is shut down under
// it without its journal being flushed, mounted again, and everything acknowledged at level `group` must be there.
//
// Command: npm run campaign disk -- [--seed <n>] [--count <cuts each>]
// [--extent slice|full] [--part 1/2: ext4 alone, 2/2: XFS]

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Durability } from '../../engine/index.ts';
import { type CampaignReport, type CampaignRun, runAsProgram } from '../support/campaign.ts';
import { HttpClient } from '../support/http-client.ts';
import { FILE_SYSTEMS, type FileSystem, LoopDisk, whyNoLoopDisk } from '../support/loop-disk.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { ServerProcess } from '../support/server-process.ts';
import { KillWriter, untilLoaded } from './kill-writer.ts';

const WRITER_COUNT = 8;
/** Requests that are acknowledged before a cut. */
const LOAD = { least: 2 * WRITER_COUNT, most: 300 };
const LOOK_INTERVAL_MS = 5;
const MOST_LOOKS = 400;
/** Small limits, so that spills, rolls and retirements happen within a round. */
const FLAGS = [
  '--head-limit',
  '1MiB',
  '--journal-limit',
  '1MiB',
  '--retired-journal-age',
  '1s',
  '--disk-reserve',
  '1MB',
];

export interface RealDiskRun extends CampaignRun {
  readonly kind: FileSystem;
  readonly durability: Durability;
}

/** Ends at the first failure: what follows on that disk means nothing. */
export async function cutRealPower(run: RealDiskRun): Promise<CampaignReport> {
  const { kind, durability, seed, count, onProgress } = run;
  const random = new SeededRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'varve-disk-'));
  const disk = LoopDisk.create(kind, folder);
  const startMs = Date.now() - 86_400_000;
  const writers = Array.from({ length: WRITER_COUNT }, (_, i) => new KillWriter(i, random.fork(), startMs));
  let trials = 0;
  try {
    disk.mount();
    for (; trials < count; trials++) {
      await runRound(disk, durability, writers, random);
      onProgress?.(trials + 1, count);
    }
    await runRound(disk, durability, writers, random); // the last cut is looked at, too
    return { trials, failures: [] };
  } catch (error) {
    return { trials, failures: [`${kind}, seed ${seed}, cut ${trials} (${durability}): ${(error as Error).message}`] };
  } finally {
    disk.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Looks at what the last cut has left, writes on, cuts. */
async function runRound(
  disk: LoopDisk,
  durability: Durability,
  writers: readonly KillWriter[],
  random: SeededRandom,
): Promise<void> {
  const dataFolder = join(disk.mountPoint, 'data');
  const transport = random.chance(0.7) ? 'uws' : 'node';
  const server = await ServerProcess.start({ dataFolder, transport, flags: ['--durability', durability, ...FLAGS] });
  const client = new HttpClient(server.url);
  try {
    for (const writer of writers) await writer.check(client);
    const power = { isOff: false };
    const running = Promise.all(writers.map((writer) => writer.run(client, () => power.isOff)));
    await Promise.race([running, untilLoaded(writers, random, { ...LOAD, ended: running })]);
    if (random.chance(0.5)) await stopThreads(server.pid);
    power.isOff = true;
    disk.cutPower();
    await server.kill();
    await running;
  } finally {
    client.close();
    await server.kill();
  }
  disk.unmount();
  disk.mount();
}

/**
 * Stops the process and takes in what it has answered: all of that counts. Without this the cut comes in the middle of
 * syncs; those may then return as if they had worked, so answers from then on do not count.
 */
async function stopThreads(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    await delay(LOOK_INTERVAL_MS);
    if (threadStates(pid).every((state) => state === 'T')) break;
  }
  await delay(LOOK_INTERVAL_MS);
}

function threadStates(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
  });
}

async function cutEach({ seed, count, part = { number: 1, of: 1 }, onProgress }: CampaignRun): Promise<CampaignReport> {
  let trials = 0;
  const failures: string[] = [];
  const kinds = FILE_SYSTEMS.filter((_, i) => i % part.of === part.number - 1);
  for (const kind of kinds) {
    const folder = mkdtempSync(join(tmpdir(), 'varve-disk-'));
    const reason = whyNoLoopDisk(kind, folder);
    rmSync(folder, { recursive: true, force: true });
    if (reason !== false) {
      failures.push(`${kind}: ${reason}`);
      continue;
    }
    const report = await cutRealPower({ kind, durability: 'group', seed, count, onProgress });
    console.log(`${kind}: ${report.trials} power cuts, ${report.failures.length} failures`);
    trials += report.trials;
    failures.push(...report.failures);
  }
  return { trials, failures };
}

/** Trials: what the tests run, and the whole. */
export const COUNTS = { slice: 3, full: 300 } as const;

if (process.argv[1] === import.meta.filename) {
  await runAsProgram({ name: 'power cuts on real file systems', counts: COUNTS, division: 'parts' }, cutEach);
}
