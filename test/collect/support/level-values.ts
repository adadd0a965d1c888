// A collector of one variable, Level, and what its dataset has of it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { CollectorProcess } from './collector-process.ts';

interface Places {
  readonly folder: string;
  readonly endpoint: string;
  /** Address of the historian. */
  readonly target: string;
}

export function startCollectorOf(context: TestContext, { folder, endpoint, target }: Places): CollectorProcess {
  const config = join(folder, 'opcua.json');
  writeFileSync(
    config,
    JSON.stringify({
      target: { dataset: 'plant', url: target },
      endpoints: [endpoint],
      publishingMs: 100,
      nodes: [{ paths: ['Line1/*'], samplingMs: 0, queueSize: 50 }],
    }),
  );
  const collector = new CollectorProcess(config);
  context.after(() => collector.end('SIGKILL'));
  return collector;
}

/** The times, in milliseconds since 1970, at which each value is stored. */
export async function valuesOf(url: string): Promise<Map<number, number[]>> {
  const answer = await fetch(`${url}/api/datasets/plant/data?tagname=Line1/Level&relativeStart=-1h&relativeEnd=1h`);
  const times = new Map<number, number[]>();
  if (answer.status !== 200) return times;
  const { tl } = (await answer.json()) as { tl: { d: { t: string; v: number | null }[] }[] };
  for (const { t, v } of tl[0]?.d ?? []) if (v !== null) times.set(v, [...(times.get(v) ?? []), Date.parse(t)]);
  return times;
}
