// A collector at work: the source, the buffer on disk, the newest times, the dataset, and what it says of itself.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, withFiles } from '../forward/errors.ts';
import { lockFolder } from '../forward/folder-lock.ts';
import { atMost, sleep } from '../forward/sleep.ts';
import type { CollectConfig } from './config.ts';
import { type CollectorFigures, describeFigures, FigurePoints } from './figure-points.ts';
import { advanceByLeft } from './left-batches.ts';
import { NewestTimes } from './newest-times.ts';
import { openCertificates } from './opcua/client-certificates.ts';
import { type Client, loadOpcUa } from './opcua/library.ts';
import { SessionOpener } from './opcua/session-opener.ts';
import { OpcUaSource } from './opcua/source.ts';
import { SourceClocks } from './opcua/source-clocks.ts';
import { SubscriptionRecord } from './opcua/subscription-record.ts';
import type { NamedPoint } from './point.ts';
import { PointBuffer } from './point-buffer.ts';
import { PointRate } from './point-rate.ts';
import { TargetDataset } from './target-dataset.ts';

const SAVE_MS = 1000;
const TELL_MS = 60_000;
const FIGURES_MS = 10_000;
const FAREWELL_MS = 5000;

export interface CollectOptions {
  readonly config: CollectConfig;
  readonly log: (line: string) => void;
  /** Gets what tells the figures of the run at any time, once it has begun. */
  readonly onBegin?: (figures: () => CollectorFigures) => void;
  /** Ends the run in order. */
  readonly signal: AbortSignal;
}

/** Runs until the signal is aborted. Rejects where the disk of the buffer fails. */
export async function collect(options: CollectOptions): Promise<void> {
  const library = await loadOpcUa();
  const { bufferFolder, certificateFolder } = options.config;
  await withFiles(`make the folder ${bufferFolder}`, () => mkdir(bufferFolder, { recursive: true }));
  const lock = await lockFolder({ path: bufferFolder, name: 'folder', program: 'collector' });
  const certificates = await openCertificates(library, certificateFolder);
  try {
    const run = new CollectorRun(options, await NewestTimes.open(join(bufferFolder, 'newest.json')));
    await run.run(new SessionOpener(library, options.config, certificates), library.client);
  } finally {
    await certificates.dispose();
    await lock.release();
  }
}

class CollectorRun {
  readonly #options: CollectOptions;
  readonly #newest: NewestTimes;
  readonly #target: TargetDataset;
  readonly #record: SubscriptionRecord;
  readonly #source = new AbortController();
  readonly #ended = new AbortController();
  readonly #rate = new PointRate();
  #storedCount = 0;
  #lagMs: number | undefined;
  #failure: unknown;

  constructor(options: CollectOptions, newest: NewestTimes) {
    const { config, log, signal } = options;
    this.#options = options;
    this.#newest = newest;
    this.#target = new TargetDataset(config.target, newest, log);
    this.#record = new SubscriptionRecord(join(config.bufferFolder, 'subscriptions.json'));
    const stop = (): void => this.#source.abort();
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { signal: this.#ended.signal });
  }

  async run(opener: SessionOpener, client: typeof Client): Promise<void> {
    const { config, log } = this.#options;
    const target = this.#target;
    const buffer = await this.#openBuffer();
    const source = new OpcUaSource({
      config,
      opener,
      client,
      record: this.#record,
      clocks: new SourceClocks(this.#newest.leads, config.publishingMs),
      timesOf: (tags) => target.timesOf(tags),
      define: (tags) => target.define(tags),
      store: (points) => buffer.add(points),
      written: () => buffer.written(),
      kept: () => buffer.kept(),
      onOpen: () => buffer.resume(),
      onState: (isUp) => target.setUp(isUp),
      reasonToEnd: () => (buffer.canResume ? 'points were dropped, and are read from its history' : undefined),
      log,
      signal: this.#source.signal,
    });
    const figures = (): CollectorFigures => ({
      connected: source.isUp,
      endpoint: source.endpoint,
      lastError: source.lastError,
      pointsPerSecond: this.#rate.perSecond(Date.now()),
      lagSeconds: this.#lagMs === undefined ? undefined : this.#lagMs / 1000,
      variables: source.variableCount,
      stored: this.#storedCount,
      filtered: source.filteredCount,
      overflowed: source.overflowedCount,
      waiting: buffer.figures,
      counts: buffer.counts,
    });
    this.#options.onBegin?.(figures);
    const { signal } = this.#ended;
    const chores = [this.#save(), this.#tell(figures), this.#storeFigures(buffer, figures), target.keepBeating(signal)];
    await source.run();
    await buffer.written();
    await this.#sendRest(buffer);
    this.#ended.abort();
    await Promise.all(chores);
    await this.#newest.save();
    await target.sayGoodbye();
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #openBuffer(): Promise<PointBuffer> {
    const { config, log } = this.#options;
    const { buffer, left } = await PointBuffer.open({
      folder: join(config.bufferFolder, 'points'),
      limitBytes: config.bufferLimitBytes,
      target: { baseUrl: config.target.url, token: config.target.token },
      client: this.#target.client,
      prepare: () => this.#target.prepare(),
      onAway: () => this.#target.forget(),
      onStored: (points) => this.#countStored(points),
      // A hole begins, and no subscription of before can fill it.
      onDropping: () => void this.#record.clear().catch((error: unknown) => this.#fail(error)),
      onFailure: (error) => this.#fail(error),
      log,
      signal: this.#ended.signal,
    });
    await advanceByLeft(this.#newest, left);
    return buffer;
  }

  #countStored(points: readonly NamedPoint[]): void {
    const nowMs = Date.now();
    this.#storedCount += points.length;
    this.#rate.add(points.length, nowMs);
    const newestMs = points.reduce((so, { point }) => Math.max(so, point.timeMs), Number.NEGATIVE_INFINITY);
    this.#lagMs = Math.max(0, nowMs - newestMs);
    this.#newest.advance(points);
  }

  async #save(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      await this.#newest.save().catch((error: unknown) => this.#fail(error));
      await sleep(SAVE_MS, signal);
    }
  }

  async #tell(figures: () => CollectorFigures): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      await sleep(TELL_MS, signal);
      this.#options.log(describeFigures(figures()));
    }
  }

  async #storeFigures(buffer: PointBuffer, figures: () => CollectorFigures): Promise<void> {
    const { signal } = this.#source;
    const { figurePrefix } = this.#options.config;
    if (figurePrefix === undefined) return;
    const points = new FigurePoints(figurePrefix);
    while (!signal.aborted) {
      await sleep(FIGURES_MS, signal);
      buffer.add(points.take(figures(), Date.now()));
    }
  }

  /** What is not sent within a while stays on disk for the next run. */
  async #sendRest(buffer: PointBuffer): Promise<void> {
    await atMost(
      FAREWELL_MS,
      buffer.sent().catch((error: unknown) => this.#fail(error)),
    );
  }

  /** A disk that fails ends the run: nothing could be promised any more. One that is full does not. */
  #fail(error: unknown): void {
    if (this.#failure === undefined) this.#options.log(messageOf(error));
    this.#failure ??= error;
    this.#source.abort();
  }
}
