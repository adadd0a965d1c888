// The copies of all datasets of an edge at one sink: begins when a dataset appears, and tells the sink of those that are gone.

import { setMaxListeners } from 'node:events';
import type { Engine, Following } from '../../engine/index.ts';
import { EdgeFolder } from '../edge/edge-folder.ts';
import { type CopiedDataset, copyName, type Sink } from '../sink.ts';
import { NameTaken } from './copy-faults.ts';
import type { CopyStatus } from './copy-status.ts';
import { DatasetCopy } from './dataset-copy.ts';
import { type CopyEvent, KeptCopy } from './kept-copy.ts';
import { Pace, Rests } from './pace.ts';

export interface ReplicationOptions {
  readonly engine: Engine;
  readonly sink: Sink;
  readonly dataFolder: string;
  /** Before the names of datasets at the sink, with a dot; empty for none. */
  readonly site: string;
  /** Address at which this edge takes writes, for people. */
  readonly edgeAddress: string;
  /** Names of datasets that were restored from a backup: a new copy begins, and the old one counts as deleted. */
  readonly restored: readonly string[];
  /** Names of the datasets that are copied; empty: all. */
  readonly datasets: readonly string[];
  readonly nowMs: () => number;
  readonly listener: (event: CopyEvent) => void;
}

/** How often new datasets are looked for. */
const LOOK_MS = 1_000;

export class Replication {
  readonly #options: ReplicationOptions;
  readonly #folder: EdgeFolder;
  /** By the dataset's name here. */
  readonly #copies = new Map<string, KeptCopy>();
  readonly #rests = new Rests();
  #timer: NodeJS.Timeout | undefined;
  readonly #stopping = new AbortController();
  #looking: Promise<void> = Promise.resolve();
  /** Names that were looked for among other copies, at the sink. */
  #hasLooked = false;
  #failure: string | undefined;

  /** Throws the system's error when its folder cannot be made. */
  constructor(options: ReplicationOptions) {
    this.#options = options;
    this.#folder = new EdgeFolder(options.dataFolder);
    // Each dataset listens; Node warns of more than ten.
    setMaxListeners(0, this.#stopping.signal);
  }

  /** Goes on by itself from then on. */
  start(): void {
    this.#look();
  }

  get status(): CopyStatus {
    return { name: this.#options.sink.name, datasets: [...this.#copies.values()].map(({ status }) => status) };
  }

  /** Why no copy begins; undefined when all is well. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Ends after the requests that are under way; what is left is sent after the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#looking;
    await Promise.all([...this.#copies.values()].map(({ ended }) => ended));
    await this.#options.sink.close();
  }

  #look(): void {
    this.#looking = this.#begin()
      .then(() => {
        this.#failure = undefined;
      })
      .catch((error: unknown) => this.#noteFailure(error))
      .then(() => {
        if (!this.#stopping.signal.aborted) this.#timer = setTimeout(() => this.#look(), LOOK_MS);
      });
  }

  #noteFailure(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.#failure !== message) this.#options.listener({ level: 'warn', message, dataset: '' });
    this.#failure = message;
  }

  async #begin(): Promise<void> {
    const { engine, datasets } = this.#options;
    const names = engine
      .datasets()
      .filter(({ state }) => state === undefined)
      .map(({ name }) => name);
    const wanted = names.filter((name) => datasets.length === 0 || datasets.includes(name));
    const missing = wanted.filter((name) => !this.#copies.has(name));
    const failures: unknown[] = [];
    // Followed also while the sink is away: purge waits for what it does not have.
    for (const name of missing) await this.#copy(name).catch((error: unknown) => failures.push(error));
    await this.#lookForGone().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  /** Looks for missing datasets once, as soon as the sink is there. */
  async #lookForGone(): Promise<void> {
    if (this.#hasLooked) return;
    await this.#options.sink.open();
    await this.#buryMissing();
    this.#hasLooked = true;
  }

  async #copy(name: string): Promise<void> {
    const { engine, restored } = this.#options;
    const following = await engine.follow(name, restored.includes(name) ? 'new' : 'kept');
    try {
      if (this.#stopping.signal.aborted) following.stop();
      else this.#keepCopying(name, following);
    } catch (error) {
      // Another look follows it again: purge would wait for this one for good.
      following.stop();
      throw error;
    }
  }

  /** Throws the system's error when its file of positions cannot be read, or written. */
  #keepCopying(name: string, following: Following): void {
    const { sink, nowMs, listener, edgeAddress } = this.#options;
    const stopped = this.#stopping.signal;
    const dataset = { name: this.#nameOf(name), identity: following.identity };
    const copy = new DatasetCopy({
      following,
      dataset,
      sink,
      positions: this.#folder.positions(dataset, sink.name),
      edge: this.#folder.edge,
      edgeAddress,
      nowMs,
      checkName: () => this.#takeName(dataset),
      pace: new Pace(this.#rests, stopped),
      stopped,
    });
    const kept = new KeptCopy({ name, copy, sink, nowMs, listener, isOn: () => following.isOn, stopped });
    this.#copies.set(name, kept);
    void kept.ended.then(() => {
      following.stop();
      if (kept.status.state !== 'stopped') this.#copies.delete(name);
    });
  }

  #nameOf(name: string): string {
    return copyName(this.#options.site, name);
  }

  /** Earlier datasets of the same name by this edge are gone. Rejects with NameTaken when another edge has one. */
  async #takeName(dataset: CopiedDataset): Promise<void> {
    const { sink } = this.#options;
    for (const other of await sink.datasets()) {
      if (other.isDeleted) continue;
      if (other.identity === dataset.identity && other.name !== dataset.name)
        throw new NameTaken(
          `${sink.name} has this dataset as '${other.name}': its folder was copied. Start with --centre-restored ${dataset.name} to begin a copy of its own.`,
        );
      if (other.name !== dataset.name) continue;
      if (other.edge !== this.#folder.edge)
        throw new NameTaken(
          `${sink.name} has a copy of '${dataset.name}' by another edge (${other.edge}; this is ${this.#folder.edge}). Give each edge a --site of its own.`,
        );
      if (other.identity !== dataset.identity) await this.#bury(other);
    }
  }

  /** Datasets that were deleted while nothing was copied, whether files tell of them or only the sink does. */
  async #buryMissing(): Promise<void> {
    const { engine, sink } = this.#options;
    const alive = new Set(engine.datasets().map(({ name }) => this.#nameOf(name)));
    const prefix = this.#nameOf('');
    for (const other of await sink.datasets()) {
      const isOurs = other.edge === this.#folder.edge && other.name.startsWith(prefix);
      if (isOurs && !other.isDeleted && !alive.has(other.name)) await this.#bury(other);
    }
    for (const known of this.#folder.copied(sink.name))
      if (!alive.has(known.name)) this.#folder.positions(known, sink.name).remove();
  }

  async #bury(dataset: CopiedDataset): Promise<void> {
    const { sink, nowMs } = this.#options;
    const { revision } = await sink.stateOf(dataset);
    await sink.putDataset(dataset, {
      revision: Math.max(revision + 1, nowMs()),
      edge: this.#folder.edge,
      edgeAddress: this.#options.edgeAddress,
      isDeleted: true,
      rules: { purgeAgeDays: 0, purgeSizeGb: 0 },
      copiedUntilMs: null,
      writtenMs: nowMs(),
    });
    this.#folder.positions(dataset, sink.name).remove();
  }
}
