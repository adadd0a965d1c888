// Fills a server with a plant of 40 tags at 1.5 s by the simulator, in this process, as fast as both can.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProgressSource } from '../../simulator/progress.ts';
import { runSimulator } from '../../simulator/run.ts';
import { Connection, checkOk } from '../support/http-load.ts';

export const BACKFILL_TAGS = 40;
const NOW_MS = Date.UTC(2024, 4, 8);
const DATASET = 'Bench';

export interface BackfillOptions {
  /** For the configuration and the simulator's state. */
  readonly folder: string;
  readonly days: number;
  readonly seed: number;
  readonly url: string;
  /** Processor time of the server so far; s. */
  readonly cpuSeconds: () => number;
}

export interface BackfillResult {
  readonly points: number;
  /** Until everything is acknowledged and can be read. */
  readonly seconds: number;
  readonly simulatorCpuSeconds: number;
  readonly serverCpuSeconds: number;
}

export async function backfill({ folder, days, seed, url, cpuSeconds }: BackfillOptions): Promise<BackfillResult> {
  const config = join(folder, 'plant.json');
  writeFileSync(config, JSON.stringify(plantConfiguration(days)));
  let points = (): number => 0;
  const serverBefore = cpuSeconds();
  const before = process.cpuUsage();
  const startedMs = performance.now();
  await runSimulator({
    config,
    dataset: DATASET,
    url: new URL(url),
    token: undefined,
    seed,
    nowMs: NOW_MS,
    out: undefined,
    state: join(folder, 'state'),
    mode: 'once',
    progress: {
      log: () => undefined,
      start: (source: ProgressSource) => {
        points = source.points;
      },
      finish: () => undefined,
    },
    signal: new AbortController().signal,
  });
  await readNewest(url);
  const seconds = (performance.now() - startedMs) / 1000;
  const used = process.cpuUsage(before);
  return {
    points: points(),
    seconds,
    simulatorCpuSeconds: (used.user + used.system) / 1e6,
    serverCpuSeconds: cpuSeconds() - serverBefore,
  };
}

async function readNewest(url: string): Promise<void> {
  const connection = new Connection(url);
  try {
    const path = `/api/datasets/${DATASET}`;
    const tags = JSON.parse(checkOk(await connection.get(`${path}/tags`)).body.toString()) as { User: { n: string }[] };
    checkOk(await connection.get(`${path}/data?tagname=${encodeURIComponent(tags.User[0]?.n ?? '')}`));
  } finally {
    connection.close();
  }
}

function plantConfiguration(days: number): unknown {
  const tags = Array.from({ length: BACKFILL_TAGS / 10 }, (_, index) => ({
    name: `Unit[Unit, 00].Value${index}`,
    format: '0.00',
    values: [`flat(1.5, ${20 + index * 15}, ${1 + index})`, `ramp(1.5, ${60 - index * 5}, 0.5)`],
  }));
  const steps = [
    { value: '0', duration: 'random(30, 90)' },
    { value: '1', duration: 'random(20, 60)' },
  ];
  const map = [{ name: 'Unit', data: '1-10' }];
  return { Settings: { Backfill: days, Sequences: { Unit: { map, steps, tags } } } };
}
