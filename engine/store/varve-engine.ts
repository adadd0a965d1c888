// The engine: opens a data folder, holds its datasets, and turns the calls of the Engine interface into work on them.

import type { CutReceipt, Engine, EngineStats } from '../engine.ts';
import { EngineError } from '../errors.ts';
import { DAY_MS } from '../limits.ts';
import type { DatasetDefinition, DatasetInfo, Instant, PointBatch, ReadRequest, ReadResult, StatusPoint, TagChange, TagDefinition, TagLookup, WriteReceipt } from '../types.ts';
import { admit } from './admission.ts';
import { ClockWatch } from './clock-watch.ts';
import { readDatasetFile, writeDatasetFile } from './dataset-file.ts';
import { chooseFolder, createFolder, type FoundFolder, findFolders, removeFolder, setAside } from './dataset-folders.ts';
import { describeStats } from './dataset-stats.ts';
import { DatasetUpkeep } from './dataset-upkeep.ts';
import { Dataset, type EngineContext } from './dataset.ts';
import { describeDataset } from './purge.ts';
import { read } from './reading.ts';
import { recover } from './recovery.ts';
import { Slicer } from './slicer.ts';
import { storeStatuses } from './status.ts';
import { ProcessMeter } from './system-recorder.ts';
import { DatasetState } from './system-tags.ts';
import { cutTags, defineTags, deleteTags } from './tag-operations.ts';

const TICK_MS = 1000;
const NOTHING: TagLookup = { findBytes: () => undefined, find: () => undefined };

export class VarveEngine implements Engine {
  readonly #context: EngineContext;
  readonly #dataFolder: string;
  readonly #release: () => Promise<void>;
  readonly #datasets = new Map<string, DatasetUpkeep>();
  readonly #creating = new Map<string, Promise<DatasetUpkeep>>();
  /** When datasets were deleted, by name; monotonic ms. */
  readonly #deleted = new Map<string, number>();
  readonly #clockWatch: ClockWatch;
  readonly #meter: ProcessMeter;
  #cancelTick: (() => void) | undefined;
  #recordedAtMs = 0;
  #purgedAtMs = 0;
  #closing: Promise<void> | undefined;

  constructor(context: EngineContext, dataFolder: string, release: () => Promise<void>) {
    this.#context = context;
    this.#dataFolder = dataFolder;
    this.#release = release;
    this.#clockWatch = new ClockWatch(context.clock);
    this.#meter = new ProcessMeter(context.clock.monotonicMs());
  }

  /** Recovers every dataset, one after the other, and begins to look after them. */
  async open(progress: (step: string) => void): Promise<void> {
    const { vfs, listener } = this.#context;
    const found = findFolders(vfs, this.#dataFolder);
    for (const folder of found.unknown) {
      listener({ level: 'warn', event: 'folder.unknown', message: `The folder ${folder} is not a dataset's name; it is left alone.`, path: folder });
    }
    for (const [i, folder] of found.datasets.entries()) {
      await this.#openFound(folder, (step) => progress(`${i + 1} of ${found.datasets.length}: ${folder.name}: ${step}`));
    }
    for (const leftover of found.leftovers) this.#removeAtLeisure(`${this.#dataFolder}/${leftover}`);
    this.#recordedAtMs = this.#context.clock.monotonicMs();
    this.#purgedAtMs = this.#recordedAtMs;
    await this.purge();
    this.#scheduleTick();
  }

  datasets(): DatasetInfo[] {
    return [...this.#datasets.keys()].sort().map((name) => this.dataset(name));
  }

  dataset(name: string): DatasetInfo {
    const { dataset, size } = this.#find(name);
    return { ...dataset.definition, sizeGb: size.sizeBytes / 1e9, tagCount: visibleCount(dataset), ageDays: this.#ageDays(dataset) };
  }

  hasDataset(name: string): boolean {
    return this.#datasets.has(name);
  }

  async createDataset(definition: DatasetDefinition): Promise<'created' | 'existing'> {
    this.#checkOpen();
    const existing = this.#datasets.get(definition.name) ?? (await this.#creating.get(definition.name));
    if (!existing) {
      await this.#create(definition);
      return 'created';
    }
    const { purgeAgeDays, purgeSizeGb } = existing.dataset.definition;
    if (purgeAgeDays === definition.purgeAgeDays && purgeSizeGb === definition.purgeSizeGb) return 'existing';
    throw new EngineError('DATASET_EXISTS', `Dataset '${definition.name}' exists with other purge rules (pa ${purgeAgeDays}, ps ${purgeSizeGb}).`, { name: definition.name });
  }

  async updateDataset(definition: DatasetDefinition): Promise<'created' | 'updated'> {
    this.#checkOpen();
    const existing = this.#datasets.get(definition.name) ?? (await this.#creating.get(definition.name));
    if (!existing) {
      await this.#create(definition);
      return 'created';
    }
    const { dataset } = existing;
    await dataset.maintain(async () => {
      dataset.checkWritable();
      await writeDatasetFile(this.#context.vfs, dataset.folder, { ...describeDataset(dataset), ...rulesOf(definition) });
      dataset.definition = definition;
    });
    return 'updated';
  }

  async deleteDataset(name: string): Promise<void> {
    this.#checkOpen();
    await this.#creating.get(name);
    const upkeep = this.#find(name);
    const { dataset } = upkeep;
    this.#datasets.delete(name);
    this.#deleted.set(name, this.#context.clock.monotonicMs());
    dataset.deleted = true;
    await upkeep.stop();
    const folder = dataset.folder.slice(this.#dataFolder.length + 1);
    dataset.folder = await setAside(this.#context.vfs, this.#context.random, this.#dataFolder, folder);
    this.#removeAtLeisure(dataset.folder, dataset);
  }

  tags(name: string, contains?: string): { user: TagDefinition[]; system: TagDefinition[] } {
    const { dataset } = this.#find(name);
    const wanted = contains?.toLowerCase();
    const matches = (definition: TagDefinition): boolean => wanted === undefined || definition.name.toLowerCase().includes(wanted);
    const user: TagDefinition[] = [];
    for (const tag of dataset.names) if (tag.visible && matches(tag.definition)) user.push(tag.definition);
    const system = [...dataset.systemNames.values()].map((tag) => tag.definition).filter(matches);
    return { user: user.sort(byName), system: system.sort(byName) };
  }

  tag(name: string, tagName: string): TagDefinition {
    return this.#find(name).dataset.tagNamed(tagName).definition;
  }

  async defineTags(name: string, changes: readonly TagChange[]): Promise<void> {
    this.#checkOpen();
    if (changes.length === 0) return;
    const { dataset } = await this.#findOrCreate(name);
    await defineTags(dataset, changes);
  }

  async deleteTags(name: string, names: readonly string[]): Promise<void> {
    this.#checkOpen();
    await deleteTags(this.#find(name).dataset, names);
  }

  lookup(name: string): TagLookup {
    return this.#datasets.get(name)?.dataset.names ?? NOTHING;
  }

  async append(name: string, batch: PointBatch): Promise<WriteReceipt> {
    this.#checkOpen();
    const upkeep = this.#datasets.get(name) ?? (await this.#forWriting(name, batch));
    const { dataset } = upkeep;
    dataset.counters.requests++;
    upkeep.watch.noteData();
    const receipt = await admit(dataset, batch);
    if (receipt.ahead > 0) this.#warnAhead(dataset, receipt.ahead);
    upkeep.afterWrite();
    return receipt;
  }

  async cut(name: string, tags: readonly string[], start: Instant): Promise<CutReceipt> {
    this.#checkOpen();
    return { removed: await cutTags(this.#find(name).dataset, tags, start) };
  }

  async postStatus(name: string, statuses: readonly StatusPoint[]): Promise<WriteReceipt> {
    this.#checkOpen();
    const { dataset, watch } = this.#find(name);
    dataset.checkWritable();
    for (const { quality } of statuses) watch.notePosted(quality);
    return storeStatuses(dataset, statuses, 'sync');
  }

  read(name: string, request: ReadRequest): ReadResult {
    this.#checkOpen();
    return read(this.#find(name).dataset, request);
  }

  async purge(): Promise<void> {
    this.#lookAtClock();
    for (const upkeep of [...this.#datasets.values()]) {
      await upkeep.purge(this.#clockWatch.steady).catch((error: unknown) => {
        upkeep.dataset.report('error', 'purge.failed', `Purge failed: ${String(error)}.`);
      });
    }
  }

  stats(): EngineStats {
    const { bytesWritten, disk } = this.#context;
    const datasets = [...this.#datasets.values()];
    const journal = datasets.reduce((sum, { dataset }) => sum + dataset.journal.bytesWritten, bytesWritten.journal);
    return { datasets: datasets.map(describeStats), bytesWritten: { ...bytesWritten, journal }, freeBytes: disk.freeBytes };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#cancelTick?.();
    await Promise.all([...this.#creating.values()].map((creating) => creating.catch(() => undefined)));
    for (const upkeep of this.#datasets.values()) upkeep.recorder.recordState(DatasetState.Stopping);
    for (const upkeep of this.#datasets.values()) {
      await upkeep.dataset.journal.drain();
      upkeep.recorder.recordState(DatasetState.Stopped);
      await upkeep.close();
    }
    await this.#release();
  }

  async #openFound({ folder, name }: FoundFolder, progress: (step: string) => void): Promise<void> {
    const path = `${this.#dataFolder}/${folder}`;
    const dataset = new Dataset(this.#context, path, this.#readDefinition(path, name));
    const file = this.#readFile(path);
    dataset.purgedBeforeMs = file?.purgedBeforeMs ?? Number.NEGATIVE_INFINITY;
    dataset.systemPurgedBeforeMs = file?.systemPurgedBeforeMs ?? Number.NEGATIVE_INFINITY;
    try {
      await this.#start(dataset, progress);
    } catch (error) {
      // One bad dataset never stops the server (rule 2); a failed sync does (rule 4).
      if (error instanceof EngineError && error.code === 'POISONED') throw error;
      dataset.report('error', 'dataset.unopened', `The dataset could not be opened (${String(error)}); it is left alone.`, { path: folder });
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

  #readDefinition(path: string, name: string): DatasetDefinition {
    const file = this.#readFile(path);
    return { name, purgeAgeDays: file?.purgeAgeDays ?? 0, purgeSizeGb: file?.purgeSizeGb ?? 0 };
  }

  #readFile(path: string): ReturnType<typeof readDatasetFile> | undefined {
    try {
      return readDatasetFile(this.#context.vfs, path);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      const message = `${error.message}. The dataset has no purge limits until they are set again.`;
      this.#context.listener({ level: 'error', event: 'dataset-file.damaged', message, path: path.slice(this.#dataFolder.length + 1) });
      return undefined;
    }
  }

  #create(definition: DatasetDefinition): Promise<DatasetUpkeep> {
    const creating = this.#createNow(definition).finally(() => this.#creating.delete(definition.name));
    this.#creating.set(definition.name, creating);
    return creating;
  }

  async #createNow(definition: DatasetDefinition): Promise<DatasetUpkeep> {
    const { vfs, random, disk } = this.#context;
    disk.checkRoom();
    const folder = chooseFolder(definition.name, this.#takenFolders());
    const file = { ...rulesOf(definition), purgedBeforeMs: null, systemPurgedBeforeMs: null };
    await createFolder(vfs, random, this.#dataFolder, folder, file);
    this.#deleted.delete(definition.name);
    return this.#start(new Dataset(this.#context, `${this.#dataFolder}/${folder}`, definition), () => undefined);
  }

  #takenFolders(): string[] {
    return this.#context.vfs.listSync(this.#dataFolder);
  }

  #find(name: string): DatasetUpkeep {
    const upkeep = this.#datasets.get(name);
    if (!upkeep) throw new EngineError('DATASET_NOT_FOUND', `Dataset '${name}' could not be found.`, { name });
    return upkeep;
  }

  async #findOrCreate(name: string): Promise<DatasetUpkeep> {
    const { defaultPurgeAgeDays, defaultPurgeSizeGb } = this.#context.tunables;
    return (
      this.#datasets.get(name) ??
      (await (this.#creating.get(name) ?? this.#create({ name, purgeAgeDays: defaultPurgeAgeDays, purgeSizeGb: defaultPurgeSizeGb })))
    );
  }

  /** The dataset of a data write: created when missing, but a live collector must not resurrect a deleted one. */
  async #forWriting(name: string, batch: PointBatch): Promise<DatasetUpkeep> {
    if (batch.runs.every((run) => run.count === 0)) return this.#find(name);
    const deletedAtMs = this.#deleted.get(name);
    const { clock, tunables } = this.#context;
    if (deletedAtMs !== undefined && clock.monotonicMs() - deletedAtMs < tunables.deletedMemoryMs && !this.#creating.has(name)) {
      throw new EngineError('DATASET_DELETED', `Dataset '${name}' was deleted a short while ago; create it again before you write to it.`, { name });
    }
    return this.#findOrCreate(name);
  }

  #ageDays(dataset: Dataset): number {
    let oldestMs = Number.POSITIVE_INFINITY;
    for (const tag of dataset.names) if (tag.oldestMs < oldestMs) oldestMs = tag.oldestMs;
    return oldestMs === Number.POSITIVE_INFINITY ? 0 : (this.#context.clock.nowMs() - oldestMs) / DAY_MS;
  }

  #checkOpen(): void {
    if (this.#closing) throw new EngineError('CLOSED', 'The server is stopping.');
  }

  #warnedAheadMs = Number.NEGATIVE_INFINITY;

  #warnAhead(dataset: Dataset, points: number): void {
    const nowMs = this.#context.clock.monotonicMs();
    if (nowMs - this.#warnedAheadMs < 60_000) return;
    this.#warnedAheadMs = nowMs;
    dataset.report('warn', 'points.ahead', `${points} points lie more than a day ahead; a wrong clock blocks its tags until they are cut (DELETE …/data).`, { points });
  }

  #lookAtClock(): void {
    const jumpedMs = this.#clockWatch.look();
    if (jumpedMs === undefined) return;
    const message = `The wall clock jumped by ${Math.round(jumpedMs / 1000)} s; purge by age waits until it has been steady for an hour.`;
    this.#context.listener({ level: 'warn', event: 'clock.jumped', message, details: { jumpedMs } });
  }

  #scheduleTick(): void {
    this.#cancelTick = this.#context.clock.after(TICK_MS, () => {
      this.#tick();
      if (!this.#closing) this.#scheduleTick();
    });
  }

  #tick(): void {
    const nowMs = this.#context.clock.monotonicMs();
    const { systemTagIntervalMs, purgeIntervalMs } = this.#context.tunables;
    this.#lookAtClock();
    for (const upkeep of this.#datasets.values()) upkeep.tick();
    if (systemTagIntervalMs > 0 && nowMs - this.#recordedAtMs >= systemTagIntervalMs) {
      this.#recordedAtMs = nowMs;
      const use = this.#meter.measure(nowMs);
      for (const upkeep of this.#datasets.values()) upkeep.recorder.record(use, upkeep.size.sizeBytes);
    }
    if (nowMs - this.#purgedAtMs >= purgeIntervalMs) {
      this.#purgedAtMs = nowMs;
      void this.purge();
    }
  }

  #removeAtLeisure(path: string, dataset?: Dataset): void {
    const slicer = new Slicer(this.#context);
    const remove = async (): Promise<void> => {
      // Reads that began before the deletion keep their files.
      while (dataset && dataset.openCursors > 0 && !this.#closing) await new Promise<void>((resolve) => void this.#context.clock.after(TICK_MS, resolve));
      await removeFolder(this.#context.vfs, path, () => slicer.pause());
    };
    remove().catch((error: unknown) => {
      this.#context.listener({ level: 'warn', event: 'folder.unremoved', message: `A deleted dataset's folder could not be removed yet (${String(error)}); the next start goes on.`, path });
    });
  }
}

function rulesOf({ purgeAgeDays, purgeSizeGb }: DatasetDefinition): { purgeAgeDays: number; purgeSizeGb: number } {
  return { purgeAgeDays, purgeSizeGb };
}

function visibleCount(dataset: Dataset): number {
  return dataset.names.size;
}

function byName(a: TagDefinition, b: TagDefinition): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}
