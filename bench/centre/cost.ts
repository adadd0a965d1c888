// What the copy costs an edge that takes points as fast as it can: the same load without and with a centre, in turn.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bodyOf, type Centre, cpuSeconds, post, quantile, startEdge } from './centre-bench.ts';

const FIRST_MS = Date.UTC(2026, 0, 5);
const TAGS = 1000;
const POINTS_A_BODY = 20;
const CONNECTIONS = 2;

export async function measureCost(
  centre: Centre,
  folder: string,
  bodyCount: number,
  rounds: number,
): Promise<string[]> {
  const bodies = Array.from({ length: bodyCount }, (_, i) => bodyOf(TAGS, POINTS_A_BODY, i * POINTS_A_BODY, FIRST_MS));
  const rates: Record<'without' | 'with', number[]> = { without: [], with: [] };
  const cpus: Record<'without' | 'with', number[]> = { without: [], with: [] };
  for (let round = 0; round < rounds; round++) {
    for (const kind of ['without', 'with'] as const) {
      const dataFolder = join(folder, `edge-${kind}-${round}`);
      const edge = await startEdge(dataFolder, kind === 'with' ? centre : undefined, `R${round}`);
      const cpu = cpuSeconds(edge.pid);
      const startMs = performance.now();
      // One after the other: a dataset takes points in order only.
      const left = [...bodies];
      const send = async (dataset: number): Promise<void> => {
        for (let i = dataset; i < left.length; i += CONNECTIONS)
          await post(`${edge.url}/api/datasets/Plant${dataset}/data`, left[i] as string);
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, (_, i) => send(i)));
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
    `with to without: ${(median(rates.with) / median(rates.without)).toFixed(2)}`,
  ];
}
