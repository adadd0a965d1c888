// Which of a tag's points were removed for good, though they are still in memory or in files: a request that brings them again
// brings new points.

import type { Amendment } from '../corrections/amendment.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { Writing } from '../dataset/writing.ts';
import type { Tag } from '../tag/tag.ts';
import type { Instant } from '../types.ts';
import { isDeleted } from './visible-range.ts';

export class RemovedPoints {
  readonly #left: Tag;
  readonly #cuts: Amendment | undefined;

  constructor(dataset: Dataset, tag: Tag) {
    this.#left = leftOf(dataset.writing, tag);
    this.#cuts = dataset.corrections.cutsOf(tag.id);
  }

  /** @param ordinal of late points from `FIRST_LATE_ORDINAL` on */
  has(time: Instant, ordinal: number): boolean {
    return isDeleted(this.#left, ordinal) || this.#cuts?.hiddenRangeOf(time, ordinal) !== undefined;
  }
}

/** The tag as deletions leave it that are on their way to disk. */
export function leftOf(writing: Writing, tag: Tag): Tag {
  const earlier = writing.pendingDeletions.filter(({ tagId }) => tagId === tag.id);
  return earlier.length === 0 ? tag : tag.withDeleted(earlier);
}
