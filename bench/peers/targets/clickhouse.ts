// ClickHouse: one server, a MergeTree table in order of tag and time.

import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '../../support/free-ports.ts';
import { rowBinaryBody } from '../bodies/binary-bodies.ts';
import { rowObjectsBody } from '../bodies/text-bodies.ts';
import { HttpPeer } from '../http-peer.ts';
import type { Peer, PeerPlace, ReadAnswer, RunningPeer, StoredBytes, Tally } from '../peer.ts';
import { installedVersion, PeerProcess } from '../peer-process.ts';

const PROGRAM = 'clickhouse-server';
const TABLE = 'CREATE TABLE points (tag UInt32, t Int64, v Float64, q Int16) ENGINE=MergeTree ORDER BY (tag,t)';
const PARTS = "SELECT count(), sum(bytes_on_disk) FROM system.parts WHERE active AND table='points'";
const MERGE_LIMIT_MS = 120_000;
const LOOK_MS = 500;

export const clickHouse: Peer = {
  name: 'clickhouse',
  title: 'ClickHouse',
  durability: 'a file for each request, not synced',
  readVia: 'HTTP, rows of JSON (JSONCompact)',
  version: () => installedVersion(PROGRAM, '--version', 'clickhouse-server'),
  forms: [
    {
      name: 'binary (RowBinary)',
      encode: rowBinaryBody,
      post: { path: queryPath('INSERT INTO points FORMAT RowBinary') },
      sharing: 'in turn',
      isRead: true,
    },
    {
      name: 'JSON (JSONEachRow)',
      encode: rowObjectsBody,
      post: { path: queryPath('INSERT INTO points FORMAT JSONEachRow') },
      sharing: 'in turn',
      isRead: false,
    },
  ],
  start: startClickHouse,
};

function queryPath(sql: string): string {
  return `/?query=${encodeURIComponent(sql)}`;
}

async function startClickHouse({ folder }: PeerPlace): Promise<RunningPeer> {
  const [httpPort, tcpPort, serverPort] = (await freePorts(3)) as [number, number, number];
  mkdirSync(`${folder}/data/tmp`, { recursive: true });
  writeFileSync(`${folder}/users.xml`, USERS);
  writeFileSync(`${folder}/config.xml`, configuration(folder, httpPort, tcpPort, serverPort));
  const args = [`--config-file=${folder}/config.xml`];
  const launch = { command: PROGRAM, args, folder, stopSignal: 'SIGTERM', abortSignal: 'SIGKILL' } as const;
  const server = new RunningClickHouse(`http://127.0.0.1:${httpPort}`, new PeerProcess(launch));
  await server.begin();
  return server;
}

const USERS = `<yandex>
  <profiles><default><max_memory_usage>10000000000</max_memory_usage></default></profiles>
  <users><default>
    <password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>
  </default></users>
  <quotas><default></default></quotas>
</yandex>
`;

function configuration(folder: string, httpPort: number, tcpPort: number, serverPort: number): string {
  return `<yandex>
  <logger><level>error</level><log>${folder}/log</log><errorlog>${folder}/errors</errorlog></logger>
  <http_port>${httpPort}</http_port>
  <tcp_port>${tcpPort}</tcp_port>
  <interserver_http_port>${serverPort}</interserver_http_port>
  <listen_host>127.0.0.1</listen_host>
  <keep_alive_timeout>600</keep_alive_timeout>
  <path>${folder}/data/</path>
  <tmp_path>${folder}/data/tmp/</tmp_path>
  <users_config>${folder}/users.xml</users_config>
  <mark_cache_size>500000000</mark_cache_size>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <timezone>UTC</timezone>
</yandex>
`;
}

/** Row of the answer; 64-bit integers are text in its JSON. */
type Row = readonly [time: number | string, value: number, quality: number];

class RunningClickHouse extends HttpPeer implements RunningPeer {
  readonly #process: PeerProcess;

  constructor(url: string, process: PeerProcess) {
    super(url);
    this.#process = process;
  }

  get pid(): number {
    return this.#process.pid;
  }

  async begin(): Promise<void> {
    await this.#process.untilReady(() => this.ask({ method: 'GET', path: '/ping' }));
    await this.#run(TABLE);
  }

  /** By its own count: parts that were merged stay on the disk for some minutes. */
  async settle(): Promise<StoredBytes> {
    const endMs = performance.now() + MERGE_LIMIT_MS;
    for (;;) {
      await this.#run('OPTIMIZE TABLE points FINAL');
      const [parts, bytes] = (await this.#rows<readonly (number | string)[]>(PARTS))[0] ?? [];
      // It leaves out parts that are just being merged.
      const isMerged = Number(parts) === 1 || performance.now() > endMs;
      if (isMerged) return { usedBytes: Number(bytes), allocatedBytes: Number(bytes) };
      await delay(LOOK_MS);
    }
  }

  async read(tags: readonly number[], fromMs: number, toMs: number): Promise<ReadAnswer> {
    const columns = tags.length === 1 ? 'toFloat64(t),v,q' : 'toFloat64(t),v,q,tag';
    const wanted = tags.length === 1 ? `tag=${tags[0]}` : `tag IN (${tags.join(',')})`;
    const rows = await this.#rows<Row>(
      `SELECT ${columns} FROM points WHERE ${wanted} AND t>=${fromMs} AND t<${toMs} ORDER BY tag,t`,
    );
    return { ...tallyOf(rows), list: () => rows.map(([time, value, quality]) => [Number(time), value, quality]) };
  }

  async latest(): Promise<Tally> {
    return tallyOf(await this.#rows<Row>('SELECT max(t),argMax(v,t),argMax(q,t),tag FROM points GROUP BY tag'));
  }

  async stop(): Promise<void> {
    this.close();
    await this.#process.stop();
  }

  /** On a connection of its own: it may take longer than an idle one is kept. */
  #run(sql: string): Promise<Buffer> {
    return this.ask({ method: 'POST', path: queryPath(sql), body: Buffer.alloc(0) });
  }

  async #rows<T>(sql: string): Promise<T[]> {
    const body = await this.get(queryPath(`${sql} FORMAT JSONCompact`));
    return (JSON.parse(body.toString()) as { data: T[] }).data;
  }
}

function tallyOf(rows: readonly Row[]): Tally {
  let valueSum = 0;
  for (const row of rows) valueSum += row[1];
  return { count: rows.length, valueSum };
}
