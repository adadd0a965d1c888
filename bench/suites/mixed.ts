// Suite `mixed`: readers beside a steady writer of 1 million points a second and small writes: the latencies of each
// alone and of all together, and what the server's event loop was held up by.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawConnection, withConnections } from '../client/raw-connection.ts';
import { checkedAnswer } from '../client/read-driver.ts';
import { driveWrites } from '../client/write-driver.ts';
import { formatPauses, type LoopReport } from '../mixed/loop-report.ts';
import { type SteadyResult, writeSteadily } from '../mixed/steady-job.ts';
import { measured, type RunFigure, type RunFigures } from '../report/result.ts';
import { percentile } from '../report/statistics.ts';
import type { Note, SuiteRun } from '../suite-run.ts';
import { withTempFolder } from '../support/clean-up.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { type ServerUnderTest, withServer } from '../support/server-under-test.ts';
import { withinLimit } from '../support/time-limit.ts';
import { readRequest } from '../workloads/read-request.ts';
import { buildLoad, type LoadShape, START_MS, STEP_MS, W1, type WriteLoad } from '../workloads/write-load.ts';

const LOOP_WATCH = new URL('../mixed/loop-watch.ts', import.meta.url).href;
const HISTORY_POINTS = 4000;
const POINTS_A_SECOND = 1_000_000;
const SMALL_A_SECOND = 200;
const HOUR_MS = 3_600_000;
const REPORT_LIMIT_MS = 30_000;
const NAMED_PAUSES = 3;

interface ReaderKind {
  readonly name: string;
  readonly everyMs: number;
  readonly request: (names: readonly string[], random: () => number) => Buffer;
}

const READERS: readonly ReaderKind[] = [
  { name: '1 tag x 1 h', everyMs: 20, request: (names, random) => hourOf(names, random, 1) },
  { name: '100 tags x 1 h', everyMs: 1000, request: (names, random) => hourOf(names, random, 100) },
  { name: 'latest of 1,000', everyMs: 250, request: (names) => readRequest({ tagname: names }) },
];

type Who = 'writer' | 'readers';

interface Phase {
  readonly who: readonly Who[];
  readonly seconds: number;
  readonly seed: number;
}

export async function runMixed(suite: SuiteRun): Promise<void> {
  const phases: readonly (readonly [string, readonly Who[]])[] = [
    ['writer alone', ['writer']],
    ['readers alone', ['readers']],
    ['both', ['writer', 'readers']],
  ];
  const seconds = suite.size(10, 1);
  const history = buildLoad({ ...W1, pointsATag: HISTORY_POINTS, pointsARequest: 100 }, suite.options.seed);
  for (const [name, who] of phases) {
    await suite.measure({ table: `${seconds} s each`, name }, (note) =>
      withTempFolder('mixed', (folder) =>
        withServer(folder, { preload: LOOP_WATCH }, (server) =>
          runPhase(server, history, { who, seconds, seed: suite.options.seed }, note),
        ),
      ),
    );
  }
}

async function runPhase(
  server: ServerUnderTest,
  history: WriteLoad,
  { who, seconds, seed }: Phase,
  note: Note,
): Promise<RunFigures> {
  await driveWrites(server.url, history);
  await askLoop(server);
  const readers = new Readers(server.url, history.names, seed);
  let cpuBefore = 0;
  const begin = () => {
    cpuBefore = server.cpuSeconds;
    if (who.includes('readers')) readers.start();
  };
  let written: SteadyResult | undefined;
  if (who.includes('writer')) {
    written = await writeSteadily(jobFor(server, seed + 1, seconds), begin);
  } else {
    begin();
    await sleep(seconds * 1000);
  }
  const cpuSeconds = server.cpuSeconds - cpuBefore;
  const read = await readers.stop();
  const loop = await askLoop(server);
  for (const line of formatPauses(loop, NAMED_PAUSES)) note(line);
  return [
    ...(written ? writeFigures(written) : []),
    ...read,
    measured('server CPU', '% of a core', 'less', (cpuSeconds / seconds) * 100),
    ...loopFigures(loop),
  ];
}

/** Goes on behind the history; 10 points of 500 tags in a request, 200 requests a second. */
function jobFor(server: ServerUnderTest, seed: number, seconds: number) {
  const shape: LoadShape = {
    ...W1,
    pointsATag: (seconds * POINTS_A_SECOND) / W1.tagCount,
    startMs: START_MS + (HISTORY_POINTS + 1) * STEP_MS,
  };
  return { url: server.url, shape, seed, pointsASecond: POINTS_A_SECOND, smallASecond: SMALL_A_SECOND };
}

function writeFigures(result: SteadyResult): RunFigure[] {
  return [
    measured('written', 'M points/s', 'more', result.pointsASecond / 1e6),
    measured('big writes p50', 'ms', 'less', result.bigP50Ms),
    measured('p99', 'ms', 'less', result.bigP99Ms),
    measured('small writes p50', 'ms', 'less', result.smallP50Ms),
    measured('small p99', 'ms', 'less', result.smallP99Ms),
    measured('small longest', 'ms', 'less', result.smallLongestMs),
  ];
}

function loopFigures({ pauses, longestCollectionMs }: LoopReport): RunFigure[] {
  return [
    measured('pauses over 20 ms', '', 'less', pauses.length),
    measured('longest pause', 'ms', 'less', Math.max(0, ...pauses.map(({ durationMs }) => durationMs))),
    measured('longest GC', 'ms', 'less', longestCollectionMs),
  ];
}

/** What the watch in the server saw since it was asked last. */
async function askLoop({ child }: ServerUnderTest): Promise<LoopReport> {
  const answer = once(child, 'message');
  child.send('report');
  const [report] = await withinLimit(answer, REPORT_LIMIT_MS, "the report on the server's event loop");
  return report as LoopReport;
}

/** Reads of every kind, each on a connection of its own, none before it is due. */
class Readers {
  readonly #url: string;
  readonly #names: readonly string[];
  readonly #random: () => number;
  #isStopping = false;
  #running: Promise<RunFigure[][]> | undefined;

  constructor(url: string, names: readonly string[], seed: number) {
    this.#url = url;
    this.#names = names;
    this.#random = seededRandom(seed);
  }

  start(): void {
    this.#running = withConnections(this.#url, READERS.length, (connections) =>
      Promise.all(READERS.map((kind, i) => this.#read(kind, connections[i] as RawConnection))),
    );
    // Whoever stops them hears of a failure.
    this.#running.catch(() => undefined);
  }

  async stop(): Promise<RunFigure[]> {
    this.#isStopping = true;
    return ((await this.#running) ?? []).flat();
  }

  async #read({ name, everyMs, request }: ReaderKind, connection: RawConnection): Promise<RunFigure[]> {
    const latenciesMs: number[] = [];
    for (let dueMs = performance.now(); !this.#isStopping; dueMs += everyMs) {
      await sleep(Math.max(0, dueMs - performance.now()));
      const answer = checkedAnswer(await connection.send(request(this.#names, this.#random)));
      latenciesMs.push(answer.elapsedMs);
    }
    return [
      measured(`${name} p50`, 'ms', 'less', percentile(latenciesMs, 0.5)),
      measured(`${name} p99`, 'ms', 'less', percentile(latenciesMs, 0.99)),
    ];
  }
}

function hourOf(names: readonly string[], random: () => number, count: number): Buffer {
  const first = Math.floor(random() * (names.length - count));
  const startMs = START_MS + Math.floor(random() * (HISTORY_POINTS * STEP_MS - HOUR_MS));
  const start = new Date(startMs).toISOString();
  const end = new Date(startMs + HOUR_MS).toISOString();
  return readRequest({ tagname: names.slice(first, first + count), start, end });
}
