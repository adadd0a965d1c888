// What a server that has become ready does before clients need it: a made-up load through all of it, from the socket to the
// blocks, over a folder that is thrown away. V8 compiles what it has seen running; without this a third of the processor time
// of the first ten million points goes into code that is not compiled yet. It also compiles for the objects it has seen, as
// if there were no others: so there are several passes, each over an engine of its own (docs/performance.md). It leaves the
// server to clients that come at once: their requests do the same, and beside them it costs more than it saves.

import { rm } from 'node:fs/promises';
import { Agent, request as httpRequest, type RequestOptions } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Durability, type Engine, openEngine } from '../../engine/index.ts';
import type { HttpHandler } from '../http/contract/http-server.ts';
import { setCompilerBudget } from '../process/compiler-budget.ts';
import { createHttpServer, type TransportName } from '../transport.ts';
import { MEASURED, MIXED, type WarmRequest, WarmRequests } from './warm-requests.ts';

export interface WarmUpOptions {
  /** Made, and removed with all that is in it: a folder of an engine for each pass. */
  readonly folder: string;
  readonly durability: Durability;
  /** So much stays free on the disk. */
  readonly reserveBytes: number;
  readonly transport: TransportName;
  /** All of HTTP over an engine. */
  readonly appOf: (engine: Engine) => HttpHandler;
  /** Good for writing to the dataset; undefined where none is needed. */
  readonly token: string | undefined;
  /** How many requests clients have sent, without those that only ask whether the server is up. */
  readonly clientRequests: () => number;
  /** Nothing else is concerned by it. */
  readonly onFault: (error: unknown) => void;
}

/** Of the engine over the folder. */
export const WARM_UP_DATASET = 'warm-up';
/** Where it listens. */
export const WARM_UP_HOST = '127.0.0.1';
/** What each connection writes, to tags of its own, as collectors do. */
const CONNECTIONS = [MEASURED, MIXED];
/** Of one pass after the other: few tags and many take different ways. */
const TAGS_A_CONNECTION = [6, 60, 6, 60, 6, 60];
/** Of a pass. */
const ROUNDS = 5;
/** It begins once clients have sent fewer than this for a while, */
const QUIET_REQUESTS = 10;
const QUIET_MS = 500;
/** ends early when they send more than this meanwhile, */
const CLIENT_REQUESTS = 50;
/** and is left out when they have warmed the server up themselves. */
const WARM_REQUESTS = 1000;
/** On a slow disk or processor it ends before all rounds are through. */
const MOST_MS = 10_000;
const DAY_MS = 86_400_000;
/** Short blocks, so that few points make many of them. */
const BLOCK_POINTS = 256;

export class WarmUp {
  readonly #options: WarmUpOptions;
  #running: Promise<void> | undefined;
  readonly #stopping = new AbortController();

  constructor(options: WarmUpOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run().catch(this.#options.onFault);
  }

  /** In place of `start`: only removes what a server left that was killed meanwhile. */
  tidy(): void {
    this.#running = this.#removeFolder().catch(this.#options.onFault);
  }

  /** Resolves when nothing of it is left. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  #removeFolder(): Promise<void> {
    return rm(this.#options.folder, { recursive: true, force: true });
  }

  async #run(): Promise<void> {
    await this.#removeFolder();
    if (!(await this.#isLeftQuiet())) return;
    const isOver = this.#isOverFrom(performance.now(), this.#options.clientRequests());
    setCompilerBudget('warmUp');
    try {
      for (const [pass, tags] of TAGS_A_CONNECTION.entries()) {
        if (!isOver()) await this.#pass(pass, tags, isOver);
      }
    } finally {
      setCompilerBudget('use');
      await this.#removeFolder();
    }
  }

  /** Resolves once clients send little; to false if it is not needed any more. */
  async #isLeftQuiet(): Promise<boolean> {
    const { clientRequests } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted && clientRequests() <= WARM_REQUESTS) {
      const before = clientRequests();
      await delay(QUIET_MS, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted && clientRequests() < before + QUIET_REQUESTS) return true;
    }
    return false;
  }

  #isOverFrom(startMs: number, requests: number): () => boolean {
    const { clientRequests } = this.#options;
    return () =>
      this.#stopping.signal.aborted ||
      clientRequests() > requests + CLIENT_REQUESTS ||
      performance.now() > startMs + MOST_MS;
  }

  async #pass(pass: number, tags: number, isOver: () => boolean): Promise<void> {
    const { folder, durability, reserveBytes } = this.#options;
    const tunables = { blockPoints: BLOCK_POINTS, systemTagIntervalMs: 0, diskReserveBytes: reserveBytes };
    const engine = await openEngine({ folder: `${folder}/${pass}`, durability, tunables });
    try {
      await engine.createDataset({ name: WARM_UP_DATASET, purgeAgeDays: 0, purgeSizeGb: 0 });
      await drive(engine, this.#options, tags, isOver);
    } finally {
      await engine.close();
    }
  }
}

async function drive(engine: Engine, options: WarmUpOptions, tags: number, isOver: () => boolean): Promise<void> {
  const { server } = createHttpServer(options.transport, {
    handler: options.appOf(engine),
    serverName: 'Varve',
    allowedHosts: [],
    onError: () => undefined,
  });
  const port = await server.listen(WARM_UP_HOST, 0);
  const startMs = Date.now() - DAY_MS;
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS.length });
  const headers = options.token === undefined ? {} : { authorization: `Bearer ${options.token}` };
  const sendOne = (request: WarmRequest) => send({ agent, host: WARM_UP_HOST, port, headers }, request);
  try {
    const requests = CONNECTIONS.map(
      (values, i) => new WarmRequests(WARM_UP_DATASET, namesOf(i, tags), values, startMs),
    );
    await Promise.all(requests.map((own) => runRounds(own, sendOne, isOver)));
  } finally {
    agent.destroy();
    await server.close(0);
  }
}

type SendOne = (request: WarmRequest) => Promise<void>;

function namesOf(connection: number, tags: number): string[] {
  return Array.from({ length: tags }, (_, i) => `Line${connection}.Pump${i}.Pressure`);
}

async function runRounds(requests: WarmRequests, sendOne: SendOne, isOver: () => boolean): Promise<void> {
  for (let round = 0; round <= ROUNDS; round++) {
    for (const request of round === 0 ? requests.crowd() : requests.round()) {
      if (isOver()) return;
      await sendOne(request);
    }
  }
}

function send(base: RequestOptions, { method, path, headers, body }: WarmRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { ...base, method, path, headers: { ...base.headers, ...headers } };
    const request = httpRequest(options, (response) => {
      const { statusCode = 0 } = response;
      response.on('error', reject);
      response.on('end', () => (statusCode < 300 ? resolve() : reject(new Error(`${method} ${path}: ${statusCode}`))));
      response.resume();
    });
    request.on('error', reject);
    request.removeHeader('Connection'); // as from most clients: they do not say what is the rule
    request.end(body);
  });
}
