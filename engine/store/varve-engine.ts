// The engine: turns the calls of the Engine interface into work on its datasets.

import type { Annotation, AnnotationCheck, AnnotationContent, AnnotationEdit } from '../annotations.ts';
import type { CorrectionFilter, CorrectionInfo, CorrectionReceipt, CorrectionRequest } from '../corrections.ts';
import type { Dataset, EngineContext } from '../dataset/dataset.ts';
import { underAskedName } from '../dataset/system-aliases.ts';
import { DatasetState } from '../dataset/system-tags.ts';
import type { Engine, EngineStats, OlderReads, PointDeletionReceipt } from '../engine.ts';
import { EngineError } from '../errors.ts';
import type { Following } from '../following.ts';
import { append } from '../ingest/append.ts';
import { watchPoints } from '../ingest/point-watch.ts';
import { Slicer } from '../io/slicer.ts';
import { DAY_MS } from '../limits.ts';
import {
  correctPoints,
  findCorrection,
  listCorrections,
  undoCorrection,
} from '../maintenance/corrections/correct-points.ts';
import { cutPoints } from '../maintenance/corrections/cut-points.ts';
import { followDataset } from '../maintenance/dataset-following.ts';
import type { DatasetMaintenance, ReadableDataset } from '../maintenance/dataset-maintenance.ts';
import { statusTag, storeStatuses } from '../maintenance/status.ts';
import { StatusPlan } from '../maintenance/status-plan.ts';
import { defineTags } from '../maintenance/tag-definitions.ts';
import { deleteTags } from '../maintenance/tag-deletion.ts';
import { renameTag } from '../maintenance/tag-renaming.ts';
import { readAggregates } from '../read/intervals/aggregated-read.ts';
import { sourcesOf } from '../read/intervals/dataset-source.ts';
import { readStatistics } from '../read/intervals/statistics-read.ts';
import { read } from '../read/ranges/reading.ts';
import { listTags } from '../read/tag-list.ts';
import { oldestPointMs, refreshTotals } from '../read/tag-totals.ts';
import type { ReadRequest, ReadResult } from '../reads.ts';
import { changeRules, isCutoffStale, liftStaleCutoff } from '../retention/retention-cutoff.ts';
import type { StatisticsRequest, StatisticsResult } from '../statistics.ts';
import { TagNames } from '../tag/tag-names.ts';
import type {
  DatasetDefinition,
  DatasetInfo,
  Instant,
  LateRule,
  PointBatch,
  Readiness,
  StatusPoint,
  TagChange,
  TagDefinition,
  TagList,
  TagLookup,
  TagRename,
  WriteReceipt,
} from '../types.ts';
import type { CorrectionWatcher, PointWatch, PointWatcher } from '../watches.ts';
import { DatasetRegistry } from './dataset-registry.ts';
import { describeStats } from './dataset-stats.ts';
import { asPassingRefusal } from './passing-refusal.ts';
import { Scheduler } from './scheduler.ts';
import type { WaitingDataset } from './waiting-dataset.ts';

/** Empty lookup for datasets that are not there. It has the class of all others, or code compiled for those would not fit it. */
const NO_TAGS: TagLookup = new TagNames();
/** Least time between warnings about points far ahead. */
const AHEAD_WARNING_MS = 60_000;

export class VarveEngine implements Engine {
  readonly #context: EngineContext;
  readonly #release: () => Promise<void>;
  readonly #registry: DatasetRegistry;
  readonly #scheduler: Scheduler;
  #older: OlderReads | undefined;
  #warnedAheadMs = Number.NEGATIVE_INFINITY;
  #closing: Promise<void> | undefined;

  constructor(context: EngineContext, dataFolder: string, release: () => Promise<void>) {
    this.#context = context;
    this.#release = release;
    this.#registry = new DatasetRegistry(context, dataFolder);
    this.#scheduler = new Scheduler(context, this.#registry);
  }

  /** Recovers the datasets of the data folder, and starts their maintenance. */
  async open(progress: (step: string) => void): Promise<void> {
    await this.#registry.open(progress);
    await this.#scheduler.open();
  }

  async lookAtTags(): Promise<void> {
    const slicer = new Slicer(this.#context);
    for (const { dataset } of this.#registry.all()) {
      const looking = refreshTotals(dataset);
      if (looking) await looking;
    }
    const pause = slicer.pause();
    if (pause) await pause;
  }

  readiness(): Readiness {
    return { datasetCount: this.#registry.count, impaired: this.#registry.waiting.impaired() };
  }

  datasets(): DatasetInfo[] {
    return this.#registry.names().map((name) => {
      const waiting = this.#registry.waiting.get(name);
      return waiting && !waiting.readable ? describeUnavailable(waiting) : this.dataset(name);
    });
  }

  dataset(name: string): DatasetInfo {
    const { dataset, size, reason } = this.#registry.readable(name);
    const nowMs = this.#context.clock.nowMs();
    const figures = {
      sizeGb: size.sizeBytes / 1e9,
      tagCount: dataset.tags.names.size,
      ageDays: ageDays(dataset, nowMs),
    };
    return { ...dataset.definition, ...figures, ...(reason !== undefined && { state: 'read-only', reason }) };
  }

  hasDataset(name: string): boolean {
    return this.#registry.has(name);
  }

  async createDataset(definition: DatasetDefinition): Promise<'created' | 'existing'> {
    this.#checkOpen();
    const { name } = definition;
    const existing = this.#registry.existing(name);
    if (!existing) {
      await this.#registry.create(definition);
      return 'created';
    }
    const { definition: known } = (await existing).dataset;
    if (isSameDefinition(known, { ...known, ...definition })) return 'existing';
    const message = `Dataset '${name}' exists with other rules (${formatRules(known)}).`;
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
      const changed = { ...dataset.definition, ...definition };
      await changeRules(dataset, changed).catch((error: unknown) => {
        throw asPassingRefusal(error) ?? error;
      });
    });
    return 'updated';
  }

  async deleteDataset(name: string): Promise<void> {
    this.#checkOpen();
    await this.#registry.delete(name);
  }

  async forgetDeletion(name: string): Promise<void> {
    this.#checkOpen();
    await this.#registry.forgetDeletion(name);
  }

  async tags(name: string, isAborted = (): boolean => false): Promise<TagList> {
    return listTags(this.#registry.readable(name).dataset, isAborted);
  }

  tag(name: string, tagName: string): TagDefinition {
    return underAskedName(this.#registry.readable(name).dataset.tags.named(tagName).definition, tagName);
  }

  async defineTags(name: string, changes: readonly TagChange[], late?: LateRule): Promise<void> {
    this.#checkOpen();
    if (changes.length === 0) return;
    const found = this.#registry.findOrCreate(name, late);
    const { dataset } = found instanceof Promise ? await found : found;
    await defineTags(dataset, changes);
  }

  async renameTag(name: string, rename: TagRename): Promise<void> {
    this.#checkOpen();
    await renameTag(this.#registry.find(name).dataset, rename);
  }

  async deleteTags(name: string, names: readonly string[]): Promise<void> {
    this.#checkOpen();
    const { dataset } = this.#registry.find(name);
    await dataset.cutoffs.duringRemoval(() => deleteTags(dataset, names));
    await this.#liftStaleCutoff(dataset);
  }

  lookup(name: string): TagLookup {
    return this.#registry.get(name)?.dataset.tags.names ?? NO_TAGS;
  }

  async append(name: string, batch: PointBatch, late?: LateRule): Promise<WriteReceipt> {
    this.#checkOpen();
    const maintenance = this.#registry.get(name) ?? (await this.#forWriting(name, batch, late));
    const { dataset } = maintenance;
    dataset.counters.requests++;
    maintenance.watch.noteData();
    const { rejected = 0 } = batch;
    const receipt = await append(dataset, batch);
    dataset.counters.rejected += rejected;
    if (receipt.ahead > 0) this.#warnAhead(dataset, receipt.ahead);
    maintenance.afterWrite();
    return receipt;
  }

  async deletePoints(name: string, tags: readonly string[], start: Instant): Promise<PointDeletionReceipt> {
    this.#checkOpen();
    const { dataset } = this.#registry.find(name);
    const removed = await dataset.cutoffs.duringRemoval(() => cutPoints(dataset, tags, start));
    await this.#liftStaleCutoff(dataset);
    return { removed };
  }

  async correct(name: string, request: CorrectionRequest): Promise<CorrectionReceipt> {
    this.#checkOpen();
    return correctPoints(this.#registry.find(name).dataset, request);
  }

  async undoCorrection(name: string, id: number, by: string, reason: string): Promise<CorrectionInfo> {
    this.#checkOpen();
    return undoCorrection(this.#registry.find(name).dataset, id, by, reason);
  }

  correction(name: string, id: number): CorrectionInfo {
    return findCorrection(this.#registry.readable(name).dataset, id);
  }

  corrections(name: string, filter: CorrectionFilter): CorrectionInfo[] {
    return listCorrections(this.#registry.readable(name).dataset, filter);
  }

  async postStatus(name: string, statuses: readonly StatusPoint[]): Promise<WriteReceipt> {
    this.#checkOpen();
    const { dataset, watch } = this.#registry.find(name);
    dataset.checkWritable();
    const plan = new StatusPlan(dataset, statusTag(dataset.tags), statuses);
    const stored = storeStatuses(dataset, plan, 'sync');
    watch.notePosted(plan);
    return stored;
  }

  annotations(name: string): readonly Annotation[] {
    return this.#registry.readable(name).dataset.annotations.all();
  }

  annotation(name: string, id: number): Annotation {
    return this.#registry.readable(name).dataset.annotations.get(id);
  }

  createAnnotation(name: string, content: AnnotationContent, by: string | undefined): Promise<Annotation> {
    return this.#annotate(name, (dataset) => dataset.annotations.create(underPresentName(dataset, content), by));
  }

  changeAnnotation(name: string, id: number, edit: AnnotationEdit): Promise<Annotation> {
    return this.#annotate(name, (dataset) => {
      // One about a tag that was deleted since stays as it is.
      if (edit.content.tag === dataset.annotations.get(id).tag) return dataset.annotations.change(id, edit);
      return dataset.annotations.change(id, { ...edit, content: underPresentName(dataset, edit.content) });
    });
  }

  deleteAnnotation(name: string, id: number, check: AnnotationCheck): Promise<Annotation> {
    return this.#annotate(name, (dataset) => dataset.annotations.delete(id, check));
  }

  read(name: string, request: ReadRequest): ReadResult {
    this.#checkOpen();
    const { dataset } = this.#registry.readable(name);
    const local = (): ReadResult => readLocal(dataset, request);
    const untilMs = dataset.cutoffs.userMs;
    if (this.#older === undefined || !reachesBehind(request, untilMs)) return local();
    return this.#older.read(name, request, { ms: untilMs, ticks: 0 }, local) ?? local();
  }

  statistics(name: string, request: StatisticsRequest): StatisticsResult {
    this.#checkOpen();
    const { dataset } = this.#registry.readable(name);
    const isBehind = request.range.start.ms <= dataset.cutoffs.userMs;
    const older = isBehind ? this.#older?.statistics(name, request) : undefined;
    if (older) return older;
    const choice = { tags: request.tags, skipMissing: request.skipMissing, after: [] };
    return readStatistics(sourcesOf(dataset, choice), dataset.context, request);
  }

  watch(name: string, watcher: PointWatcher, onCorrected?: CorrectionWatcher): PointWatch {
    this.#checkOpen();
    return watchPoints(this.#registry.readable(name).dataset, watcher, onCorrected);
  }

  async follow(name: string, identity: 'kept' | 'new' = 'kept'): Promise<Following> {
    this.#checkOpen();
    return followDataset(this.#registry.find(name).dataset, identity);
  }

  /** Takes reads of what purge has removed from there; closed with the engine. */
  readOlderFrom(older: OlderReads): void {
    this.#older = older;
  }

  purge(): Promise<void> {
    return this.#scheduler.purge();
  }

  stats(): EngineStats {
    const { bytesWritten, disk } = this.#context;
    const waiting = this.#registry.waiting.all();
    const readable = waiting.flatMap((dataset) => dataset.readable ?? []);
    const datasets: ReadableDataset[] = [...this.#registry.all(), ...readable];
    const journal = datasets.reduce(
      (sum, { dataset }) => sum + dataset.writing.journal.bytesWritten,
      bytesWritten.journal,
    );
    return {
      datasets: datasets.map(describeStats),
      bytesWritten: { ...bytesWritten, journal },
      freeBytes: disk.freeBytes,
      unavailable: waiting.filter((dataset) => !dataset.readable).map(({ name }) => name),
      unknownFolders: this.#registry.waiting.unknownCount,
    };
  }

  announceClose(): void {
    for (const { dataset } of this.#registry.all()) dataset.isClosing = true;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#scheduler.stop();
    this.announceClose();
    await this.#registry.close();
    for (const { recorder } of this.#registry.all()) recorder.recordState(DatasetState.Stopping);
    for (const maintenance of this.#registry.all()) {
      await maintenance.dataset.writing.lane.idle();
      await maintenance.dataset.writing.journal.drain();
      maintenance.recorder.recordState(DatasetState.Stopped);
      await maintenance.close();
    }
    await this.#older?.close();
    await this.#context.encodingThread?.close();
    await this.#release();
  }

  async #annotate(name: string, work: (dataset: Dataset) => Promise<Annotation>): Promise<Annotation> {
    this.#checkOpen();
    const { dataset } = this.#registry.find(name);
    try {
      return await work(dataset);
    } catch (error) {
      throw asPassingRefusal(error) ?? error;
    }
  }

  #forWriting(
    name: string,
    batch: PointBatch,
    late: LateRule | undefined,
  ): DatasetMaintenance | Promise<DatasetMaintenance> {
    // A write without points creates nothing.
    if (batch.runs.every((run) => run.count === 0)) return this.#registry.find(name);
    this.#registry.checkNotDeleted(name);
    return this.#registry.findOrCreate(name, late);
  }

  #checkOpen(): void {
    if (this.#closing) throw new EngineError('CLOSED', 'The server is stopping.');
  }

  /** Purge by age counts from the newest point, which may have been deleted. If this fails, the next purge does it. */
  async #liftStaleCutoff(dataset: Dataset): Promise<void> {
    if (!isCutoffStale(dataset)) return;
    await dataset.maintain(() => liftStaleCutoff(dataset)).catch(() => undefined);
  }

  #warnAhead(dataset: Dataset, points: number): void {
    const nowMs = this.#context.clock.monotonicMs();
    if (nowMs - this.#warnedAheadMs < AHEAD_WARNING_MS) return;
    this.#warnedAheadMs = nowMs;
    const message = `${points} points lie more than a day ahead; a wrong clock blocks its tags until they are cut (DELETE …/data).`;
    dataset.report('warn', 'points.ahead', message, { points });
  }
}

function readLocal(dataset: Dataset, request: ReadRequest): ReadResult {
  if (!request.aggregates) return read(dataset, request);
  return readAggregates(sourcesOf(dataset, request), dataset.context, request, request.aggregates);
}

/** Whether a read asks for times of which purge has left the newest point at most. */
function reachesBehind({ range }: ReadRequest, untilMs: number): boolean {
  if (range.kind === 'newest') return false;
  return (range.kind === 'at' ? range.end : range.start).ms <= untilMs;
}

function isSameDefinition(a: DatasetDefinition, b: DatasetDefinition): boolean {
  return (
    a.purgeAgeDays === b.purgeAgeDays &&
    a.purgeSizeGb === b.purgeSizeGb &&
    a.late === b.late &&
    a.lateToleranceMs === b.lateToleranceMs &&
    a.lateAgeDays === b.lateAgeDays
  );
}

function formatRules({ purgeAgeDays, purgeSizeGb, late, lateToleranceMs, lateAgeDays }: DatasetDefinition): string {
  const rules = [`pa ${purgeAgeDays}`, `ps ${purgeSizeGb}`];
  if (late !== undefined) rules.push(`late ${late}`);
  if (lateToleranceMs !== undefined) rules.push(`ldt ${lateToleranceMs}`);
  if (lateAgeDays !== undefined) rules.push(`lda ${lateAgeDays}`);
  return rules.join(', ');
}

/** At most the rules of an unreadable dataset are known. */
function describeUnavailable({ definition, reason }: WaitingDataset): DatasetInfo {
  return { ...definition, sizeGb: 0, tagCount: 0, ageDays: 0, state: 'unavailable', reason };
}

/** Age of the oldest readable user point in days; 0 when there is none, or it is in the future. */
function ageDays(dataset: Dataset, nowMs: number): number {
  const oldestMs = oldestPointMs(dataset);
  return oldestMs === Number.POSITIVE_INFINITY ? 0 : Math.max(0, nowMs - oldestMs) / DAY_MS;
}

/** Throws TAG_NOT_FOUND. */
function underPresentName(dataset: Dataset, content: AnnotationContent): AnnotationContent {
  if (content.tag === undefined) return content;
  const tag = dataset.tags.named(content.tag);
  return tag.isSystem ? content : { ...content, tag: tag.name };
}
