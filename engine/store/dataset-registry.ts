// The datasets of a data folder: found and recovered at the start, created, found by name, deleted. Datasets that could not be
// opened fully are in `WaitingDatasets`.

import { Dataset, type EngineContext } from '../dataset/dataset.ts';
import { DatasetState } from '../dataset/system-tags.ts';
import { EngineError } from '../errors.ts';
import { rulesOf } from '../files/dataset-file.ts';
import { chooseFolder, createFolder, findFolders, moveAside, removeFolder } from '../files/dataset-folders.ts';
import { Slicer } from '../io/slicer.ts';
import { DatasetMaintenance, type ReadableDataset } from '../maintenance/dataset-maintenance.ts';
import { openDataset } from '../recovery/dataset-opening.ts';
import type { DatasetDefinition, LateRule } from '../types.ts';
import { Deletions } from './deletions.ts';
import { asPassingRefusal } from './passing-refusal.ts';
import type { WaitingDataset } from './waiting-dataset.ts';
import { WaitingDatasets } from './waiting-datasets.ts';

/** How often a removal checks whether the reads that it waits for have ended. */
const READERS_LOOK_MS = 1000;

export class DatasetRegistry {
  readonly #context: EngineContext;
  readonly #dataFolder: string;
  readonly #datasets = new Map<string, DatasetMaintenance>();
  /** Datasets that could not be opened fully: nothing is created under their names. */
  readonly #waiting: WaitingDatasets;
  readonly #creating = new Map<string, Promise<DatasetMaintenance>>();
  /** Deletions whose folder is not moved aside yet: until then nothing is created under the name. */
  readonly #deleting = new Map<string, Promise<void>>();
  readonly #deletions: Deletions;
  #closed = false;

  constructor(context: EngineContext, dataFolder: string) {
    this.#context = context;
    this.#dataFolder = dataFolder;
    this.#deletions = new Deletions(context, dataFolder);
    this.#waiting = new WaitingDatasets(context, dataFolder, {
      isTaken: (name) => this.#datasets.has(name) || this.#creating.has(name) || this.#deleting.has(name),
      onOpened: (dataset) => void this.#begin(dataset),
    });
  }

  /** Recovers every dataset of the folder, one after another, and continues interrupted removals. */
  async open(progress: (step: string) => void): Promise<void> {
    this.#deletions.load();
    const found = findFolders(this.#context.vfs, this.#dataFolder);
    await this.#waiting.open(found, progress);
    for (const leftover of found.leftovers) this.#removeInBackground(`${this.#dataFolder}/${leftover}`, undefined);
  }

  /** Abandons removals, and waits for datasets that are being created or deleted. */
  async close(): Promise<void> {
    this.#closed = true;
    const underWay: Promise<unknown>[] = [...this.#creating.values(), ...this.#deleting.values()];
    await Promise.all(underWay.map((work) => work.catch(() => undefined)));
    await this.#waiting.close();
  }

  /** Called every second: retries opening the waiting datasets. */
  tick(): void {
    this.#waiting.tick();
  }

  names(): string[] {
    return [...this.#datasets.keys(), ...this.#waiting.names()].sort();
  }

  /** Number of `names()`. */
  get count(): number {
    return this.#datasets.size + this.#waiting.all().length;
  }

  get waiting(): WaitingDatasets {
    return this.#waiting;
  }

  all(): DatasetMaintenance[] {
    return [...this.#datasets.values()];
  }

  get(name: string): DatasetMaintenance | undefined {
    return this.#datasets.get(name);
  }

  /** Whether there is a dataset of that name, opened fully or not. */
  has(name: string): boolean {
    return this.#datasets.has(name) || this.#waiting.get(name) !== undefined;
  }

  /** Throws DATASET_NOT_FOUND, and for one that is not writable UNAVAILABLE or DISK_FULL. */
  find(name: string): DatasetMaintenance {
    const maintenance = this.#datasets.get(name);
    if (maintenance) return maintenance;
    throw this.#waiting.get(name)?.refusal ?? notFound(name);
  }

  /** A dataset that is readable, writable or not. Throws DATASET_NOT_FOUND, UNAVAILABLE. */
  readable(name: string): ReadableDataset {
    return this.#datasets.get(name) ?? this.#waiting.get(name)?.readable ?? this.find(name);
  }

  /** The dataset of that name, also one that is just being created; undefined when there is none. Throws as `find`. */
  existing(name: string): DatasetMaintenance | Promise<DatasetMaintenance> | undefined {
    const found = this.#datasets.get(name) ?? this.#creating.get(name);
    const waiting = found ? undefined : this.#waiting.get(name);
    if (waiting) throw waiting.refusal;
    return found;
  }

  /** Creates a dataset whose name is not in use; durable once resolved. Throws BAD_NAME, DISK_FULL. */
  create(definition: DatasetDefinition): Promise<DatasetMaintenance> {
    const creating = this.#createNow(definition).finally(() => this.#creating.delete(definition.name));
    this.#creating.set(definition.name, creating);
    return creating;
  }

  /**
   * The dataset of a tag definition or a data write, created with the default rules when missing, but for that of late points, if one is given. Synchronous when there is
   * nothing to wait for, so that no request overtakes another (D15).
   */
  findOrCreate(name: string, late?: LateRule): DatasetMaintenance | Promise<DatasetMaintenance> {
    const { defaultPurgeAgeDays: purgeAgeDays, defaultPurgeSizeGb: purgeSizeGb } = this.#context.tunables;
    const rule = late === undefined ? {} : { late };
    return this.existing(name) ?? this.create({ name, purgeAgeDays, purgeSizeGb, ...rule });
  }

  /** Throws DATASET_DELETED for a recently deleted name: a running collector must not create it again. */
  checkNotDeleted(name: string): void {
    const isDeleted = this.#deleting.has(name) || this.#deletions.isRecent(name);
    if (this.#creating.has(name) || !isDeleted) return;
    const message = `Dataset '${name}' was deleted a short while ago; create it again before you write to it.`;
    throw new EngineError('DATASET_DELETED', message, { name });
  }

  /** After it `checkNotDeleted` lets the name pass; durable once resolved. */
  async forgetDeletion(name: string): Promise<void> {
    await this.#deleting.get(name)?.catch(() => undefined);
    await this.#deletions.forget(name);
  }

  /**
   * Deletes a dataset, also one that could not be opened, because deleting makes room. Durable once resolved; its files are
   * removed in the background. Throws DATASET_NOT_FOUND.
   */
  async delete(name: string): Promise<void> {
    await this.#creating.get(name);
    const waiting = this.#waiting.take(name);
    const leaving = waiting ?? this.find(name);
    this.#datasets.delete(name);
    const deleting = this.#deleteNow(name, leaving).finally(() => this.#deleting.delete(name));
    this.#deleting.set(name, deleting);
    await deleting;
  }

  async #deleteNow(name: string, leaving: DatasetMaintenance | WaitingDataset): Promise<void> {
    const dataset = leaving instanceof DatasetMaintenance ? leaving.dataset : leaving.readable?.dataset;
    if (dataset) dataset.deleted = true;
    await leaving.stop();
    const { vfs, random } = this.#context;
    let aside: string | undefined;
    try {
      await this.#onDisk(async () => {
        await this.#deletions.add(name);
        aside = moveAside(vfs, random, this.#dataFolder, leaving.folder);
        if (dataset) dataset.files.folder = aside;
        await vfs.syncDirectory(this.#dataFolder);
      });
    } catch (error) {
      if (aside === undefined) this.#waiting.withdraw(name, leaving.folder);
      throw error;
    }
    if (aside !== undefined) this.#removeInBackground(aside, dataset);
  }

  /** Starts maintaining a dataset, which must be writable. */
  #begin(dataset: Dataset): DatasetMaintenance {
    const maintenance = new DatasetMaintenance(dataset);
    maintenance.recorder.recordState(DatasetState.Starting);
    maintenance.recorder.recordState(DatasetState.Running);
    this.#datasets.set(dataset.name, maintenance);
    return maintenance;
  }

  async #createNow(definition: DatasetDefinition): Promise<DatasetMaintenance> {
    const { vfs, random, disk } = this.#context;
    const { name } = definition;
    await this.#deleting.get(name)?.catch(() => undefined);
    // Folders are created synchronously: when there are many at once, some in each turn (D17).
    await new Slicer(this.#context).pause();
    disk.checkRoom();
    const file = { ...rulesOf(definition), purgedBeforeMs: null, systemPurgedBeforeMs: null };
    let maintenance: DatasetMaintenance | undefined;
    await this.#onDisk(async () => {
      this.#waiting.refuseFolderOf(name);
      const folder = chooseFolder(definition.name, vfs.listSync(this.#dataFolder));
      if (vfs.statSync(`${this.#dataFolder}/${folder}`))
        throw new EngineError('IO', `Something of the name '${folder}' is in the data folder already.`, { name });
      try {
        await createFolder(vfs, random, { dataFolder: this.#dataFolder, folder, file });
        await this.#deletions.forget(definition.name);
        const dataset = new Dataset(this.#context, `${this.#dataFolder}/${folder}`, definition);
        const fault = await openDataset(dataset, () => undefined);
        if (fault !== undefined) throw fault;
        maintenance = this.#begin(dataset);
      } catch (error) {
        await this.#undoCreation(name, folder);
        throw error;
      }
    });
    return maintenance as DatasetMaintenance;
  }

  /** Removes a partly created folder; if that fails as well, the dataset exists, and is opened when possible. */
  async #undoCreation(name: string, folder: string): Promise<void> {
    const { vfs, random } = this.#context;
    if (!vfs.statSync(`${this.#dataFolder}/${folder}`)) return;
    let aside: string | undefined;
    try {
      aside = moveAside(vfs, random, this.#dataFolder, folder);
      await vfs.syncDirectory(this.#dataFolder);
    } finally {
      if (aside === undefined) this.#waiting.withdraw(name, folder);
      else this.#removeInBackground(aside, undefined);
    }
  }

  /** A full disk and too many open files are retried; after any other fault the state on disk is unknown, and nothing more is written (D11). */
  async #onDisk(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof EngineError) throw error;
      const refusal = asPassingRefusal(error);
      if (refusal) throw refusal;
      const message = `Creating or deleting a dataset failed on disk (${String(error)}).`;
      const poison = new EngineError('POISONED', message, { path: this.#dataFolder }, error);
      this.#context.poison(poison);
      throw poison;
    }
  }

  #removeInBackground(path: string, dataset: Dataset | undefined): void {
    this.#remove(path, dataset).catch((error: unknown) => {
      const message = `A deleted dataset's folder could not be removed yet (${String(error)}); the next start goes on.`;
      this.#context.listener({ level: 'warn', event: 'folder.unremoved', message, path });
    });
  }

  /** Removes a deleted folder once the reads that began before the deletion have ended. */
  async #remove(path: string, dataset: Dataset | undefined): Promise<void> {
    const { vfs, clock } = this.#context;
    while (dataset && dataset.files.openCursors > 0 && !this.#closed) {
      await new Promise<void>((resolve) => void clock.after(READERS_LOOK_MS, resolve));
    }
    const slicer = new Slicer(this.#context);
    await removeFolder(vfs, path, () => slicer.pause());
  }
}

function notFound(name: string): EngineError {
  return new EngineError('DATASET_NOT_FOUND', `Dataset '${name}' could not be found.`, { name });
}
