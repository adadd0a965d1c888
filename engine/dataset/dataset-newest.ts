// The time of a dataset's newest user point: purge counts from it, and points far ahead of it are counted.

import type { Tag } from '../tag/tag.ts';
import type { Dataset } from './dataset.ts';
import type { DatasetProgress } from './dataset-progress.ts';
import { inSlices } from './tag-operations.ts';

/** Recomputes the newest times after points were deleted; deletion is the remedy after points of a wrong clock. */
export function findDatasetNewest(dataset: Dataset): void {
  let newestMs = Number.NEGATIVE_INFINITY;
  for (const tag of dataset.tags.names) newestMs = Math.max(newestMs, newestMsOf(tag));
  dataset.progress.stepBackTo(newestMs);
}

/** Does what `findDatasetNewest` does, in slices; nothing else may change the dataset's tags meanwhile. */
export async function findDatasetNewestInSlices(dataset: Dataset): Promise<void> {
  let newestMs = Number.NEGATIVE_INFINITY;
  await inSlices(dataset, dataset.tags.names, (tag) => {
    newestMs = Math.max(newestMs, newestMsOf(tag));
  });
  dataset.progress.stepBackTo(newestMs);
}

/** Whether one of the tags has the dataset's newest point, so that removing it changes the dataset's newest time. */
export function holdNewest({ newestMs }: DatasetProgress, tags: readonly Tag[]): boolean {
  return tags.some((tag) => newestMsOf(tag) >= newestMs);
}

function newestMsOf({ newest }: Tag): number {
  return newest?.ms ?? Number.NEGATIVE_INFINITY;
}
