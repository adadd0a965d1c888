// Suite `figures`: bytes per point, and points per second in and out over HTTP by an ordinary client, of 1,000 tags.

import { measured, type RunFigure, type RunFigures } from '../report/result.ts';
import type { SuiteRun } from '../suite-run.ts';
import { withTempFolder } from '../support/clean-up.ts';
import { measureFolder } from '../support/folder-figures.ts';
import { Connection, checkOk } from '../support/http-load.ts';
import { PlantData } from '../support/plant-data.ts';
import { ServerUnderTest } from '../support/server-under-test.ts';

const TAGS = 1000;
const CONNECTIONS = 2;
const START_MS = Date.UTC(2026, 0, 1);

export interface FiguresOptions {
  /** Points of each tag. */
  readonly points: number;
  readonly pointsARequest: number;
  readonly seed: number;
}

type Print = (line: string) => void;

/** A server, and who writes to and reads from it. */
interface Setup {
  readonly server: ServerUnderTest;
  readonly connections: readonly Connection[];
  readonly plant: PlantData;
  readonly options: FiguresOptions;
}

export async function runFigures(suite: SuiteRun): Promise<void> {
  const options = { points: suite.size(10_000, 1000), pointsARequest: 10, seed: suite.options.seed };
  await suite.measure({ table: 'figures', name: `1,000 tags x ${options.points} points` }, () =>
    measureFigures(options, (line) => suite.progress(`    ${line}`)),
  );
}

/** Measures and prints the figures as lines, too. */
export function measureFigures(options: FiguresOptions, print: Print): Promise<RunFigures> {
  return withTempFolder('figures', async (folder) => {
    const server = await ServerUnderTest.start(folder);
    const connections = Array.from({ length: CONNECTIONS }, () => new Connection(server.url));
    const plant = new PlantData({ tagCount: TAGS, stepMs: 1000, jitterMs: 100, startMs: START_MS, seed: options.seed });
    try {
      const setup = { server, connections, plant, options };
      const written = await writeAll(setup, print);
      const read = await readAll(setup, print);
      const stopMs = await server.stop();
      print(`clean stop: ${stopMs.toFixed(0)} ms`);
      const sizes = sizesOf(folder, TAGS * options.points, print);
      const ready = await startAgain(folder, print);
      return [...written, ...read, measured('clean stop', 'ms', 'less', stopMs), ...sizes, ...ready];
    } finally {
      for (const connection of connections) connection.close();
      await server.kill();
    }
  });
}

async function writeAll({ server, connections, plant, options }: Setup, print: Print): Promise<RunFigure[]> {
  const { points, pointsARequest } = options;
  const emptyMb = server.residentMb;
  let elapsedMs = 0;
  let bytes = 0;
  const cpuBefore = server.cpuSeconds;
  for (let n = 0; n < points; n += pointsARequest) {
    // Bodies are made outside of the measured time; each connection writes its own tags.
    const share = TAGS / CONNECTIONS;
    const bodies = connections.map((_, i) => plant.body(i * share, (i + 1) * share, n, pointsARequest));
    bytes += bodies.reduce((sum, body) => sum + body.length, 0);
    const startedMs = performance.now();
    await Promise.all(
      connections.map(async (connection, i) =>
        checkOk(await connection.post('/api/datasets/plant/data', bodies[i] as Buffer)),
      ),
    );
    elapsedMs += performance.now() - startedMs;
  }
  const total = TAGS * points;
  const rate = total / elapsedMs / 1000;
  const cpu = ((server.cpuSeconds - cpuBefore) / total) * 1e6;
  const memoryMb = server.residentMb - emptyMb;
  print(
    `write: ${rate.toFixed(2)} M points/s (${total} points, ${(bytes / total).toFixed(1)} bytes each, synced before each answer)`,
  );
  print(`write: ${cpu.toFixed(3)} server CPU s per M points, ${memoryMb.toFixed(0)} MB more resident`);
  return [
    measured('write', 'M points/s', 'more', rate),
    measured('write CPU', 's/M', 'less', cpu),
    measured('memory over empty', 'MB', 'less', memoryMb),
  ];
}

async function readAll({ server, connections, plant, options }: Setup, print: Print): Promise<RunFigure[]> {
  let points = 0;
  const startedMs = performance.now();
  const cpuBefore = server.cpuSeconds;
  await Promise.all(
    connections.map(async (connection, i) => {
      for (let tag = i; tag < TAGS; tag += CONNECTIONS * 10) {
        const names = Array.from({ length: 10 }, (_, k) => plant.names[tag + k * CONNECTIONS]).filter(
          (name) => name !== undefined,
        );
        const query = names.map((name) => `tagname=${encodeURIComponent(name)}`).join('&');
        checkOk(
          await connection.get(`/api/datasets/plant/data?${query}&start=2025-01-01T00:00:00Z&end=2027-01-01T00:00:00Z`),
        );
        points += names.length * options.points;
      }
    }),
  );
  const rate = points / (performance.now() - startedMs) / 1000;
  const cpu = ((server.cpuSeconds - cpuBefore) / points) * 1e6;
  print(`read: ${rate.toFixed(2)} M points/s (${points} points), ${cpu.toFixed(3)} server CPU s per M points`);
  return [measured('read', 'M points/s', 'more', rate), measured('read CPU', 's/M', 'less', cpu)];
}

function sizesOf(folder: string, total: number, print: Print): RunFigure[] {
  const kept = measureFolder(`${folder}/plant`, (path) => !path.startsWith('journal/'));
  print(
    `disk: ${(kept.bytes / total).toFixed(3)} bytes a point, ${(kept.allocatedBytes / total).toFixed(3)} allocated, ${kept.files} files (without retired journals)`,
  );
  return [
    measured('on disk', 'B/pt', 'less', kept.bytes / total),
    measured('allocated', 'B/pt', 'less', kept.allocatedBytes / total),
  ];
}

async function startAgain(folder: string, print: Print): Promise<RunFigure[]> {
  const again = await ServerUnderTest.start(folder);
  try {
    const { readyMs, residentMb } = again;
    print(`ready again after: ${readyMs.toFixed(0)} ms, ${residentMb.toFixed(0)} MB resident`);
    await again.stop();
    return [measured('ready again', 'ms', 'less', readyMs)];
  } finally {
    await again.kill();
  }
}
