// Live data under load: tags written ten times a second, many clients that listen to one tag each and some to all.

import { withTempFolder } from '../support/clean-up.ts';
import { Connection, checkOk } from '../support/http-load.ts';
import { type ServerUnderTest, withServer } from '../support/server-under-test.ts';
import { LiveClients, type LiveWay } from './live-clients.ts';

export interface LiveLoad {
  readonly way: LiveWay;
  readonly http: 'uws' | 'node';
  readonly tags: number;
  /** Clients that listen to one tag each, and to all. */
  readonly ofOneTag: number;
  readonly ofAll: number;
  readonly seconds: number;
}

export interface LiveFigures {
  readonly eventsPerSecond: number;
  readonly pointsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Memory of the server's process before the first client came, with all of them under load, and at its most. */
  readonly emptyMb: number;
  readonly loadedMb: number;
  readonly peakMb: number;
  /** Share of one core. */
  readonly serverCpu: number;
  readonly clientCpu: number;
  /** Points that should have come, and did not. */
  readonly missing: number;
}

const WRITE_EVERY_MS = 100;
const OPENED_AT_ONCE = 50;
const WARM_UP_WRITES = 20;
/** For the last points to come. */
const SETTLE_MS = 3000;

export function measureLive(load: LiveLoad): Promise<LiveFigures> {
  return withTempFolder('live', (folder) =>
    withServer(folder, { flags: ['--http', load.http] }, (server) => measure(server, load)),
  );
}

async function measure(server: ServerUnderTest, load: LiveLoad): Promise<LiveFigures> {
  const names = Array.from({ length: load.tags }, (_, i) => `Area${i % 10}.Unit${i}.Value`);
  const connection = new Connection(server.url);
  const clients = new LiveClients(server.url, load.way);
  try {
    await writeRound(connection, names);
    const emptyMb = server.residentMb;
    await openAll(clients, names, load);
    await writeFor(connection, names, WARM_UP_WRITES);
    await pause(SETTLE_MS / 10);
    clients.restart();
    const before = { server: server.cpuSeconds, client: process.cpuUsage(), ms: performance.now() };
    const writes = (load.seconds * 1000) / WRITE_EVERY_MS;
    await writeFor(connection, names, writes);
    const elapsedS = (performance.now() - before.ms) / 1000;
    const client = process.cpuUsage(before.client);
    const [serverCpu, loadedMb] = [(server.cpuSeconds - before.server) / elapsedS, server.residentMb];
    const wanted = writes * (load.ofOneTag + load.ofAll * load.tags);
    for (let waits = 0; clients.points < wanted && waits < 30; waits++) await pause(SETTLE_MS / 30);
    if (clients.lostCount > 0) throw new Error(`${clients.lostCount} clients lost their connection`);
    const latencies = clients.latenciesMs.sort((a, b) => a - b);
    const at = (share: number): number => latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN;
    return {
      eventsPerSecond: clients.events / elapsedS,
      pointsPerSecond: clients.points / elapsedS,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      maxMs: at(1),
      emptyMb,
      loadedMb,
      peakMb: server.peakMb,
      serverCpu,
      clientCpu: (client.user + client.system) / 1e6 / elapsedS,
      missing: wanted - clients.points,
    };
  } finally {
    clients.close();
    connection.close();
  }
}

async function openAll(clients: LiveClients, names: readonly string[], load: LiveLoad): Promise<void> {
  const base = '/api/datasets/plant/live';
  const paths = Array.from({ length: load.ofOneTag }, (_, i) => `${base}?tagname=${names[i % names.length]}`);
  paths.push(...Array.from({ length: load.ofAll }, () => base));
  for (let i = 0; i < paths.length; i += OPENED_AT_ONCE) {
    await Promise.all(paths.slice(i, i + OPENED_AT_ONCE).map((path) => clients.open(path)));
  }
}

/** On a schedule: a write that is late does not shift those behind it. */
async function writeFor(connection: Connection, names: readonly string[], writes: number): Promise<void> {
  const startMs = performance.now();
  for (let n = 0; n < writes; n++) {
    await pause(startMs + n * WRITE_EVERY_MS - performance.now());
    await writeRound(connection, names);
  }
}

async function writeRound(connection: Connection, names: readonly string[]): Promise<void> {
  const sentMs = performance.now().toFixed(3);
  const members = names.map((name) => `${JSON.stringify(name)}:[{"v":${sentMs}}]`);
  checkOk(await connection.post('/api/datasets/plant/data', `{${members.join(',')}}`));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}
