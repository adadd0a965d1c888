// kill -9 of the real server at random moments under the load of eight writers over HTTP, at every durability level.
// After each restart every acknowledged point is there, no request by half, and every value as it was sent.
//
// As a program: node --import tsx test/crash/kill.ts --seed <n> --rounds <n>

import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Durability } from '../../engine/index.ts';
import { HttpClient } from '../support/http-client.ts';
import { chooseSeed, SeededRandom } from '../support/seeded-random.ts';
import { ServerProcess } from '../support/server-process.ts';
import { KillWriter } from './kill-writer.ts';

const WRITER_COUNT = 8;
const LEVELS: readonly Durability[] = ['group', 'interval', 'os'];
const LONGEST_LOAD_MS = 500;
/** Small limits, so that spills, rolls and retirements happen within a round. */
const FLAGS = ['--head-limit', '1MiB', '--journal-limit', '1MiB', '--retired-journal-age', '1s'];

export interface KillOptions {
  readonly seed: number;
  readonly roundCount: number;
  readonly dataFolder: string;
}

export interface KillResult {
  readonly acknowledgedCount: number;
  /** Rounds in which at least one request was cut off. */
  readonly roundCount: number;
}

/** Throws at the first difference. Every round starts on the folder that the kill before left behind. */
export async function runKillCampaign({ seed, roundCount, dataFolder }: KillOptions): Promise<KillResult> {
  const random = new SeededRandom(seed);
  const startMs = Date.now() - 86_400_000;
  const writers = Array.from({ length: WRITER_COUNT }, (_, i) => new KillWriter(i, random.fork(), startMs));
  for (let round = 0; round <= roundCount; round++) {
    const level = LEVELS[round % LEVELS.length] as Durability;
    const transport = random.chance(0.7) ? 'uws' : 'node';
    const server = await ServerProcess.start({ dataFolder, transport, flags: ['--durability', level, ...FLAGS] });
    try {
      await checkAll(server, writers);
      if (round < roundCount) await loadAndKill(server, writers, random);
    } catch (error) {
      throw new Error(`seed ${seed}, round ${round} (${level}): ${(error as Error).message}`, { cause: error });
    } finally {
      await server.kill();
    }
  }
  return { acknowledgedCount: writers.reduce((sum, writer) => sum + writer.acknowledgedCount, 0), roundCount };
}

async function checkAll(server: ServerProcess, writers: readonly KillWriter[]): Promise<void> {
  const client = new HttpClient(server.url);
  for (const writer of writers) await writer.check(client);
  client.close();
}

async function loadAndKill(server: ServerProcess, writers: readonly KillWriter[], random: SeededRandom): Promise<void> {
  const client = new HttpClient(server.url);
  const running = Promise.all(writers.map((writer) => writer.run(client)));
  const failed = running.then(() => new Error('all writers lost their connection before the kill'));
  const early = await Promise.race([failed, delay(random.between(1, LONGEST_LOAD_MS), undefined)]);
  if (early !== undefined) throw early;
  await server.kill();
  await running;
  client.close();
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: { seed: { type: 'string' }, rounds: { type: 'string', default: '100' }, data: { type: 'string' } },
  });
  if (values.data === undefined) throw new Error('--data <an empty folder> is missing');
  const seed = values.seed === undefined ? chooseSeed() : Number(values.seed);
  const result = await runKillCampaign({ seed, roundCount: Number(values.rounds), dataFolder: values.data });
  console.log(
    `seed ${seed}: ${result.roundCount} rounds, ${result.acknowledgedCount} requests acknowledged, none lost`,
  );
}
