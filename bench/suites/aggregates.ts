// Suite `aggregates`: averages by time of very many points over HTTP: of many tags in short intervals, and of one tag over a
// year in long ones, the second time from what is remembered of blocks. DuckDB runs on the same points, if it is installed.

import { type RawConnection, withConnections } from '../client/raw-connection.ts';
import { checkedAnswer, driveReads, parseAnswer } from '../client/read-driver.ts';
import { requestBytes } from '../client/request-bytes.ts';
import { driveWrites } from '../client/write-driver.ts';
import { measured, type RunFigures } from '../report/result.ts';
import type { SuiteRun } from '../suite-run.ts';
import { withTempFolder } from '../support/clean-up.ts';
import { type DuckDbAnswer, duckDbVersion, withDuckDb } from '../support/duckdb.ts';
import { type ServerUnderTest, withServer } from '../support/server-under-test.ts';
import { readRequest } from '../workloads/read-request.ts';
import { buildLoad, DATASET, START_MS, STEP_MS, W1 } from '../workloads/write-load.ts';

const YEAR_TAG = 'Year';
const YEAR_S = 365 * 86_400;
const MINUTE_MS = 60_000;
const POINTS_A_WRITE = 100_000;
/** The tags are read by so many in a request: results are limited to a million. */
const TAGS_A_READ = 100;

export async function runAggregates(suite: SuiteRun): Promise<void> {
  await withTempFolder('aggregates', async (folder) => {
    await measureManyTags(suite, `${folder}/many`);
    await measureYear(suite, `${folder}/year`);
  });
}

async function measureManyTags(suite: SuiteRun, folder: string): Promise<void> {
  const name = 'TimeAverage by minute of 1,000 tags';
  if (!suite.wants(name)) return;
  const pointsATag = suite.size(8640, 960);
  const load = buildLoad({ ...W1, pointsATag, pointsARequest: 100 }, suite.options.seed);
  const requests = Array.from({ length: load.names.length / TAGS_A_READ }, (_, k) =>
    averages(load.names.slice(k * TAGS_A_READ, (k + 1) * TAGS_A_READ), pointsATag * STEP_MS, '1m'),
  );
  suite.progress('  loading');
  await withServer(folder, {}, async (server) => {
    await driveWrites(server.url, load);
    const ours = { table: 'many tags', name, work: () => read(server, requests, load.points) };
    if (duckDbVersion() === undefined) return suite.measure(ours, ours.work);
    const job = { url: server.url, tags: load.names, startMs: START_MS, endMs: START_MS + pointsATag * STEP_MS };
    await withDuckDb({ ...job, intervalMs: MINUTE_MS }, async (compute) => {
      const beside = { table: 'many tags', name: `${name}, DuckDB ${duckDbVersion()}` };
      await checkSame(server, requests, await compute());
      await suite.measureInTurns([ours, { ...beside, work: async () => figuresOf(await compute(), load.points) }]);
    });
  });
}

/** Both have the same averages, of all intervals but the last. */
async function checkSame(server: ServerUnderTest, requests: readonly Buffer[], theirs: DuckDbAnswer): Promise<void> {
  await withConnections(server.url, 1, async ([connection]) => {
    let sum = 0;
    let count = 0;
    for (const request of requests) {
      const { body } = checkedAnswer(await (connection as RawConnection).send(request, 'body'));
      for (const { d } of parseAnswer(body, 'json')) {
        const values = 'v' in d ? d.v.slice(0, -1) : [];
        count += values.length;
        for (const value of values) sum += value;
      }
    }
    const isSame = count === theirs.count && Math.abs(sum - theirs.sum) < 1e-9 * Math.abs(sum);
    if (!isSame) throw new Error(`${count} averages with the sum ${sum}; DuckDB has ${theirs.count}, ${theirs.sum}`);
  });
}

function figuresOf({ ms, cpuSeconds, count }: Omit<DuckDbAnswer, 'sum'>, points: number): RunFigures {
  return [
    measured('took', 'ms', 'less', ms),
    measured('points', 'M/s', 'more', points / ms / 1000),
    measured('server CPU', 's', 'less', cpuSeconds),
    measured('results', '', 'none', count),
  ];
}

async function measureYear(suite: SuiteRun, folder: string): Promise<void> {
  const name = 'daily TimeAverage of a tag, a year at 1 s';
  if (!suite.wants(name)) return;
  const count = suite.size(YEAR_S, 500_000);
  suite.progress('  loading');
  await withServer(folder, {}, (server) => writeYear(server, count));
  const requests = [averages([YEAR_TAG], count * 1000, '1d')];
  for (const [when, warmUps] of [
    ['first', 0],
    ['again', 3],
  ] as const) {
    await suite.measure({ table: 'one tag', name: `${name}, ${when}` }, () =>
      withServer(folder, {}, async (server) => {
        for (let k = 0; k < warmUps; k++) await read(server, requests, count);
        return read(server, requests, count);
      }),
    );
  }
}

function averages(tagname: readonly string[], spanMs: number, interval: string): Buffer {
  const [start, end] = [START_MS, START_MS + spanMs].map((ms) => new Date(ms).toISOString());
  return readRequest({ tagname, start, end, interval, aggregate: ['TimeAverage'] }, { format: 'columns' });
}

async function read(server: ServerUnderTest, requests: readonly Buffer[], points: number): Promise<RunFigures> {
  return withConnections(server.url, 1, async ([connection]) => {
    const startedMs = performance.now();
    const times = await driveReads(connection as RawConnection, server, requests, 'json');
    const ms = performance.now() - startedMs;
    return figuresOf({ ms, cpuSeconds: times.serverCpuSeconds, count: times.points }, points);
  });
}

/** A sine of a day with noise, two decimals. */
async function writeYear(server: ServerUnderTest, count: number): Promise<void> {
  await withConnections(server.url, 1, async ([connection]) => {
    for (let from = 0; from < count; from += POINTS_A_WRITE) {
      const length = Math.min(POINTS_A_WRITE, count - from);
      const t = Array.from({ length }, (_, i) => START_MS + (from + i) * 1000);
      const v = Array.from({ length }, (_, i) => valueAt(from + i));
      const body = Buffer.from(JSON.stringify({ [YEAR_TAG]: { t, v } }));
      const path = `/api/datasets/${DATASET}/data`;
      const request = requestBytes({ method: 'POST', path, contentType: 'application/json', body });
      const { status } = await (connection as RawConnection).send(request, 'body');
      if (status !== 200) throw new Error(`a write was answered with ${status}`);
    }
  });
}

function valueAt(second: number): number {
  const wave = 50 + 20 * Math.sin((second / 86_400) * 2 * Math.PI);
  return Math.round((wave + ((second * 7919) % 100) / 100) * 100) / 100;
}
