// Copies datasets to files of Parquet, for DuckDB, Spark, pandas and whatever else reads them.

import { formatDataset } from '../documents.ts';
import type { Batch, CopiedDataset, CopyState, DatasetDocument, OtherCopy, Sink, TagDocument } from '../sink.ts';
import { divideBatch, type FileRuns, fileFor } from './batch-files.ts';
import { inParallel } from './in-parallel.ts';
import { readJson, writeJson } from './json-files.ts';
import { datasetFile, folderOf, isIdentityFolder, isNameFolder, ordinalsFolder, rangeOfFile } from './layout.ts';
import { encodePoints } from './points-file.ts';
import { RangeOrdinals } from './range-ordinals.ts';
import type { ObjectStore } from './stores/object-store.ts';
import { knownTags, putTagDocuments } from './tag-documents.ts';

/** Files of a batch that are written at once: each takes two writes, one after the other. */
const FILES_AT_ONCE = 4;

type WrittenDataset = DatasetDocument & Pick<CopiedDataset, 'name' | 'identity'>;

/**
 * A copy in a folder or a bucket; `layout.ts` has its files and `row-group.ts` their columns.
 *
 * A batch that is given again replaces its own files. A batch that is cut differently when it is given again, as after a crash,
 * makes files that hold some points a second time: readers take one row for each `tag` and `ordinal`, whichever, because an
 * ordinal always has the same point. A file whose points are all in others is harmless, and may be removed.
 *
 * What was deleted stays in the files: readers leave out the ordinals in `cuts` of a tag's document, and tags with `deleted`.
 * Corrections are not applied to the files, and late points are rows of tags of their own (`lateOf`), which
 * have the name of the tag that they are late for.
 *
 * One process writes a dataset, and waits for each call before the next one for that dataset.
 */
export class ParquetSink implements Sink {
  readonly name: string;
  /** Small files cost much and are read slowly. */
  readonly pace = { lingerMs: 60_000, heartbeatMs: 60_000 };
  readonly #store: ObjectStore;
  /** By their files: 8 KB for 1,000 tags. Without an entry they are read again. */
  readonly #ordinals = new Map<string, RangeOrdinals>();
  /** Revisions of documents that were written, by their files. */
  readonly #revisions = new Map<string, number>();

  constructor(store: ObjectStore) {
    this.#store = store;
    this.name = store.name;
  }

  open(): Promise<void> {
    return this.#store.open();
  }

  async datasets(): Promise<readonly OtherCopy[]> {
    const found: OtherCopy[] = [];
    for await (const dataset of this.#folders('')) {
      if (!isNameFolder(dataset)) continue;
      for await (const identity of this.#folders(dataset)) {
        if (!isIdentityFolder(identity)) continue;
        const written = await this.#readDataset(`${dataset}/${identity}`);
        if (written === undefined) continue;
        const { name, edge, isDeleted } = written;
        found.push({ name, identity: written.identity, edge, isDeleted });
      }
    }
    return found;
  }

  async stateOf(dataset: CopiedDataset): Promise<CopyState> {
    const folder = folderOf(dataset);
    const ordinals = new Map<number, number>();
    let revision = (await this.#readDataset(folder))?.revision ?? 0;
    for await (const tag of knownTags(this.#store, folder)) {
      revision = Math.max(revision, tag.revision);
      ordinals.set(tag.id, 0);
    }
    for await (const name of this.#store.names(ordinalsFolder(folder))) {
      const range = rangeOfFile(name);
      if (range === undefined) continue;
      const ofRange = await new RangeOrdinals(this.#store, folder, range).load();
      for (const [tag, next] of ofRange.positions()) ordinals.set(tag, next);
    }
    return { revision, ordinals };
  }

  async putDataset(dataset: CopiedDataset, document: DatasetDocument): Promise<void> {
    const { name, identity } = dataset;
    const folder = folderOf(dataset);
    const known = this.#revisions.get(folder) ?? (await this.#readDataset(folder))?.revision ?? 0;
    if (document.revision < known) return;
    const content = { name, identity, ...(JSON.parse(formatDataset(document)) as object) };
    await writeJson(this.#store, datasetFile(folder), content);
    this.#revisions.set(folder, document.revision);
  }

  putTags(dataset: CopiedDataset, documents: readonly TagDocument[]): Promise<void> {
    return putTagDocuments(this.#store, folderOf(dataset), documents);
  }

  putPoints(dataset: CopiedDataset, batch: Batch): Promise<void> {
    return inParallel(divideBatch(batch), FILES_AT_ONCE, (file) => this.#putFile(dataset, batch, file));
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async #putFile(dataset: CopiedDataset, batch: Batch, { range, runs }: FileRuns): Promise<void> {
    const folder = folderOf(dataset);
    const path = fileFor(folder, batch, runs);
    const bytes = await encodePoints(dataset, batch, runs);
    const key = `${folder} ${range}`;
    const ordinals = this.#ordinals.get(key) ?? (await new RangeOrdinals(this.#store, folder, range).load());
    // A write that fails may have arrived: then only what is there can tell.
    this.#ordinals.delete(key);
    await ordinals.announce(path, runs);
    await this.#store.put(path, bytes);
    ordinals.confirm(runs);
    this.#ordinals.set(key, ordinals);
  }

  async *#folders(folder: string): AsyncGenerator<string> {
    for await (const name of this.#store.names(folder)) if (name.endsWith('/')) yield name.slice(0, -1);
  }

  async #readDataset(folder: string): Promise<WrittenDataset | undefined> {
    return readJson<WrittenDataset>(this.#store, datasetFile(folder));
  }
}
