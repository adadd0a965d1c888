// The real server with (nearly) no file descriptors left: writes and reads are answered or refused in the words of the
// contract, the process stays, goes on by itself once descriptors are free, and nothing acknowledged is lost.
//
// Command: npm run campaign descriptors -- [--seed <n>] [--count <n>] [--extent slice|full]

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type CampaignReport, type CampaignRun, runAsProgram } from '../support/campaign.ts';
import { HttpClient } from '../support/http-client.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { ServerProcess } from '../support/server-process.ts';
import { descriptorCount } from './soak-figures.ts';
import { SoakTags } from './soak-tag.ts';

/** Files are opened all the time: small journals, heads and tag files. */
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
const PLENTY = 4096;
/** How long descriptors are out at least; longer, until a refusal has come: a starved server may not be that far yet. */
const LIMITED_MS = 2000;
const REFUSAL_LIMIT_MS = 120_000;
/** The limit is about the numbers of descriptors: those below are in use from the start to the end, so that nothing is opened. */
const NONE = 3;
const MOST_POINTS = 1000;
const RESUME_LIMIT_MS = 90_000;
const RESUME_LOOK_MS = 100;
const STEADY_LOOKS = 5;
const STEADY_LIMIT_MS = 60_000;
/** No answer: the connection was not taken, or an answer that could not be completed was cut off. */
const NO_ANSWER = 0;
/** What may be answered while descriptors are out; a read that cannot open its file is a fault of the server. */
const WRITE_REFUSALS: readonly number[] = [NO_ANSWER, 503, 507];
const READ_REFUSALS: readonly number[] = [NO_ANSWER, 500, 503, 507];

export interface OpenFilesRun extends CampaignRun {
  /** `few`, the default: about as many as are in use, whichever these are; a busy machine may leave more. */
  readonly room?: 'few' | 'none';
  /** What else happens to the folder after a kill; nothing in the campaign, a loss in its negative control. */
  readonly afterKill?: (dataFolder: string) => void;
}

export interface OpenFilesReport extends CampaignReport {
  /** Requests that were refused, so that it shows that the limit was felt. */
  readonly refused: number;
}

/** The reason why this cannot work here, or false. */
export function whyNoLimits(): string | false {
  return spawnSync('prlimit', ['--version']).status === 0 ? false : 'prlimit is not installed';
}

export async function exhaustDescriptors({
  seed,
  count,
  afterKill,
  room = 'few',
}: OpenFilesRun): Promise<OpenFilesReport> {
  const random = new SeededRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'varve-descriptors-'));
  const dataFolder = join(folder, 'data');
  const kept = new SoakTags('kept', 0);
  let trials = 0;
  let refused = 0;
  try {
    for (; trials < count; trials++) {
      refused += await runTrial(dataFolder, kept, random, { trial: trials, room });
      afterKill?.(dataFolder);
    }
    await checkAll(dataFolder, kept);
    return { trials, failures: [], refused };
  } catch (error) {
    return { trials, failures: [`seed ${seed}, trial ${trials}: ${(error as Error).message}`], refused };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns how many requests were refused. */
async function runTrial(
  dataFolder: string,
  kept: SoakTags,
  random: SeededRandom,
  { trial, room }: { readonly trial: number; readonly room: 'few' | 'none' },
): Promise<number> {
  const server = await ServerProcess.start({ dataFolder, flags: FLAGS });
  const client = new HttpClient(server.url, { reuse: 'any' });
  const fresh = new SoakTags(`fresh-${trial}`, 1);
  try {
    await kept.checkNew(client);
    for (let i = 0; i < 5; i++) await kept.write(client, MOST_POINTS); // the connection is open from here on
    const inUse = await steadyDescriptors(server.pid);
    limitDescriptors(server.pid, room === 'few' ? inUse - random.between(0, 3) : NONE);
    const refused = await writeAndRead(client, [kept, fresh], random, server.pid);
    limitDescriptors(server.pid, PLENTY);
    await waitForWrites(client, [kept, fresh]);
    for (const tags of [kept, fresh]) await tags.compare(client, 0, tags.acknowledged);
    await server.kill();
    return refused;
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${server.logLines.slice(-4).join('\n')}`, { cause: error });
  } finally {
    client.close();
    await server.kill();
  }
}

/** Descriptors in use once nothing more is being started: a thread that starts has some for a moment. */
async function steadyDescriptors(pid: number): Promise<number> {
  const limitMs = performance.now() + STEADY_LIMIT_MS;
  let least = descriptorCount(pid);
  for (let alike = 0; alike < STEADY_LOOKS && performance.now() < limitMs; ) {
    await delay(RESUME_LOOK_MS);
    const count = descriptorCount(pid);
    alike = count === least ? alike + 1 : 0;
    least = Math.min(least, count);
  }
  return least;
}

/** Until the limit has been felt for a while; where none was, none is left. The first request makes a dataset: it needs files. */
async function writeAndRead(
  client: HttpClient,
  both: readonly SoakTags[],
  random: SeededRandom,
  pid: number,
): Promise<number> {
  const startMs = performance.now();
  let refused = await requestOnce(client, both[1] as SoakTags, random);
  for (let tookMs = 0; tookMs < LIMITED_MS || refused === 0; tookMs = performance.now() - startMs) {
    if (tookMs > REFUSAL_LIMIT_MS) throw new Error(`nothing was refused in ${REFUSAL_LIMIT_MS} ms`);
    if (tookMs > LIMITED_MS) limitDescriptors(pid, NONE);
    refused += await requestOnce(client, random.pick(both), random);
  }
  return refused;
}

/** One write and one read; gives how many of them were refused. */
async function requestOnce(client: HttpClient, tags: SoakTags, random: SeededRandom): Promise<number> {
  let refused = 0;
  const written = await tags.tryWrite(client, random.between(1, MOST_POINTS));
  if (written.status !== 200) refused += expectRefusal(WRITE_REFUSALS, written.status, `a write: ${written.text}`);
  if (tags.acknowledged === 0) return refused;
  const from = random.below(tags.acknowledged);
  const status = await tags.tryRead(client, random.below(2), from, Math.min(tags.acknowledged, from + 5000));
  if (status !== 200) refused += expectRefusal(READ_REFUSALS, status, 'a read');
  return refused;
}

function expectRefusal(allowed: readonly number[], status: number, what: string): 1 {
  if (!allowed.includes(status)) throw new Error(`status ${status}, want 200 or ${allowed.join(' or ')}: ${what}`);
  return 1;
}

async function waitForWrites(client: HttpClient, both: readonly SoakTags[]): Promise<void> {
  const limitMs = performance.now() + RESUME_LIMIT_MS;
  for (const tags of both) {
    for (;;) {
      const { status, text } = await tags.tryWrite(client, 1);
      if (status === 200) break;
      if (performance.now() > limitMs) throw new Error(`writes are still refused: ${status} ${text}`);
      await delay(RESUME_LOOK_MS);
    }
  }
}

async function checkAll(dataFolder: string, kept: SoakTags): Promise<void> {
  const server = await ServerProcess.start({ dataFolder, flags: FLAGS });
  const client = new HttpClient(server.url);
  try {
    await kept.checkNew(client);
    await kept.compare(client, 0, kept.acknowledged);
  } finally {
    client.close();
    await server.kill();
  }
}

function limitDescriptors(pid: number, limit: number): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:${PLENTY}`], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`prlimit: ${stderr}`);
}

/** Trials: what the tests run, and the whole. */
export const COUNTS = { slice: 2, full: 20 } as const;

if (process.argv[1] === import.meta.filename)
  await runAsProgram({ name: 'no file descriptors left', counts: COUNTS }, exhaustDescriptors);
