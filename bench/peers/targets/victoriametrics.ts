// VictoriaMetrics: one server, `victoria-metrics`. It keeps values only; a quality is a second series.

import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '../../support/free-ports.ts';
import { remoteWriteBody } from '../bodies/remote-write.ts';
import { importLinesBody } from '../bodies/text-bodies.ts';
import type { W1Points } from '../bodies/w1-points.ts';
import { changingBytes } from '../changing-folder.ts';
import { HttpPeer } from '../http-peer.ts';
import type { Peer, PeerPlace, ReadAnswer, ReadPoint, RunningPeer, StoredBytes, Tally } from '../peer.ts';
import { installedVersion, PeerProcess } from '../peer-process.ts';

const PROGRAM = 'victoria-metrics';
const LOOK_MS = 500;
/** The files must not change for so long behind the last merge. */
const STEADY_MS = 1500;
const SETTLE_LIMIT_MS = 120_000;
const REMOTE_WRITE = { path: '/api/v1/write', contentType: 'application/x-protobuf', contentEncoding: 'snappy' };

export const victoriaMetrics: Peer = {
  name: 'victoriametrics',
  title: 'VictoriaMetrics',
  durability: 'answers from memory; files are written up to 5 s later',
  readVia: 'HTTP, lines of JSON (/api/v1/export)',
  version: () => installedVersion(PROGRAM, '--version', 'victoria-metrics'),
  forms: [
    {
      name: 'binary, no quality',
      encode: (points) => remoteWriteBody(points, 'values'),
      post: REMOTE_WRITE,
      sharing: 'in turn',
      isRead: true,
    },
    {
      name: 'binary, quality as a second series',
      encode: (points) => remoteWriteBody(points, 'values and quality'),
      post: REMOTE_WRITE,
      sharing: 'in turn',
      isRead: false,
    },
    {
      name: 'JSON import, no quality',
      encode: importLinesBody,
      post: { path: '/api/v1/import', contentType: 'application/json' },
      sharing: 'in turn',
      isRead: false,
    },
  ],
  start: startVictoriaMetrics,
};

async function startVictoriaMetrics({ folder, points }: PeerPlace): Promise<RunningPeer> {
  const [port] = await freePorts(1);
  const args = [
    `-storageDataPath=${folder}/data`,
    `-httpListenAddr=127.0.0.1:${port}`,
    '-retentionPeriod=100y',
    '-search.latencyOffset=0s',
    '-search.maxSamplesPerQuery=1000000000',
    '-http.connTimeout=1h',
    '-loggerLevel=WARN',
  ];
  const launch = { command: PROGRAM, args, folder, stopSignal: 'SIGTERM', abortSignal: 'SIGKILL' } as const;
  const server = new RunningVictoriaMetrics(`http://127.0.0.1:${port}`, new PeerProcess(launch), folder, points);
  await server.untilReady();
  return server;
}

/** A line of an export: one series. */
interface ExportLine {
  readonly values: number[];
  readonly timestamps: number[];
}

class RunningVictoriaMetrics extends HttpPeer implements RunningPeer {
  readonly #process: PeerProcess;
  readonly #dataFolder: string;
  readonly #points: W1Points;

  constructor(url: string, process: PeerProcess, folder: string, points: W1Points) {
    super(url);
    this.#process = process;
    this.#dataFolder = `${folder}/data`;
    this.#points = points;
  }

  get pid(): number {
    return this.#process.pid;
  }

  untilReady(): Promise<void> {
    return this.#process.untilReady(() => this.ask({ method: 'GET', path: '/health' }));
  }

  async settle(): Promise<StoredBytes> {
    await this.ask({ method: 'GET', path: '/internal/force_flush' });
    await this.ask({ method: 'GET', path: '/internal/force_merge' });
    const endMs = performance.now() + SETTLE_LIMIT_MS;
    while (performance.now() < endMs) {
      await delay(LOOK_MS);
      if ((await this.#activeMerges()) > 0) continue;
      const before = this.#stored();
      await delay(STEADY_MS);
      if (this.#stored().usedBytes === before.usedBytes) break;
    }
    return this.#stored();
  }

  async #activeMerges(): Promise<number> {
    const metrics = (await this.ask({ method: 'GET', path: '/metrics' })).toString();
    return [...metrics.matchAll(/vm_active_merges\{[^}]*\} (\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  #stored(): StoredBytes {
    return changingBytes([this.#dataFolder]);
  }

  async read(tags: readonly number[], fromMs: number, toMs: number): Promise<ReadAnswer> {
    const match = encodeURIComponent(`m_v{${this.#selector(tags)}}`);
    const span = `start=${seconds(fromMs)}&end=${seconds(toMs - 1)}`;
    const body = await this.get(`/api/v1/export?match[]=${match}&${span}`);
    const lines = parseLines(body);
    return { ...tallyOf(lines), list: () => lines.flatMap(pointsOf) };
  }

  #selector(tags: readonly number[]): string {
    const names = tags.map((tag) => this.#points.names[tag] as string);
    if (names.length === 1) return `tag="${names[0]}"`;
    return `tag=~"${names.map((name) => name.replaceAll('.', '\\\\.')).join('|')}"`;
  }

  async latest(): Promise<Tally> {
    const query = encodeURIComponent('last_over_time(m_v[5m])');
    const body = await this.get(`/api/v1/query?query=${query}&time=${seconds(this.#points.endMs)}`);
    const { data } = JSON.parse(body.toString()) as { data: { result: { value: [number, string] }[] } };
    return {
      count: data.result.length,
      valueSum: data.result.reduce((sum, { value }) => sum + Number(value[1]), 0),
    };
  }

  async stop(): Promise<void> {
    this.close();
    await this.#process.stop();
  }
}

function parseLines(body: Buffer): ExportLine[] {
  const lines: ExportLine[] = [];
  for (let from = 0, end = body.indexOf(10); end >= 0; from = end + 1, end = body.indexOf(10, from)) {
    lines.push(JSON.parse(body.toString('latin1', from, end)) as ExportLine);
  }
  return lines;
}

function tallyOf(lines: readonly ExportLine[]): Tally {
  let count = 0;
  let valueSum = 0;
  for (const { values } of lines) {
    count += values.length;
    for (let i = 0; i < values.length; i++) valueSum += values[i] as number;
  }
  return { count, valueSum };
}

function pointsOf({ values, timestamps }: ExportLine): ReadPoint[] {
  return values.map((value, i) => [timestamps[i] as number, value, undefined]);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
