// Expensive requests to a server that runs as a process of its own, one row each: how much processor time its main thread
// uses, while it works on them, between two answers to another client. Each row runs twice: cold, then warm.
//
// Command: npm run campaign fairness -- [--transport uws|node] [--only <part of a name>]…
// [--one-server] [--durability group|interval|os] [--extent slice|full] [--project <folder of another state of the project>]

import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Extent, parseExtent, parseTransports } from '../../support/campaign.ts';
import { HttpClient } from '../../support/http-client.ts';
import { ServerProcess, type Transport } from '../../support/server-process.ts';
import { annotationRequests } from './annotation-requests.ts';
import { bodyRequests } from './body-requests.ts';
import { chartRequests } from './chart-requests.ts';
import { correctionRequests } from './correction-requests.ts';
import { datasetRequests } from './dataset-requests.ts';
import { type ExpensiveRequest, type FairnessContext, odd } from './expensive-request.ts';
import { i3xRequests } from './i3x-requests.ts';
import { lineRequests } from './line-requests.ts';
import { liveRequests } from './live-requests.ts';
import { longNameRequests } from './long-name-requests.ts';
import { pipelinedRequests } from './pipelined-requests.ts';
import { Probe } from './probe.ts';
import { readRequests, streamedReads } from './read-requests.ts';
import { tagRequests } from './tag-requests.ts';
import { textRequests } from './text-requests.ts';
import { readMemory, resetPeakMemory } from './thread-cpu.ts';
import { viewRequests } from './view-requests.ts';

/** Requests whose work is the transport's, too: long bodies, streamed answers, requests sent ahead. */
export const TRANSPORT_REQUESTS: readonly ExpensiveRequest[] = [
  ...streamedReads,
  ...bodyRequests,
  ...pipelinedRequests,
];

/** Every expensive request, of any kind: a file of rows for each kind. */
export const EXPENSIVE_REQUESTS: readonly ExpensiveRequest[] = [
  ...readRequests,
  ...bodyRequests.map(odd),
  ...lineRequests.map(odd),
  ...pipelinedRequests,
  ...tagRequests.map(odd),
  ...datasetRequests.map(odd),
  ...annotationRequests,
  ...correctionRequests,
  ...viewRequests,
  ...chartRequests,
  ...i3xRequests,
  ...liveRequests.map(odd),
  ...textRequests,
  ...longNameRequests,
];

/** Most processor time of the main thread between two answers. */
export interface FairnessLimits {
  /** In the first round of a row. */
  readonly coldMs: number;
  /** In the second. */
  readonly warmMs: number;
  /** In both, for odd requests at their full size. */
  readonly oddMs: number;
}

export const LIMITS: FairnessLimits = { coldMs: 100, warmMs: 50, oddMs: 200 };
/** What a request set off goes on behind its answer. */
const AFTERMATH_MS = 300;
const MIB = 2 ** 20;

export interface FairnessRow {
  readonly name: string;
  readonly isOdd: boolean;
  readonly round: 'cold' | 'warm';
  readonly healthCpuMs: number;
  readonly writeCpuMs: number;
  /** Answers to both kinds of request. */
  readonly answers: number;
  readonly tookMs: number;
  readonly grownBytes: number;
  readonly failures: readonly string[];
}

export interface FairnessOptions {
  readonly transport: Transport;
  readonly extent: Extent;
  readonly requests: readonly ExpensiveRequest[];
  /** `each`: every row has a server of its own, which holds what the row needs; `one`: what rows leave stays for the next. */
  readonly servers: 'each' | 'one';
  /** What a write waits for; the server's default when absent. At `os` it does not wait for the disk. */
  readonly durability?: string | undefined;
  /** Folder that the server is started from; this project when absent. */
  readonly project?: string | undefined;
  readonly onRow: (row: FairnessRow) => void;
  /** A warm round that held others for longer runs again, at most twice; the least of them counts. */
  readonly limits: FairnessLimits;
}

const MOST_REPEATS = 2;

/** Runs the rows one after the other. What went wrong, apart from the times, is in the rows. */
export async function runFairnessTable(options: FairnessOptions): Promise<void> {
  const { servers, requests } = options;
  if (servers === 'one') return runOnOneServer(options);
  for (const request of requests) await runOnOneServer({ ...options, requests: [request] });
}

async function runOnOneServer(options: FairnessOptions): Promise<void> {
  const { transport, extent, requests, project, durability } = options;
  const flags = durability === undefined ? [] : ['--durability', durability];
  const server = await ServerProcess.start({ transport, project, flags });
  const http = new HttpClient(server.url);
  const probe = await Probe.start(server.port, server.pid);
  const context = { transport, port: server.port, http, extent, once: onlyOnce() };
  try {
    for (const request of requests) {
      const measuring = { context, server, probe };
      options.onRow(await runRow(request, 'cold', measuring));
      options.onRow(await runWarm(request, measuring, options.limits));
    }
  } finally {
    http.close();
    await probe.stop();
    await server.kill();
  }
}

function onlyOnce(): FairnessContext['once'] {
  const done = new Map<string, Promise<void>>();
  return (name, work) => {
    const known = done.get(name) ?? work();
    done.set(name, known);
    return known;
  };
}

interface Measuring {
  readonly context: FairnessContext;
  readonly server: ServerProcess;
  readonly probe: Probe;
}

async function runWarm(request: ExpensiveRequest, measuring: Measuring, limits: FairnessLimits): Promise<FairnessRow> {
  let least = await runRow(request, 'warm', measuring);
  for (
    let run = 0;
    run < MOST_REPEATS && least.failures.length === 0 && heldMs(least) > limitOf(least, limits);
    run++
  ) {
    const row = await runRow(request, 'warm', measuring);
    if (row.failures.length > 0 || heldMs(row) < heldMs(least)) least = row;
  }
  return least;
}

async function runRow(
  request: ExpensiveRequest,
  round: FairnessRow['round'],
  { context, server, probe }: Measuring,
): Promise<FairnessRow> {
  const failures: string[] = [];
  await request.setUp?.(context);
  await delay(AFTERMATH_MS);
  const before = readMemory(server.pid);
  resetPeakMemory(server.pid);
  await probe.begin();
  const startMs = performance.now();
  try {
    await request.send(context);
  } catch (error) {
    failures.push((error as Error).message);
  }
  const tookMs = performance.now() - startMs;
  await delay(AFTERMATH_MS);
  const { health, write, failures: refused } = await probe.end();
  if (health.answers === 0 || write.answers === 0) failures.push('the other client had no answer');
  return {
    name: request.name,
    isOdd: request.isOdd === true && context.extent === 'full',
    round,
    healthCpuMs: health.cpuMs,
    writeCpuMs: write.cpuMs,
    answers: health.answers + write.answers,
    tookMs,
    grownBytes: readMemory(server.pid).peakBytes - before.rssBytes,
    failures: [...failures, ...refused],
  };
}

function heldMs({ healthCpuMs, writeCpuMs }: FairnessRow): number {
  return Math.max(healthCpuMs, writeCpuMs);
}

function limitOf({ isOdd, round }: FairnessRow, { coldMs, warmMs, oddMs }: FairnessLimits): number {
  if (isOdd) return oddMs;
  return round === 'cold' ? coldMs : warmMs;
}

/** What is wrong with a row; empty when nothing is. */
export function faultsOf(row: FairnessRow, limits: FairnessLimits): string[] {
  const limitMs = limitOf(row, limits);
  const held = heldMs(row);
  const tooLong = `another client was held by ${held.toFixed(0)} ms of processor time; at most ${limitMs.toFixed(0)} are allowed`;
  return held > limitMs ? [...row.failures, tooLong] : [...row.failures];
}

const TABLE_HEAD =
  '| Transport | Request | Round | /health held (ms of CPU) | Write held (ms of CPU) | Answers | Took (ms) | Memory grown (MB) |\n|---|---|---|---|---|---|---|---|';

export function formatRow(transport: Transport, row: FairnessRow): string {
  const { name, round, answers } = row;
  const figures = [row.healthCpuMs, row.writeCpuMs, answers, row.tookMs, row.grownBytes / MIB];
  return `| ${[transport, name, round, ...figures.map((figure) => figure.toFixed(0))].join(' | ')} |`;
}

function chosenRequests(parts: readonly string[] = ['']): readonly ExpensiveRequest[] {
  for (const part of parts) {
    assert.ok(
      EXPENSIVE_REQUESTS.some(({ name }) => name.includes(part)),
      `no row has '${part}' in its name`,
    );
  }
  return EXPENSIVE_REQUESTS.filter(({ name }) => parts.some((part) => name.includes(part)));
}

async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const only = { ...text, multiple: true } as const;
  const servers = { type: 'boolean' } as const;
  const { values } = parseArgs({
    options: { transport: text, only, extent: text, project: text, durability: text, 'one-server': servers },
  });
  const { project, durability } = values;
  const extent = parseExtent(values.extent);
  const requests = chosenRequests(values.only);
  // Ends the server, too.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  console.log(TABLE_HEAD);
  for (const transport of parseTransports(values.transport)) {
    const onRow = (row: FairnessRow): void => {
      console.log(formatRow(transport, row));
      const faults = faultsOf(row, LIMITS);
      for (const fault of faults) console.error(`${transport} ${row.name}, ${row.round}: ${fault}`);
      if (faults.length > 0) process.exitCode = 1;
    };
    await runFairnessTable({
      transport,
      extent,
      requests,
      servers: values['one-server'] ? 'one' : 'each',
      project,
      durability,
      limits: LIMITS,
      onRow,
    });
  }
}

if (process.argv[1] === import.meta.filename) await main();
