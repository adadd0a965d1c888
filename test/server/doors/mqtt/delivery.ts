// Everything that a broker has acknowledged is in the dataset, exactly once, also what is kept and sent behind newer points:
// under kill -9 of the server, of the broker, a cut line, and an orderly stop, at random moments of a stream of messages.
//
// Command: npm run campaign mqtt -- [--seed <n>] [--count <n>] [--extent slice|full]

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CampaignReport, type CampaignRun, runAsProgram } from '../../../support/campaign.ts';
import { HttpClient } from '../../../support/http-client.ts';
import { SeededRandom } from '../../../support/seeded-random.ts';
import { ServerProcess } from '../../../support/server-process.ts';
import { Broker } from './support/broker.ts';
import { Line } from './support/line.ts';
import { Publisher } from './support/publisher.ts';

const DATASET = 'plant';
const TAG_COUNT = 7;
const ARRIVAL_LIMIT_MS = 30_000;
const LOOK_MS = 20;
const START_MS = Date.UTC(2026, 0, 1);
export const TROUBLES = ['kill server', 'kill broker', 'cut line', 'stop server', 'kill both'] as const;
type Trouble = (typeof TROUBLES)[number];

export interface DeliveryRun extends CampaignRun {
  readonly troubles?: readonly Trouble[];
  /** With 0 nothing is acknowledged: the negative control. */
  readonly qos?: 0 | 1;
  readonly arrivalLimitMs?: number;
}

interface Numbered {
  readonly t: string;
  readonly v: number;
}

interface DeliveryParts {
  readonly folder: string;
  readonly broker: Broker;
  readonly line: Line;
  readonly qos: 0 | 1;
}

/** A broker, a line, a server and a publisher, over several rounds. */
export class Delivery {
  readonly #folder: string;
  readonly #random: SeededRandom;
  readonly #broker: Broker;
  readonly #line: Line;
  readonly #publisher: Publisher;
  #server: ServerProcess | undefined;
  readonly #qos: 0 | 1;
  #next = 0;

  private constructor(random: SeededRandom, { folder, broker, line, qos }: DeliveryParts) {
    this.#folder = folder;
    this.#random = random;
    this.#broker = broker;
    this.#line = line;
    this.#qos = qos;
    this.#publisher = new Publisher(broker.url);
  }

  static async open(random: SeededRandom, qos: 0 | 1): Promise<Delivery> {
    const folder = mkdtempSync(join(tmpdir(), 'varve-mqtt-'));
    const broker = await Broker.start(join(folder, 'broker'));
    const line = await Line.open(broker.port);
    const delivery = new Delivery(random, { folder, broker, line, qos });
    await delivery.#startServer();
    await delivery.#untilConnected();
    await broker.save();
    await delivery.#publisher.connect();
    return delivery;
  }

  async close(): Promise<void> {
    this.#publisher.end();
    await this.#server?.stop();
    this.#line.close();
    await this.#broker.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #startServer(): Promise<void> {
    const file = join(this.#folder, 'mqtt.json');
    const payload = { format: 'json', time: 't', value: 'v' };
    const topics = [{ topic: 'plant/{tag}', qos: this.#qos, dataset: DATASET, tag: '{tag}', payload }];
    const inFlight = this.#random.pick([3, 50, 4096]);
    const version = 5;
    const source = { name: 'plant', url: this.#line.url, clientId: 'varve-delivery', version, inFlight, topics };
    writeFileSync(file, JSON.stringify({ sources: [source] }));
    const dataFolder = join(this.#folder, 'data');
    this.#server = await ServerProcess.start({ dataFolder, flags: ['--mqtt', file, '--log-level', 'warn'] });
  }

  async #untilConnected(): Promise<void> {
    const endMs = performance.now() + ARRIVAL_LIMIT_MS;
    const http = new HttpClient(this.#server?.url ?? '');
    for (;;) {
      const { text } = await http.get('/metrics');
      if (/^varve_mqtt_connected\{source="plant"\} 1$/m.test(text)) return;
      if (performance.now() > endMs) throw new Error('the server does not connect to the broker');
      await sleep(LOOK_MS);
    }
  }

  /** Publishes a stream of messages with a trouble somewhere in it. Throws when they do not all arrive once. */
  async round(trouble: Trouble, arrivalLimitMs: number): Promise<void> {
    const first = this.#next;
    const count = this.#random.between(50, 800);
    const troubleAt = first + this.#random.between(0, count);
    let under: Promise<void> = Promise.resolve();
    const numbers = this.#inOrderOfSending(first, count);
    this.#next = first + count;
    for (const [place, number] of numbers.entries()) {
      if (first + place === troubleAt) {
        under = this.#makeTrouble(trouble);
        if (trouble === 'kill broker' || trouble === 'kill both') await under;
        else under.catch(() => undefined);
      }
      await this.#publisher.publish(messageOf(number));
      if (this.#random.chance(0.01)) await sleep(1);
    }
    await under;
    await this.#publisher.allAcknowledged();
    await this.#check(first, first + count, arrivalLimitMs);
    this.#publisher.forget();
  }

  /** With store and forward some of them are kept, and sent behind newer ones. */
  #inOrderOfSending(first: number, count: number): number[] {
    const numbers = Array.from({ length: count }, (_, i) => first + i);
    if (this.#random.chance(0.5)) return numbers;
    const from = this.#random.between(0, count);
    const kept = numbers.splice(from, this.#random.between(1, count));
    numbers.splice(this.#random.between(from, numbers.length), 0, ...kept);
    return numbers;
  }

  async #makeTrouble(trouble: Trouble): Promise<void> {
    const pauseMs = this.#random.between(0, 100);
    if (trouble === 'kill server' || trouble === 'kill both') await this.#server?.kill();
    if (trouble === 'stop server') await this.#server?.stop();
    if (trouble === 'cut line') this.#line.cut();
    if (trouble === 'kill broker' || trouble === 'kill both') {
      await this.#broker.end('SIGKILL');
      const { savedMs } = this.#broker;
      await this.#broker.start();
      await this.#publisher.resume(savedMs);
    }
    await sleep(pauseMs);
    this.#line.mend();
    if (trouble !== 'cut line' && trouble !== 'kill broker') await this.#startServer();
  }

  async #check(from: number, to: number, limitMs: number): Promise<void> {
    const endMs = performance.now() + limitMs;
    let seen: number[] = [];
    while (performance.now() < endMs) {
      seen = await this.#stored(from, to);
      if (seen.length >= to - from) break;
      await sleep(LOOK_MS);
    }
    const wanted = Array.from({ length: to - from }, (_, i) => from + i);
    const missing = wanted.filter((number) => !seen.includes(number));
    if (missing.length > 0 || seen.length !== wanted.length) {
      const doubles = seen.length - new Set(seen).size;
      throw new Error(
        `of ${wanted.length} messages ${missing.length} are missing (${missing.slice(0, 5)}), ${doubles} twice`,
      );
    }
  }

  /** The numbers of the points of a range, over all tags. */
  async #stored(from: number, to: number): Promise<number[]> {
    const http = new HttpClient(this.#server?.url ?? '');
    const names = Array.from({ length: TAG_COUNT }, (_, i) => `tagname=T${i}`).join('&');
    const range = `start=${timeOf(from)}&end=${timeOf(to - 1)}&missing=skip`;
    const answer = await http.get(`/api/datasets/${DATASET}/data?${names}&${range}`);
    if (answer.status === 404) return [];
    const { tl } = answer.json<{ tl: { t: { n: string }; d: Numbered[] }[] }>();
    return tl
      .flatMap(({ d }) => d)
      .map(({ t, v }) => {
        if (t !== timeOf(v)) throw new Error(`the point ${v} has the time ${t}`);
        return v;
      })
      .sort((a, b) => a - b);
  }
}

function timeOf(number: number): string {
  return new Date(START_MS + number).toISOString();
}

function messageOf(number: number): { topic: string; payload: string } {
  const payload = JSON.stringify({ t: START_MS + number, v: number });
  return { topic: `plant/T${number % TAG_COUNT}`, payload };
}

export async function runDelivery({ seed, count, onProgress, ...options }: DeliveryRun): Promise<CampaignReport> {
  const random = new SeededRandom(seed);
  const { troubles = TROUBLES, qos = 1, arrivalLimitMs = ARRIVAL_LIMIT_MS } = options;
  const delivery = await Delivery.open(random, qos);
  const failures: string[] = [];
  let trials = 0;
  try {
    while (trials < count && failures.length === 0) {
      const trouble = random.pick(troubles);
      trials++;
      try {
        await delivery.round(trouble, arrivalLimitMs);
      } catch (error) {
        failures.push(`seed ${seed}, round ${trials}, ${trouble}: ${(error as Error).message}`);
      }
      onProgress?.(trials, count);
    }
  } finally {
    await delivery.close();
  }
  return { trials, failures };
}

/** Trials: what the tests run, and the whole; the tests run so many of each trouble. */
export const COUNTS = { slice: 2, full: 50 } as const;

if (process.argv[1] === import.meta.filename) await runAsProgram({ name: 'mqtt', counts: COUNTS }, runDelivery);
