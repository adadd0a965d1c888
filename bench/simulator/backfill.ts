// A week of a plant of 40 tags at 1.5 s, 16 million points, back-filled over HTTP into a server that runs beside:
// `node --import tsx bench/simulator/backfill.ts [--days <n>] [--url <address>]`. Prints seconds, points per second and
// both processes' CPU. Without --url it starts a server of its own on a temporary folder.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ProgressSource } from '../../simulator/progress.ts';
import { runSimulator } from '../../simulator/run.ts';

const PROJECT_FOLDER = fileURLToPath(new URL('../..', import.meta.url));
const CLOCK_TICKS_PER_SECOND = 100;
const TAGS = 40;
const NOW_MS = Date.UTC(2024, 4, 8);

interface RunningServer {
  readonly url: URL;
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

function plant(days: number): unknown {
  const tags = Array.from({ length: TAGS / 10 }, (_, index) => ({
    name: `Unit[Unit, 00].Value${index}`,
    format: '0.00',
    values: [`flat(1.5, ${20 + index * 15}, ${1 + index})`, `ramp(1.5, ${60 - index * 5}, 0.5)`],
  }));
  const steps = [
    { value: '0', duration: 'random(30, 90)' },
    { value: '1', duration: 'random(20, 60)' },
  ];
  const map = [{ name: 'Unit', data: '1-10' }];
  return { Settings: { Backfill: days, Sequences: { Unit: { map, steps, tags } } } };
}

async function startServer(folder: string): Promise<RunningServer> {
  const args = ['--import', 'tsx', 'server/main.ts', 'serve', '--data', join(folder, 'data'), '--port', '0'];
  const child = spawn(process.execPath, args, { cwd: PROJECT_FOLDER, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = await new Promise<URL>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const match = /^Varve is listening on (\S+)$/.exec(line);
      if (match?.[1] !== undefined) resolve(new URL(match[1]));
    });
    child.once('close', () => reject(new Error('the server ended before it was ready')));
  });
  return {
    url,
    pid: child.pid,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** CPU seconds of another process so far, all threads; NaN where the system does not tell. */
function cpuSeconds(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

function flagValue(flag: string): string | undefined {
  const at = process.argv.indexOf(flag);
  return at < 0 ? undefined : process.argv[at + 1];
}

const folder = mkdtempSync(join(tmpdir(), 'varve-bench-'));
const given = flagValue('--url');
const server: RunningServer =
  given === undefined
    ? await startServer(folder)
    : { url: new URL(given), pid: undefined, stop: () => Promise.resolve() };
try {
  const config = join(folder, 'plant.json');
  writeFileSync(config, JSON.stringify(plant(Number(flagValue('--days') ?? 7))));
  let points = (): number => 0;
  const serverBefore = cpuSeconds(server.pid);
  const before = process.cpuUsage();
  const startedMs = performance.now();
  await runSimulator({
    config,
    dataset: 'Bench',
    url: server.url,
    token: undefined,
    seed: 1,
    nowMs: NOW_MS,
    out: undefined,
    state: join(folder, 'state'),
    mode: 'once',
    progress: {
      log: (line) => console.error(line),
      start: (source: ProgressSource) => {
        points = source.points;
      },
      finish: () => {},
    },
    signal: new AbortController().signal,
  });
  const seconds = (performance.now() - startedMs) / 1000;
  const used = process.cpuUsage(before);
  console.log(
    JSON.stringify({
      points: points(),
      seconds: Number(seconds.toFixed(2)),
      pointsPerSecond: Math.round(points() / seconds),
      simulatorCpuSeconds: Number(((used.user + used.system) / 1e6).toFixed(2)),
      serverCpuSeconds: Number((cpuSeconds(server.pid) - serverBefore).toFixed(2)),
    }),
  );
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
