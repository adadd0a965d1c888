// Suite `read`: reads of a loaded W1 over HTTP, warm and cold. Its points end now, so that relative reads find them.

import { NotSupportedError, type RawConnection, withConnections } from '../client/raw-connection.ts';
import { type AnswerFormat, checkedAnswer, driveReads, parseAnswer } from '../client/read-driver.ts';
import { driveWrites } from '../client/write-driver.ts';
import { withPlainServer } from '../limit/measure-plain.ts';
import { measured, type RunFigures } from '../report/result.ts';
import { percentile } from '../report/statistics.ts';
import type { SuiteRun } from '../suite-run.ts';
import { withTempFolder } from '../support/clean-up.ts';
import { dropPageCache } from '../support/page-cache.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { type ServerUnderTest, withServer } from '../support/server-under-test.ts';
import { readRequest } from '../workloads/read-request.ts';
import { buildLoad, STEP_MS, W1, type WriteLoad } from '../workloads/write-load.ts';

const HOUR_MS = 3_600_000;
const COLD_READS = 12;
const MSGPACK_TYPE = 'application/msgpack';

/** What is loaded. */
interface Plant {
  readonly names: readonly string[];
  readonly startMs: number;
  readonly endMs: number;
  /** From 0 up to, not including, 1; from the seed. */
  readonly random: () => number;
}

interface ReadFormat {
  readonly name: string;
  readonly answer: AnswerFormat;
  /** The further parameter that asks for it. */
  readonly format?: 'columns';
}

const FORMATS: readonly ReadFormat[] = [
  { name: 'JSON', answer: 'json' },
  { name: 'msgpack', answer: 'msgpack' },
  { name: 'JSON columns', answer: 'json', format: 'columns' },
  { name: 'msgpack columns', answer: 'msgpack', format: 'columns' },
];

interface ReadShape {
  readonly name: string;
  /** Requests of a round. */
  readonly count: number;
  /** The members of the body of `POST …/read`. */
  readonly parameters: (plant: Plant) => Record<string, unknown>;
  /** Whether the plain server can answer it. */
  readonly isPlain?: true;
}

interface ReadCase {
  readonly shape: ReadShape;
  readonly format: ReadFormat;
}

function readShapes(suite: SuiteRun): ReadShape[] {
  const size = suite.size.bind(suite);
  return [
    { name: '1 tag x 1 h, random', count: size(200, 50), parameters: (plant) => hourOf(plant, 1), isPlain: true },
    {
      name: 'whole tag',
      count: size(20, 5),
      parameters: (plant) => ({ tagname: [anyOf(plant)], ...everything(plant) }),
    },
    { name: '100 tags x 1 h', count: size(5, 2), parameters: (plant) => hourOf(plant, 100), isPlain: true },
    {
      name: 'latest of 1,000 tags',
      count: size(40, 10),
      parameters: ({ names }) => ({ tagname: names }),
      isPlain: true,
    },
    {
      name: '1 tag, last 10 min, relative',
      count: size(100, 25),
      parameters: (plant) => ({ tagname: [anyOf(plant)], relativeStart: '-10m' }),
    },
    {
      name: '1 tag x 1 min with carry-in',
      count: size(100, 25),
      parameters: (plant) => ({ ...spanOf(plant, 60_000), tagname: [anyOf(plant)], boundary: 'carry' }),
    },
    {
      name: 'value of 100 tags at a time',
      count: size(40, 10),
      parameters: (plant) => ({ tagname: tagsOf(plant, 100), end: iso(timeIn(plant)) }),
    },
  ];
}

export async function runRead(suite: SuiteRun): Promise<void> {
  const pointsATag = suite.size(10_000, 4000);
  const endMs = Math.floor(Date.now() / STEP_MS) * STEP_MS;
  const startMs = endMs - pointsATag * STEP_MS;
  await withTempFolder('read', async (folder) => {
    const load = buildLoad({ ...W1, pointsATag, pointsARequest: 100, startMs }, suite.options.seed);
    const plant = { names: load.names, startMs, endMs, random: seededRandom(suite.options.seed) };
    suite.progress('  loading');
    await withServer(folder, {}, (server) => driveWrites(server.url, load));
    await withServer(folder, {}, async (server) => {
      for (const shape of readShapes(suite))
        for (const format of FORMATS) await measureReads(suite, server, plant, { shape, format });
    });
    await measureCold(suite, folder, plant);
    await measurePlainReads(suite, load, plant);
  });
}

/** Measures the same reads of the same points from a plain server: a yardstick for this machine at this time. */
async function measurePlainReads(suite: SuiteRun, load: WriteLoad, plant: Plant): Promise<void> {
  const format = FORMATS[0] as ReadFormat;
  const shapes = readShapes(suite).filter((shape) => shape.isPlain && suite.wants(plainName(shape)));
  if (shapes.length === 0 || suite.options.quick) return;
  await withPlainServer(async (plain) => {
    await driveWrites(plain.url, load);
    for (const shape of shapes) {
      await suite.measure({ table: 'plain Node server', name: plainName(shape) }, () =>
        withConnections(plain.url, 1, async ([connection]) => {
          const requests = Array.from({ length: shape.count }, () => requestFor(shape.parameters(plant), format));
          await driveReads(connection as RawConnection, plain, requests.slice(0, 5), 'json');
          const times = await driveReads(connection as RawConnection, plain, requests, 'json');
          return [measured('p50', 'ms', 'less', times.p50Ms), measured('p99', 'ms', 'less', times.p99Ms)];
        }),
      );
    }
  });
}

function plainName({ name }: { readonly name: string }): string {
  return `${name}, JSON, plain Node`;
}

async function measureReads(
  suite: SuiteRun,
  server: ServerUnderTest,
  plant: Plant,
  { shape, format }: ReadCase,
): Promise<void> {
  let isFirst = true;
  await suite.measure({ table: 'warm', name: `${shape.name}, ${format.name}` }, () =>
    withConnections(server.url, 1, async (connections) => {
      const connection = connections[0] as RawConnection;
      const requests = Array.from({ length: shape.count }, () => requestFor(shape.parameters(plant), format));
      // Both compilers have met the request before it counts.
      if (isFirst) await warmUp(connection, server, requests, format);
      isFirst = false;
      return figuresOf(await driveReads(connection, server, requests, format.answer), requests.length);
    }),
  );
}

async function warmUp(
  connection: RawConnection,
  server: ServerUnderTest,
  requests: readonly Buffer[],
  format: ReadFormat,
): Promise<void> {
  const { status, body } = await connection.send(requests[0] as Buffer, 'body');
  if (status === 400) throw new NotSupportedError(body.toString());
  const entry = parseAnswer(body, format.answer)[0];
  if (format.format === 'columns' && Array.isArray(entry?.d)) throw new NotSupportedError('the format was not heeded');
  await driveReads(connection, server, requests, format.answer);
}

function figuresOf(times: Awaited<ReturnType<typeof driveReads>>, requests: number): RunFigures {
  return [
    measured('p50', 'ms', 'less', times.p50Ms),
    measured('p99', 'ms', 'less', times.p99Ms),
    measured('p50 parsed', 'ms', 'less', times.parsedP50Ms),
    measured('server CPU', 'ms/request', 'less', (times.serverCpuSeconds * 1000) / requests),
    measured('points', '/request', 'none', times.points / requests),
    measured('answer', 'B/pt', 'none', times.bytes / times.points),
  ];
}

/** Each run: a restart, then reads of tags that were not read yet, with the system's cache dropped before each. */
async function measureCold(suite: SuiteRun, folder: string, plant: Plant): Promise<void> {
  await suite.measure({ table: 'cold', name: '1 tag x 1 h, JSON, after a restart' }, async (note) =>
    withServer(folder, {}, async (server) => {
      if (!dropPageCache()) note('the file cache was not dropped: only root may, on Linux');
      const latenciesMs: number[] = [];
      await withConnections(server.url, 1, async (connections) => {
        for (let read = 0; read < COLD_READS; read++) {
          dropPageCache();
          const tag = plant.names[read * 37] as string;
          const request = requestFor({ ...spanOf(plant, HOUR_MS), tagname: [tag] }, FORMATS[0] as ReadFormat);
          const answer = checkedAnswer(await (connections[0] as RawConnection).send(request, 'body'));
          latenciesMs.push(answer.elapsedMs);
        }
      });
      return [
        measured('first', 'ms', 'less', latenciesMs[0] as number),
        measured(`p50 of ${COLD_READS}`, 'ms', 'less', percentile(latenciesMs, 0.5)),
        measured('longest', 'ms', 'less', percentile(latenciesMs, 1)),
        measured('ready', 'ms', 'less', server.readyMs),
      ];
    }),
  );
}

function requestFor(parameters: Record<string, unknown>, { answer, format }: ReadFormat): Buffer {
  return readRequest(parameters, { accept: answer === 'msgpack' ? MSGPACK_TYPE : 'application/json', format });
}

function hourOf(plant: Plant, tags: number): Record<string, unknown> {
  return { ...spanOf(plant, HOUR_MS), tagname: tagsOf(plant, tags) };
}

function spanOf(plant: Plant, spanMs: number): { start: string; end: string } {
  const room = Math.max(0, plant.endMs - plant.startMs - spanMs);
  const startMs = plant.startMs + Math.floor(plant.random() * room);
  return { start: iso(startMs), end: iso(startMs + spanMs) };
}

function everything({ startMs, endMs }: Plant): { start: string; end: string } {
  return { start: iso(startMs - HOUR_MS), end: iso(endMs + HOUR_MS) };
}

function timeIn({ startMs, endMs, random }: Plant): number {
  return startMs + HOUR_MS / 60 + Math.floor(random() * (endMs - startMs - HOUR_MS / 60));
}

function anyOf({ names, random }: Plant): string {
  return names[Math.floor(random() * names.length)] as string;
}

function tagsOf({ names, random }: Plant, count: number): string[] {
  const first = Math.floor(random() * (names.length - count));
  return names.slice(first, first + count);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
