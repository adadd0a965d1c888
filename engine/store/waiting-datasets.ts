// The datasets of a data folder that are not opened fully, by name: opened at the start, retried until it succeeds. Folders
// that appear while the server runs, or whose name is not a dataset's, are noticed here and reported.

import type { Dataset, EngineContext } from '../dataset/dataset.ts';
import { type FoundFolders, findFolderOf, findFolders, type UnknownFolder } from '../files/dataset-folders.ts';
import { removeRetiredFiles } from '../flush/file-removal.ts';
import type { ImpairedDataset } from '../types.ts';
import { WaitingDataset } from './waiting-dataset.ts';

/** How often the data folder is scanned. */
const LOOK_MS = 10_000;

export interface WaitingParts {
  /** Whether a dataset of this name is open, being created or being deleted. */
  readonly isTaken: (name: string) => boolean;
  /** Called when a dataset has become writable. */
  readonly onOpened: (dataset: Dataset) => void;
}

export class WaitingDatasets {
  readonly #context: EngineContext;
  readonly #dataFolder: string;
  readonly #parts: WaitingParts;
  readonly #waiting = new Map<string, WaitingDataset>();
  #unknown: ReadonlySet<string> = new Set();
  #lookedAtMs: number;
  /** Never rejects. */
  #retrying: Promise<void> | undefined;
  #closed = false;
  #openedCount = 0;

  constructor(context: EngineContext, dataFolder: string, parts: WaitingParts) {
    this.#context = context;
    this.#dataFolder = dataFolder;
    this.#parts = parts;
    this.#lookedAtMs = context.clock.monotonicMs();
  }

  /** Opens the datasets that were found, one after another. Throws POISONED. */
  async open({ datasets, unknown }: FoundFolders, progress: (step: string) => void): Promise<void> {
    this.#noteUnknown(unknown);
    for (const found of datasets) this.#add(new WaitingDataset(this.#context, this.#dataFolder, found, 'found'));
    for (const [i, waiting] of [...this.#waiting.values()].entries())
      await this.#try(waiting, (step) => progress(`${i + 1} of ${datasets.length}: ${waiting.name}: ${step}`));
  }

  /** Waits for the current attempt; there is at most one. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#retrying;
    for (const waiting of this.#waiting.values()) await waiting.stop();
  }

  get(name: string): WaitingDataset | undefined {
    return this.#waiting.get(name);
  }

  names(): string[] {
    return [...this.#waiting.keys()];
  }

  all(): WaitingDataset[] {
    return [...this.#waiting.values()];
  }

  /** Sorted by name. */
  impaired(): ImpairedDataset[] {
    const byName = this.all().sort((a, b) => (a.name < b.name ? -1 : 1));
    return byName.map(({ name, readable, reason }) => ({
      name,
      state: readable ? 'read-only' : 'unavailable',
      reason,
    }));
  }

  /** Number of datasets that have become writable. */
  get openedCount(): number {
    return this.#openedCount;
  }

  /** Number of folders whose name is not a dataset's. */
  get unknownCount(): number {
    return this.#unknown.size;
  }

  /** Removes a dataset from the list, because it is deleted. */
  take(name: string): WaitingDataset | undefined {
    const waiting = this.#waiting.get(name);
    this.#waiting.delete(name);
    return waiting;
  }

  /** Adds a dataset whose folder could not be moved aside: it is opened again. */
  withdraw(name: string, folder: string): void {
    this.#add(new WaitingDataset(this.#context, this.#dataFolder, { name, folder }, 'found'));
  }

  /** Throws the error of a waiting dataset, if there is one of this name: no second one may get its name. */
  refuseFolderOf(name: string): void {
    const folder = findFolderOf(this.#context.vfs, this.#dataFolder, name);
    if (folder !== undefined) throw this.#noteAppeared(folder, name).refusal;
  }

  /** Called every second: scans the data folder when due, and retries datasets that are due. */
  tick(): void {
    if (this.#closed || this.#context.health.poisoned) return;
    const nowMs = this.#context.clock.monotonicMs();
    if (nowMs - this.#lookedAtMs >= LOOK_MS) {
      this.#lookedAtMs = nowMs;
      this.#look();
    }
    for (const { readable } of this.#waiting.values()) if (readable) removeRetiredFiles(readable.dataset, 'due');
    this.#retrying ??= this.#retry().finally(() => {
      this.#retrying = undefined;
    });
  }

  async #retry(): Promise<void> {
    for (const waiting of this.#waiting.values()) {
      if (this.#closed || !waiting.isDue) continue;
      // Poisoned: the process ends, and that was reported.
      await this.#try(waiting, () => undefined).catch(() => undefined);
    }
  }

  async #try(waiting: WaitingDataset, progress: (step: string) => void): Promise<void> {
    const dataset = await waiting.attempt(progress);
    if (!dataset) return;
    // Deleted meanwhile.
    if (this.#waiting.get(waiting.name) !== waiting) return dataset.writing.journal.close();
    this.#waiting.delete(waiting.name);
    this.#openedCount++;
    this.#parts.onOpened(dataset);
  }

  #look(): void {
    try {
      const { datasets, unknown } = findFolders(this.#context.vfs, this.#dataFolder);
      this.#noteUnknown(unknown);
      for (const { folder, name } of datasets) if (!this.#parts.isTaken(name)) this.#noteAppeared(folder, name);
      const there = new Set(datasets.map(({ name }) => name));
      // Unreadable datasets whose folder has gone are dropped.
      for (const [name, { readable }] of this.#waiting) if (!readable && !there.has(name)) this.#waiting.delete(name);
    } catch {
      // No free descriptor, or a failing disk: the next scan may succeed.
    }
  }

  #noteAppeared(folder: string, name: string): WaitingDataset {
    return (
      this.#waiting.get(name) ??
      this.#add(new WaitingDataset(this.#context, this.#dataFolder, { folder, name }, 'appeared'))
    );
  }

  #add(waiting: WaitingDataset): WaitingDataset {
    this.#waiting.set(waiting.name, waiting);
    return waiting;
  }

  /** Reports each unknown folder once. */
  #noteUnknown(unknown: readonly UnknownFolder[]): void {
    for (const { folder, reason } of unknown) {
      if (this.#unknown.has(folder)) continue;
      const message = `The folder '${folder}' is no dataset, and is left alone: ${reason}. Rename it while the server is stopped, or take it away.`;
      this.#context.listener({ level: 'warn', event: 'folder.unknown', message, path: folder });
    }
    this.#unknown = new Set(unknown.map(({ folder }) => folder));
  }
}
