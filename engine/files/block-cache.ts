// Recently read blocks, verified and still encoded: a hit saves system calls and checksums. Bounded in bytes, least recently
// used first out. Blocks on disk never change, so entries never become stale (bench suite `read`).

import type { BlockHeader } from '../format/block/block-header.ts';

/** A block whose header and payload checksums are verified. */
export interface VerifiedBlock {
  readonly bytes: Uint8Array;
  readonly header: BlockHeader;
}

/** Memory of an entry besides the block's bytes: header, map entry, the array's own. */
const OVERHEAD_BYTES = 600;
/** Larger blocks are not cached: they would evict too many others. */
const MAX_SHARE = 1 / 16;
/** A key is the file's number times this, plus the block's offset. */
const FILE_SPAN = 2 ** 32;

export class BlockCache {
  readonly #maxBytes: number;
  /** By key, least recently used first (a Map keeps insertion order). */
  readonly #blocks = new Map<number, VerifiedBlock>();
  readonly #fileNumbers = new WeakMap<object, number>();
  #nextFileNumber = 1;
  #usedBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  get(file: object, offset: number): VerifiedBlock | undefined {
    const key = this.#keyOf(file, offset);
    const block = this.#blocks.get(key);
    if (block === undefined) return undefined;
    this.#blocks.delete(key);
    this.#blocks.set(key, block);
    return block;
  }

  /** Keeps a block, unless it is too large. The bytes must not change afterwards. */
  put(file: object, offset: number, block: VerifiedBlock): void {
    const costBytes = costOf(block);
    if (costBytes > this.#maxBytes * MAX_SHARE) return;
    const key = this.#keyOf(file, offset);
    const before = this.#blocks.get(key);
    if (before !== undefined) this.#drop(key, before);
    this.#blocks.set(key, block);
    this.#usedBytes += costBytes;
    this.#evict();
  }

  #evict(): void {
    for (const [key, block] of this.#blocks) {
      if (this.#usedBytes <= this.#maxBytes) return;
      this.#drop(key, block);
    }
  }

  #drop(key: number, block: VerifiedBlock): void {
    this.#blocks.delete(key);
    this.#usedBytes -= costOf(block);
  }

  #keyOf(file: object, offset: number): number {
    let number = this.#fileNumbers.get(file);
    if (number === undefined) {
      number = this.#nextFileNumber++;
      this.#fileNumbers.set(file, number);
    }
    return number * FILE_SPAN + offset;
  }
}

function costOf({ bytes }: VerifiedBlock): number {
  return bytes.length + OVERHEAD_BYTES;
}
