// The files of a dataset, and what is kept in memory of them: where they are, which are there, which are to be synced or removed.
// Tag files hang on their tags, journals on the writer.

import type { RunDigest } from '../aggregates/input/run-digest.ts';
import { TAGS_FOLDER, tagFolder } from '../filenames.ts';
import { IndexCache } from '../files/index-cache.ts';
import { PerBlockCache } from '../files/per-block-cache.ts';
import type { Spill } from '../files/spill.ts';
import type { Pinned, TagFile } from '../files/tag-file.ts';
import type { EngineTunables } from '../limits.ts';
import { BlockSummaries } from '../reduction/block-summaries.ts';

/** A file that is not needed any more, kept for copies under way. */
export interface RetiredFile {
  /** Inside the dataset's folder. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly retiredAtMs: number;
  /** Open reads that keep it from being removed. */
  readonly reads: Pinned | undefined;
  /** Its removal has failed, and the event was reported. */
  refused?: boolean;
}

export class DatasetFiles {
  /** Path of the folder; changes when the dataset is deleted. */
  folder: string;
  /** Oldest first. */
  spills: Spill[] = [];
  nextSpillNumber = 1;
  retired: RetiredFile[] = [];
  readonly unsynced = new UnsyncedFiles();
  readonly indexCache: IndexCache;
  readonly summaries: BlockSummaries;
  /** For aggregates: of the parts of a block, in order; `none` for a block that has points that are not good. */
  readonly digests: PerBlockCache<readonly RunDigest[] | 'none'>;
  /** Number of cursors that may still open files. */
  openCursors = 0;

  constructor(folder: string, { indexCacheEntries, summaryCacheBlocks }: EngineTunables) {
    this.folder = folder;
    this.indexCache = new IndexCache(indexCacheEntries);
    this.summaries = new BlockSummaries(summaryCacheBlocks);
    this.digests = new PerBlockCache(summaryCacheBlocks);
  }
}

export interface UnsyncedBatch {
  readonly files: readonly TagFile[];
  /** Inside the dataset's folder. */
  readonly folders: readonly string[];
}

/** Tag files and their folders with bytes that are not synced yet: a catalog may not vouch for them. */
export class UnsyncedFiles {
  readonly #files = new Set<TagFile>();
  readonly #folders = new Set<string>();

  get fileCount(): number {
    return this.#files.size;
  }

  addFile(file: TagFile): void {
    this.#files.add(file);
  }

  /** The file is gone, or belongs to nobody. */
  dropFile(file: TagFile): void {
    this.#files.delete(file);
  }

  /** A folder has a new entry, or is one itself. */
  addTagFolder(tagId: number): void {
    this.#folders.add(tagFolderPath(tagId));
    this.#folders.add(TAGS_FOLDER);
  }

  hasTagFolder(tagId: number): boolean {
    return this.#folders.has(tagFolderPath(tagId));
  }

  /** All that is to be synced now; what comes from here on is for the next time. */
  take(): UnsyncedBatch {
    const batch = { files: [...this.#files], folders: [...this.#folders] };
    this.#files.clear();
    this.#folders.clear();
    return batch;
  }

  /** It could not be synced. */
  putBack({ files, folders }: UnsyncedBatch): void {
    for (const file of files) this.#files.add(file);
    for (const folder of folders) this.#folders.add(folder);
  }
}

/** The subfolder of a tag's files, inside the dataset's folder. */
export function tagFolderPath(tagId: number): string {
  return `${TAGS_FOLDER}/${tagFolder(tagId)}`;
}
