// Taking points of tags back, from a time on.

import type { Dataset } from '../dataset/dataset.ts';
import { findDatasetNewest, findDatasetNewestInSlices } from '../dataset/dataset-newest.ts';
import { inSlices, submitOperation, takesTurns } from '../dataset/tag-operations.ts';
import { type DeletedRange, encodeDeletion } from '../format/record/journal-record.ts';
import { Turns } from '../io/turns.ts';
import { TagSearch, userTags } from '../read/tag-search.ts';
import { firstVisibleOrdinal, isDeleted, newestPlaceUpTo } from '../read/visible-range.ts';
import { findNewest } from '../recovery/tag-recovery.ts';
import type { NewestPoint } from '../tag/newest-point.ts';
import { newestFrom } from '../tag/stored-value.ts';
import { compareTime, type Tag } from '../tag/tag.ts';
import type { Instant } from '../types.ts';

/** Tags that are cut in one go. */
const MOST_AT_ONCE = 8;

interface PointDeletion {
  readonly tag: Tag;
  readonly range: DeletedRange;
  /** How many points it takes that could be read. */
  readonly removed: number;
  readonly newest: NewestPoint | undefined;
}

/** Takes the named user tags' points back from a time on; returns how many. */
export async function deletePointsOfTags(dataset: Dataset, names: readonly string[], start: Instant): Promise<number> {
  if (names.length > MOST_AT_ONCE || takesTurns(dataset, dataset.names.size))
    return dataset.lane.runAlone(() => deleteInTurns(dataset, names, start));
  dataset.checkWritable();
  return deletePoints(dataset, userTags(dataset, names, 'cut'), start);
}

async function deleteInTurns(dataset: Dataset, names: readonly string[], start: Instant): Promise<number> {
  dataset.checkWritable();
  const search = new TagSearch(dataset, 'cut');
  await new Turns(dataset).over(names, (name) => search.find(name));
  const deletedRanges: PointDeletion[] = [];
  // Each may have to read a block.
  await new Turns(dataset, 1).over(search.tags(), (tag) => {
    const cut = planDeletion(dataset, tag, start);
    if (cut) deletedRanges.push(cut);
  });
  return submitDeletions(dataset, deletedRanges, async () => {
    await inSlices(dataset, deletedRanges, applyDeletion);
    await findDatasetNewestInSlices(dataset);
  });
}

/** Takes points of any tags back in one go, while the dataset can be written. */
export async function deletePoints(dataset: Dataset, tags: readonly Tag[], start: Instant): Promise<number> {
  const deletedRanges = tags.map((tag) => planDeletion(dataset, tag, start)).filter((cut) => cut !== undefined);
  return submitDeletions(dataset, deletedRanges, () => {
    for (const cut of deletedRanges) applyDeletion(cut);
    findDatasetNewest(dataset);
  });
}

/** Stores cuts, and then applies them; returns how many points they take. */
async function submitDeletions(
  dataset: Dataset,
  deletedRanges: readonly PointDeletion[],
  applyAll: () => Promise<void> | void,
): Promise<number> {
  for (const { tag, newest } of deletedRanges) tag.accepted = newest;
  const ranges = deletedRanges.map(({ range }) => range);
  const own = new Set(ranges);
  dataset.pendingDeletions = [...dataset.pendingDeletions, ...ranges];
  const forget = (): void => {
    dataset.pendingDeletions = dataset.pendingDeletions.filter((range) => !own.has(range));
  };
  await submitOperation(dataset, {
    encode: deletedRanges.length === 0 ? undefined : (out) => encodeDeletion(out, ranges),
    commit: () => {
      forget();
      return deletedRanges.length > 0 ? applyAll() : undefined;
    },
    undo: () => {
      forget();
      for (const { tag } of deletedRanges) tag.accepted = tag.newest;
    },
  });
  return deletedRanges.reduce((sum, { removed }) => sum + removed, 0);
}

/** What a cut takes: stored points and those on their way to disk. Undefined when there is nothing from the time on. */
function planDeletion(dataset: Dataset, tag: Tag, start: Instant): PointDeletion | undefined {
  const { accepted } = tag;
  if (!accepted || compareTime(accepted, start.ms, start.ticks) < 0) return undefined;
  const to = tag.acceptedOrdinal;
  const left = leftOf(dataset, tag);
  const newest = left === tag ? tag.newest : findNewest(dataset, left);
  if (newest && compareTime(newest, start.ms, start.ticks) >= 0) {
    const before = start.ticks > 0 ? { ms: start.ms, ticks: start.ticks - 1 } : { ms: start.ms - 1, ticks: 9999 };
    const place = newestPlaceUpTo(dataset, left, before);
    const first = firstUnpurged(dataset, left);
    // With the point that purge has kept goes all it hides: some of it may still be stored, and would be read again.
    const range = { tagId: tag.id, from: place && place.ordinal >= first ? place.ordinal + 1 : 0, to };
    const removed = countUndeleted(left, Math.max(range.from, first), to);
    return { tag, range, removed, newest: findNewest(dataset, tag.withDeleted([...left.deletedRanges, range])) };
  }
  return planPendingDeletion(dataset, tag, start, { to, newest, tag: left });
}

/** Points below are hidden for good: but for those of system tags, whose purge cut goes back with a clock that was ahead. */
function firstUnpurged(dataset: Dataset, tag: Tag): number {
  return tag.isSystem ? 0 : firstVisibleOrdinal(dataset, tag);
}

/** The tag as cuts on their way leave it. */
function leftOf(dataset: Dataset, tag: Tag): Tag {
  const earlier = dataset.pendingDeletions.filter(({ tagId }) => tagId === tag.id);
  return earlier.length === 0 ? tag : tag.withDeleted([...tag.deletedRanges, ...earlier]);
}

interface Left {
  readonly to: number;
  /** The newest stored point. */
  readonly newest: NewestPoint | undefined;
  /** The tag as cuts on their way leave it. */
  readonly tag: Tag;
}

/** All stored points are before the time; some of those on their way are not. */
function planPendingDeletion(dataset: Dataset, tag: Tag, start: Instant, left: Left): PointDeletion | undefined {
  const { to } = left;
  let { newest } = left;
  for (const { generalPoints: points, runs } of dataset.pending) {
    for (const run of runs) {
      if (run.tag !== tag) continue;
      for (let i = run.start; i < run.start + run.count; i++) {
        const ordinal = run.firstOrdinal + i - run.start;
        if (isDeleted(left.tag, ordinal)) continue;
        if (compareTime(start, points.timesMs[i] as number, points.ticks[i] as number) <= 0) {
          const removed = countUndeleted(left.tag, ordinal, to);
          return { tag, range: { tagId: tag.id, from: ordinal, to }, removed, newest };
        }
        newest = newestFrom(points, i, run.type, newest);
      }
    }
  }
  return undefined;
}

function countUndeleted(tag: Tag, from: number, to: number): number {
  let count = to - from;
  let countedTo = from;
  for (const cut of tag.deletedRanges.toSorted((a, b) => a.from - b.from)) {
    const start = Math.max(cut.from, countedTo);
    const end = Math.min(cut.to, to);
    if (end <= start) continue;
    count -= end - start;
    countedTo = end;
  }
  return Math.max(0, count);
}

function applyDeletion({ tag, range, newest }: PointDeletion): void {
  tag.deleteRange(range, newest);
}
