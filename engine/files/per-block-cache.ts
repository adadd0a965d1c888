// What is remembered of blocks of tag files, by file and offset. Bounded in blocks; evicts the least recently used file.

import { LruCache } from '../lru-cache.ts';
import type { TagFile } from './tag-file.ts';

export class PerBlockCache<T> {
  /** A file costs the number of its blocks. */
  readonly #files: LruCache<TagFile, Map<number, T>>;

  constructor(maxBlocks: number) {
    this.#files = new LruCache(maxBlocks);
  }

  get blockCount(): number {
    return this.#files.cost;
  }

  /** Does not count as a use. */
  get(file: TagFile, offset: number): T | undefined {
    return this.#files.peek(file)?.get(offset);
  }

  /** Marks a file as used. */
  touch(file: TagFile): void {
    this.#files.get(file);
  }

  put(file: TagFile, offset: number, value: T): void {
    const known = this.#files.peek(file) ?? new Map<number, T>();
    known.set(offset, value);
    this.#files.put(file, known, known.size);
  }
}
