// The files of a dataset, and what is kept in memory of them: where they are, which are there, which are to be synced or removed.
// Tag files hang on their tags, journals on the writer.

import type { RunDigest } from '../aggregates/input/run-digest.ts';
import { IndexCache } from '../files/index-cache.ts';
import { PerBlockCache } from '../files/per-block-cache.ts';
import type { Spill } from '../files/spill.ts';
import type { Pinned } from '../files/tag-file.ts';
import type { EngineTunables } from '../limits.ts';
import { BlockSummaries } from '../reduction/block-summaries.ts';
import { UnsyncedFiles } from './unsynced-files.ts';

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
