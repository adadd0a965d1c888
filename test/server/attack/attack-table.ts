// Attacks on the HTTP side of a server that runs as a process of its own, one row each. After each row the process is up
// and has reported no fault of its own, another client was served meanwhile, and the memory stayed within its bound.
//
// Command: npm run campaign attack -- [--transport uws|node] [--only <part of a name>]
// [--extent slice|full]

import assert from 'node:assert/strict';
import type { TransportName } from '../../../server/transport.ts';
import { type Extent, parseExtent, parseOptions, parseTransports } from '../../support/campaign.ts';
import { HttpClient } from '../../support/http-client.ts';
import { type Attack, type AttackContext, DATASET, MIB } from './attack-context.ts';
import type { TargetFigures } from './attack-target.ts';
import { writeBigTags } from './big-answer.ts';
import { bodyAttacks } from './body-attacks.ts';
import { Bystander } from './bystander.ts';
import { chunkAttacks } from './chunk-attacks.ts';
import { connectionAttacks } from './connection-attacks.ts';
import { framingAttacks } from './framing-attacks.ts';
import { TargetProcess } from './target-process.ts';

export const ATTACKS: readonly Attack[] = [...framingAttacks, ...chunkAttacks, ...connectionAttacks, ...bodyAttacks];

/** After so long the server closes a reader that takes nothing. */
const SLOW_READER_MS = 2000;

export interface AttackRow {
  readonly name: string;
  readonly trials: number;
  readonly startRssBytes: number;
  readonly peakRssBytes: number;
  readonly endRssBytes: number;
  readonly longestPauseMs: number;
  /** What the other client had to wait at most. */
  readonly longestWaitMs: number;
  readonly servedCount: number;
  readonly failures: readonly string[];
}

export interface TableOptions {
  readonly transport: TransportName;
  readonly extent: Extent;
  readonly attacks: readonly Attack[];
  readonly onRow: (row: AttackRow) => void;
}

/** Runs the attacks one after the other on one server. Failures are in the rows. */
export async function runAttackTable({ transport, extent, attacks, onRow }: TableOptions): Promise<void> {
  const target = await TargetProcess.start(transport, SLOW_READER_MS);
  const http = new HttpClient(`http://127.0.0.1:${target.port}`);
  const context = { transport, extent, port: target.port, http };
  try {
    await writeBigTags(context);
    for (const attack of attacks) onRow(await runAttack(attack, context, target));
  } finally {
    http.close();
    await target.stop();
  }
}

async function runAttack(attack: Attack, context: AttackContext, target: TargetProcess): Promise<AttackRow> {
  const before = await target.figures();
  const bystander = new Bystander(context.port, target.pid);
  const failures: string[] = [];
  let trials = 0;
  try {
    trials = await attack.run(context);
  } catch (error) {
    failures.push(String((error as Error).message));
  }
  const { longestWaitMs, servedCount, failures: refused } = await bystander.stop();
  failures.push(...refused);
  const after = await target.figures();
  failures.push(...memoryFaults(growthLimit(attack, context), before, after), ...after.errors);
  if (servedCount === 0) failures.push('nobody else was served');
  failures.push(...(await isServing(context)));
  const { rssBytes: endRssBytes, peakRssBytes, longestPauseMs } = after;
  const { rssBytes: startRssBytes } = before;
  const figures = { startRssBytes, peakRssBytes, endRssBytes, longestPauseMs, longestWaitMs, servedCount };
  return { name: attack.name, trials, ...figures, failures };
}

function growthLimit({ growthLimitBytes, fullGrowthLimitBytes }: Attack, { extent }: AttackContext): number {
  return extent === 'full' ? (fullGrowthLimitBytes ?? growthLimitBytes) : growthLimitBytes;
}

function memoryFaults(limitBytes: number, before: TargetFigures, after: TargetFigures): string[] {
  const growthBytes = after.peakRssBytes - before.rssBytes;
  if (growthBytes <= limitBytes) return [];
  return [`memory grew by ${mb(growthBytes)} MB; at most ${mb(limitBytes)} are allowed`];
}

async function isServing({ http }: AttackContext): Promise<string[]> {
  try {
    const answer = await http.get(`${DATASET}/data?tagname=Big`);
    assert.equal(answer.status, 200);
    return [];
  } catch (error) {
    return [`afterwards: ${(error as Error).message}`];
  }
}

function mb(bytes: number): string {
  return (bytes / MIB).toFixed(0);
}

export const TABLE_HEAD =
  '| Transport | Attack | Trials | Failures | Memory before, peak, after (MB) | Longest pause (ms) | Other client: answers, longest wait (ms) |\n|---|---|---|---|---|---|---|';

export function formatRow(transport: TransportName, row: AttackRow): string {
  const memory = `${mb(row.startRssBytes)}, ${mb(row.peakRssBytes)}, ${mb(row.endRssBytes)}`;
  const others = `${row.servedCount}, ${row.longestWaitMs.toFixed(0)}`;
  const { name, trials, failures, longestPauseMs } = row;
  return `| ${transport} | ${name} | ${trials} | ${failures.length} | ${memory} | ${longestPauseMs.toFixed(0)} | ${others} |`;
}

async function main(): Promise<void> {
  const { transport: named, only = '', extent: amount } = parseOptions(['transport', 'only', 'extent']);
  const extent = parseExtent(amount);
  const attacks = ATTACKS.filter(({ name }) => name.includes(only));
  console.log(TABLE_HEAD);
  for (const transport of parseTransports(named)) {
    const onRow = (row: AttackRow): void => {
      console.log(formatRow(transport, row));
      for (const failure of row.failures) console.error(`${transport} ${row.name}: ${failure}`);
      if (row.failures.length > 0) process.exitCode = 1;
    };
    await runAttackTable({ transport, extent, attacks, onRow });
  }
}

if (process.argv[1] === import.meta.filename) await main();
