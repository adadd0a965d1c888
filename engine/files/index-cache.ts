// Bounds the block indexes held in memory: the least recently used file loses its index first.

import { LruCache } from '../lru-cache.ts';
import type { TagFile } from './tag-file.ts';

export class IndexCache {
  /** Files whose index is loaded; they cost its entries. */
  readonly #files: LruCache<TagFile, true>;

  constructor(maxEntries: number) {
    this.#files = new LruCache(maxEntries, forgetIndex);
  }

  /** Notes that a file's index is loaded and was used. */
  touch(file: TagFile): void {
    this.#files.put(file, true, file.index?.length ?? 0);
  }

  drop(file: TagFile): void {
    this.#files.delete(file);
    forgetIndex(file);
  }
}

function forgetIndex(file: TagFile): void {
  file.index = undefined;
}
