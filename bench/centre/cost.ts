// What the copy costs an edge that takes points as fast as it can: the same load without and with a centre, in turn. Before
// it each edge has taken some of the load, and all of that is copied: what starts once is not counted.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bodyOf, type Centre, cpuSeconds, post, quantile, startEdge, untilCopied } from './centre-bench.ts';

const FIRST_MS = Date.UTC(2026, 0, 5);
const TAGS = 1000;
const POINTS_A_BODY = 20;
const CONNECTIONS = 2;
/** Bodies that are sent before, of each connection. */
const FIRST_BODIES = 20;

export async function measureCost(
  centre: Centre,
  folder: string,
  bodyCount: number,
  rounds: number,
): Promise<string[]> {
  const [first, bodies] = [
    makeBodies(0, CONNECTIONS * FIRST_BODIES),
    makeBodies(CONNECTIONS * FIRST_BODIES, bodyCount),
  ];
  const rates: Record<'without' | 'with', number[]> = { without: [], with: [] };
  const cpus: Record<'without' | 'with', number[]> = { without: [], with: [] };
  for (let round = 0; round < rounds; round++) {
    for (const kind of ['without', 'with'] as const) {
      const dataFolder = join(folder, `edge-${kind}-${round}`);
      const edge = await startEdge(dataFolder, kind === 'with' ? centre : undefined, `R${round}`);
      await send(edge.url, first);
      if (kind === 'with') await untilCopied(edge.url);
      const cpu = cpuSeconds(edge.pid);
      const startMs = performance.now();
      await send(edge.url, bodies);
      const seconds = (performance.now() - startMs) / 1000;
      const points = bodyCount * TAGS * POINTS_A_BODY;
      rates[kind].push(points / seconds);
      cpus[kind].push((cpuSeconds(edge.pid) - cpu) / (points / 1e6));
      await edge.kill();
      rmSync(dataFolder, { recursive: true, force: true });
    }
  }
  const median = (values: readonly number[]): number => quantile(values, 0.5);
  return [
    ...(['without', 'with'] as const).map(
      (kind) =>
        `${kind} a centre: ${Math.round(median(rates[kind]))} points/s, ${median(cpus[kind]).toFixed(2)} CPU s a million points (medians of ${rounds})`,
    ),
    `with to without: ${(median(rates.with) / median(rates.without)).toFixed(2)} of the rate, ${(median(cpus.with) / median(cpus.without)).toFixed(2)} of the processor time`,
  ];
}

function makeBodies(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => bodyOf(TAGS, POINTS_A_BODY, (from + i) * POINTS_A_BODY, FIRST_MS));
}

/** Each connection has a dataset of its own, and one request at a time: a dataset takes points in order only. */
async function send(url: string, bodies: readonly string[]): Promise<void> {
  const sendHalf = async (dataset: number): Promise<void> => {
    for (let i = dataset; i < bodies.length; i += CONNECTIONS)
      await post(`${url}/api/datasets/Plant${dataset}/data`, bodies[i] as string);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, i) => sendHalf(i)));
}
