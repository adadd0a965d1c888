// What is copied at the centre, looked up again and again: datasets, tags, corrections.

import { EngineError } from '../../engine/index.ts';
import type { Cluster } from '../../replication/clickhouse/cluster.ts';
import { pointsTable, tipsTable } from '../../replication/clickhouse/schema.ts';
import { parseDataset, parseTag } from '../../replication/documents.ts';
import type { DatasetDocument } from '../../replication/sink.ts';
import { ROW_COLUMNS, RowReader } from '../points/row-reader.ts';
import { CentreDataset, CORRECTIONS_TAG } from './centre-dataset.ts';
import { readSizes } from './dataset-sizes.ts';

/** Sizes and ages are looked up more rarely. */
const SIZES_MS = 60_000;
/** Documents may become visible in another order than they were written, within this many ms of their revisions. */
const OVERLAP_MS = 60_000;

interface DatasetRow {
  readonly name: string;
  readonly identity: string;
  readonly newest: string;
}

/** Names that are no columns: a condition would mean these. */
interface TagRow {
  readonly key: string;
  readonly id: string;
  readonly version: string;
  readonly document: string;
}

export interface CatalogueOptions {
  /** Only datasets whose names begin with it. */
  readonly prefix: string;
  /** Between two looks. */
  readonly lookMs: number;
}

export class Catalogue {
  readonly #cluster: Cluster;
  readonly #onFailure: (message: string | undefined) => void;
  readonly #prefix: string;
  readonly #lookMs: number;
  /** By name. */
  #datasets = new Map<string, CentreDataset>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;
  #sizesMs = Number.NEGATIVE_INFINITY;
  #failure: string | undefined;
  #hasLooked = false;

  /** @param onFailure called with the reason when it cannot look any more, and with undefined when it can again */
  constructor(
    cluster: Cluster,
    { prefix, lookMs }: CatalogueOptions,
    onFailure: (message: string | undefined) => void,
  ) {
    this.#cluster = cluster;
    this.#lookMs = lookMs;
    this.#onFailure = onFailure;
    this.#prefix = prefix;
  }

  /** Rejects when the centre cannot be reached; goes on by itself from then on. */
  async open(): Promise<void> {
    await this.#look();
    this.#schedule();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  /** Sorted by name. */
  all(): CentreDataset[] {
    return [...this.#datasets.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  get(name: string): CentreDataset | undefined {
    return this.#datasets.get(name);
  }

  /** Throws DATASET_NOT_FOUND. */
  named(name: string): CentreDataset {
    const dataset = this.#datasets.get(name);
    if (dataset) return dataset;
    throw new EngineError('DATASET_NOT_FOUND', `Dataset '${name}' could not be found.`, { name });
  }

  /** Whether the last look found everything. */
  get isFresh(): boolean {
    return this.#hasLooked && this.#failure === undefined;
  }

  /** Goes on looking by itself, also while the centre is away. */
  start(): void {
    this.#schedule();
  }

  /** Looks now, also where a look is under way. */
  refresh(): Promise<void> {
    const looking = this.#looking.then(() => this.#look());
    this.#looking = looking.catch(() => undefined);
    return looking;
  }

  #schedule(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      void this.refresh()
        .then(() => this.#note(undefined))
        .catch((error: unknown) => this.#note(error instanceof Error ? error.message : String(error)))
        .then(() => this.#schedule());
    }, this.#lookMs);
  }

  #note(failure: string | undefined): void {
    if (failure !== this.#failure) this.#onFailure(failure);
    this.#failure = failure;
  }

  async #look(): Promise<void> {
    await this.#cluster.connect();
    await this.#lookAtDatasets();
    const datasets = this.all();
    if (datasets.length === 0) return;
    await this.#lookAtTags(datasets);
    await this.#lookAtCorrections(datasets);
    this.#hasLooked = true;
    if (performance.now() - this.#sizesMs < SIZES_MS) return;
    this.#sizesMs = performance.now();
    await readSizes(this.#cluster, datasets);
  }

  async #lookAtDatasets(): Promise<void> {
    const { database } = this.#cluster.style;
    const rows = await this.#rows<DatasetRow>(
      `SELECT name, identity, argMax(document, revision) AS newest FROM ${database}.datasets GROUP BY name, identity`,
    );
    const found = new Map<string, CentreDataset>();
    for (const row of rows) {
      const document = parseDataset(row.newest);
      if (!row.name.startsWith(this.#prefix)) continue;
      if (document.isDeleted || isOlder(document, found.get(row.name)?.document)) continue;
      const known = this.#datasets.get(row.name);
      const dataset = known?.identity === row.identity ? known : new CentreDataset(row, document);
      dataset.document = document;
      found.set(row.name, dataset);
    }
    this.#datasets = found;
  }

  async #lookAtTags(datasets: readonly CentreDataset[]): Promise<void> {
    const { database } = this.#cluster.style;
    const wanted = datasets.map(
      ({ key, revision }) => `(dataset = ${key} AND revision > ${Math.max(0, revision - OVERLAP_MS)})`,
    );
    const rows = await this.#rows<TagRow>(
      `SELECT toString(dataset) AS key, tag AS id, toString(revision) AS version, document FROM ${database}.tags WHERE ${wanted.join(' OR ')} ORDER BY revision`,
    );
    const byKey = new Map(datasets.map((dataset) => [String(dataset.key), dataset]));
    for (const { key, id, version, document } of rows)
      byKey.get(key)?.take(parseTag(Number(id), Number(version), document));
  }

  /** Each dataset has a log of its own; those that have grown are read on. */
  async #lookAtCorrections(datasets: readonly CentreDataset[]): Promise<void> {
    const keys = datasets.map(({ key }) => key).join(', ');
    const rows = await this.#rows<{ key: string; last: string }>(
      `SELECT toString(dataset) AS key, toString(max(ordinal)) AS last FROM ${tipsTable(this.#cluster.style)} WHERE dataset IN (${keys}) AND tag = ${CORRECTIONS_TAG} GROUP BY dataset`,
    );
    const tops = new Map(rows.map(({ key, last }) => [key, Number(last)]));
    for (const dataset of datasets)
      if ((tops.get(String(dataset.key)) ?? -1) >= dataset.nextEntry) await this.#readCorrections(dataset);
  }

  async #readCorrections(dataset: CentreDataset): Promise<void> {
    const { key, nextEntry } = dataset;
    const select = `SELECT ${ROW_COLUMNS} FROM ${pointsTable(this.#cluster.style)} WHERE dataset = ${key} AND tag = ${CORRECTIONS_TAG} AND ordinal >= ${nextEntry} ORDER BY ordinal`;
    const stream = await this.#cluster.onAny((server) => server.stream(select, new AbortController().signal));
    const reader = new RowReader(stream);
    for (let rows = await reader.next(); rows; rows = await reader.next()) dataset.takeEntries(rows);
  }

  #rows<T>(select: string): Promise<T[]> {
    return this.#cluster.onAny((server) => server.rows<T>(select));
  }
}

function isOlder(document: DatasetDocument, other: DatasetDocument | undefined): boolean {
  return other !== undefined && document.revision < other.revision;
}
