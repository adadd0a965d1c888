// The points of a dataset that are in memory, besides what its tags have of them.

import { HeadArena } from '../head/head-arena.ts';
import type { Tag } from '../tag/tag.ts';

export class DatasetMemory {
  /** The heads of all tags. */
  readonly arena = new HeadArena();
  /** Tags whose points make a good block. */
  fullTags: Tag[] = [];
  readonly recentLate = new RecentLate();
}

/** Hashes of each of the two sets: some 4 MB in all. */
const MOST_HASHES = 65_536;

/**
 * Tells of a late point whether it may have been stored a short while ago: requests that are sent again are not to be stored
 * twice. It remembers hashes of tags and times; whether it is the same point has to be looked up.
 */
export class RecentLate {
  #newer = new Set<number>();
  #older = new Set<number>();

  /** Notes a point of a tag at a time. */
  add(tagId: number, ms: number, ticks: number): void {
    if (this.#newer.size >= MOST_HASHES) {
      this.#older = this.#newer;
      this.#newer = new Set();
    }
    this.#newer.add(hashOf(tagId, ms, ticks));
  }

  mayHave(tagId: number, ms: number, ticks: number): boolean {
    if (this.#newer.size === 0 && this.#older.size === 0) return false;
    const hash = hashOf(tagId, ms, ticks);
    return this.#newer.has(hash) || this.#older.has(hash);
  }
}

/** Hash of 53 bits: exact for times of some years in one tag, mixed with the id of the tag. */
function hashOf(tagId: number, ms: number, ticks: number): number {
  const high = Math.imul(tagId ^ Math.floor(ms / 2 ** 32), 0x9e37_79b1) >>> 11;
  return high * 2 ** 32 + ((ms ^ Math.imul(ticks, 0x85eb_ca6b)) >>> 0);
}
