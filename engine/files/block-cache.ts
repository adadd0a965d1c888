// Blocks that were read a short while ago, verified and still encoded: what comes again costs neither system calls nor
// checksums. Bounded in bytes; the one used longest ago goes first. Blocks on disk never change, so nothing is
// ever wrong in here (bench suite `read`).

import type { BlockHeader } from '../format/block/block-header.ts';

/** A block of which header and payload have passed their checks. */
export interface VerifiedBlock {
  readonly bytes: Uint8Array;
  readonly header: BlockHeader;
}

/** What a block costs besides its bytes: header, map entry, the array's own. */
const OVERHEAD_BYTES = 600;
/** Larger ones would push too many others out. */
const MAX_SHARE = 1 / 16;
/** A place is the number of a file times this, and the block's offset. */
const FILE_SPAN = 2 ** 32;

export class BlockCache {
  readonly #maxBytes: number;
  /** By place, in the order of use, oldest first (a Map keeps insertion order). */
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
    const place = this.#placeOf(file, offset);
    const block = this.#blocks.get(place);
    if (block === undefined) return undefined;
    this.#blocks.delete(place);
    this.#blocks.set(place, block);
    return block;
  }

  /** Keeps a block, unless it is too large. The bytes must not change any more. */
  put(file: object, offset: number, block: VerifiedBlock): void {
    const costBytes = costOf(block);
    if (costBytes > this.#maxBytes * MAX_SHARE) return;
    const place = this.#placeOf(file, offset);
    const before = this.#blocks.get(place);
    if (before !== undefined) this.#drop(place, before);
    this.#blocks.set(place, block);
    this.#usedBytes += costBytes;
    this.#evict();
  }

  #evict(): void {
    for (const [place, block] of this.#blocks) {
      if (this.#usedBytes <= this.#maxBytes) return;
      this.#drop(place, block);
    }
  }

  #drop(place: number, block: VerifiedBlock): void {
    this.#blocks.delete(place);
    this.#usedBytes -= costOf(block);
  }

  #placeOf(file: object, offset: number): number {
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
