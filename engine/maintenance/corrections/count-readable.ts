// Counts a tag's readable points, in slices.

import type { Dataset } from '../../dataset/dataset.ts';
import { Slicer } from '../../io/slicer.ts';
import { openPoints } from '../../read/amended/open-points.ts';
import { firstVisibleOrdinal } from '../../read/visible-range.ts';
import type { Tag } from '../../tag/tag.ts';
import type { Instant } from '../../types.ts';

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
