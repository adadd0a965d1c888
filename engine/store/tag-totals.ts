// What is found only by looking at every tag of a dataset: of very many tags it is found now and then, and kept meanwhile.

import type { Dataset } from './dataset.ts';

/** A look takes some 50 ns a tag; it is made so seldom that looks take a hundredth of the time at most. */
const KEPT_MS_A_TAG = 0.005;
/** Fewer tags are looked at every time. */
const FEW_TAGS = 1000;

interface Look {
  readonly value: number;
  readonly atMs: number;
}

type Looks = WeakMap<Dataset, Look>;

const oldest: Looks = new WeakMap();
const fileCounts: Looks = new WeakMap();

/** Time of the oldest readable user point; Infinity without any. Of many tags it may be 5 ms old for each thousand of them. */
export function oldestPointMs(dataset: Dataset): number {
  return keptAWhile(dataset, oldest, findOldest);
}

/** Number of tag files; as old as the above. */
export function tagFileCount(dataset: Dataset): number {
  return keptAWhile(dataset, fileCounts, countFiles);
}

function keptAWhile(dataset: Dataset, looks: Looks, look: (dataset: Dataset) => number): number {
  const tagCount = dataset.names.size;
  if (tagCount <= FEW_TAGS) return look(dataset);
  const nowMs = dataset.context.clock.monotonicMs();
  const known = looks.get(dataset);
  if (known && nowMs - known.atMs < tagCount * KEPT_MS_A_TAG) return known.value;
  const value = look(dataset);
  looks.set(dataset, { value, atMs: nowMs });
  return value;
}

function findOldest({ names }: Dataset): number {
  let oldestMs = Number.POSITIVE_INFINITY;
  for (const tag of names) if (tag.oldestMs < oldestMs) oldestMs = tag.oldestMs;
  return oldestMs;
}

function countFiles({ byId }: Dataset): number {
  let count = 0;
  for (const { files } of byId.values()) count += files.length;
  return count;
}
