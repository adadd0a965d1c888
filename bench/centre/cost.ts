// What the copy costs an edge that takes points as fast as it can: the same load without and with a centre, by turns, the
// one and the other first. Before it each edge has taken some of the load, all of that is copied, and the centre is at rest:
// what starts once is not counted, and nothing is left over from the edge before.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  bodyOf,
  type Centre,
  copiesOf,
  cpuSeconds,
  post,
  quantile,
  startEdge,
  untilAtRest,
  untilCopied,
} from './centre-bench.ts';

const FIRST_MS = Date.UTC(2026, 0, 5);
const TAGS = 1000;
const POINTS_A_BODY = 20;
const CONNECTIONS = 2;
/** Bodies that are sent before, of each connection. */
const FIRST_BODIES = 20;

interface Load {
  readonly first: readonly string[];
  readonly bodies: readonly string[];
}

interface Half {
  readonly pointsPerSecond: number;
  readonly cpuSecondsPerMillion: number;
  readonly copiedPoints: number;
}

export async function measureCost(
  centre: Centre,
  folder: string,
  bodyCount: number,
  rounds: number,
): Promise<string[]> {
  const load = {
    first: makeBodies(0, CONNECTIONS * FIRST_BODIES),
    bodies: makeBodies(CONNECTIONS * FIRST_BODIES, bodyCount),
  };
  const halves: Record<'without' | 'with', Half[]> = { without: [], with: [] };
  for (let round = 0; round < rounds; round++) {
    for (const kind of round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)) {
      const dataFolder = join(folder, `${kind}-${round}`);
      halves[kind].push(await measureHalf(centre, kind === 'with', load, dataFolder, `R${round}`));
    }
  }
  return [
    line('without a centre', halves.without),
    line('with a centre', halves.with),
    compare(halves.without, halves.with),
  ];
}

async function measureHalf(
  centre: Centre,
  isCopied: boolean,
  { first, bodies }: Load,
  dataFolder: string,
  site: string,
): Promise<Half> {
  const edge = await startEdge(dataFolder, isCopied ? centre : undefined, site);
  await send(edge.url, first);
  if (isCopied) await untilCopied(edge.url);
  await untilAtRest(centre);
  const [copiedBefore, cpuBefore, startMs] = [await copiedPoints(edge.url), cpuSeconds(edge.pid), performance.now()];
  await send(edge.url, bodies);
  const seconds = (performance.now() - startMs) / 1000;
  const cpu = cpuSeconds(edge.pid) - cpuBefore;
  const copied = (await copiedPoints(edge.url)) - copiedBefore;
  await edge.kill();
  rmSync(dataFolder, { recursive: true, force: true });
  const points = bodies.length * TAGS * POINTS_A_BODY;
  return { pointsPerSecond: points / seconds, cpuSecondsPerMillion: cpu / (points / 1e6), copiedPoints: copied };
}

async function copiedPoints(url: string): Promise<number> {
  const copies = await copiesOf(url);
  return copies.reduce((sum, copy) => sum + copy.copiedPoints, 0);
}

function line(what: string, halves: readonly Half[]): string {
  const median = (of: (half: Half) => number): number => quantile(halves.map(of), 0.5);
  const rate = Math.round(median((half) => half.pointsPerSecond));
  const cpu = median((half) => half.cpuSecondsPerMillion).toFixed(3);
  const copied = median((half) => half.copiedPoints);
  return `${what}: ${rate} points/s, ${cpu} CPU s a million points, ${copied} points copied meanwhile (medians of ${halves.length})`;
}

/** Compares halves that ran one behind the other, so that a machine that turns slower shows in both. */
function compare(without: readonly Half[], withCentre: readonly Half[]): string {
  const ratios = (of: (half: Half) => number): string => {
    const values = withCentre.map((half, round) => of(half) / of(without[round] as Half));
    const list = values.map((value) => value.toFixed(2)).join(' ');
    return `${quantile(values, 0.5).toFixed(3)} (${list})`;
  };
  const rate = ratios((half) => half.pointsPerSecond);
  return `with to without, medians of pairs: ${rate} of the rate, ${ratios((half) => half.cpuSecondsPerMillion)} of the processor time`;
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
