// Counts readable points of a tag, in slices.

import type { Dataset } from '../../dataset/dataset.ts';
import { Slicer } from '../../io/slicer.ts';
import { openPoints } from '../../read/amended/open-points.ts';
import { LateStream } from '../../read/late/late-stream.ts';
import { firstVisibleOrdinal } from '../../read/visible-range.ts';
import type { Tag } from '../../tag/tag.ts';
import { type Instant, LAST_INSTANT } from '../../types.ts';

/** Counting ends here: some 20 ms of work. */
const MOST_COUNTED = 1_000_000;

/** The points of a range, at most a million of them. */
export async function countReadable(
  dataset: Dataset,
  tag: Tag,
  range: { readonly start: Instant; readonly end: Instant },
): Promise<number> {
  const slicer = new Slicer(dataset.context);
  const firstOrdinal = firstVisibleOrdinal(dataset, tag);
  const cursor = openPoints(dataset, tag, { ...range, firstOrdinal, limit: MOST_COUNTED });
  let count = 0;
  try {
    for (let chunk = cursor.next(); chunk !== undefined; chunk = cursor.next()) {
      count += chunk.end - chunk.start;
      const pause = slicer.pause();
      if (pause !== undefined) await pause;
    }
  } finally {
    cursor.close();
  }
  return count;
}

/** The late points of a tag at or behind a time that no correction hides, at most a million of them. */
export async function countLate(dataset: Dataset, tagId: number, start: Instant): Promise<number> {
  const late = dataset.tags.late.get(tagId);
  if (late === undefined) return 0;
  const slicer = new Slicer(dataset.context);
  const amendment = dataset.corrections.amendmentOf(tagId);
  const stream = new LateStream(dataset, late, { ...start, ordinal: 0 }, LAST_INSTANT);
  let count = 0;
  try {
    while (count < MOST_COUNTED) {
      const pause = stream.isSpent ? slicer.pause() : undefined;
      if (pause !== undefined) await pause;
      if (stream.isSpent) stream.beginTurn();
      if (!stream.prepare()) continue;
      const point = stream.next;
      if (point === undefined) break;
      if (amendment?.hiddenRangeOf(point, point.ordinal) === undefined) count++;
      stream.advance();
    }
  } finally {
    stream.close();
  }
  return count;
}
