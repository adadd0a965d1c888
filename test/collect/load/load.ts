// Very many variables that change every second, for minutes: every value that the server had is in the dataset, in order, once; and
// what the collector and the historian take of the processor and of memory.
//
// Command: npm run campaign opcua-load -- [--count <minutes>] [--variables <n>] [--extent slice|full]

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CampaignReport, type CampaignRun, type OwnOptions, runAsProgram } from '../../support/campaign.ts';
import { freeLowPorts } from '../../support/low-ports.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { CollectorProcess } from '../support/collector-process.ts';
import type { LoadNews } from './load-server.ts';

const DATASET = 'plant';
const VARIABLES = 5000;
const TAGS_PER_READ = 50;
const SUBSCRIBED_LIMIT_MS = 900_000;
const ARRIVED_LIMIT_MS = 120_000;
const MINUTE_MS = 60_000;
/** Clock ticks of /proc. */
const TICK_MS = 10;

/** What processes of Linux say of themselves. */
function usageOf(pid: number): { cpuMs: number; mostBytes: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const [, mostKilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS, mostBytes: Number(mostKilobytes) * 1024 };
}

interface ReadTag {
  readonly t: { readonly n: string };
  readonly d: readonly { readonly t: string; readonly v: number | null }[];
}

class Load {
  readonly #folder = mkdtempSync(join(tmpdir(), 'varve-opcua-load-'));
  readonly #variableCount: number;
  #source: ChildProcess | undefined;
  #historian: ServerProcess | undefined;
  #collector: CollectorProcess | undefined;

  constructor(variableCount: number) {
    this.#variableCount = variableCount;
  }

  /** Starts all three, and waits until every variable is subscribed. */
  async open(): Promise<void> {
    const [sourcePort = 0] = await freeLowPorts(1);
    const keys = join(this.#folder, 'keys');
    mkdirSync(keys);
    const words = [keys, String(sourcePort), String(this.#variableCount)];
    this.#source = fork(join(import.meta.dirname, 'load-server.ts'), words, {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await once(this.#source, 'message');
    this.#historian = await ServerProcess.start({ dataFolder: join(this.#folder, 'data') });
    const config = join(this.#folder, 'opcua.json');
    writeFileSync(
      config,
      JSON.stringify({
        target: { dataset: DATASET, url: this.#historian.url },
        endpoints: [`opc.tcp://127.0.0.1:${sourcePort}`],
        nodes: [{ paths: ['Line1/V*'], samplingMs: 0 }],
      }),
    );
    this.#collector = new CollectorProcess(config);
    const collector = this.#collector;
    const isReady = (): boolean => collector.log.includes(`${this.#variableCount} variables of`);
    for (const beganMs = performance.now(); !isReady(); await sleep(100))
      if (performance.now() - beganMs > SUBSCRIBED_LIMIT_MS) throw new Error(`not subscribed:\n${collector.log}`);
  }

  /** Times of the values that there were. */
  async run(durationMs: number): Promise<readonly number[]> {
    const before = this.#usages();
    this.#source?.send('begin');
    const beganMs = performance.now();
    await sleep(durationMs);
    const elapsedMs = performance.now() - beganMs;
    for (const [index, { name, cpuMs, mostBytes }] of this.#usages().entries()) {
      const share = ((cpuMs - (before[index]?.cpuMs ?? 0)) / elapsedMs) * 100;
      console.log(`${name}: ${share.toFixed(1)} % of a processor, ${Math.round(mostBytes / 2 ** 20)} MiB at most`);
    }
    return await this.#endValues();
  }

  /** What is wrong with a tag, for all tags. */
  async judge(timesMs: readonly number[]): Promise<string[]> {
    const names = Array.from({ length: this.#variableCount }, (_, index) => `Line1/V${String(index).padStart(4, '0')}`);
    const deadlineMs = performance.now() + ARRIVED_LIMIT_MS;
    let faults = await this.#compareAll(names, timesMs);
    while (faults.length > 0 && performance.now() < deadlineMs) {
      await sleep(1000);
      faults = await this.#compareAll(names, timesMs);
    }
    if (faults.length > 0) console.log(this.#collector?.log);
    return faults;
  }

  async close(): Promise<void> {
    await this.#collector?.end('SIGKILL');
    await this.#historian?.kill().catch(() => undefined);
    this.#source?.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #usages(): { name: string; cpuMs: number; mostBytes: number }[] {
    const pids = {
      collector: this.#collector?.pid,
      historian: this.#historian?.pid,
      'OPC UA server': this.#source?.pid,
    };
    return Object.entries(pids).map(([name, pid]) => ({ name, ...usageOf(pid ?? 0) }));
  }

  async #endValues(): Promise<readonly number[]> {
    const source = this.#source as ChildProcess;
    const ended = once(source, 'message') as Promise<[LoadNews]>;
    source.send('end');
    const [news] = await ended;
    return news.is === 'ended' ? news.timesMs : [];
  }

  async #compareAll(names: readonly string[], timesMs: readonly number[]): Promise<string[]> {
    const faults: string[] = [];
    for (let from = 0; from < names.length && faults.length === 0; from += TAGS_PER_READ)
      faults.push(...(await this.#compare(names.slice(from, from + TAGS_PER_READ), timesMs)));
    return faults;
  }

  async #compare(names: readonly string[], timesMs: readonly number[]): Promise<string[]> {
    const query = new URLSearchParams({
      start: new Date((timesMs[0] ?? 0) - 1).toISOString(),
      end: new Date((timesMs.at(-1) ?? 0) + 1).toISOString(),
      missing: 'skip',
    });
    for (const name of names) query.append('tagname', name);
    const answer = await fetch(`${this.#historian?.url}/api/datasets/${DATASET}/data?${query}`);
    if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
    const { tl = [] } = (await answer.json()) as { tl?: ReadTag[] };
    const byName = new Map(tl.map(({ t, d }) => [t.n, d]));
    return names.flatMap((name) => {
      const points = byName.get(name) ?? [];
      const wrong = points.findIndex(({ t, v }, index) => v !== index + 1 || Date.parse(t) !== timesMs[index]);
      if (points.length === timesMs.length && wrong < 0) return [];
      const at = wrong < 0 ? '' : `, of which the ${wrong + 1}. is ${points[wrong]?.v} at ${points[wrong]?.t}`;
      return [`${name}: ${points.length} points of ${timesMs.length}${at}`];
    });
  }
}

export interface LoadRun extends CampaignRun {
  readonly variableCount?: number;
  readonly durationMs?: number;
}

/** The count is in minutes; trials are values. */
export async function runLoad(run: LoadRun): Promise<CampaignReport> {
  const { count, variableCount = VARIABLES, durationMs = count * MINUTE_MS } = run;
  const load = new Load(variableCount);
  try {
    await load.open();
    const timesMs = await load.run(durationMs);
    const failures = await load.judge(timesMs);
    console.log(`${variableCount} variables had ${timesMs.length} values each in ${Math.round(durationMs / 1000)} s`);
    return { trials: timesMs.length * variableCount, failures };
  } finally {
    await load.close();
  }
}

export const COUNTS = { slice: 1, full: 60 } as const;

function parseVariables({ variables }: OwnOptions): number | undefined {
  if (variables === undefined) return undefined;
  if (!/^[1-9]\d{0,4}$/.test(variables)) throw new Error(`--variables ${variables}: want 1 to 99999`);
  return Number(variables);
}

if (process.argv[1] === import.meta.filename)
  await runAsProgram({ name: 'opcua-load', counts: COUNTS, own: ['variables'] }, (run, own) => {
    const variableCount = parseVariables(own);
    return runLoad({ ...run, ...(variableCount && { variableCount }) });
  });
