// Suite `scale`: many tags, a long steady load, and a year in one tag.

import { setTimeout as sleep } from 'node:timers/promises';
import { type RawConnection, withConnections } from '../client/raw-connection.ts';
import { checkedAnswer, driveReads } from '../client/read-driver.ts';
import { measured, type RunFigure, type RunFigures } from '../report/result.ts';
import { percentile } from '../report/statistics.ts';
import type { SuiteRun } from '../suite-run.ts';
import { withTempFolder } from '../support/clean-up.ts';
import { measureFolder } from '../support/folder-figures.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { type ServerUnderTest, withServer } from '../support/server-under-test.ts';
import { readRequest } from '../workloads/read-request.ts';
import { buildRequest, DATASET, dataOf, type LoadShape, START_MS, STEP_MS, W1 } from '../workloads/write-load.ts';
import { runDay } from './day.ts';
import { measureRestart, RESTART_ENDS } from './restart.ts';

const LONG_LIMIT_MS = 3_600_000;
const DAY_POINTS = 86_400;
const HOUR_MS = 3_600_000;

const STEADY_TAGS = 10_000;
const STEADY_POINTS_A_SECOND = 100_000;

export async function runScale(suite: SuiteRun): Promise<void> {
  const { seed, quick } = suite.options;
  const tagCounts = quick ? [10_000] : [100_000, 1_000_000];
  for (const tags of tagCounts) {
    for (const end of RESTART_ENDS) {
      const name = `${tags.toLocaleString('en-US')} tags, ${end}`;
      await suite.measure({ table: 'many tags, ten points each', name, limitMs: LONG_LIMIT_MS, runs: 1 }, () =>
        measureRestart({ tags, end, seed }, (line) => suite.progress(`    ${line}`)),
      );
    }
  }
  await measureYear(suite);
  await measureSteady(suite);
  if (!quick) await runDay(suite);
}

/** One point of each of 10,000 tags in a request, ten requests a second. */
async function measureSteady(suite: SuiteRun): Promise<void> {
  const seconds = Math.ceil(suite.options.minutes * 60);
  const name = `100,000 points/s for ${seconds} s`;
  await suite.measure({ table: 'steady load', name, limitMs: LONG_LIMIT_MS, runs: 1 }, () =>
    withTempFolder('steady', async (folder) => {
      const figures = await withServer(folder, {}, (server) => writeSteadily(server, seconds, suite.options.seed));
      const kept = measureFolder(`${folder}/${DATASET}`, (path) => !path.startsWith('journal/'));
      const journals = measureFolder(`${folder}/${DATASET}`, (path) => path.startsWith('journal/'));
      const points = seconds * STEADY_POINTS_A_SECOND;
      return [
        ...figures,
        measured('on disk', 'B/pt', 'less', kept.bytes / points),
        measured('journals', 'B/pt', 'less', journals.bytes / points),
      ];
    }),
  );
}

async function writeSteadily(server: ServerUnderTest, seconds: number, seed: number): Promise<RunFigure[]> {
  const shape: LoadShape = { ...W1, tagCount: STEADY_TAGS, pointsATag: 0, pointsARequest: 1, connections: 1 };
  const data = dataOf(shape, seed);
  const requestCount = (seconds * STEADY_POINTS_A_SECOND) / STEADY_TAGS;
  const latenciesMs: number[] = [];
  return withConnections(server.url, 1, async (connections) => {
    const connection = connections[0] as RawConnection;
    const everyMs = (STEADY_TAGS / STEADY_POINTS_A_SECOND) * 1000;
    const cpuBefore = server.cpuSeconds;
    const startedMs = performance.now();
    for (let n = 0; n < requestCount; n++) {
      const { bytes } = buildRequest(shape, data, { fromTag: 0, toTag: STEADY_TAGS, n, count: 1 });
      await sleep(Math.max(0, startedMs + n * everyMs - performance.now()));
      latenciesMs.push(checkedAnswer(await connection.send(bytes)).elapsedMs);
    }
    const elapsedMs = performance.now() - startedMs;
    return [
      measured('rate', 'points/s', 'more', ((requestCount * STEADY_TAGS) / elapsedMs) * 1000),
      measured('server CPU', '% of a core', 'less', ((server.cpuSeconds - cpuBefore) / elapsedMs) * 1e5),
      measured('p50', 'ms', 'less', percentile(latenciesMs, 0.5)),
      measured('p99', 'ms', 'less', percentile(latenciesMs, 0.99)),
      measured('longest', 'ms', 'less', percentile(latenciesMs, 1)),
      measured('peak memory', 'MB', 'less', server.peakMb),
    ];
  });
}

/** One tag, a point a second; written in bulk, then read at random after a restart. */
async function measureYear(suite: SuiteRun): Promise<void> {
  const days = suite.size(365, 2);
  const points = days * DAY_POINTS;
  const name = `${days} days of one tag at 1 s`;
  await suite.measure({ table: 'one long tag', name, limitMs: LONG_LIMIT_MS, runs: 1 }, () =>
    withTempFolder('year', async (folder) => {
      const written = await withServer(folder, {}, (server) => writeYear(server, points, suite.options.seed));
      const kept = measureFolder(`${folder}/${DATASET}`, (path) => !path.startsWith('journal/'));
      const read = await withServer(folder, {}, (server) => readYear(server, points, suite));
      return [...written, measured('on disk', 'B/pt', 'less', kept.bytes / points), ...read];
    }),
  );
}

/** One tag; a day a request. */
export const YEAR_SHAPE: LoadShape = { ...W1, tagCount: 1, pointsATag: 0, pointsARequest: DAY_POINTS, connections: 1 };

export async function writeYear(server: ServerUnderTest, points: number, seed: number): Promise<RunFigure[]> {
  const data = dataOf(YEAR_SHAPE, seed);
  let elapsedMs = 0;
  const cpuBefore = server.cpuSeconds;
  await withConnections(server.url, 1, async (connections) => {
    for (let n = 0; n < points; n += DAY_POINTS) {
      // A day a request; made outside of the measured time.
      const { bytes } = buildRequest(YEAR_SHAPE, data, { fromTag: 0, toTag: 1, n, count: DAY_POINTS });
      elapsedMs += checkedAnswer(await (connections[0] as RawConnection).send(bytes)).elapsedMs;
    }
  });
  return [
    measured('write', 'M points/s', 'more', points / elapsedMs / 1000),
    measured('write CPU', 's/M', 'less', ((server.cpuSeconds - cpuBefore) / points) * 1e6),
  ];
}

async function readYear(server: ServerUnderTest, points: number, suite: SuiteRun): Promise<RunFigures> {
  const random = seededRandom(suite.options.seed);
  const [name] = dataOf(YEAR_SHAPE, 0).names;
  const spans = (spanMs: number, count: number): Buffer[] =>
    Array.from({ length: count }, () => {
      const startMs = START_MS + Math.floor(random() * (points * STEP_MS - spanMs));
      const start = new Date(startMs).toISOString();
      return readRequest({ tagname: [name], start, end: new Date(startMs + spanMs).toISOString() });
    });
  return withConnections(server.url, 1, async (connections) => {
    const connection = connections[0] as RawConnection;
    const hours = await driveReads(connection, server, spans(HOUR_MS, suite.size(200, 40)), 'json');
    const days = await driveReads(connection, server, spans(24 * HOUR_MS, suite.size(20, 4)), 'json');
    const latest = await driveReads(connection, server, Array(40).fill(readRequest({ tagname: [name] })), 'json');
    return [
      measured('ready again', 's', 'less', server.readyMs / 1000),
      measured('1 h p50', 'ms', 'less', hours.p50Ms),
      measured('1 h p99', 'ms', 'less', hours.p99Ms),
      measured('1 day p50', 'ms', 'less', days.p50Ms),
      measured('latest p50', 'ms', 'less', latest.p50Ms),
      measured('resident then', 'MB', 'less', server.residentMb),
    ];
  });
}
