// The datasets of a data folder: found and recovered at the start, created, found by name, deleted.

import { EngineError } from '../errors.ts';
import type { DatasetDefinition } from '../types.ts';
import { Dataset, type EngineContext } from './dataset.ts';
import { type DatasetFile, readDatasetFile } from './dataset-file.ts';
import {
  chooseFolder,
  createFolder,
  type FoundFolder,
  findFolders,
  removeFolder,
  setAside,
} from './dataset-folders.ts';
import { DatasetUpkeep } from './dataset-upkeep.ts';
import { Deletions } from './deletions.ts';
import { asPassingRefusal } from './passing-refusal.ts';
import { recover } from './recovery.ts';
import { Slicer } from './slicer.ts';
import { DatasetState } from './system-tags.ts';

/** How often a removal looks whether the reads that hold it up have ended. */
const READERS_LOOK_MS = 1000;

export class DatasetRegistry {
  readonly #context: EngineContext;
  readonly #dataFolder: string;
  readonly #datasets = new Map<string, DatasetUpkeep>();
  /** Names of folders that are there and could not be opened: nothing is created in their place. */
  readonly #unopened = new Set<string>();
  readonly #creating = new Map<string, Promise<DatasetUpkeep>>();
  /** Until the folder is out of the way: nothing is created in its place before. */
  readonly #deleting = new Map<string, Promise<void>>();
  readonly #deletions: Deletions;
  #closed = false;

  constructor(context: EngineContext, dataFolder: string) {
    this.#context = context;
    this.#dataFolder = dataFolder;
    this.#deletions = new Deletions(context, dataFolder);
  }

  /** Recovers every dataset of the folder, one after the other, and goes on with removals that were interrupted. */
  async open(progress: (step: string) => void): Promise<void> {
    const { vfs, listener } = this.#context;
    this.#deletions.load();
    const { datasets, unknown, leftovers } = findFolders(vfs, this.#dataFolder);
    for (const path of unknown) {
      const message = `The folder ${path} is not a dataset's name; it is left alone.`;
      listener({ level: 'warn', event: 'folder.unknown', message, path });
    }
    for (const [i, found] of datasets.entries()) {
      await this.#openFound(found, (step) => progress(`${i + 1} of ${datasets.length}: ${found.name}: ${step}`));
    }
    for (const leftover of leftovers) this.#removeAtLeisure(`${this.#dataFolder}/${leftover}`, undefined);
  }

  /** Takes no part in removals any more, and waits for datasets that are being created or deleted. */
  async close(): Promise<void> {
    this.#closed = true;
    const underWay: Promise<unknown>[] = [...this.#creating.values(), ...this.#deleting.values()];
    await Promise.all(underWay.map((work) => work.catch(() => undefined)));
  }

  names(): string[] {
    return [...this.#datasets.keys()].sort();
  }

  all(): DatasetUpkeep[] {
    return [...this.#datasets.values()];
  }

  get(name: string): DatasetUpkeep | undefined {
    return this.#datasets.get(name);
  }

  /** Throws DATASET_NOT_FOUND. */
  find(name: string): DatasetUpkeep {
    const upkeep = this.#datasets.get(name);
    if (!upkeep) throw new EngineError('DATASET_NOT_FOUND', `Dataset '${name}' could not be found.`, { name });
    return upkeep;
  }

  /** The dataset of that name, also one that is just being created; undefined when there is none. */
  existing(name: string): DatasetUpkeep | Promise<DatasetUpkeep> | undefined {
    return this.#datasets.get(name) ?? this.#creating.get(name);
  }

  /** Creates a dataset whose name is not in use; durable once resolved. Throws BAD_NAME, DISK_FULL. */
  create(definition: DatasetDefinition): Promise<DatasetUpkeep> {
    const creating = this.#createNow(definition).finally(() => this.#creating.delete(definition.name));
    this.#creating.set(definition.name, creating);
    return creating;
  }

  /**
   * Not asynchronous where nothing is to be waited for, so that no request overtakes another (rule 1a).
   * The dataset of a tag definition or a data write, created with the default rules when missing.
   */
  findOrCreate(name: string): DatasetUpkeep | Promise<DatasetUpkeep> {
    const { defaultPurgeAgeDays, defaultPurgeSizeGb } = this.#context.tunables;
    return (
      this.existing(name) ?? this.create({ name, purgeAgeDays: defaultPurgeAgeDays, purgeSizeGb: defaultPurgeSizeGb })
    );
  }

  /** Throws DATASET_DELETED for a name that was deleted a short while ago: a live collector must not resurrect it. */
  checkNotDeleted(name: string): void {
    const isDeleted = this.#deleting.has(name) || this.#deletions.isRecent(name);
    if (this.#creating.has(name) || !isDeleted) return;
    const message = `Dataset '${name}' was deleted a short while ago; create it again before you write to it.`;
    throw new EngineError('DATASET_DELETED', message, { name });
  }

  /** Takes a dataset away; durable once resolved. Its files are removed at leisure. Throws DATASET_NOT_FOUND. */
  async delete(name: string): Promise<void> {
    await this.#creating.get(name);
    const upkeep = this.find(name);
    this.#datasets.delete(name);
    const deleting = this.#deleteNow(name, upkeep).finally(() => this.#deleting.delete(name));
    this.#deleting.set(name, deleting);
    await deleting;
  }

  async #deleteNow(name: string, upkeep: DatasetUpkeep): Promise<void> {
    const { dataset } = upkeep;
    dataset.deleted = true;
    await upkeep.stop();
    const { vfs, random } = this.#context;
    const folder = dataset.folder.slice(this.#dataFolder.length + 1);
    await this.#onDisk(async () => {
      await this.#deletions.add(name);
      dataset.folder = setAside(vfs, random, this.#dataFolder, folder);
      await vfs.syncDirectory(this.#dataFolder);
    });
    this.#removeAtLeisure(dataset.folder, dataset);
  }

  async #openFound({ folder, name }: FoundFolder, progress: (step: string) => void): Promise<void> {
    const path = `${this.#dataFolder}/${folder}`;
    const file = this.#readFile(path);
    const rules = { purgeAgeDays: file?.purgeAgeDays ?? 0, purgeSizeGb: file?.purgeSizeGb ?? 0 };
    const dataset = new Dataset(this.#context, path, { name, ...rules });
    dataset.purgedBeforeMs = file?.purgedBeforeMs ?? Number.NEGATIVE_INFINITY;
    dataset.systemPurgedBeforeMs = file?.systemPurgedBeforeMs ?? Number.NEGATIVE_INFINITY;
    try {
      await this.#start(dataset, progress);
    } catch (error) {
      // One bad dataset never stops the server (rule 2); a failed sync does (rule 4).
      if (error instanceof EngineError && error.code === 'POISONED') throw error;
      this.#unopened.add(name);
      const message = `The dataset could not be opened (${String(error)}); it is left alone.`;
      dataset.report('error', 'dataset.unopened', message, { path: folder });
    }
  }

  #readFile(path: string): DatasetFile | undefined {
    try {
      return readDatasetFile(this.#context.vfs, path);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `${reason}. The dataset has no purge limits until they are set again.`;
      const inside = path.slice(this.#dataFolder.length + 1);
      this.#context.listener({ level: 'error', event: 'dataset-file.damaged', message, path: inside });
      return undefined;
    }
  }

  async #start(dataset: Dataset, progress: (step: string) => void): Promise<DatasetUpkeep> {
    await recover(dataset, progress);
    const upkeep = new DatasetUpkeep(dataset);
    upkeep.recorder.recordState(DatasetState.Starting);
    upkeep.recorder.recordState(DatasetState.Running);
    this.#datasets.set(dataset.name, upkeep);
    return upkeep;
  }

  async #createNow(definition: DatasetDefinition): Promise<DatasetUpkeep> {
    const { vfs, random, disk } = this.#context;
    const { name } = definition;
    await this.#deleting.get(name)?.catch(() => undefined);
    if (this.#unopened.has(name))
      throw new EngineError('IO', `Dataset '${name}' could not be opened; the log says why.`, { name });
    disk.checkRoom();
    const { purgeAgeDays, purgeSizeGb } = definition;
    const file = { purgeAgeDays, purgeSizeGb, purgedBeforeMs: null, systemPurgedBeforeMs: null };
    let upkeep: DatasetUpkeep | undefined;
    await this.#onDisk(async () => {
      const folder = chooseFolder(definition.name, vfs.listSync(this.#dataFolder));
      if (vfs.statSync(`${this.#dataFolder}/${folder}`))
        throw new EngineError('IO', `Something of the name '${folder}' is in the data folder already.`, { name });
      try {
        await createFolder(vfs, random, this.#dataFolder, folder, file);
        await this.#deletions.forget(definition.name);
        upkeep = await this.#start(
          new Dataset(this.#context, `${this.#dataFolder}/${folder}`, definition),
          () => undefined,
        );
      } catch (error) {
        await this.#undoCreation(folder);
        throw error;
      }
    });
    return upkeep as DatasetUpkeep;
  }

  /** What was made of a folder goes; otherwise the next attempt would find its name taken and choose another. */
  async #undoCreation(folder: string): Promise<void> {
    const { vfs, random } = this.#context;
    if (!vfs.statSync(`${this.#dataFolder}/${folder}`)) return;
    const aside = setAside(vfs, random, this.#dataFolder, folder);
    await vfs.syncDirectory(this.#dataFolder);
    this.#removeAtLeisure(aside, undefined);
  }

  /** A full disk passes, and so do too many open files; any other fault leaves in doubt what is on disk, and nothing more is written (rule 4). */
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

  #removeAtLeisure(path: string, dataset: Dataset | undefined): void {
    this.#remove(path, dataset).catch((error: unknown) => {
      const message = `A deleted dataset's folder could not be removed yet (${String(error)}); the next start goes on.`;
      this.#context.listener({ level: 'warn', event: 'folder.unremoved', message, path });
    });
  }

  /** Reads that began before the deletion keep their files. */
  async #remove(path: string, dataset: Dataset | undefined): Promise<void> {
    const { vfs, clock } = this.#context;
    while (dataset && dataset.openCursors > 0 && !this.#closed) {
      await new Promise<void>((resolve) => void clock.after(READERS_LOOK_MS, resolve));
    }
    const slicer = new Slicer(this.#context);
    await removeFolder(vfs, path, () => slicer.pause());
  }
}
