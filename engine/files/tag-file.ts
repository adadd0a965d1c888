// One tag file in memory: a summary always, its block index while it is used.

import { formatTagFile, TAGS_FOLDER, tagFolder } from '../filenames.ts';
import type { BlockEntry } from '../format/block/block-index.ts';
import type { BlockMemory } from '../format/block/plain-block.ts';

/** A file that reads can pin: it is removed only when no read does. */
export interface Pinned {
  pins: number;
  /** Called when the last pin is released; set by whoever removes the file. */
  onUnpinned: (() => void) | undefined;
}

export function pin(item: Pinned): void {
  item.pins++;
}

export function unpin(item: Pinned): void {
  item.pins--;
  if (item.pins > 0 || !item.onUnpinned) return;
  const callback = item.onUnpinned;
  item.onUnpinned = undefined;
  callback();
}

/** A byte range of a file without a readable block. */
export interface DamagedBytes {
  readonly offset: number;
  readonly sizeBytes: number;
  readonly reason: string;
}

export interface TagFileSummary {
  readonly tagId: number;
  readonly number: number;
  sizeBytes: number;
  sealed: boolean;
  blockCount: number;
  firstOrdinal: number;
  nextOrdinal: number;
  firstMs: number;
  lastMs: number;
  /** The catalog lists the file, but it does not exist. */
  missing: boolean;
}

export class TagFile implements TagFileSummary, Pinned {
  readonly tagId: number;
  readonly number: number;
  sizeBytes = 0;
  sealed = false;
  blockCount = 0;
  /** First ordinal of the first block, and the ordinal after the last block. */
  firstOrdinal = 0;
  nextOrdinal = 0;
  firstMs = Number.NaN;
  lastMs = Number.NaN;
  missing = false;
  /** Headers of all its blocks, in order; undefined while not loaded. */
  index: BlockEntry[] | undefined;
  damages: readonly DamagedBytes[] = [];
  /** Encoding choices of its last block of plain points. */
  blockMemory: BlockMemory | undefined;
  pins = 0;
  onUnpinned: (() => void) | undefined;

  constructor(tagId: number, number: number) {
    this.tagId = tagId;
    this.number = number;
  }

  /** Inside the dataset's folder. */
  get path(): string {
    return `${TAGS_FOLDER}/${tagFolder(this.tagId)}/${formatTagFile(this.tagId, this.number)}`;
  }

  /** Adds a block to the summary, and to the index when that is loaded. */
  add(entry: BlockEntry): void {
    if (this.blockCount === 0) this.firstOrdinal = entry.firstOrdinal;
    this.firstMs = Number.isNaN(this.firstMs) ? entry.firstMs : Math.min(this.firstMs, entry.firstMs);
    this.blockCount++;
    this.nextOrdinal = Math.max(this.nextOrdinal, entry.firstOrdinal + entry.ordinalCount);
    this.lastMs = Number.isNaN(this.lastMs) ? entry.lastMs : Math.max(this.lastMs, entry.lastMs);
    this.index?.push(entry);
  }
}

/** The order of a tag's files: the last one is appended to. */
export function byOrdinal(a: TagFile, b: TagFile): number {
  return a.firstOrdinal - b.firstOrdinal || a.number - b.number;
}
