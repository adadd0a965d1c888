// Suite `ingest`: writes as fast as the server takes them, each run from an empty folder, in every format, shape and
// durability; each result also as a share of what one process reaches with the same bytes and no server.

import { driveWrites } from '../client/write-driver.ts';
import { type LimitJob, measureLimit } from '../limit/measure-limit.ts';
import { measurePlain } from '../limit/measure-plain.ts';
import { measured, type RunFigure } from '../report/result.ts';
import { percentile } from '../report/statistics.ts';
import type { Note, SuiteRun } from '../suite-run.ts';
import { withTempFolder } from '../support/clean-up.ts';
import { ColdAndWarm } from '../support/cold-and-warm.ts';
import { measureFolder } from '../support/folder-figures.ts';
import { type ServerUnderTest, withServer } from '../support/server-under-test.ts';
import { checkStored } from '../workloads/read-back.ts';
import { buildLoad, DATASET, type LoadShape, W1, type WriteLoad } from '../workloads/write-load.ts';

const DURABILITIES = ['group', 'interval', 'os'] as const;
type Durability = (typeof DURABILITIES)[number];

const SERVER_CPU = 'server CPU';

interface IngestCase {
  readonly name: string;
  readonly shape: LoadShape;
  /** Requests that share a sync, for the limit: with 32 connections about so many do. */
  readonly recordsAWrite?: number;
  /** The levels that also a quick run measures. */
  readonly quickDurabilities?: readonly Durability[];
  /** Whether also a quick run measures the limit, at `group`. */
  readonly hasQuickLimit?: true;
  /** Whether it is also measured on the plain server. */
  readonly hasPlain?: true;
}

function ingestCases(suite: SuiteRun): IngestCase[] {
  const long = suite.size(10_000, 300);
  const short = suite.size(4000, 300);
  const w1: LoadShape = { ...W1, pointsATag: short };
  const columns: LoadShape = { ...w1, format: 'json-columns' };
  return [
    {
      name: 'W1, JSON',
      shape: { ...W1, pointsATag: suite.size(10_000, 1000) },
      quickDurabilities: DURABILITIES,
      hasQuickLimit: true,
      hasPlain: true,
    },
    {
      name: 'W1, JSON in any key order, spaces, mixed precision',
      shape: { ...w1, format: 'untidy-json', kind: 'mixed' },
    },
    { name: 'W1, JSON in any key order, spaces', shape: { ...w1, format: 'untidy-json' } },
    { name: 'W1 with full-precision doubles, JSON', shape: { ...w1, kind: 'full' } },
    { name: 'W1 with counters, JSON', shape: { ...w1, kind: 'counter' } },
    { name: 'W1, gzip JSON', shape: { ...w1, format: 'gzip-json' } },
    { name: 'W1, msgpack', shape: { ...w1, format: 'msgpack' } },
    { name: 'W1, JSON columns', shape: { ...columns, pointsATag: long } },
    { name: 'W1, msgpack columns', shape: { ...columns, pointsATag: long, format: 'msgpack-columns' } },
    { name: '100 points a tag, JSON', shape: { ...w1, pointsATag: long, pointsARequest: 100 } },
    { name: '100 points a tag, JSON columns', shape: { ...columns, pointsATag: long, pointsARequest: 100 } },
    {
      name: '100 points a tag, msgpack columns',
      shape: { ...columns, pointsATag: long, pointsARequest: 100, format: 'msgpack-columns' },
    },
    {
      name: '10,000 tags x 1 point, JSON',
      shape: { ...w1, tagCount: 10_000, pointsATag: suite.size(400, 30), pointsARequest: 1, connections: 1 },
    },
    {
      name: '100,000 tags x 1 point, JSON',
      shape: {
        ...w1,
        tagCount: 100_000,
        tagsARequest: 5000,
        pointsATag: suite.size(60, 3),
        pointsARequest: 1,
        stepMs: 60_000,
      },
    },
    {
      name: 'one tag, 10,000 points a request, JSON',
      shape: { ...w1, tagCount: 1, pointsATag: suite.size(4e6, 3e5), pointsARequest: 10_000, connections: 1 },
    },
    { name: 'W1 with texts, JSON', shape: { ...w1, kind: 'text' } },
    { name: 'W1 with booleans, JSON', shape: { ...w1, kind: 'boolean' } },
    {
      name: 'one point a request, 32 connections',
      shape: {
        ...w1,
        tagCount: 960,
        tagsARequest: 1,
        pointsATag: suite.size(200, 20),
        pointsARequest: 1,
        connections: 32,
      },
      recordsAWrite: 16,
    },
  ];
}

export async function runIngest(suite: SuiteRun): Promise<void> {
  for (const ingest of ingestCases(suite)) {
    const { quickDurabilities = ['group'] } = ingest;
    const durabilities = suite.options.quick ? quickDurabilities : DURABILITIES;
    const wanted = durabilities.filter((durability) => suite.wants(`${ingest.name}, ${durability}`));
    if (wanted.length === 0) continue;
    const load = buildLoad(ingest.shape, suite.options.seed);
    for (const durability of wanted) await measureIngest(suite, ingest, load, durability);
  }
}

async function measureIngest(
  suite: SuiteRun,
  ingest: IngestCase,
  load: WriteLoad,
  durability: Durability,
): Promise<void> {
  const hasLimit = !suite.options.quick || (ingest.hasQuickLimit === true && durability === 'group');
  await suite.measure({ table: tableOf(ingest.shape), name: `${ingest.name}, ${durability}` }, async (note) => {
    const figures = await withTempFolder('ingest', (folder) => ingestOnce(folder, load, durability));
    const shares: RunFigure[] = [];
    // Right behind each run, because the machine may be another one a minute later.
    if (hasLimit) shares.push(await shareOfLimit(figures[0] as RunFigure, limitJob(suite, ingest, durability), note));
    if (ingest.hasPlain && durability === 'group') shares.push(...(await besidePlain(figures, load)));
    return [...figures, ...shares];
  });
}

function limitJob(suite: SuiteRun, { shape, recordsAWrite = 1 }: IngestCase, durability: Durability): LimitJob {
  const sync = durability === 'group' ? 'synced' : 'unsynced';
  return { shape, seed: suite.options.seed, runs: 1, sync, recordsAWrite };
}

function tableOf(shape: LoadShape): string {
  return shape.tagsARequest === 1 ? 'small requests' : 'requests of many points';
}

async function ingestOnce(folder: string, load: WriteLoad, durability: Durability): Promise<RunFigure[]> {
  const figures = await withServer(folder, { flags: ['--durability', durability] }, (server) => drive(server, load));
  const kept = measureFolder(`${folder}/${DATASET}`, (path) => !path.startsWith('journal/'));
  return [
    ...figures,
    measured('on disk', 'B/pt', 'less', kept.bytes / load.points),
    measured('allocated', 'B/pt', 'less', kept.allocatedBytes / load.points),
  ];
}

async function drive(server: ServerUnderTest, load: WriteLoad): Promise<RunFigure[]> {
  const emptyMb = server.residentMb;
  const progress = new ColdAndWarm(load.points, () => server.cpuSeconds);
  const driven = await driveWrites(server.url, load, (points) => progress.note(points));
  const cpu = progress.end();
  const { elapsedMs, secondHalfRate, latenciesMs, clientCpuSeconds } = driven;
  const millions = load.points / 1e6;
  const memoryMb = server.residentMb - emptyMb;
  await checkStored(server.url, load);
  const isSmall = load.shape.tagsARequest === 1;
  // A request of one point: us for each are s for each million points.
  const cpuUnit = isSmall ? 'us/request' : 's/M';
  return [
    isSmall
      ? measured('rate', 'requests/s', 'more', (latenciesMs.length / elapsedMs) * 1000)
      : measured('rate', 'M points/s', 'more', millions / (elapsedMs / 1000)),
    ...(isSmall ? [] : [measured('second half', 'M points/s', 'more', secondHalfRate / 1e6)]),
    measured(SERVER_CPU, cpuUnit, 'less', cpu.all),
    measured('CPU cold', cpuUnit, 'less', cpu.cold),
    measured('CPU warm', cpuUnit, 'less', cpu.warm),
    measured('client CPU', cpuUnit, 'less', clientCpuSeconds / millions),
    measured('p50', 'ms', 'less', percentile(latenciesMs, 0.5)),
    measured('p99', 'ms', 'less', percentile(latenciesMs, 0.99)),
    measured('longest', 'ms', 'less', percentile(latenciesMs, 1)),
    measured('memory over empty', 'MB', 'less', memoryMb),
    measured('sent', 'B/pt', 'none', load.bodyBytes / load.points),
  ];
}

/** Points a second over those of the limit. */
async function shareOfLimit(rate: RunFigure, job: LimitJob, note: Note): Promise<RunFigure> {
  try {
    const [limit] = await measureLimit(job);
    if (limit === undefined) throw new Error('it gave no result');
    const limitRate = (limit.points / limit.elapsedMs) * 1000;
    return measured('share of limit', '', 'more', pointsASecond(rate) / limitRate);
  } catch (error) {
    note(`no limit: ${error instanceof Error ? error.message : error}`);
    return measured('share of limit', '', 'more', Number.NaN);
  }
}

/** Rate and processor time over those of a plain server that keeps the same points in lists. */
async function besidePlain(figures: readonly RunFigure[], load: WriteLoad): Promise<RunFigure[]> {
  const plain = await measurePlain(load);
  const cpu = figures.find(({ name }) => name === SERVER_CPU) as RunFigure;
  return [
    measured('times plain Node', '', 'more', pointsASecond(figures[0] as RunFigure) / plain.pointsASecond),
    measured('CPU over plain Node', '', 'less', cpu.value / plain.cpuSecondsAMillion),
  ];
}

function pointsASecond({ unit, value }: RunFigure): number {
  return unit === 'M points/s' ? value * 1e6 : value;
}
