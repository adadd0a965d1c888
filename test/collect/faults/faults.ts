// A collector between a plant of known values and a historian, under faults of everything around it: what a server has kept is in
// the dataset once, what nobody has kept is marked, and it goes on within ten seconds, without a hand.
//
// Command: npm run campaign opcua -- [--seed <n>] [--count <n>] [--only <fault>] [--extent slice|full]

import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Line } from '../../server/doors/mqtt/support/line.ts';
import { type CampaignReport, type CampaignRun, type OwnOptions, runAsProgram } from '../../support/campaign.ts';
import { freeLowPorts } from '../../support/low-ports.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { SmallDisk, whyNoSmallDisk } from '../../support/small-disk.ts';
import { CollectorProcess, until } from '../support/collector-process.ts';
import { LOGGED, PLAIN, Plant } from './plant.ts';
import { compare, readStored } from './stored-points.ts';

const DATASET = 'plant';
const CERTIFICATES = 'collector';
const BACK_LIMIT_MS = 10_000;
/** Starting programs takes long on a machine that does much else. */
const START_LIMIT_MS = 60_000;
const LOOK_MS = 100;
const ROUNDS_PER_PLANT = 12;
/** After so many nothing more is tried. */
const MOST_FAILURES = 20;
/** Time to connect again. */
const WHILE_BACK_MS = 5000;

export const FAULTS = [
  'server restarted',
  'server killed',
  'line cut',
  'line silent',
  'line of one server silent',
  'clock turned',
  'servers killed while the clock is back',
  'clock turned while servers are killed',
  'clock turned and overtaken while servers are killed',
  'nodes gone',
  'historian killed',
  'collector killed',
  'collector and historian killed',
  'service level falls',
  'both servers killed',
  'everything killed',
  'certificates changed',
  'disk full',
] as const;
export type Fault = (typeof FAULTS)[number];

/** History is read from the last stored point on: what came at earlier times since then is marked. */
const MARKED_WITH_HISTORY: readonly Fault[] = [
  'servers killed while the clock is back',
  'clock turned while servers are killed',
];

interface Needs {
  readonly disk: boolean;
  /** Signed and encrypted, else neither. */
  readonly security: boolean;
}

/** A run of the collector with all around it, over several rounds. */
class Rounds {
  readonly #folder: string;
  readonly #random: SeededRandom;
  readonly #plant: Plant;
  readonly #lines: readonly Line[];
  readonly #disk: SmallDisk | undefined;
  readonly #port: number;
  readonly #config: string;
  #historian: ServerProcess | undefined;
  #collector: CollectorProcess;
  #first = 0;
  #earlierLog = '';
  slowestMs = 0;

  private constructor(random: SeededRandom, parts: RoundsParts) {
    this.#random = random;
    this.#folder = parts.folder;
    this.#plant = parts.plant;
    this.#lines = parts.lines;
    this.#disk = parts.disk;
    this.#port = parts.port;
    this.#config = parts.config;
    this.#collector = new CollectorProcess(parts.config);
  }

  static async open(random: SeededRandom, needs: Needs): Promise<Rounds> {
    const folder = mkdtempSync(join(tmpdir(), 'varve-opcua-'));
    const [one = 0, two = 0, port = 0] = await freeLowPorts(3);
    const plant = new Plant(join(folder, 'keys'), [one, two]);
    mkdirSync(plant.folder);
    for (const each of plant.ports) await plant.start(each);
    const lines = [await Line.open(one), await Line.open(two)];
    const disk = needs.disk ? new SmallDisk('8m') : undefined;
    const config = join(folder, 'opcua.json');
    const trusted = join(folder, CERTIFICATES, 'trusted/certs');
    mkdirSync(trusted, { recursive: true });
    copyFileSync(plant.certificate, join(trusted, 'first.pem'));
    writeFileSync(
      config,
      JSON.stringify({
        target: { dataset: DATASET, url: `http://127.0.0.1:${port}` },
        endpoints: lines.map((line) => `opc.tcp://127.0.0.1:${line.port}`),
        publishingMs: 100,
        certificates: join(folder, CERTIFICATES),
        ...(needs.security && { securityPolicy: 'Basic256Sha256' }),
        ...(disk && { buffer: { folder: join(disk.path, 'buffer'), megabytes: 4 } }),
        nodes: [{ paths: ['Line1/*'], samplingMs: 0, queueSize: 50 }],
      }),
    );
    const rounds = new Rounds(random, { folder, plant, lines, disk, port, config });
    try {
      await rounds.#startHistorian();
      await rounds.#untilBack(START_LIMIT_MS);
    } catch (error) {
      await rounds.close();
      throw new Error(`the plant does not begin: ${String(error)}\n${rounds.log}`, { cause: error });
    }
    // What was before the first connection is nobody's.
    rounds.#first = plant.values.length;
    return rounds;
  }

  /** Lines of all collectors so far. */
  get log(): string {
    return this.#earlierLog + this.#collector.log;
  }

  async close(): Promise<void> {
    await this.#collector.end('SIGKILL');
    await this.#plant.close();
    for (const line of this.#lines) line.close();
    await this.#historian?.kill().catch(() => undefined);
    this.#disk?.remove();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Throws when nothing new arrives within the limit behind the fault. */
  async round(fault: Fault, backLimitMs: number): Promise<void> {
    const startsProgram = await this.#inflict(fault);
    const tookMs = await this.#untilBack(startsProgram ? START_LIMIT_MS : backLimitMs);
    if (!startsProgram) this.slowestMs = Math.max(this.slowestMs, tookMs);
    if (this.#collector.hasEnded) throw new Error('the collector has ended');
  }

  /** What is wrong with the values since the last time, once everything has arrived. */
  async judge(fault: Fault): Promise<string[]> {
    const count = this.#plant.values.length;
    await this.#untilBack(START_LIMIT_MS);
    const all = this.#plant.values.slice(0, count);
    const set = all.slice(this.#first);
    this.#first = count;
    const faults: string[] = [];
    for (const name of [LOGGED, PLAIN]) {
      const stored = await readStored(this.#historian?.url ?? '', DATASET, `Line1/${name}`);
      const lastMs = Math.max(...set.map(({ timeMs }) => timeMs));
      const settled = stored.filter(({ timeMs }) => timeMs <= lastMs);
      const values = set.filter((value) => value.name === name);
      const mayBeMarked = name === PLAIN || MARKED_WITH_HISTORY.includes(fault);
      const judged = { set: values, known: all, stored: settled };
      faults.push(...compare(judged, mayBeMarked).map((wrong) => `${name}: ${wrong}`));
    }
    return faults;
  }

  /** Gives whether a program is started behind it, which takes its time. */
  async #inflict(fault: Fault): Promise<boolean> {
    const plant = this.#plant;
    const [one = 0, two = 0] = plant.ports;
    const pause = (): Promise<void> => sleep(300 + this.#random.below(3000));
    switch (fault) {
      case 'server restarted':
      case 'server killed':
        await plant.end(one, fault === 'server killed' ? 'kill' : 'stop');
        await pause();
        await plant.start(one);
        return false;
      case 'both servers killed':
        await this.#killServers(pause);
        return false;
      case 'servers killed while the clock is back': {
        const byMs = 2000 + this.#random.below(15_000);
        plant.turnClock(-byMs);
        await pause();
        await this.#killServers(pause);
        await sleep(WHILE_BACK_MS);
        plant.turnClock(byMs);
        return false;
      }
      case 'clock turned while servers are killed': {
        const byMs = 2000 + this.#random.below(15_000);
        await this.#killServers(async () => {
          await pause();
          plant.turnClock(-byMs);
          await pause();
        });
        await sleep(WHILE_BACK_MS);
        plant.turnClock(byMs);
        return false;
      }
      case 'clock turned and overtaken while servers are killed': {
        const byMs = 2000 + this.#random.below(4000);
        await this.#killServers(async () => {
          plant.turnClock(-byMs);
          await sleep(byMs + 1000);
        });
        await sleep(WHILE_BACK_MS);
        plant.turnClock(byMs);
        return false;
      }
      case 'certificates changed':
        await Promise.all([plant.end(one, 'stop'), plant.end(two, 'stop')]);
        plant.renewCertificate();
        await plant.start(one);
        await plant.start(two);
        await this.#trustWhatIsRejected();
        return false;
      case 'line cut':
        for (const line of this.#lines) line.cut();
        await pause();
        for (const line of this.#lines) line.mend();
        return false;
      case 'line silent':
        for (const line of this.#lines) line.silence();
        await sleep(this.#random.pick([1000, 4000, 15_000]));
        for (const line of this.#lines) line.mend();
        return false;
      case 'line of one server silent': {
        const line = this.#random.pick(this.#lines);
        line.silence();
        await sleep(this.#random.pick([4000, 15_000, 20_000]));
        line.mend();
        return false;
      }
      case 'clock turned': {
        const byMs = 500 + this.#random.below(2500);
        plant.turnClock(-byMs);
        await pause();
        plant.turnClock(byMs);
        await sleep(byMs);
        return false;
      }
      case 'nodes gone': {
        const name = this.#random.pick([LOGGED, PLAIN]);
        plant.remove(name);
        await pause();
        plant.restore(name);
        return false;
      }
      case 'service level falls': {
        plant.setLevel(one, 100);
        await sleep(4000);
        plant.setLevel(one, 255);
        return false;
      }
      case 'historian killed':
        await this.#historian?.kill();
        await pause();
        await this.#startHistorian();
        return false;
      case 'collector killed':
        await this.#collector.end('SIGKILL');
        await pause();
        this.#startCollector();
        return true;
      case 'collector and historian killed':
        await Promise.all([this.#historian?.kill(), this.#collector.end('SIGKILL')]);
        await pause();
        this.#startCollector();
        await this.#startHistorian();
        return true;
      case 'everything killed':
        await Promise.all([this.#historian?.kill(), this.#collector.end('SIGKILL'), this.#killServers(pause)]);
        this.#startCollector();
        await this.#startHistorian();
        return true;
      case 'disk full':
        this.#disk?.fill();
        await pause();
        this.#disk?.makeRoom();
        return false;
    }
  }

  async #killServers(meanwhile: () => Promise<void>): Promise<void> {
    const { ports } = this.#plant;
    await Promise.all(ports.map((port) => this.#plant.end(port, 'kill')));
    await meanwhile();
    await Promise.all(ports.map((port) => this.#plant.start(port)));
  }

  /** What a user does who finds a new certificate in order. */
  async #trustWhatIsRejected(): Promise<void> {
    const folder = join(this.#folder, CERTIFICATES);
    const names = await until('a rejected certificate', () => {
      const found = readdirSync(join(folder, 'rejected'));
      return found.length > 0 ? found : undefined;
    });
    for (const name of names) renameSync(join(folder, 'rejected', name), join(folder, 'trusted/certs', name));
  }

  #startCollector(): void {
    this.#earlierLog += this.#collector.log;
    this.#collector = new CollectorProcess(this.#config);
  }

  async #startHistorian(): Promise<void> {
    const dataFolder = join(this.#folder, 'data');
    const bareFlags = ['--data', dataFolder, '--port', String(this.#port)];
    this.#historian = await ServerProcess.start({ dataFolder, bareFlags });
  }

  /** Waits until a value of both variables that came after now is stored; gives how long it took. */
  async #untilBack(limitMs: number): Promise<number> {
    const beganMs = performance.now();
    const { value: from = 0 } = this.#plant.values.at(-1) ?? {};
    for (const name of [LOGGED, PLAIN]) {
      for (;;) {
        if ((await this.#newestValue(name)) > from) break;
        const tookMs = performance.now() - beganMs;
        if (tookMs > limitMs) throw new Error(`no new value of ${name} within ${Math.round(tookMs)} ms`);
        await sleep(LOOK_MS);
      }
    }
    return performance.now() - beganMs;
  }

  async #newestValue(name: string): Promise<number> {
    const url = `http://127.0.0.1:${this.#port}/api/datasets/${DATASET}/data?tagname=Line1/${name}`;
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.status !== 200) return 0;
    const { tl } = (await answer.json()) as { tl: { d: { v: number | null }[] }[] };
    return tl[0]?.d.at(-1)?.v ?? 0;
  }
}

interface RoundsParts {
  readonly folder: string;
  readonly plant: Plant;
  readonly lines: readonly Line[];
  readonly disk: SmallDisk | undefined;
  readonly port: number;
  readonly config: string;
}

export interface FaultRun extends CampaignRun {
  readonly faults?: readonly Fault[];
  /** How soon behind a fault new values must arrive; tests run beside others, and give longer. */
  readonly backLimitMs?: number;
}

export async function runFaults(run: FaultRun): Promise<CampaignReport> {
  const { seed, count, onProgress, faults, backLimitMs = BACK_LIMIT_MS } = run;
  const random = new SeededRandom(seed);
  const canFill = whyNoSmallDisk() === false;
  const kinds = (faults ?? FAULTS).filter((fault) => canFill || fault !== 'disk full');
  const failures: string[] = [];
  let doneCount = 0;
  let slowestMs = 0;
  // Every plant sees each fault once; they take turns in being signed and encrypted, without which no certificate counts.
  for (let plant = 0; doneCount < count && failures.length < MOST_FAILURES; plant++) {
    const security = faults === undefined ? plant % 2 === 0 : faults.includes('certificates changed');
    const usable = kinds.filter((fault) => security || fault !== 'certificates changed');
    const order = faults === undefined ? random.shuffled(usable) : repeat(usable, ROUNDS_PER_PLANT);
    const onRound = (): void => {
      doneCount++;
      onProgress?.(doneCount, count);
    };
    const outcome = await runPlant({
      random,
      order: order.slice(0, count - doneCount),
      security,
      backLimitMs,
      onRound,
    });
    failures.push(...outcome.failures);
    slowestMs = Math.max(slowestMs, outcome.slowestMs);
  }
  console.log(`slowest return: ${(slowestMs / 1000).toFixed(1)} s`);
  return { trials: doneCount, failures };
}

function repeat<T>(list: readonly T[], count: number): T[] {
  return Array.from({ length: count }, (_, index) => list[index % list.length] as T);
}

interface PlantRun {
  readonly random: SeededRandom;
  readonly order: readonly Fault[];
  readonly security: boolean;
  readonly backLimitMs: number;
  readonly onRound: () => void;
}

interface PlantOutcome {
  readonly failures: readonly string[];
  readonly slowestMs: number;
}

/** Ends at the first fault behind which nothing goes on. */
async function runPlant({ random, order, security, backLimitMs, onRound }: PlantRun): Promise<PlantOutcome> {
  const failures: string[] = [];
  const done: Fault[] = [];
  let rounds: Rounds | undefined;
  try {
    rounds = await Rounds.open(random, { disk: order.includes('disk full'), security });
    for (const fault of order) {
      done.push(fault);
      onRound();
      const logged = rounds.log.length;
      await rounds.round(fault, backLimitMs);
      const wrong = await rounds.judge(fault);
      if (wrong.length > 0) failures.push(`${fault}: ${wrong.join('; ')}\n${rounds.log.slice(logged)}`);
    }
  } catch (error) {
    const log = rounds?.log.split('\n').slice(-40).join('\n') ?? '';
    failures.push(`after ${done.join(', ') || 'nothing'}: ${String(error)}\n${log}`);
  } finally {
    await rounds?.close();
  }
  for (const failure of failures) console.log(`so far: ${failure}`);
  return { failures, slowestMs: rounds?.slowestMs ?? 0 };
}

function parseOnly({ only }: OwnOptions): readonly Fault[] | undefined {
  if (only === undefined) return undefined;
  const fault = FAULTS.find((each) => each === only);
  if (fault === undefined) throw new Error(`--only ${only}: want ${FAULTS.join(', ')}`);
  return [fault];
}

export const COUNTS = { slice: 4, full: 200 } as const;

if (process.argv[1] === import.meta.filename)
  await runAsProgram({ name: 'opcua', counts: COUNTS, own: ['only'] }, (run, own) => {
    const faults = parseOnly(own);
    return runFaults({ ...run, ...(faults && { faults }) });
  });
