// Bounds the block indexes held in memory: the least recently used file loses its index first.

import type { TagFile } from './tag-file.ts';

export class IndexCache {
  readonly #maxEntries: number;
  /** Index entries of each file, least recently used first (a Map keeps insertion order). */
  readonly #files = new Map<TagFile, number>();
  #entries = 0;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  /** Notes that a file's index is loaded and was used. */
  touch(file: TagFile): void {
    this.#forget(file);
    const entries = file.index?.length ?? 0;
    this.#files.set(file, entries);
    this.#entries += entries;
    if (this.#entries > this.#maxEntries) this.#evict(file);
  }

  drop(file: TagFile): void {
    this.#forget(file);
    file.index = undefined;
  }

  #forget(file: TagFile): void {
    this.#entries -= this.#files.get(file) ?? 0;
    this.#files.delete(file);
  }

  #evict(except: TagFile): void {
    for (const file of this.#files.keys()) {
      if (this.#entries <= this.#maxEntries) return;
      if (file !== except) this.drop(file);
    }
  }
}
