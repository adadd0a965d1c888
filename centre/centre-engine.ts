// An engine over the copies at a centre, for reading: any number of servers may answer from it, and none of them keeps anything.

import {
  type AggregateRequest,
  type Annotation,
  type Correction,
  type CorrectionFilter,
  type CorrectionInfo,
  type CorrectionReceipt,
  type CorrectionWatcher,
  type DatasetInfo,
  type DatasetStats,
  type Engine,
  EngineError,
  type EngineListener,
  type EngineStats,
  type FindSources,
  type Following,
  type PointDeletionReceipt,
  type PointWatch,
  type PointWatcher,
  type Readiness,
  type ReadRequest,
  type ReadResult,
  readAggregates,
  readStatistics,
  type StatisticsRequest,
  type StatisticsResult,
  sequenceOf,
  type TagDefinition,
  type TagList,
  type TagLookup,
  type TagRef,
  underAskedName,
  type WriteReceipt,
} from '../engine/index.ts';
import type { ClickHouseAddress } from '../replication/clickhouse/address.ts';
import { Cluster } from '../replication/clickhouse/cluster.ts';
import { findTags } from './catalogue/asked-tags.ts';
import { Catalogue, type CatalogueOptions } from './catalogue/catalogue.ts';
import { type CentreDataset, CORRECTIONS_TAG } from './catalogue/centre-dataset.ts';
import { CentreRead } from './centre-read.ts';
import { CentreWatch } from './centre-watch.ts';
import { CentreSource } from './intervals/centre-source.ts';
import { TagSums } from './intervals/tag-sums.ts';
import { TagPoints } from './points/tag-points.ts';

export interface CentreOptions {
  readonly address: ClickHouseAddress;
  readonly listener: EngineListener;
  /** All datasets, looked for each second, when absent. */
  readonly catalogue?: CatalogueOptions;
}

const DAY_MS = 86_400_000;
const SLICE_MS = 8;
const LOOK_MS = 1_000;

const NOTHING: TagLookup = {
  find: () => undefined,
  findBytes: () => undefined,
  findFollowing: () => undefined,
  foundBytes: 0,
  changes: 0,
};

/** How slices of long work are measured. */
const OWNER = {
  clock: {
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    after(ms: number, callback: () => void) {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  },
  tunables: { sliceMs: SLICE_MS },
};

export class CentreEngine implements Engine {
  readonly #cluster: Cluster;
  readonly #catalogue: Catalogue;
  readonly #watches = new Map<CentreDataset, CentreWatch>();
  #isClosed = false;

  constructor({ address, listener, catalogue = { prefix: '', lookMs: LOOK_MS } }: CentreOptions) {
    this.#cluster = new Cluster(address);
    this.#catalogue = new Catalogue(this.#cluster, catalogue, (failure) => {
      const message = failure ?? `${this.#cluster.name} answers again.`;
      listener({ level: failure === undefined ? 'info' : 'warn', event: 'centre.look', message });
    });
  }

  /** Rejects when the centre cannot be reached. */
  async open(): Promise<void> {
    await this.#cluster.connect();
    await this.#catalogue.open();
  }

  /** Opens it as soon as the centre can be reached. */
  start(): void {
    this.#catalogue.start();
  }

  /** Whether what it tells is what the centre has. */
  get isFresh(): boolean {
    return this.#catalogue.isFresh;
  }

  /** Looks what has come, as it does each second by itself. */
  async lookAtTags(): Promise<void> {
    await this.#catalogue.refresh().catch(() => undefined);
  }

  readiness(): Readiness {
    return { datasetCount: this.#catalogue.all().length, impaired: [] };
  }

  datasets(): DatasetInfo[] {
    return this.#catalogue.all().map(describe);
  }

  dataset(name: string): DatasetInfo {
    return describe(this.#catalogue.named(name));
  }

  hasDataset(name: string): boolean {
    return this.#catalogue.get(name) !== undefined;
  }

  /** All that was accepted at the edge before this time is here, ms; undefined while the first points are on their way. */
  copiedUntilMs(name: string): number | undefined {
    return this.#catalogue.named(name).document.copiedUntilMs ?? undefined;
  }

  async tags(name: string): Promise<TagList> {
    const dataset = this.#catalogue.named(name);
    const user = [...dataset.userTags].map(({ definition }) => ({ name: definition.name, definition }));
    const system = [...dataset.systemTags].filter(({ id }) => id !== CORRECTIONS_TAG || dataset.nextEntry > 0);
    return {
      user: sequenceOf(user.sort(byName), () => true),
      system: system.map(({ definition }) => definition).sort(byName),
    };
  }

  tag(name: string, tagName: string): TagDefinition {
    return underAskedName(this.#catalogue.named(name).tagNamed(tagName).definition, tagName);
  }

  /** Users' tags by name; nobody writes here, who would ask by bytes. */
  lookup(name: string): TagLookup {
    if (!this.hasDataset(name)) return NOTHING;
    const dataset = this.#catalogue.named(name);
    const find = (tagName: string): TagRef | undefined => {
      const tag = dataset.find(tagName);
      return tag && !tag.isSystem ? { id: tag.id, name: tag.definition.name, type: tag.definition.type } : undefined;
    };
    return { ...NOTHING, find };
  }

  read(name: string, request: ReadRequest): ReadResult {
    this.#checkOpen();
    const dataset = this.#catalogue.named(name);
    if (request.aggregates) return this.#readAggregates(dataset, request, request.aggregates);
    return new CentreRead(this.#cluster, dataset, request, this.#watches.get(dataset));
  }

  statistics(name: string, request: StatisticsRequest): StatisticsResult {
    this.#checkOpen();
    const { tags, skipMissing } = request;
    return readStatistics(this.#sources(this.#catalogue.named(name), { tags, skipMissing, after: [] }), OWNER, request);
  }

  watch(name: string, watcher: PointWatcher, onCorrected?: CorrectionWatcher): PointWatch {
    this.#checkOpen();
    const dataset = this.#catalogue.named(name);
    const isThere = (): boolean => !this.#isClosed && this.#catalogue.get(name) === dataset;
    const known = this.#watches.get(dataset) ?? new CentreWatch(this.#cluster, dataset, isThere);
    this.#watches.set(dataset, known);
    return known.add(watcher, onCorrected);
  }

  correction(name: string, id: number): CorrectionInfo {
    const dataset = this.#catalogue.named(name);
    const correction = dataset.corrections.find(id);
    if (correction) return describeCorrection(dataset, correction);
    throw new EngineError('CORRECTION_NOT_FOUND', `There is no correction ${id} in dataset '${name}'.`, { name });
  }

  corrections(name: string, { tag, before, limit }: CorrectionFilter): CorrectionInfo[] {
    const dataset = this.#catalogue.named(name);
    const tagId = tag === undefined ? undefined : dataset.tagNamed(tag).id;
    const listed: CorrectionInfo[] = [];
    for (const correction of dataset.corrections.all()) {
      if (listed.length === limit) break;
      if (tagId !== undefined && correction.tagId !== tagId) continue;
      if (before === undefined || correction.id < before) listed.push(describeCorrection(dataset, correction));
    }
    return listed;
  }

  /** Annotations are not copied. */
  annotations(name: string): readonly Annotation[] {
    this.#catalogue.named(name);
    return [];
  }

  annotation(name: string, id: number): Annotation {
    this.#catalogue.named(name);
    throw new EngineError('ANNOTATION_NOT_FOUND', `Annotation ${id} could not be found: annotations stay at the edge.`);
  }

  createDataset(): Promise<never> {
    return Promise.reject(
      new EngineError('CONFLICT', 'This server reads copies; datasets are made where they are written.'),
    );
  }

  updateDataset({ name }: { readonly name: string }): Promise<never> {
    return this.#refuse(name);
  }

  deleteDataset(name: string): Promise<never> {
    return this.#refuse(name);
  }

  forgetDeletion(name: string): Promise<never> {
    return this.#refuse(name);
  }

  defineTags(name: string): Promise<never> {
    return this.#refuse(name);
  }

  renameTag(name: string): Promise<never> {
    return this.#refuse(name);
  }

  deleteTags(name: string): Promise<never> {
    return this.#refuse(name);
  }

  append(name: string): Promise<WriteReceipt> {
    return this.#refuse(name);
  }

  deletePoints(name: string): Promise<PointDeletionReceipt> {
    return this.#refuse(name);
  }

  correct(name: string): Promise<CorrectionReceipt> {
    return this.#refuse(name);
  }

  undoCorrection(name: string): Promise<CorrectionInfo> {
    return this.#refuse(name);
  }

  postStatus(name: string): Promise<WriteReceipt> {
    return this.#refuse(name);
  }

  createAnnotation(name: string): Promise<Annotation> {
    return this.#refuse(name);
  }

  changeAnnotation(name: string): Promise<Annotation> {
    return this.#refuse(name);
  }

  deleteAnnotation(name: string): Promise<Annotation> {
    return this.#refuse(name);
  }

  follow(name: string): Promise<Following> {
    return this.#refuse(name);
  }

  /** What is kept is decided by the centre. */
  async purge(): Promise<void> {
    this.#checkOpen();
  }

  stats(): EngineStats {
    const bytesWritten = { journal: 0, spill: 0, tags: 0, catalog: 0 };
    return {
      datasets: this.#catalogue.all().map(statsOf),
      bytesWritten,
      freeBytes: 0,
      unavailable: [],
      unknownFolders: 0,
    };
  }

  /** No maintenance runs here. */
  announceClose(): void {}

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const watch of this.#watches.values()) watch.stop();
    await this.#catalogue.close();
    await this.#cluster.close();
  }

  #readAggregates(dataset: CentreDataset, request: ReadRequest, aggregates: AggregateRequest): ReadResult {
    return readAggregates(this.#sources(dataset, request), OWNER, request, aggregates);
  }

  #sources(dataset: CentreDataset, choice: Pick<ReadRequest, 'tags' | 'skipMissing' | 'after'>): FindSources {
    return async () => {
      const found = findTags(dataset, choice);
      return {
        sources: found.map(({ tag }) => {
          const points = new TagPoints(this.#cluster, dataset, tag);
          return new CentreSource(points, new TagSums(this.#cluster, dataset, points));
        }),
        definitionOf: (index) => (found[index] as (typeof found)[number]).definition,
      };
    };
  }

  /** Throws DATASET_NOT_FOUND for datasets that are not there. */
  async #refuse(name: string): Promise<never> {
    const { edgeAddress } = this.#catalogue.named(name).document;
    const message = `Dataset '${name}' is a copy, and written where it is made: at ${edgeAddress}.`;
    throw new EngineError('CONFLICT', message, { name });
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new EngineError('CLOSED', 'The server is stopping.');
  }
}

function describe({ name, document, tagCount, sizeBytes, oldestMs }: CentreDataset): DatasetInfo {
  const ageDays = Number.isFinite(oldestMs) ? Math.max(0, Date.now() - oldestMs) / DAY_MS : 0;
  return { ...document.rules, name, sizeGb: sizeBytes / 1e9, tagCount, ageDays };
}

function describeCorrection(dataset: CentreDataset, correction: Correction): CorrectionInfo {
  const { id, tagId, kind, start, end, points, made, undone } = correction;
  const tag = dataset.definitionOf(tagId)?.name ?? '';
  return { id, tag, kind, start, end, points: points.count, made, undone };
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}

/** What only a dataset with files has is 0. */
function statsOf({ name, tagCount, sizeBytes }: CentreDataset): DatasetStats {
  return {
    name,
    tagCount,
    sizeBytes,
    pointsWritten: 0,
    pointsIgnored: 0,
    pointsRepeated: 0,
    pointsRejected: 0,
    pointsAhead: 0,
    pointsExpired: 0,
    pointsRead: 0,
    headBytes: 0,
    journalBytes: 0,
    spillCount: 0,
    syncCount: 0,
    syncSeconds: 0,
    tagFileCount: 0,
    requestCount: 0,
    damagedBlocks: 0,
    refusing: undefined,
    purgeUnmet: undefined,
    isReadOnly: false,
  };
}
