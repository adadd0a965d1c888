// InfluxDB 1: one server, `influxd`, a measurement with the fields v and q.

import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '../../support/free-ports.ts';
import { lineProtocolBody } from '../bodies/text-bodies.ts';
import { changingBytes } from '../changing-folder.ts';
import { HttpPeer } from '../http-peer.ts';
import type { Peer, PeerPlace, ReadAnswer, ReadPoint, RunningPeer, StoredBytes, Tally } from '../peer.ts';
import { installedVersion, PeerProcess } from '../peer-process.ts';

const PROGRAM = 'influxd';
const LOOK_MS = 1000;
/** Looks without a change of the files behind which its compaction has ended. */
const STEADY_LOOKS = 8;
const MOST_LOOKS = 120;

export const influxDb: Peer = {
  name: 'influxdb',
  title: 'InfluxDB',
  durability: 'its log is synced before the answer',
  readVia: 'HTTP, rows of JSON (/query)',
  version: () => installedVersion(PROGRAM, 'version', 'influxdb'),
  forms: [
    {
      name: 'line protocol, synced',
      encode: lineProtocolBody,
      post: { path: '/write?db=d&precision=ms' },
      sharing: 'in turn',
      isRead: true,
    },
  ],
  start: startInfluxDb,
};

async function startInfluxDb({ folder, points }: PeerPlace): Promise<RunningPeer> {
  const [httpPort, innerPort] = (await freePorts(2)) as [number, number];
  writeFileSync(`${folder}/influxdb.conf`, configuration(folder, httpPort, innerPort));
  const args = ['run', '-config', `${folder}/influxdb.conf`];
  const launch = { command: PROGRAM, args, folder, stopSignal: 'SIGTERM', abortSignal: 'SIGKILL' } as const;
  const server = new RunningInfluxDb(`http://127.0.0.1:${httpPort}`, new PeerProcess(launch), folder, points.names);
  await server.begin();
  return server;
}

function configuration(folder: string, httpPort: number, innerPort: number): string {
  return `reporting-disabled = true
bind-address = "127.0.0.1:${innerPort}"
[meta]
  dir = "${folder}/meta"
[data]
  dir = "${folder}/data"
  wal-dir = "${folder}/wal"
  query-log-enabled = false
  cache-snapshot-write-cold-duration = "2s"
  compact-full-write-cold-duration = "3s"
  cache-max-memory-size = "4g"
  max-series-per-database = 0
[monitor]
  store-enabled = false
[http]
  bind-address = "127.0.0.1:${httpPort}"
  log-enabled = false
  max-body-size = 0
[logging]
  level = "error"
  suppress-logo = true
`;
}

interface Series {
  readonly values: readonly (readonly [timeMs: number, value: number, quality: number])[];
}

interface QueryAnswer {
  readonly results: readonly { readonly series?: readonly Series[] }[];
}

class RunningInfluxDb extends HttpPeer implements RunningPeer {
  readonly #process: PeerProcess;
  readonly #folder: string;
  readonly #names: readonly string[];

  constructor(url: string, process: PeerProcess, folder: string, names: readonly string[]) {
    super(url);
    this.#process = process;
    this.#folder = folder;
    this.#names = names;
  }

  get pid(): number {
    return this.#process.pid;
  }

  async begin(): Promise<void> {
    await this.#process.untilReady(() => this.ask({ method: 'GET', path: '/ping' }));
    await this.ask({ method: 'POST', path: '/query?q=CREATE%20DATABASE%20d', body: Buffer.alloc(0) });
  }

  /** Waits until its cache is written and the full compaction has ended. */
  async settle(): Promise<StoredBytes> {
    const folders = [`${this.#folder}/data`, `${this.#folder}/wal`];
    let stored = changingBytes(folders);
    for (let look = 0, steady = 0; look < MOST_LOOKS && steady < STEADY_LOOKS; look++) {
      await delay(LOOK_MS);
      const now = changingBytes(folders);
      steady = now.usedBytes === stored.usedBytes ? steady + 1 : 0;
      stored = now;
    }
    return stored;
  }

  async read(tags: readonly number[], fromMs: number, toMs: number): Promise<ReadAnswer> {
    const wanted = tags.map((tag) => `"tag"='${this.#names[tag]}'`).join(' OR ');
    const series = await this.#query(
      `SELECT v,q FROM m WHERE (${wanted}) AND time >= ${fromMs}ms AND time < ${toMs}ms`,
    );
    return { ...tallyOf(series), list: () => series.flatMap<ReadPoint>(({ values }) => values) };
  }

  async latest(): Promise<Tally> {
    return tallyOf(await this.#query('SELECT last(v),q FROM m GROUP BY "tag"'));
  }

  async #query(sql: string): Promise<readonly Series[]> {
    const body = await this.get(`/query?db=d&epoch=ms&q=${encodeURIComponent(sql)}`);
    return (JSON.parse(body.toString()) as QueryAnswer).results[0]?.series ?? [];
  }

  async stop(): Promise<void> {
    this.close();
    await this.#process.stop();
  }
}

function tallyOf(series: readonly Series[]): Tally {
  let count = 0;
  let valueSum = 0;
  for (const { values } of series) {
    count += values.length;
    for (const row of values) valueSum += row[1];
  }
  return { count, valueSum };
}
