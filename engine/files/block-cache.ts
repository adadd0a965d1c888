// Recently read blocks, verified and still encoded: a hit saves system calls and checksums. Bounded in bytes, least recently
// used first out. Blocks on disk never change, so entries never become stale (bench suite `read`).

import type { BlockHeader } from '../format/block/block-header.ts';
import { LruCache } from '../lru-cache.ts';

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
  readonly #blocks: LruCache<number, VerifiedBlock>;
  readonly #fileNumbers = new WeakMap<object, number>();
  #nextFileNumber = 1;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#blocks = new LruCache(maxBytes);
  }

  get usedBytes(): number {
    return this.#blocks.cost;
  }

  get(file: object, offset: number): VerifiedBlock | undefined {
    return this.#blocks.get(this.#keyOf(file, offset));
  }

  /** Keeps a block, unless it is too large. The bytes must not change afterwards. */
  put(file: object, offset: number, block: VerifiedBlock): void {
    const costBytes = block.bytes.length + OVERHEAD_BYTES;
    if (costBytes <= this.#maxBytes * MAX_SHARE) this.#blocks.put(this.#keyOf(file, offset), block, costBytes);
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
