// A fleet of small edges that all copy to one centre: in the end every count is the same at both ends.

import { join } from 'node:path';
import type { ServerProcess } from '../../test/support/server-process.ts';
import { type Centre, copiesOf, post, query, residentBytes, startEdge, untilCopied } from './centre-bench.ts';

const TAGS = 10;
const STEP_MS = 1_000;

export async function measureFleet(
  centre: Centre,
  folder: string,
  edgeCount: number,
  seconds: number,
): Promise<string[]> {
  const edges: ServerProcess[] = [];
  for (let i = 0; i < edgeCount; i++) edges.push(await startEdge(join(folder, `edge-${i}`), centre, `P${i}`));
  let sent = 0;
  const endMs = Date.now() + seconds * 1000;
  for (let next = Date.now(); next < endMs; next += STEP_MS) {
    await new Promise((resolve) => void setTimeout(resolve, Math.max(0, next - Date.now())));
    await Promise.all(edges.map(({ url }) => post(`${url}/api/datasets/Plant/data`, bodyAt(next))));
    sent += TAGS;
  }
  await Promise.all(edges.map(({ url }) => untilCopied(url)));
  const lags = (await Promise.all(edges.map(({ url }) => copiesOf(url)))).flat();
  let counted = 0;
  let connections = 0;
  for (const url of centre.shardUrls) {
    const select =
      'SELECT count() FROM (SELECT dataset, tag, time, ordinal FROM varve.points_local WHERE tag >= 64 GROUP BY dataset, tag, time, ordinal)';
    counted += Number(await query(url, select));
    connections += Number(await query(url, "SELECT value FROM system.metrics WHERE metric = 'HTTPConnection'"));
  }
  const memory = edges.reduce((sum, { pid }) => sum + residentBytes(pid), 0) / edgeCount;
  const centreMemory = centre.memoryBytes();
  await Promise.all(edges.map((edge) => edge.stop()));
  if (counted !== sent * edgeCount) throw new Error(`${counted} points at the centre; want ${sent * edgeCount}`);
  return [
    `${edgeCount} edges of ${TAGS} tags for ${seconds} s: ${sent * edgeCount} points sent, ${counted} at the centre`,
    `an edge ${(memory / 1e6).toFixed(0)} MB, the centre ${(centreMemory / 1e6).toFixed(0)} MB, ${connections} connections to a server of each shard; longest lag ${Math.max(...lags.map(({ lagSeconds = 0 }) => lagSeconds)).toFixed(1)} s`,
  ];
}

function bodyAt(ms: number): string {
  const point = (tag: number): string =>
    `"T${tag}":[{"t":"${new Date(ms).toISOString()}","v":${(tag + (ms % 60_000) / 1000).toFixed(1)}}]`;
  return `{${Array.from({ length: TAGS }, (_, tag) => point(tag)).join(',')}}`;
}
