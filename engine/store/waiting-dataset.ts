// A dataset that is not opened fully: it could not be opened, or it is readable but not writable, because the state that its
// recovery rebuilt is not saved yet (D8). It is retried, with growing pauses.

import type { Dataset, EngineContext } from '../dataset/dataset.ts';
import { EngineError } from '../errors.ts';
import type { FoundFolder } from '../files/dataset-folders.ts';
import { isDiskFull } from '../io/system-errors.ts';
import type { ReadableDataset } from '../maintenance/dataset-maintenance.ts';
import { FolderSize } from '../maintenance/folder-size.ts';
import { datasetOf, openDataset, saveRecovered } from '../recovery/dataset-opening.ts';
import type { DatasetDefinition, EngineEvent } from '../types.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** Pause between attempts as a multiple of their duration: retries of a large dataset must not keep the server busy. */
const PAUSES_AN_ATTEMPT = 10;
/** With this many more bytes free on the disk a retry is made at once. */
const WORTHWHILE_BYTES = 64 * 1024;
/** Most distinct events of attempts that are remembered, so that each is reported once. */
const MOST_HEARD = 10_000;

/** `found`: at the start. `appeared`: while the server runs; never opened, because it may be incomplete. */
export type Origin = 'found' | 'appeared';

export class WaitingDataset {
  readonly name: string;
  readonly folder: string;
  readonly #context: EngineContext;
  readonly #path: string;
  readonly #dataFolder: string;
  readonly #origin: Origin;
  readonly #heard = new Set<string>();
  #definition: DatasetDefinition;
  #readable: { dataset: Dataset; size: FolderSize } | undefined;
  #reason = 'it has not been opened yet';
  #attempts = 0;
  #isOpened = false;
  #nextAtMs = Number.NEGATIVE_INFINITY;
  /** Bytes free on the disk after an attempt that failed on a full disk. */
  #freeBytes = Number.POSITIVE_INFINITY;
  /** The current attempt; never rejects. */
  #underWay: Promise<unknown> | undefined;

  constructor(context: EngineContext, dataFolder: string, { folder, name }: FoundFolder, origin: Origin) {
    this.name = name;
    this.folder = folder;
    this.#dataFolder = dataFolder;
    this.#path = `${dataFolder}/${folder}`;
    this.#origin = origin;
    this.#definition = { name, purgeAgeDays: 0, purgeSizeGb: 0 };
    this.#context = { ...context, listener: (event) => this.#forwardEvent(context, event) };
    if (origin === 'appeared') this.#noteAppeared();
  }

  get definition(): DatasetDefinition {
    return this.#definition;
  }

  /** Why it is not opened fully, in words. */
  get reason(): string {
    return this.#reason;
  }

  /** Undefined when it cannot be read either. */
  get readable(): ReadableDataset | undefined {
    return this.#readable && { ...this.#readable, reason: this.#reason };
  }

  /** The error for writes, and for reads if it is not readable. */
  get refusal(): EngineError {
    const { name } = this;
    if (!this.#readable)
      return new EngineError('UNAVAILABLE', `Dataset '${name}' cannot be served: ${this.#reason}.`, { name });
    const message = `Dataset '${name}' takes no writes yet: ${this.#reason}. Reading goes on; writing resumes by itself.`;
    return new EngineError('DISK_FULL', message, { name });
  }

  /** Whether the next attempt is due. */
  get isDue(): boolean {
    const { clock, disk } = this.#context;
    if (this.#origin === 'appeared' || this.#underWay) return false;
    return clock.monotonicMs() >= this.#nextAtMs || disk.freeBytes >= this.#freeBytes + WORTHWHILE_BYTES;
  }

  /** Tries to open it fully; returns the dataset on success. Throws POISONED. */
  async attempt(progress: (step: string) => void): Promise<Dataset | undefined> {
    const startMs = this.#context.clock.monotonicMs();
    const attempt = this.#tryOnce(progress);
    this.#underWay = attempt.catch(() => undefined);
    try {
      return await attempt;
    } finally {
      this.#underWay = undefined;
      this.#planNext(startMs);
    }
  }

  /** Closes the dataset: waits for the current attempt; only files pinned by reads stay open. */
  async stop(): Promise<void> {
    await this.#underWay;
    await this.#readable?.dataset.writing.journal.close();
  }

  async #tryOnce(progress: (step: string) => void): Promise<Dataset | undefined> {
    try {
      const dataset = this.#readable?.dataset ?? datasetOf(this.#context, this.#path, this.name);
      this.#definition = dataset.definition;
      const fault = this.#readable ? await saveRecovered(dataset) : await openDataset(dataset, progress);
      if (fault === undefined) return this.#finish(dataset);
      this.#readable ??= { dataset, size: new FolderSize(dataset) };
      this.#noteReadOnly(fault);
    } catch (error) {
      if (error instanceof EngineError && error.code === 'POISONED') throw error;
      this.#noteUnopened(error);
    }
    return undefined;
  }

  #finish(dataset: Dataset): Dataset {
    const message = `The dataset is in order, at attempt ${this.#attempts + 1}, and takes writes.`;
    if (this.#attempts > 0) dataset.report('info', 'dataset.opened', message, { path: this.folder });
    this.#isOpened = true;
    this.#heard.clear();
    return dataset;
  }

  /** Reports the failure; one bad dataset never stops the server (D16). */
  #noteUnopened(error: unknown): void {
    this.#reason = `it could not be opened (${this.#describe(error)}); it is tried again by itself`;
    const message = `The dataset is not in order: ${this.#reason}. Its requests are answered with 503.`;
    this.#report('error', 'dataset.unopened', message);
  }

  #noteReadOnly(fault: unknown): void {
    this.#reason = `what its start has rebuilt could not be saved (${this.#describe(fault)}); it is tried again by itself`;
    const message = `The dataset is not in order: ${this.#reason}. It can be read, and writes are refused.`;
    this.#report('warn', 'dataset.read-only', message);
  }

  /** The error in words, without the path of the data folder, which clients must not see. */
  #describe(error: unknown): string {
    this.#freeBytes = isDiskFull(error) ? this.#context.vfs.freeBytesSync(this.#dataFolder) : Number.POSITIVE_INFINITY;
    return String(error).replaceAll(`${this.#dataFolder}/`, '');
  }

  #noteAppeared(): void {
    this.#reason =
      'its folder was put into the data folder while the server runs, and nobody knows whether it is whole; restart the server when it is';
    this.#report('warn', 'folder.appeared', `The dataset is not served: ${this.#reason}.`);
  }

  #report(level: 'warn' | 'error', event: string, message: string): void {
    this.#context.listener({ level, event, message, dataset: this.name, path: this.folder });
  }

  #planNext(startMs: number): void {
    const nowMs = this.#context.clock.monotonicMs();
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#attempts);
    this.#attempts++;
    this.#nextAtMs = nowMs + Math.max(pauseMs, PAUSES_AN_ATTEMPT * (nowMs - startMs));
  }

  #forwardEvent({ listener }: EngineContext, event: EngineEvent): void {
    if (this.#isOpened) return listener(event);
    const key = JSON.stringify([event.event, event.path, event.message]);
    if (this.#heard.has(key)) return;
    if (this.#heard.size < MOST_HEARD) this.#heard.add(key);
    listener(event);
  }
}
