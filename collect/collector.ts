// A collector at work: the source, the buffer on disk, the newest times, the definitions, and the status of the dataset.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HttpLink } from '../client/http-link.ts';
import { messageOf, RefusedError, withFiles } from '../forward/errors.ts';
import { lockFolder } from '../forward/folder-lock.ts';
import { keepBeating, STATUS } from '../forward/heartbeat.ts';
import { HistorianClient, type TagObject } from '../forward/historian-client.ts';
import { atMost, sleep } from '../forward/sleep.ts';
import type { CollectConfig } from './config.ts';
import { NewestTimes } from './newest-times.ts';
import { openCertificates } from './opcua/client-certificates.ts';
import { type Client, loadOpcUa } from './opcua/library.ts';
import { SessionOpener } from './opcua/session-opener.ts';
import { OpcUaSource } from './opcua/source.ts';
import { PointBuffer } from './point-buffer.ts';

const SAVE_MS = 1000;
const TELL_MS = 60_000;
const FAREWELL_MS = 5000;
const ASK_LIMIT_MS = 5000;
const FORBIDDEN = [401, 403];

export interface CollectOptions {
  readonly config: CollectConfig;
  readonly log: (line: string) => void;
  /** Ends the run in order. */
  readonly signal: AbortSignal;
}

/** Runs until the signal is aborted. Rejects where the disk of the buffer fails. */
export async function collect(options: CollectOptions): Promise<void> {
  const library = await loadOpcUa();
  const { config } = options;
  await withFiles(`make the folder ${config.bufferFolder}`, () => mkdir(config.bufferFolder, { recursive: true }));
  const lock = await lockFolder({ path: config.bufferFolder, name: 'folder', program: 'collector' });
  const certificates = await openCertificates(library, config.certificateFolder);
  try {
    const run = new CollectorRun(options, await NewestTimes.open(join(config.bufferFolder, 'newest.json')));
    await run.run(new SessionOpener(library, config, certificates), library.client);
  } finally {
    await certificates.dispose();
    await lock.release();
  }
}

class CollectorRun {
  readonly #options: CollectOptions;
  readonly #newest: NewestTimes;
  readonly #client: HistorianClient;
  readonly #status: HistorianClient;
  readonly #links: HttpLink[] = [];
  readonly #source = new AbortController();
  readonly #ended = new AbortController();
  #undefinedTags: readonly TagObject[] = [];
  #isDatasetThere = false;
  #isUp = false;
  #storedCount = 0;
  #failure: unknown;

  constructor(options: CollectOptions, newest: NewestTimes) {
    this.#options = options;
    this.#newest = newest;
    this.#client = this.#connect();
    this.#status = this.#connect();
    options.signal.addEventListener('abort', () => this.#source.abort());
  }

  async run(opener: SessionOpener, client: typeof Client): Promise<void> {
    const { config, log } = this.#options;
    const buffer = await this.#openBuffer();
    const source = new OpcUaSource({
      config,
      opener,
      client,
      newestOf: (tags) => this.#newestOf(tags),
      define: (tags) => this.#define(tags),
      store: (points) => buffer.add(points),
      stored: () => buffer.written(),
      onOpen: () => buffer.resume(),
      onState: (isUp) => this.#setUp(isUp),
      reasonToEnd: () => (buffer.canResume ? 'points were dropped, and are read from its history' : undefined),
      log,
      signal: this.#source.signal,
    });
    const beating = keepBeating({
      client: this.#status,
      status: () => (this.#isUp ? STATUS.good : STATUS.sourceLost),
      signal: this.#ended.signal,
      log: () => undefined,
    });
    const chores = Promise.all([this.#save(), this.#tell(buffer, source)]);
    await source.run();
    await buffer.written();
    await this.#sendRest(buffer);
    this.#ended.abort();
    await Promise.all([beating, chores]);
    await this.#newest.save();
    await this.#sayGoodbye();
    for (const link of this.#links) link.close();
    if (this.#failure !== undefined) throw this.#failure;
  }

  #openBuffer(): Promise<PointBuffer> {
    const { config, log } = this.#options;
    return PointBuffer.open({
      folder: join(config.bufferFolder, 'points'),
      limitBytes: config.bufferLimitBytes,
      target: { baseUrl: config.target.url, token: config.target.token },
      client: this.#client,
      prepare: () => this.#prepare(),
      onStored: (points) => {
        this.#storedCount += points.length;
        this.#newest.advance(points);
      },
      onFailure: (error) => this.#fail(error),
      log,
      signal: this.#ended.signal,
    });
  }

  async #prepare(): Promise<void> {
    if (!this.#isDatasetThere) {
      const how = await this.#client.createDataset({ late: 'accept' });
      this.#isDatasetThere = true;
      this.#options.log(
        `the dataset ${this.#options.config.target.dataset} ${how === 'created' ? 'is made' : 'is there'}`,
      );
    }
    const tags = this.#undefinedTags;
    if (tags.length === 0) return;
    try {
      await this.#client.postTags(tags);
    } catch (error) {
      // Points do not wait for what a user has defined otherwise; they do for whoever may not write at all.
      if (!(error instanceof RefusedError) || FORBIDDEN.includes(error.status)) throw error;
      this.#options.log(`${error.message}; the tags stay as they are`);
    }
    if (this.#undefinedTags === tags) this.#undefinedTags = [];
  }

  #define(tags: readonly TagObject[]): void {
    this.#undefinedTags = tags;
  }

  /** Tags that the file does not have are asked for, where the historian can be asked now. */
  async #newestOf(tags: readonly string[]) {
    const unknown = tags.filter((tag) => this.#newest.get(tag) === undefined);
    if (unknown.length > 0) {
      const asked = this.#client.readNewest(unknown).catch(() => undefined);
      const found = await atMost(ASK_LIMIT_MS, asked);
      for (const [tag, timeMs] of found ?? []) this.#newest.advanceTo(tag, { timeMs, ticks: 0 });
    }
    return (tag: string) => this.#newest.get(tag);
  }

  #setUp(isUp: boolean): void {
    if (this.#isUp === isUp) return;
    this.#isUp = isUp;
    void this.#status.postStatus(isUp ? STATUS.good : STATUS.sourceLost, Date.now()).catch(() => undefined);
  }

  async #save(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      await this.#newest.save().catch((error: unknown) => this.#fail(error));
      await sleep(SAVE_MS, signal);
    }
  }

  async #tell(buffer: PointBuffer, source: OpcUaSource): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      await sleep(TELL_MS, signal);
      const { sizeBytes, droppedCount, refusedCount } = buffer;
      this.#options.log(
        `stored ${this.#storedCount} points, filtered ${source.filteredCount}, dropped ${droppedCount}, ` +
          `refused ${refusedCount} batches; ${sizeBytes} bytes wait in ${this.#options.config.bufferFolder}`,
      );
    }
  }

  /** What is not sent within a while stays on disk for the next run. */
  async #sendRest(buffer: PointBuffer): Promise<void> {
    await atMost(
      FAREWELL_MS,
      buffer.sent().catch((error: unknown) => this.#fail(error)),
    );
  }

  async #sayGoodbye(): Promise<void> {
    await atMost(
      FAREWELL_MS,
      this.#status.postStatus(STATUS.shutDown, Date.now()).catch(() => undefined),
    );
  }

  /** A disk that fails ends the run: nothing could be promised any more. */
  #fail(error: unknown): void {
    if (this.#failure === undefined) this.#options.log(messageOf(error));
    this.#failure ??= error;
    this.#source.abort();
  }

  #connect(): HistorianClient {
    const { url, token, dataset } = this.#options.config.target;
    const link = new HttpLink({ baseUrl: url, token }, { connections: 1 });
    this.#links.push(link);
    return new HistorianClient(link, dataset);
  }
}
