// PostgreSQL 15: a table of rows with an index of tag and time. It refuses to run as root; then it runs as its own user.

import { spawnSync } from 'node:child_process';
import { chownSync, readFileSync } from 'node:fs';
import type { OnAnswered, Sendable } from '../../client/write-driver.ts';
import { freePorts } from '../../support/free-ports.ts';
import type { LoadRequest } from '../../workloads/write-load.ts';
import { copyBody } from '../bodies/binary-bodies.ts';
import type { Peer, PeerPlace, ReadAnswer, RunningPeer, StoredBytes, Tally, Written } from '../peer.ts';
import { installedVersion, PeerProcess } from '../peer-process.ts';
import { PostgresConnection, type TextRow } from './postgresql-connection.ts';

const PROGRAMS = '/usr/lib/postgresql/15/bin';
const USER = 'postgres';
const INIT_LIMIT_MS = 120_000;
const COPY = 'COPY points FROM STDIN BINARY';

export const postgreSql: Peer = {
  name: 'postgresql',
  title: 'PostgreSQL',
  durability: 'its log is synced before the answer, a transaction for each request',
  readVia: 'its own protocol, rows of text',
  version: () => installedVersion(`${PROGRAMS}/postgres`, '--version', 'postgresql-15'),
  forms: [{ name: 'COPY BINARY, synced', encode: copyBody, sharing: 'in turn', isRead: true }],
  start: startPostgreSql,
};

type User = { readonly uid: number; readonly gid: number };

async function startPostgreSql({ folder, points }: PeerPlace): Promise<RunningPeer> {
  const [port] = (await freePorts(1)) as [number];
  const user = process.getuid?.() === 0 ? userOf(USER) : undefined;
  if (user) chownSync(folder, user.uid, user.gid);
  initialize(folder, user);
  const settings = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'shared_buffers=2GB',
    'max_wal_size=8GB',
    'checkpoint_timeout=15min',
  ];
  const args = ['-D', `${folder}/data`, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const launched = new PeerProcess({
    command: `${PROGRAMS}/postgres`,
    args,
    folder,
    user,
    stopSignal: 'SIGINT',
    // Lets go of its shared memory, which SIGKILL does not.
    abortSignal: 'SIGQUIT',
  });
  const server = new RunningPostgreSql(launched, port, points.names.length);
  await server.begin();
  return server;
}

function userOf(name: string): User {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  if (line === undefined) throw new Error(`there is no user '${name}' for PostgreSQL to run as`);
  const [, , uid, gid] = line.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

function initialize(folder: string, user: User | undefined): void {
  const args = ['-D', `${folder}/data`, '-A', 'trust', '-U', USER, '-E', 'UTF8', '--locale=C'];
  const { status, stderr, error } = spawnSync(`${PROGRAMS}/initdb`, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: INIT_LIMIT_MS,
    ...user,
  });
  if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? stderr.trim()}`);
}

class RunningPostgreSql implements RunningPeer {
  readonly #process: PeerProcess;
  readonly #port: number;
  readonly #tagCount: number;
  #connection: PostgresConnection | undefined;
  #writers: PostgresConnection[] = [];

  constructor(process: PeerProcess, port: number, tagCount: number) {
    this.#process = process;
    this.#port = port;
    this.#tagCount = tagCount;
  }

  get pid(): number {
    return this.#process.pid;
  }

  async begin(): Promise<void> {
    await this.#process.untilReady(async () => {
      this.#connection = await PostgresConnection.open(this.#port, USER);
    });
    await this.#query(
      'CREATE TABLE points(tag_id int NOT NULL, t timestamptz NOT NULL, v double precision, q smallint)',
    );
    await this.#query('CREATE INDEX points_tag_t ON points(tag_id, t)');
  }

  async write(load: Sendable, onAnswered: OnAnswered): Promise<Written> {
    // They stay open: memory that all share counts only while a process that used it lives.
    this.#writers = await Promise.all(load.requests.map(() => PostgresConnection.open(this.#port, USER)));
    const cpuBefore = process.cpuUsage();
    const startedMs = performance.now();
    await Promise.all(this.#writers.map((one, i) => copyAll(one, load.requests[i] ?? [], onAnswered)));
    const elapsedMs = performance.now() - startedMs;
    const cpu = process.cpuUsage(cpuBefore);
    return { elapsedMs, clientCpuSeconds: (cpu.user + cpu.system) / 1e6 };
  }

  /** Table and index, without the log. */
  async settle(): Promise<StoredBytes> {
    for (const writer of this.#writers) writer.close();
    await this.#query('VACUUM ANALYZE points');
    await this.#query('CHECKPOINT');
    const bytes = Number((await this.#query("SELECT pg_total_relation_size('points')"))[0]?.[0]);
    return { usedBytes: bytes, allocatedBytes: bytes };
  }

  async read(tags: readonly number[], fromMs: number, toMs: number): Promise<ReadAnswer> {
    const wanted = tags.length === 1 ? `tag_id=${tags[0]}` : `tag_id = ANY('{${tags.join(',')}}')`;
    const span = `t>='${iso(fromMs)}' AND t<'${iso(toMs)}'`;
    const rows = await this.#query(`SELECT t,v,q FROM points WHERE ${wanted} AND ${span} ORDER BY tag_id,t`);
    return {
      ...tallyOf(rows),
      list: () => rows.map(([time, value, quality]) => [Date.parse(time ?? ''), Number(value), Number(quality)]),
    };
  }

  async latest(): Promise<Tally> {
    const newest = 'SELECT t,v,q FROM points WHERE tag_id=tag ORDER BY t DESC LIMIT 1';
    const tags = `generate_series(0,${this.#tagCount - 1}) AS tag`;
    return tallyOf(await this.#query(`SELECT p.t,p.v,p.q FROM ${tags}, LATERAL (${newest}) AS p`));
  }

  async stop(): Promise<void> {
    for (const writer of this.#writers) writer.close();
    this.#connection?.close();
    await this.#process.stop();
  }

  #query(sql: string): Promise<TextRow[]> {
    return (this.#connection as PostgresConnection).query(sql);
  }
}

async function copyAll(
  connection: PostgresConnection,
  requests: readonly LoadRequest[],
  onAnswered: OnAnswered,
): Promise<void> {
  for (const { body, points } of requests) {
    await connection.copyIn(COPY, body);
    onAnswered(points);
  }
}

function tallyOf(rows: readonly TextRow[]): Tally {
  let valueSum = 0;
  for (const row of rows) valueSum += Number(row[1]);
  return { count: rows.length, valueSum };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
