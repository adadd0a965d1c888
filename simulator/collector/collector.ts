// A collector at work on one dataset: its connections, its store on disk, its heartbeat, and the steps of its start and end.

import { HttpLink, type HttpTarget } from '../../client/http-link.ts';
import { BatchStore, STORE_LIMIT_BYTES, type StoredBatch } from '../../forward/batch-store.ts';
import { keepBeating, STATUS } from '../../forward/heartbeat.ts';
import { HistorianClient, type TagObject, UnavailableError } from '../../forward/historian-client.ts';
import { Lane } from '../../forward/lane.ts';
import { LinkState } from '../../forward/link-state.ts';
import { atMost, sleep } from '../../forward/sleep.ts';
import { CollectorSink } from './collector-sink.ts';

/** Connections that carry points; each tag keeps to one of them. */
const LANES = 4;
const CONNECT_RETRY_MS = 1000;
/** How long the end of a run waits for what is under way. */
const FAREWELL_MS = 5000;

const WHEN_FULL = 'generation pauses; what is missing then is generated when the server is back';

export interface CollectorOptions {
  readonly target: HttpTarget;
  readonly dataset: string;
  /** Folder in which batches wait for the server. */
  readonly storeFolder: string;
  readonly storeLimitBytes?: number | undefined;
  /** Ends waiting for the server. */
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

export class Collector {
  readonly sink: CollectorSink;
  readonly #options: CollectorOptions;
  readonly #links: HttpLink[] = [];
  readonly #lanes: Lane[] = [];
  readonly #client: HistorianClient;
  readonly #store: BatchStore;
  readonly #left: StoredBatch[];
  readonly #ended = new AbortController();
  #heartbeat: Promise<void> = Promise.resolve();
  #grace: NodeJS.Timeout | undefined;

  private constructor(options: CollectorOptions, store: BatchStore, left: StoredBatch[]) {
    this.#options = options;
    this.#store = store;
    this.#left = left;
    this.#client = this.#connect();
    const linkState = new LinkState(store.folder, options.log, WHEN_FULL);
    const { signal } = this.#ended;
    for (let i = 0; i < LANES; i++) this.#lanes.push(new Lane({ client: this.#connect(), store, linkState, signal }));
    this.sink = new CollectorSink(options.target, this.#lanes);
    options.signal.addEventListener('abort', () => {
      this.#grace = setTimeout(() => this.#ended.abort(), FAREWELL_MS);
    });
  }

  static async open(options: CollectorOptions): Promise<Collector> {
    const limitBytes = options.storeLimitBytes ?? STORE_LIMIT_BYTES;
    const { store, left } = await BatchStore.open(options.storeFolder, limitBytes);
    return new Collector(options, store, left);
  }

  /** Waits for the server, makes the dataset, forwards what an earlier run stored, and starts the heartbeat. */
  async start(): Promise<void> {
    const { dataset, target, log } = this.#options;
    const how = await this.#untilAvailable(() => this.#client.createDataset());
    if (how === undefined) return;
    log(`dataset ${dataset} on ${target.baseUrl.origin} ${how === 'created' ? 'is created' : 'is there'}`);
    this.#heartbeat = keepBeating({
      client: this.#client,
      status: () => STATUS.good,
      signal: this.#ended.signal,
      log,
    });
    await this.#forwardLeft();
  }

  async readNewest(names: readonly string[]): Promise<Map<string, number>> {
    return (await this.#untilAvailable(() => this.#client.readNewest(names))) ?? new Map();
  }

  async postTags(tags: readonly TagObject[]): Promise<void> {
    await this.#untilAvailable(() => this.#client.postTags(tags));
  }

  /** Resolves when everything sent is on the server, or the run is stopped. */
  async forwarded(): Promise<void> {
    const stopped = new Promise<void>((resolve) => this.#options.signal.addEventListener('abort', () => resolve()));
    if (this.#options.signal.aborted) return;
    await Promise.race([Promise.all(this.#lanes.map((lane) => lane.forwarded())), stopped]);
  }

  /** Says goodbye to the server if it is there, and closes the connections. */
  async end(): Promise<void> {
    clearTimeout(this.#grace);
    this.#ended.abort();
    const farewell = Promise.all([...this.#lanes.map((lane) => lane.ended()), this.#heartbeat]).then(() =>
      this.#client.postStatus(STATUS.shutDown, Date.now()),
    );
    await atMost(
      FAREWELL_MS,
      farewell.catch(() => undefined),
    );
    for (const link of this.#links) link.close();
  }

  async #forwardLeft(): Promise<void> {
    if (this.#left.length === 0) return;
    this.#options.log(`forwarding ${this.#left.length} batches that an earlier run stored in ${this.#store.folder}`);
    for (let batch = this.#left[0]; batch !== undefined; batch = this.#left[0]) {
      const body = await this.#store.read(batch);
      const sent = await this.#untilAvailable(async () => {
        await this.#client.postData(body);
        return true;
      });
      if (sent === undefined) return;
      await this.#store.remove(batch);
      this.#left.shift();
    }
  }

  /** Tries until the server answers; `undefined` when the run was stopped before. */
  async #untilAvailable<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { signal, log, target } = this.#options;
    let isTold = false;
    while (!signal.aborted) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        if (!isTold) log(`waiting for the server ${target.baseUrl.origin} (${error.message})`);
        isTold = true;
        await sleep(CONNECT_RETRY_MS, signal);
      }
    }
    return undefined;
  }

  #connect(): HistorianClient {
    const link = new HttpLink(this.#options.target, { connections: 1, program: 'Varve simulator' });
    this.#links.push(link);
    return new HistorianClient(link, this.#options.dataset);
  }
}
