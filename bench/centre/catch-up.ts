// How fast a centre takes what an edge has, what a point takes there, and what the copy costs the edge in memory.

import { join } from 'node:path';
import {
  bodyOf,
  type Centre,
  copiesOf,
  cpuSeconds,
  post,
  query,
  residentBytes,
  startEdge,
  untilCopied,
} from './centre-bench.ts';

const FIRST_MS = Date.UTC(2026, 0, 5);
const TAGS = 500;
const POINTS_A_BODY = 100;

export async function measureCatchUp(centre: Centre, folder: string, points: number): Promise<string[]> {
  const dataFolder = join(folder, 'edge');
  const writer = await startEdge(dataFolder);
  const bodies = Math.ceil(points / (TAGS * POINTS_A_BODY));
  for (let i = 0; i < bodies; i++)
    await post(`${writer.url}/api/datasets/Plant/data`, bodyOf(TAGS, POINTS_A_BODY, i * POINTS_A_BODY, FIRST_MS));
  await writer.stop();
  const plain = await startEdge(dataFolder);
  await new Promise((resolve) => void setTimeout(resolve, 3_000));
  const plainBytes = residentBytes(plain.pid);
  await plain.stop();
  const edge = await startEdge(dataFolder, centre);
  const startMs = performance.now();
  const cpu = cpuSeconds(edge.pid);
  let mostBytes = 0;
  const watch = setInterval(() => {
    mostBytes = Math.max(mostBytes, residentBytes(edge.pid));
  }, 100);
  await untilCopied(edge.url);
  clearInterval(watch);
  const seconds = (performance.now() - startMs) / 1000;
  const [copy] = await copiesOf(edge.url);
  const copied = copy?.copiedPoints ?? 0;
  const edgeCpu = cpuSeconds(edge.pid) - cpu;
  let bytes = 0;
  for (const url of centre.shardUrls)
    bytes += Number(
      await query(url, "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table = 'points_local'"),
    );
  await edge.stop();
  return [
    `${copied} points in ${seconds.toFixed(1)} s: ${Math.round(copied / seconds)} points/s into the centre`,
    `edge: ${(edgeCpu / (copied / 1e6)).toFixed(2)} CPU s a million points, at most ${(mostBytes / 1e6).toFixed(0)} MB, ${(plainBytes / 1e6).toFixed(0)} MB without a centre`,
    `${(bytes / copied).toFixed(2)} bytes a point and copy before merges are done`,
  ];
}
