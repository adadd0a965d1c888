// Three servers over one centre beside the edge: the same answers, and how long each takes to give them.

import { join } from 'node:path';
import { ServerProcess } from '../../test/support/server-process.ts';
import { bodyOf, type Centre, post, quantile, startEdge, untilCopied } from './centre-bench.ts';

const FIRST_MS = Date.UTC(2026, 0, 5);
const TAGS = 200;
const BODIES = 72;
const POINTS_A_BODY = 300;
const SERVERS = 3;
/** Points of one more tag, a second apart, for reads of long ranges. */
const LONG_POINTS = 1_000_000;
const LONG_POINTS_A_BODY = 20_000;

export async function measureReads(centre: Centre, folder: string, runs: number): Promise<string[]> {
  const edge = await startEdge(join(folder, 'edge'), centre);
  for (let i = 0; i < BODIES; i++)
    await post(`${edge.url}/api/datasets/Plant/data`, bodyOf(TAGS, POINTS_A_BODY, i * POINTS_A_BODY, FIRST_MS));
  for (let i = 0; i < LONG_POINTS; i += LONG_POINTS_A_BODY)
    await post(`${edge.url}/api/datasets/Long/data`, bodyOf(1, LONG_POINTS_A_BODY, i, FIRST_MS));
  await untilCopied(edge.url);
  const servers = await Promise.all(
    Array.from({ length: SERVERS }, () =>
      ServerProcess.start({ flags: ['--engine', centre.address, '--log-level', 'error'] }),
    ),
  );
  await new Promise((resolve) => void setTimeout(resolve, 3_000));
  const lines = ['| read | edge, p50 ms | server over the centre, p50 ms |', '|---|---|---|'];
  for (const [name, path] of READS) {
    const answers = await Promise.all([edge, ...servers].map(({ url }) => get(url + path)));
    if (new Set(answers).size !== 1) throw new Error(`${name}: the answers are not the same`);
    const here = await timed(edge.url + path, runs);
    const there = (await Promise.all(servers.map(({ url }) => timed(url + path, runs)))).flat();
    lines.push(`| ${name} | ${quantile(here, 0.5).toFixed(1)} | ${quantile(there, 0.5).toFixed(1)} |`);
  }
  await Promise.all([edge, ...servers].map((server) => server.stop()));
  return [
    `${TAGS * BODIES * POINTS_A_BODY} points of ${TAGS} tags, ${LONG_POINTS} of one more; the three servers are asked at the same time`,
    ...lines,
  ];
}

const HOUR = 'start=2026-01-05T02:00:00Z&end=2026-01-05T03:00:00Z';
const DAYS = 'start=2026-01-05T00:00:00Z&end=2026-01-17T00:00:00Z';
const ALL = 'start=2026-01-05T00:00:00Z&end=2026-01-06T00:00:00Z';

function named(count: number): string {
  return Array.from({ length: count }, (_, i) => `tagname=T${i}`).join('&');
}

const READS: readonly (readonly [string, string])[] = [
  ['newest point of 1 tag', `/api/datasets/Plant/data?${named(1)}`],
  ['newest points of 200 tags', `/api/datasets/Plant/data?${named(200)}`],
  ['1 tag, 1 hour (3,600 points)', `/api/datasets/Plant/data?${named(1)}&${HOUR}`],
  ['1 tag, 6 hours (21,600 points)', `/api/datasets/Plant/data?${named(1)}&${ALL}`],
  ['20 tags, 1 hour', `/api/datasets/Plant/data?${named(20)}&${HOUR}`],
  ['chart of 400 points, 1 tag, 6 hours', `/api/datasets/Plant/data?${named(1)}&${ALL}&points=400`],
  ['chart of 400 points, 20 tags, 6 hours', `/api/datasets/Plant/data?${named(20)}&${ALL}&points=400`],
  ['at a time, 20 tags', `/api/datasets/Plant/data?${named(20)}&end=2026-01-05T02:00:00.5Z`],
  [
    'average of 10 minutes, 1 tag, 6 hours',
    `/api/datasets/Plant/data?${named(1)}&${ALL}&interval=10m&aggregate=TimeAverage`,
  ],
  [
    'extremes and count of each hour, 1 tag, 11 days (1,000,000 points)',
    `/api/datasets/Long/data?${named(1)}&${DAYS}&interval=1h&aggregate=Minimum,Maximum,Count`,
  ],
  ['statistics, 1 tag, 6 hours', `/api/datasets/Plant/statistics?${named(1)}&${ALL}`],
];

async function get(url: string): Promise<string> {
  const answer = await fetch(url);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url}: ${text.slice(0, 300)}`);
  return text;
}

async function timed(url: string, runs: number): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < runs; i++) {
    const startMs = performance.now();
    await get(url);
    times.push(performance.now() - startMs);
  }
  return times;
}
