// This state of the project beside another one, in turns, on processor time of the server with all its threads and
// processes, so that other load on the machine weighs little: a start, W1 and one point a request (cold and warm), and the
// newest point of each of 1,000 tags. One client drives both.
// Run: npm run bench pairs -- --before <folder of another state> [--before-flags='--http node'] [--http node,uws] [--rounds 6]

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { withConnections } from '../client/raw-connection.ts';
import { checkedAnswer } from '../client/read-driver.ts';
import { driveWrites } from '../client/write-driver.ts';
import { median } from '../report/statistics.ts';
import { withTempFolder } from '../support/clean-up.ts';
import { untilIdle } from '../support/idle.ts';
import { treeCpuSeconds } from '../support/process-tree.ts';
import { ServerUnderTest } from '../support/server-under-test.ts';
import { readRequest } from '../workloads/read-request.ts';
import { buildLoad, START_MS, STEP_MS, W1, type WriteLoad } from '../workloads/write-load.ts';

const SEED = 1;
const POINTS_A_TAG = 2000;
const SMALL_POINTS_A_TAG = 25;
const SMALL_CONNECTIONS = 32;
const READS = 200;

/** Longer than another state may wait before it does something of its own behind a start. */
const LOOK_MS = 1000;

/** What is measured: a project, this one when absent, and the flags of its server. */
interface State {
  readonly title: string;
  readonly project?: string;
  readonly flags: readonly string[];
}

const MEASURES = [
  ['start: until it is ready, ms', 'readyMs'],
  ['start: CPU until it is ready, s', 'readyCpu'],
  ['start: CPU until it rests, s', 'restCpu'],
  ['W1, cold: CPU, s for a million points', 'w1'],
  ['W1, warm: CPU, s for a million points', 'w1Warm'],
  ['one point a request, cold: CPU, us', 'small'],
  ['one point a request, warm: CPU, us', 'smallWarm'],
  ['newest of 1,000 tags: CPU, us', 'newest'],
] as const;

type Figures = Record<(typeof MEASURES)[number][1], number>;

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    'before-flags': { type: 'string', default: '' },
    http: { type: 'string', default: 'node,uws' },
    rounds: { type: 'string', default: '6' },
  },
});
if (values.before === undefined) throw new Error('--before: want the folder of another state of the project');

const before: State = {
  title: 'before',
  project: resolve(values.before),
  flags: values['before-flags'].split(' ').filter((word) => word !== ''),
};
const after = values.http.split(',').map((http): State => ({ title: http, flags: ['--http', http] }));
const rounds = Number(values.rounds);
const SMALL = {
  ...W1,
  tagCount: 960,
  tagsARequest: 1,
  pointsATag: SMALL_POINTS_A_TAG,
  pointsARequest: 1,
  connections: SMALL_CONNECTIONS,
};
/** Each twice, one behind the other: the first time the code is compiled. */
const w1 = [0, 1].map((turn) => buildLoad({ ...W1, pointsATag: POINTS_A_TAG, startMs: startOf(turn, 0) }, SEED));
const small = [0, 1].map((turn) => buildLoad({ ...SMALL, startMs: startOf(2, turn) }, SEED));
const newest = readRequest({ tagname: (w1[0] as WriteLoad).names });

/** Later than so many loads of W1 and of single points. */
function startOf(loads: number, smallLoads: number): number {
  return START_MS + (loads * (POINTS_A_TAG + 1) + smallLoads * (SMALL_POINTS_A_TAG + 1)) * STEP_MS;
}

function measure({ project, flags }: State): Promise<Figures> {
  return withTempFolder('pairs', async (folder) => {
    const options = { flags: ['--no-demo', ...flags], ...(project === undefined ? {} : { project }) };
    const server = await ServerUnderTest.start(`${folder}/data`, options);
    try {
      const cpu = (): number => treeCpuSeconds(server.pid);
      const readyCpu = cpu();
      await untilIdle(cpu, LOOK_MS);
      const restCpu = cpu();
      const perMillion = async (load: WriteLoad | undefined): Promise<number> => {
        if (load === undefined) throw new Error('BUG: there is no load');
        return ((await cpuOf(cpu, () => driveWrites(server.url, load))) / load.points) * 1e6;
      };
      const figures = {
        readyMs: server.readyMs,
        readyCpu,
        restCpu,
        w1: await perMillion(w1[0]),
        w1Warm: await perMillion(w1[1]),
        small: await perMillion(small[0]),
        smallWarm: await perMillion(small[1]),
        newest: ((await cpuOf(cpu, () => readNewest(server.url))) / READS) * 1e6,
      };
      await server.stop();
      return figures;
    } finally {
      await server.kill();
    }
  });
}

/** With what is done behind the last answer. */
async function cpuOf(cpu: () => number, work: () => Promise<unknown>): Promise<number> {
  const start = cpu();
  await work();
  await untilIdle(cpu);
  return cpu() - start;
}

function readNewest(address: string): Promise<void> {
  return withConnections(address, 1, async ([connection]) => {
    for (let n = 0; n < READS; n++) checkedAnswer((await connection?.send(newest)) ?? missing());
  });
}

function missing(): never {
  throw new Error('BUG: there is no connection');
}

function format(figures: readonly number[], digits: number): string {
  return `${median(figures).toFixed(digits)} (${Math.min(...figures).toFixed(digits)}-${Math.max(...figures).toFixed(digits)})`;
}

const states = [before, ...after];
// What is built at the first start is built before anything counts.
for (const state of states) await measure(state);
const runs = new Map(states.map((state) => [state, [] as Figures[]]));
for (let round = 0; round < rounds; round++) for (const state of states) runs.get(state)?.push(await measure(state));

console.log(`Node ${process.versions.node}, ${rounds} rounds in turns: median (least-most)`);
console.log(
  `| | ${states.map(({ title }) => title).join(' | ')} | ${after.map(({ title }) => `${title} / before`).join(' | ')} |`,
);
console.log(`|---|${states.map(() => '---').join('|')}|${after.map(() => '---').join('|')}|`);
for (const [name, key] of MEASURES) {
  const digits = name.endsWith('s for a million points') || name.endsWith(', s') ? 3 : 0;
  const figuresOf = (state: State): number[] => (runs.get(state) ?? []).map((figures) => figures[key]);
  const ratiosOf = (state: State): number[] =>
    figuresOf(state).map((figure, i) => figure / (figuresOf(before)[i] ?? 0));
  const cells = [
    ...states.map((state) => format(figuresOf(state), digits)),
    ...after.map((state) => format(ratiosOf(state), 2)),
  ];
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
