// A chart over a year of one tag at 1 s (31,536,000 points), read over HTTP as points=2000: the first read after a restart
// with the system's file cache dropped, then warm ones. Run: npm run bench plot -- [--days 365] [--points 2000] [--reads 30]

import { parseArgs } from 'node:util';
import { percentile } from '../report/statistics.ts';
import { writeYear, YEAR_SHAPE } from '../suites/scale.ts';
import { withTempFolder } from '../support/clean-up.ts';
import { Connection, checkOk } from '../support/http-load.ts';
import { dropPageCache } from '../support/page-cache.ts';
import { type ServerUnderTest, withServer } from '../support/server-under-test.ts';
import { DATASET, dataOf, START_MS } from '../workloads/write-load.ts';

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '365' },
    points: { type: 'string', default: '2000' },
    reads: { type: 'string', default: '30' },
  },
});

const DAY_MS = 86_400_000;
const pointCount = Number(values.days) * 86_400;
const name = dataOf(YEAR_SHAPE, 0).names[0] as string;
const start = new Date(START_MS - 1000).toISOString();
const end = new Date(START_MS + Number(values.days) * DAY_MS).toISOString();
const query = new URLSearchParams({ tagname: name, start, end, points: values.points });
const path = `/api/datasets/${DATASET}/data?${query}`;

await withTempFolder('plot', async (folder) => {
  await withServer(folder, {}, (server) => writeYear(server, pointCount, 1));
  const isCold = dropPageCache();
  await withServer(folder, {}, (server) => readPlots(server, isCold));
});

async function readPlots(server: ServerUnderTest, isCold: boolean): Promise<void> {
  const connection = new Connection(server.url);
  const first = await readOnce(connection);
  const cpuBefore = server.cpuSeconds;
  const elapsedMs: number[] = [];
  for (let n = 0; n < Number(values.reads); n++) elapsedMs.push((await readOnce(connection)).elapsedMs);
  const cpuMs = ((server.cpuSeconds - cpuBefore) / elapsedMs.length) * 1000;
  connection.close();
  const rows = [
    ['points', pointCount.toLocaleString('en-US')],
    ['points given', first.given.toLocaleString('en-US')],
    [isCold ? 'cold, ms' : 'first after a restart, files in memory, ms', first.elapsedMs.toFixed(0)],
    ['warm p50, ms', percentile(elapsedMs, 0.5).toFixed(1)],
    ['warm fastest, ms', Math.min(...elapsedMs).toFixed(1)],
    ['warm p99, ms', percentile(elapsedMs, 0.99).toFixed(1)],
    ['server CPU a warm read, ms', cpuMs.toFixed(1)],
    ['server memory, MB', server.residentMb.toFixed(0)],
  ];
  console.log(`| points=${values.points} of ${values.days} days at 1 s | |\n|---|---|`);
  for (const [title, figure] of rows) console.log(`| ${title} | ${figure} |`);
}

/** Checks that all points were looked at. */
async function readOnce(connection: Connection): Promise<{ elapsedMs: number; given: number }> {
  const answer = checkOk(await connection.get(path));
  const { tl } = JSON.parse(answer.body.toString()) as { tl: { d: unknown[]; reducedFrom?: number }[] };
  const [tag] = tl;
  if (tag?.reducedFrom !== pointCount) throw new Error(`reduced from ${tag?.reducedFrom} points; want ${pointCount}`);
  return { elapsedMs: answer.elapsedMs, given: tag.d.length };
}
