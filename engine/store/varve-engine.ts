// The engine: turns the calls of the Engine interface into work on its datasets.

import type { CutReceipt, Engine, EngineStats } from '../engine.ts';
import { EngineError } from '../errors.ts';
import { DAY_MS } from '../limits.ts';
import type {
  DatasetDefinition,
  DatasetInfo,
  Instant,
  PointBatch,
  PointWatch,
  PointWatcher,
  ReadRequest,
  ReadResult,
  StatusPoint,
  TagChange,
  TagDefinition,
  TagLookup,
  WriteReceipt,
} from '../types.ts';
import { admit } from './admission.ts';
import type { Dataset, EngineContext } from './dataset.ts';
import { DatasetRegistry } from './dataset-registry.ts';
import { describeStats } from './dataset-stats.ts';
import type { DatasetUpkeep } from './dataset-upkeep.ts';
import { EngineTicker } from './engine-ticker.ts';
import { asPassingRefusal } from './passing-refusal.ts';
import { watchPoints } from './point-watch.ts';
import { storeRules } from './purge.ts';
import { read } from './reading.ts';
import { storeStatuses } from './status.ts';
import { DatasetState } from './system-tags.ts';
import { cutTags, defineTags, deleteTags } from './tag-operations.ts';

const NOTHING: TagLookup = {
  find: () => undefined,
  findBytes: () => undefined,
  findFollowing: () => undefined,
  foundBytes: 0,
};
/** Points far ahead are warned about at most so often. */
const AHEAD_WARNING_MS = 60_000;

export class VarveEngine implements Engine {
  readonly #context: EngineContext;
  readonly #release: () => Promise<void>;
  readonly #registry: DatasetRegistry;
  readonly #ticker: EngineTicker;
  #warnedAheadMs = Number.NEGATIVE_INFINITY;
  #closing: Promise<void> | undefined;

  constructor(context: EngineContext, dataFolder: string, release: () => Promise<void>) {
    this.#context = context;
    this.#release = release;
    this.#registry = new DatasetRegistry(context, dataFolder);
    this.#ticker = new EngineTicker(context, () => this.#registry.all());
  }

  /** Recovers what is in the data folder, and begins to look after it. */
  async open(progress: (step: string) => void): Promise<void> {
    await this.#registry.open(progress);
    await this.#ticker.open();
  }

  datasets(): DatasetInfo[] {
    return this.#registry.names().map((name) => this.dataset(name));
  }

  dataset(name: string): DatasetInfo {
    const { dataset, size } = this.#registry.find(name);
    const nowMs = this.#context.clock.nowMs();
    const figures = { sizeGb: size.sizeBytes / 1e9, tagCount: dataset.names.size, ageDays: ageDays(dataset, nowMs) };
    return { ...dataset.definition, ...figures };
  }

  hasDataset(name: string): boolean {
    return this.#registry.get(name) !== undefined;
  }

  async createDataset(definition: DatasetDefinition): Promise<'created' | 'existing'> {
    this.#checkOpen();
    const { name } = definition;
    const existing = this.#registry.existing(name);
    if (!existing) {
      await this.#registry.create(definition);
      return 'created';
    }
    const { purgeAgeDays, purgeSizeGb } = (await existing).dataset.definition;
    if (purgeAgeDays === definition.purgeAgeDays && purgeSizeGb === definition.purgeSizeGb) return 'existing';
    const message = `Dataset '${name}' exists with other purge rules (pa ${purgeAgeDays}, ps ${purgeSizeGb}).`;
    throw new EngineError('DATASET_EXISTS', message, { name });
  }

  async updateDataset(definition: DatasetDefinition): Promise<'created' | 'updated'> {
    this.#checkOpen();
    const existing = this.#registry.existing(definition.name);
    if (!existing) {
      await this.#registry.create(definition);
      return 'created';
    }
    const { dataset } = await existing;
    await dataset.maintain(async () => {
      dataset.checkWritable();
      await storeRules(dataset, definition).catch((error: unknown) => {
        throw asPassingRefusal(error) ?? error;
      });
      dataset.definition = definition;
    });
    return 'updated';
  }

  async deleteDataset(name: string): Promise<void> {
    this.#checkOpen();
    await this.#registry.delete(name);
  }

  tags(name: string, contains?: string): { user: TagDefinition[]; system: TagDefinition[] } {
    const { dataset } = this.#registry.find(name);
    const wanted = contains?.toLowerCase();
    const matches = (tag: TagDefinition): boolean => wanted === undefined || tag.name.toLowerCase().includes(wanted);
    const user: TagDefinition[] = [];
    for (const tag of dataset.names) if (tag.visible && matches(tag.definition)) user.push(tag.definition);
    const system = [...dataset.systemNames.values()].map((tag) => tag.definition).filter(matches);
    return { user: user.sort(byName), system: system.sort(byName) };
  }

  tag(name: string, tagName: string): TagDefinition {
    return this.#registry.find(name).dataset.tagNamed(tagName).definition;
  }

  async defineTags(name: string, changes: readonly TagChange[]): Promise<void> {
    this.#checkOpen();
    if (changes.length === 0) return;
    const found = this.#registry.findOrCreate(name);
    const { dataset } = found instanceof Promise ? await found : found;
    await defineTags(dataset, changes);
  }

  async deleteTags(name: string, names: readonly string[]): Promise<void> {
    this.#checkOpen();
    await deleteTags(this.#registry.find(name).dataset, names);
  }

  lookup(name: string): TagLookup {
    return this.#registry.get(name)?.dataset.names ?? NOTHING;
  }

  async append(name: string, batch: PointBatch): Promise<WriteReceipt> {
    this.#checkOpen();
    const upkeep = this.#registry.get(name) ?? (await this.#forWriting(name, batch));
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
    return { removed: await cutTags(this.#registry.find(name).dataset, tags, start) };
  }

  async postStatus(name: string, statuses: readonly StatusPoint[]): Promise<WriteReceipt> {
    this.#checkOpen();
    const { dataset, watch } = this.#registry.find(name);
    dataset.checkWritable();
    for (const { quality } of statuses) watch.notePosted(quality);
    return storeStatuses(dataset, statuses, 'sync');
  }

  read(name: string, request: ReadRequest): ReadResult {
    this.#checkOpen();
    return read(this.#registry.find(name).dataset, request);
  }

  watch(name: string, watcher: PointWatcher): PointWatch {
    this.#checkOpen();
    return watchPoints(this.#registry.find(name).dataset, watcher);
  }

  purge(): Promise<void> {
    return this.#ticker.purge();
  }

  stats(): EngineStats {
    const { bytesWritten, disk } = this.#context;
    const datasets = this.#registry.all();
    const journal = datasets.reduce((sum, { dataset }) => sum + dataset.journal.bytesWritten, bytesWritten.journal);
    const written = { ...bytesWritten, journal };
    return { datasets: datasets.map(describeStats), bytesWritten: written, freeBytes: disk.freeBytes };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#ticker.stop();
    await this.#registry.close();
    for (const { recorder } of this.#registry.all()) recorder.recordState(DatasetState.Stopping);
    for (const upkeep of this.#registry.all()) {
      await upkeep.dataset.journal.drain();
      upkeep.recorder.recordState(DatasetState.Stopped);
      await upkeep.close();
    }
    await this.#context.encodingThread?.close();
    await this.#release();
  }

  #forWriting(name: string, batch: PointBatch): DatasetUpkeep | Promise<DatasetUpkeep> {
    // A write without points creates nothing.
    if (batch.runs.every((run) => run.count === 0)) return this.#registry.find(name);
    this.#registry.checkNotDeleted(name);
    return this.#registry.findOrCreate(name);
  }

  #checkOpen(): void {
    if (this.#closing) throw new EngineError('CLOSED', 'The server is stopping.');
  }

  #warnAhead(dataset: Dataset, points: number): void {
    const nowMs = this.#context.clock.monotonicMs();
    if (nowMs - this.#warnedAheadMs < AHEAD_WARNING_MS) return;
    this.#warnedAheadMs = nowMs;
    const message = `${points} points lie more than a day ahead; a wrong clock blocks its tags until they are cut (DELETE …/data).`;
    dataset.report('warn', 'points.ahead', message, { points });
  }
}

/** Age of the oldest readable user point in days; 0 when there is none. */
function ageDays(dataset: Dataset, nowMs: number): number {
  let oldestMs = Number.POSITIVE_INFINITY;
  for (const tag of dataset.names) if (tag.oldestMs < oldestMs) oldestMs = tag.oldestMs;
  return oldestMs === Number.POSITIVE_INFINITY ? 0 : (nowMs - oldestMs) / DAY_MS;
}

function byName(a: TagDefinition, b: TagDefinition): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}
