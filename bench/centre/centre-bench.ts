// What the measurements of a centre share: the cluster or chdb, an edge, points, and waiting for the copy.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChdb } from '../../test/support/clickhouse/chdb-server.ts';
import { TestCluster } from '../../test/support/clickhouse/cluster.ts';
import { ServerProcess } from '../../test/support/server-process.ts';

export interface Centre {
  /** With the database. */
  readonly address: string;
  /** HTTP URLs of one server of each shard. */
  readonly shardUrls: readonly string[];
  /** URLs of all servers. */
  readonly serverUrls: readonly string[];
  readonly memoryBytes: () => number;
  readonly stop: () => Promise<void>;
}

/** Two shards of two servers of 18.16, with a priority of 0 to 19, the lowest; or one of 26.7. */
export async function startCentre(kind: 'cluster' | 'chdb', folder: string, niceness = 0): Promise<Centre> {
  if (kind === 'chdb') {
    const chdb = await startChdb(join(folder, 'chdb'));
    const url = chdb.address.replace('clickhouse', 'http');
    const stop = (): Promise<void> => chdb.stop();
    return {
      address: `${chdb.address}/varve`,
      shardUrls: [url],
      serverUrls: [url],
      memoryBytes: () => residentBytes(chdb.pid),
      stop,
    };
  }
  const cluster = await TestCluster.start(join(folder, 'cluster'), { niceness });
  return {
    address: `${cluster.address}/varve`,
    shardUrls: [cluster.urlOf(1), cluster.urlOf(3)],
    serverUrls: cluster.nodes.map((node) => cluster.urlOf(node)),
    memoryBytes: () => cluster.memoryBytes,
    stop: () => cluster.stop(),
  };
}

export function startEdge(dataFolder: string, centre?: Centre, site = ''): Promise<ServerProcess> {
  const copied = centre === undefined ? [] : ['--centre', centre.address, ...(site === '' ? [] : ['--site', site])];
  return ServerProcess.start({ dataFolder, flags: [...copied, '--log-level', 'error'] });
}

export function residentBytes(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** Processor time of all threads of a process, seconds. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** A body of `tags` tags with `count` points each from a step on: numbers with two decimals, a second apart. */
export function bodyOf(tags: number, count: number, fromStep: number, firstMs: number): string {
  const members = Array.from({ length: tags }, (_, tag) => {
    const points = Array.from({ length: count }, (_, i) => {
      const step = fromStep + i;
      const value = 50 + 30 * Math.sin(step / (40 + tag)) + ((step * 7919 + tag * 104_729) % 100) / 100;
      return `{"t":"${new Date(firstMs + step * 1000).toISOString()}","v":${value.toFixed(2)}}`;
    });
    return `"T${tag}":[${points.join(',')}]`;
  });
  return `{${members.join(',')}}`;
}

export async function post(url: string, body: string): Promise<void> {
  const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${(await answer.text()).slice(0, 300)}`);
  await answer.arrayBuffer();
}

interface Copy {
  readonly waitingTags: number;
  readonly lagSeconds?: number;
  readonly copiedPoints: number;
  readonly state: string;
}

export async function copiesOf(url: string): Promise<readonly Copy[]> {
  const answer = await fetch(`${url}/api/copies`);
  return ((await answer.json()) as { copies: Copy[] }).copies;
}

/** Resolves when everything accepted before the call is at the centre. */
export async function untilCopied(url: string): Promise<void> {
  const sinceMs = Date.now();
  for (;;) {
    const copies = await copiesOf(url);
    const isDone = ({ waitingTags, lagSeconds }: Copy): boolean =>
      waitingTags === 0 && lagSeconds !== undefined && Date.now() - lagSeconds * 1000 >= sinceMs;
    if (copies.length > 0 && copies.every(isDone)) return;
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
}

const UNDER_WAY =
  'SELECT (SELECT count() FROM system.merges) + (SELECT count() FROM system.replication_queue) + (SELECT count() FROM system.mutations WHERE NOT is_done)';
/** Looks, one behind the other, that find nothing. */
const LOOKS_AT_REST = 5;
const REST_LIMIT_MS = 300_000;

/** Resolves when no server has anything to do for what it was given before; rejects after five minutes. */
export async function untilAtRest({ serverUrls }: Centre): Promise<void> {
  const endMs = Date.now() + REST_LIMIT_MS;
  for (let looks = 0; looks < LOOKS_AT_REST; ) {
    if (Date.now() > endMs) throw new Error('the centre does not come to rest within five minutes');
    await new Promise((resolve) => void setTimeout(resolve, 100));
    const counts = await Promise.all(serverUrls.map((url) => query(url, UNDER_WAY)));
    looks = counts.every((count) => count === '0') ? looks + 1 : 0;
  }
}

export async function query(url: string, select: string): Promise<string> {
  const answer = await fetch(`${url}/?query=${encodeURIComponent(select)}`);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.text()).trim();
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
