// Totals that require a look at every tag of a dataset: cached for datasets with very many tags.

import type { Dataset } from '../dataset/dataset.ts';
import { inSlices } from '../dataset/tag-operations.ts';
import type { Tag } from '../tag/tag.ts';

/** How long totals are cached per tag: a look takes some 50 ns a tag, so that looks take at most 1% of the time. */
const KEPT_MS_A_TAG = 0.005;
/** Totals of fewer tags are not cached. */
const FEW_TAGS = 1000;

interface Look {
  readonly value: number;
  readonly atMs: number;
}

type Looks = WeakMap<Dataset, Look>;

const oldest: Looks = new WeakMap();
const fileCounts: Looks = new WeakMap();
/** Looks under way. */
const looking = new WeakMap<Dataset, Promise<void>>();

/** Looks at the tags over several turns of the event loop, when that is due; undefined when it is not. */
export function refreshTotals(dataset: Dataset): Promise<void> | undefined {
  if (dataset.tags.names.size <= FEW_TAGS || (isRecent(dataset, oldest) && isRecent(dataset, fileCounts)))
    return undefined;
  const running = looking.get(dataset) ?? lookInSlices(dataset).finally(() => looking.delete(dataset));
  looking.set(dataset, running);
  return running;
}

async function lookInSlices(dataset: Dataset): Promise<void> {
  let oldestMs = Number.POSITIVE_INFINITY;
  let fileCount = 0;
  await inSlices(dataset, dataset.tags.names, (tag) => {
    if (tag.oldestMs < oldestMs) oldestMs = tag.oldestMs;
  });
  await inSlices(dataset, dataset.tags.late.values(), (tag) => {
    oldestMs = Math.min(oldestMs, oldestLateMs(tag));
  });
  await inSlices(dataset, dataset.tags.byId.values(), ({ files }) => {
    fileCount += files.length;
  });
  const atMs = dataset.context.clock.monotonicMs();
  oldest.set(dataset, { value: oldestMs, atMs });
  fileCounts.set(dataset, { value: fileCount, atMs });
}

function isRecent(dataset: Dataset, looks: Looks): boolean {
  const known = looks.get(dataset);
  const nowMs = dataset.context.clock.monotonicMs();
  return known !== undefined && nowMs - known.atMs < dataset.tags.names.size * KEPT_MS_A_TAG;
}

/** Time of the oldest readable user point; Infinity without any. With many tags up to 5 ms old for each thousand of them. */
export function oldestPointMs(dataset: Dataset): number {
  return keptAWhile(dataset, oldest, findOldest);
}

/** Number of tag files; as old as the above. */
export function tagFileCount(dataset: Dataset): number {
  return keptAWhile(dataset, fileCounts, countFiles);
}

function keptAWhile(dataset: Dataset, looks: Looks, look: (dataset: Dataset) => number): number {
  if (dataset.tags.names.size <= FEW_TAGS) return look(dataset);
  if (isRecent(dataset, looks)) return (looks.get(dataset) as Look).value;
  const value = look(dataset);
  looks.set(dataset, { value, atMs: dataset.context.clock.monotonicMs() });
  return value;
}

function findOldest({ tags: { names, late: lateTags } }: Dataset): number {
  let oldestMs = Number.POSITIVE_INFINITY;
  for (const tag of names) if (tag.oldestMs < oldestMs) oldestMs = tag.oldestMs;
  for (const tag of lateTags.values()) oldestMs = Math.min(oldestMs, oldestLateMs(tag));
  return oldestMs;
}

/** Time of the oldest late point; a catalog knows times of late points by file only. */
function oldestLateMs({ oldestMs, files }: Tag): number {
  let oldest = Number.isNaN(oldestMs) ? Number.POSITIVE_INFINITY : oldestMs;
  for (const { firstMs } of files) if (firstMs < oldest) oldest = firstMs;
  return oldest;
}

function countFiles({ tags: { byId } }: Dataset): number {
  let count = 0;
  for (const { files } of byId.values()) count += files.length;
  return count;
}
