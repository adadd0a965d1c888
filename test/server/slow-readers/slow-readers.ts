// Very many clients that ask for dear answers and take nothing of them, a load each, at a server with a small heap: it lives,
// serves another client meanwhile, gives the memory back, and stops soon behind each load.
//
// Command: npm run campaign slow-readers -- [--extent slice|full] [--transport uws|node] [--only <part of a name>]
// [--data <folder that is kept>]

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Extent, parseExtent, parseOptions, parseTransports, printReport } from '../../support/campaign.ts';
import { HttpClient } from '../../support/http-client.ts';
import { ServerProcess, type Transport, temporaryFolder } from '../../support/server-process.ts';
import { readMemory, resetPeakMemory } from '../fairness/thread-cpu.ts';

const START_MS = Date.UTC(2026, 0, 1);
const MIB = 2 ** 20;
/** The kernel counts the time of processes in these. */
const MS_A_TICK = 10;
const NUMBER_TAGS = 4;
const OTHERS_PAUSE_MS = 20;
/** An address of another network than those that take nothing. */
const OTHERS_ADDRESS = '127.0.0.2';

interface Size {
  readonly heapMib: number;
  readonly tags: number;
  readonly points: number;
  /** What is asked for at full size, of which a slice has so many of a hundred. */
  readonly percent: number;
  readonly heldMs: number;
  readonly afterMs: number;
}

const SIZES: Readonly<Record<Extent, Size>> = {
  slice: { heapMib: 256, tags: 20_000, points: 50_000, percent: 20, heldMs: 4_000, afterMs: 2_000 },
  full: { heapMib: 2048, tags: 1_000_000, points: 1_500_000, percent: 100, heldMs: 40_000, afterMs: 30_000 },
};

/** What is asked for, and by how many at full size. */
interface Load {
  readonly name: string;
  readonly sockets: number;
  readonly path: (size: Size) => string;
}

const ends = (seconds: number): string =>
  `start=${new Date(START_MS).toISOString()}&end=${new Date(START_MS + seconds * 1000).toISOString()}`;
const NUMBERS = Array.from({ length: NUMBER_TAGS }, (_, i) => `tagname=N${i}`).join('&');

export const LOADS: readonly Load[] = [
  {
    name: 'aggregates of a million intervals',
    sockets: 600,
    path: () => `/api/datasets/Dear/data?tagname=Sparse&${ends(1e6)}&aggregate=TimeAverage&interval=1s`,
  },
  {
    name: 'statistics',
    sockets: 600,
    path: ({ points }) => `/api/datasets/Dear/statistics?${NUMBERS}&${ends(points)}`,
  },
  {
    name: 'raw reads',
    sockets: 600,
    path: ({ points }) => `/api/datasets/Dear/data?${NUMBERS}&${ends(points)}`,
  },
  { name: 'live streams of all tags', sockets: 60, path: () => '/api/datasets/Many/live' },
  { name: 'values of a label', sockets: 200, path: () => '/prometheus/api/v1/label/tag/values' },
  {
    name: 'label series',
    sockets: 200,
    path: () => `/prometheus/api/v1/series?match[]=${encodeURIComponent('varve_value{dataset="Many"}')}`,
  },
];

export interface LoadRow {
  readonly name: string;
  readonly sockets: number;
  /** How many were given an answer of each status, or none yet. */
  readonly statuses: string;
  readonly restBytes: number;
  readonly peakBytes: number;
  readonly afterBytes: number;
  /** Another client's requests: how many, how many of them failed, and how long they took. */
  readonly others: { readonly count: number; readonly failed: number; readonly p50Ms: number; readonly p99Ms: number };
  readonly stopMs: number;
  /** Processor time of the process within it. */
  readonly stopCpuMs: number;
}

export interface LoadOptions {
  readonly transport: Transport;
  readonly extent: Extent;
  readonly only?: string | undefined;
  readonly dataFolder: string;
  readonly onRow: (row: LoadRow) => void;
}

/** Its presence says that the data are complete, but for the last points. */
const LAST_DATASET = 'Dear';

/** Runs the loads, each at a server of its own. Rejects when one ends. */
export async function runLoads(options: LoadOptions): Promise<void> {
  const size = SIZES[options.extent];
  if (!existsSync(join(options.dataFolder, LAST_DATASET))) await makeData(options, size);
  for (const load of LOADS)
    if (options.only === undefined || load.name.includes(options.only))
      options.onRow(await runLoad(load, options, size));
}

function start({ transport, dataFolder }: LoadOptions, heapMib: number): Promise<ServerProcess> {
  const environment = { NODE_OPTIONS: `--max-old-space-size=${heapMib}` };
  return ServerProcess.start({ transport, dataFolder, flags: ['--durability', 'os'], environment });
}

async function makeData(options: LoadOptions, { tags, points }: Size): Promise<void> {
  const server = await start(options, 4096);
  const http = new HttpClient(server.url);
  const write = async (dataset: string, body: string): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await http.send('POST', `/api/datasets/${dataset}/data`, { headers, body });
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  };
  for (let from = 0; from < tags; from += 100_000) {
    const members = Array.from({ length: Math.min(100_000, tags - from) }, (_, i) => {
      return `"Area${(from + i) % 100}/Unit${(from + i) % 1000}/Tag${from + i}":{"t":[${START_MS}],"v":[${from + i}]}`;
    });
    await write('Many', `{${members.join(',')}}`);
  }
  await write(LAST_DATASET, `{"Sparse":{"t":[${START_MS},${START_MS + 1e9}],"v":[1,2]}}`);
  for (let tag = 0; tag < NUMBER_TAGS; tag++)
    for (let from = 0; from < points; from += 250_000) {
      const indexes = Array.from({ length: Math.min(250_000, points - from) }, (_, i) => from + i);
      const times = indexes.map((i) => START_MS + i * 1000).join();
      await write(
        LAST_DATASET,
        `{"N${tag}":{"t":[${times}],"v":[${indexes.map((i) => (i * (tag + 7)) % 1013).join()}]}}`,
      );
    }
  http.close();
  await server.stop();
}

async function runLoad(load: Load, options: LoadOptions, size: Size): Promise<LoadRow> {
  const server = await start(options, size.heapMib);
  try {
    const restBytes = readMemory(server.pid).rssBytes;
    resetPeakMemory(server.pid);
    const others = new OtherClient(server.port);
    const readers = await connectAll(server, load, size);
    await delay(size.heldMs);
    const { peakBytes } = readMemory(server.pid);
    const statuses = await readStatuses(readers);
    for (const { socket } of readers) socket.destroy();
    await delay(size.afterMs);
    const figures = await others.stop();
    const { rssBytes: afterBytes } = readMemory(server.pid);
    const again = await connectAll(server, load, size);
    await delay(size.heldMs / 4);
    const stop = await timeStop(server);
    for (const { socket } of again) socket.destroy();
    const { name } = load;
    return { name, sockets: readers.length, statuses, restBytes, peakBytes, afterBytes, others: figures, ...stop };
  } catch (error) {
    await server.kill();
    throw new Error(`${load.name}: ${(error as Error).message}`, { cause: error });
  }
}

async function timeStop(server: ServerProcess): Promise<{ readonly stopMs: number; readonly stopCpuMs: number }> {
  const startMs = performance.now();
  const startCpuMs = cpuOf(server.pid);
  let stopCpuMs = 0;
  const watch = setInterval(() => {
    stopCpuMs = Math.max(stopCpuMs, cpuOf(server.pid) - startCpuMs);
  }, 50);
  try {
    await server.stop();
  } finally {
    clearInterval(watch);
  }
  return { stopMs: performance.now() - startMs, stopCpuMs };
}

/** The processor time of all threads of a process so far; 0 when it is gone. */
function cpuOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return MS_A_TICK * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return 0;
  }
}

interface Reader {
  readonly socket: Socket;
}

/** Clients that send their request and take nothing. */
async function connectAll({ port }: ServerProcess, load: Load, size: Size): Promise<Reader[]> {
  const head = `GET ${load.path(size)} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
  const count = Math.ceil((load.sockets * size.percent) / 100);
  const readers: Reader[] = [];
  while (readers.length < count) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()));
    socket.write(head);
    readers.push({ socket });
  }
  return readers;
}

/** Takes the first bytes of what has come. */
async function readStatuses(readers: readonly Reader[]): Promise<string> {
  const statuses = new Map<string, number>();
  await Promise.all(
    readers.map(async ({ socket }) => {
      let status = socket.destroyed ? 'closed' : 'none';
      socket.once('data', (bytes: Buffer) => {
        status = bytes.toString('latin1', 9, 12);
        socket.pause();
      });
      socket.resume();
      await delay(300);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }),
  );
  return [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ');
}

/** Writes a point and asks for it, again and again. */
class OtherClient {
  readonly #port: number;
  readonly #tookMs: number[] = [];
  #failed = 0;
  #isOver = false;
  readonly #running: Promise<void>;

  constructor(port: number) {
    this.#port = port;
    this.#running = this.#run();
  }

  async stop(): Promise<LoadRow['others']> {
    this.#isOver = true;
    await this.#running;
    const took = this.#tookMs.toSorted((a, b) => a - b);
    const at = (share: number): number => took[Math.floor(share * (took.length - 1))] ?? Number.NaN;
    return { count: took.length, failed: this.#failed, p50Ms: at(0.5), p99Ms: at(0.99) };
  }

  async #run(): Promise<void> {
    for (let i = 0; !this.#isOver; i++) {
      const startMs = performance.now();
      const status = await this.#ask('POST', '/api/datasets/Other/data', `{"P":[{"t":${START_MS + i},"v":${i}}]}`);
      this.#tookMs.push(performance.now() - startMs);
      const read = await this.#ask('GET', '/api/datasets/Other/data?tagname=P');
      this.#failed += Number(status !== 200) + Number(read !== 200);
      await delay(OTHERS_PAUSE_MS);
    }
  }

  #ask(method: string, path: string, body?: string): Promise<number> {
    return new Promise((resolve) => {
      const headers = body === undefined ? {} : { 'content-type': 'application/json' };
      const place = { host: '127.0.0.1', port: this.#port, localAddress: OTHERS_ADDRESS };
      const sent = request({ ...place, method, path, headers, agent: false }, (answer) => {
        answer.resume().once('close', () => resolve(answer.statusCode ?? 0));
      });
      sent.once('error', () => resolve(0));
      sent.end(body);
    });
  }
}

const LIMIT_MS = 5_000;

/** What went wrong in a row. The shorter time of a stop counts: other processes run beside, and several threads work at once. */
export function faultsOf({ name, statuses, others, stopMs, stopCpuMs }: LoadRow): string[] {
  const faults: string[] = [];
  if (/ x (?!200|503|none|closed)/.test(statuses)) faults.push(`${name}: ${statuses}, where 200 and 503 are right`);
  if (others.failed > 0 || others.count === 0)
    faults.push(`${name}: ${others.failed} requests of another client failed`);
  const tookMs = Math.min(stopMs, stopCpuMs);
  if (tookMs > LIMIT_MS) faults.push(`${name}: the stop took ${(tookMs / 1000).toFixed(1)} s`);
  return faults;
}

export function formatRow(transport: Transport, row: LoadRow): string {
  const { name, sockets, statuses, restBytes, peakBytes, afterBytes, others, stopMs, stopCpuMs } = row;
  const mib = (bytes: number): string => (bytes / MIB).toFixed(0);
  const memory = `MiB before ${mib(restBytes)}, most ${mib(peakBytes)}, after ${mib(afterBytes)}`;
  const other = `others ${others.count}, failed ${others.failed}, p50 ${others.p50Ms.toFixed(0)} ms, p99 ${others.p99Ms.toFixed(0)} ms`;
  const stop = `stop ${(stopMs / 1000).toFixed(1)} s (${(stopCpuMs / 1000).toFixed(1)} s of processor time)`;
  return `${transport} | ${name} x ${sockets} | ${statuses} | ${memory} | ${other} | ${stop}`;
}

async function main(): Promise<void> {
  const { extent, transport, only, data } = parseOptions(['extent', 'transport', 'only', 'data']);
  const startMs = performance.now();
  const folder = data === undefined ? temporaryFolder() : undefined;
  const dataFolder = data ?? `${folder}/data`;
  const failures: string[] = [];
  let trials = 0;
  try {
    for (const over of parseTransports(transport)) {
      const onRow = (row: LoadRow): void => {
        trials++;
        console.log(formatRow(over, row));
        failures.push(...faultsOf(row));
      };
      await runLoads({ transport: over, extent: parseExtent(extent), only, dataFolder, onRow });
    }
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
  printReport('slow-readers', 'none', { trials, failures }, startMs);
}

if (process.argv[1] === import.meta.filename) await main();
