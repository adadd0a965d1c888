// Faults of system calls in the real server: strace makes the N-th sync or write fail with EIO, once or from then on. The
// server must end with code 74, and the next one hold all that was acknowledged.
//
// Command: npm run campaign calls -- [--seed <n>] [--count <n>] [--extent slice|full]

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExitCode } from '../../server/exit-codes.ts';
import { type CampaignReport, type CampaignRun, runAsProgram } from '../support/campaign.ts';
import { HttpClient } from '../support/http-client.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { ServerProcess } from '../support/server-process.ts';
import { KillWriter } from './kill-writer.ts';

const WRITER_COUNT = 8;
const ATTACH_LIMIT_MS = 60_000;
/** With four busy processes beside it the calls of a trial took more than a minute. */
const END_LIMIT_MS = 300_000;
const CALLS = ['fdatasync', 'fdatasync', 'pwrite64'] as const;
const MOST_CALLS = 60;
/** Whether a request that was refused so is stored, the next start tells. */
const STOPPED = /: status 503: /;
const FLAGS = ['--head-limit', '1MiB', '--journal-limit', '1MiB', '--retired-journal-age', '1s'];

/** The reason to leave this out, or false. */
export function whyNoStrace(): string | false {
  if (process.platform !== 'linux') return 'strace is Linux only';
  const works = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;
  return works ? false : 'strace is not installed, or may not trace here';
}

export interface SystemCallRun extends CampaignRun {
  /** Drawn when left out; for the negative control, e.g. a sync that does nothing and says that it worked. */
  readonly injected?: string;
  /** How long a server may go on behind its fault. */
  readonly endLimitMs?: number;
}

/** All trials on one data folder: each starts from what the fault before has left. */
export async function failSystemCalls({
  seed,
  count,
  injected,
  endLimitMs = END_LIMIT_MS,
}: SystemCallRun): Promise<CampaignReport> {
  const random = new SeededRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'varve-calls-'));
  const startMs = Date.now() - 86_400_000;
  const writers = Array.from({ length: WRITER_COUNT }, (_, i) => new KillWriter(i, random.fork(), startMs));
  const dataFolder = join(folder, 'data');
  let trials = 0;
  let fault = '';
  try {
    for (; trials < count; trials++) {
      fault = injected ?? drawFault(random);
      await runTrial(dataFolder, writers, fault, endLimitMs);
    }
    await checkAll(dataFolder, writers);
    return { trials, failures: [] };
  } catch (error) {
    return { trials, failures: [`seed ${seed}, trial ${trials}, ${fault}: ${(error as Error).message}`] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function drawFault(random: SeededRandom): string {
  const when = `${random.between(1, MOST_CALLS)}${random.chance(0.5) ? '+' : ''}`;
  return `${random.pick(CALLS)}:error=EIO:when=${when}`;
}

async function runTrial(
  dataFolder: string,
  writers: readonly KillWriter[],
  fault: string,
  endLimitMs: number,
): Promise<void> {
  // strace counts calls by thread: with one thread for files it counts them all.
  const server = await ServerProcess.start({ dataFolder, flags: FLAGS, environment: { UV_THREADPOOL_SIZE: '1' } });
  const client = new HttpClient(server.url);
  let tracer: ChildProcess | undefined;
  try {
    for (const writer of writers) await writer.check(client);
    tracer = await attach(server.pid, fault);
    const running = Promise.all(writers.map((writer) => runUntilStopped(writer, client)));
    const end = await Promise.race([server.ended, timeLimit(endLimitMs)]);
    if (end === undefined) throw new Error(`the server went on for ${endLimitMs} ms`);
    await running;
    if (end.code !== ExitCode.Io) throw new Error(`it ended with code ${end.code}\n${end.stderr.slice(-1000)}`);
  } finally {
    client.close();
    tracer?.kill('SIGKILL');
    await server.kill();
  }
}

async function checkAll(dataFolder: string, writers: readonly KillWriter[]): Promise<void> {
  const server = await ServerProcess.start({ dataFolder, flags: FLAGS });
  const client = new HttpClient(server.url);
  try {
    for (const writer of writers) await writer.check(client);
  } finally {
    client.close();
    await server.kill();
  }
}

async function attach(pid: number, fault: string): Promise<ChildProcess> {
  const args = [
    '-f',
    '-o',
    '/dev/null',
    '-e',
    `trace=${fault.split(':')[0]}`,
    '-e',
    `inject=${fault}`,
    '-p',
    String(pid),
  ];
  const tracer = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  if (tracer.stderr === null) throw new Error('BUG: no stderr');
  const [chunk] = (await once(tracer.stderr, 'data', { signal: AbortSignal.timeout(ATTACH_LIMIT_MS) })) as [Buffer];
  if (!chunk.toString().includes('attached')) throw new Error(chunk.toString());
  return tracer;
}

/** An answer after the fault may still be an acknowledgement, of what was synced before it. */
async function runUntilStopped(writer: KillWriter, client: HttpClient): Promise<void> {
  try {
    await writer.run(client);
  } catch (error) {
    if (!STOPPED.test((error as Error).message)) throw error;
  }
}

function timeLimit(limitMs: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), limitMs).unref();
  });
}

/** Trials: what the tests run, and the whole. */
export const COUNTS = { slice: 3, full: 100 } as const;

if (process.argv[1] === import.meta.filename)
  await runAsProgram({ name: 'failing system calls', counts: COUNTS }, failSystemCalls);
