// Deletes points of tags from a time on.

import type { Dataset } from '../dataset/dataset.ts';
import { findDatasetNewest, findDatasetNewestInSlices } from '../dataset/dataset-newest.ts';
import { inSlices, submitOperation, takesTurns } from '../dataset/tag-operations.ts';
import type { Writing } from '../dataset/writing.ts';
import { type DeletedRange, encodeDeletion } from '../format/record/journal-record.ts';
import type { OperationBeside } from '../ingest/pending-append.ts';
import { notifyCorrected } from '../ingest/point-watch.ts';
import { Turns } from '../io/turns.ts';
import { leftOf } from '../read/removed-points.ts';
import { TagSearch, userTags } from '../read/tag-search.ts';
import { firstVisibleOrdinal, isDeleted, locateNewestUpTo } from '../read/visible-range.ts';
import { findNewest } from '../recovery/tag-recovery.ts';
import type { NewestPoint } from '../tag/newest-point.ts';
import { newestFrom } from '../tag/stored-value.ts';
import { compareTime, type Tag } from '../tag/tag.ts';
import { type Instant, LAST_INSTANT } from '../types.ts';

/** Most tags whose points are deleted at once. */
const MOST_AT_ONCE = 8;

export interface PointDeletion {
  readonly tag: Tag;
  readonly range: DeletedRange;
  /** Points from this time on are removed. */
  readonly start: Instant;
  /** How many readable points it removes. */
  readonly removed: number;
  readonly newest: NewestPoint | undefined;
}

/** Deletes the named user tags' points from a time on; returns how many. */
export async function deletePointsOfTags(dataset: Dataset, names: readonly string[], start: Instant): Promise<number> {
  if (names.length > MOST_AT_ONCE || takesTurns(dataset, dataset.tags.names.size))
    return dataset.writing.lane.runAlone(() => deleteInTurns(dataset, names, start));
  dataset.checkWritable();
  return deletePoints(dataset, userTags(dataset, names, 'cut'), start);
}

async function deleteInTurns(dataset: Dataset, names: readonly string[], start: Instant): Promise<number> {
  dataset.checkWritable();
  const tags = await findInTurns(dataset, names);
  return submitDeletions(dataset, await planInTurns(dataset, tags, start), 'in-turns');
}

/** Rejects as `TagSearch` throws. */
export async function findInTurns(dataset: Dataset, names: readonly string[]): Promise<Tag[]> {
  const search = new TagSearch(dataset, 'cut');
  await new Turns(dataset).over(names, (name) => search.find(name));
  return search.tags();
}

/** What has to be deleted of tags from a time on; in the dataset's lane. */
export async function planInTurns(dataset: Dataset, tags: readonly Tag[], start: Instant): Promise<PointDeletion[]> {
  const deletions: PointDeletion[] = [];
  // Each tag may require reading a block.
  await new Turns(dataset, 1).over(tags, (tag) => {
    const deletion = planDeletion(dataset, tag, start);
    if (deletion) deletions.push(deletion);
  });
  return deletions;
}

/** Deletes points of any tags at once; the dataset must be writable. */
export async function deletePoints(dataset: Dataset, tags: readonly Tag[], start: Instant): Promise<number> {
  const deletedRanges = tags
    .map((tag) => planDeletion(dataset, tag, start))
    .filter((deletion) => deletion !== undefined);
  return submitDeletions(dataset, deletedRanges, 'at-once');
}

/** Stores deletions, then applies them; returns how many points they remove. */
export async function submitDeletions(
  dataset: Dataset,
  deletions: readonly PointDeletion[],
  applying: 'at-once' | 'in-turns',
): Promise<number> {
  const { encode, commit, undo } = acceptDeletions(dataset, deletions, applying);
  await submitOperation(dataset, { record: deletions.length === 0 ? undefined : encode, commit, undo });
  return countRemoved(deletions);
}

/** Accepts deletions: later requests see the tags without the points. They are to be stored in this turn. */
export function acceptDeletions(
  dataset: Dataset,
  deletions: readonly PointDeletion[],
  applying: 'at-once' | 'in-turns',
): OperationBeside {
  for (const { tag, newest } of deletions) tag.accepted = newest;
  const ranges = deletions.map(({ range }) => range);
  const own = new Set(ranges);
  dataset.writing.pendingDeletions = [...dataset.writing.pendingDeletions, ...ranges];
  const forget = (): void => {
    dataset.writing.pendingDeletions = dataset.writing.pendingDeletions.filter((range) => !own.has(range));
  };
  return {
    encode: (out) => encodeDeletion(out, ranges),
    commit: () => {
      forget();
      if (deletions.length === 0) return undefined;
      return applying === 'in-turns' ? applyInTurns(dataset, deletions) : applyAtOnce(dataset, deletions);
    },
    undo: () => {
      forget();
      for (const { tag } of deletions) tag.accepted = tag.newest;
    },
  };
}

/** How many points deletions remove. */
export function countRemoved(deletions: readonly PointDeletion[]): number {
  return deletions.reduce((sum, { removed }) => sum + removed, 0);
}

function applyAtOnce(dataset: Dataset, deletions: readonly PointDeletion[]): undefined {
  for (const deletion of deletions) applyDeletion(dataset, deletion);
  findDatasetNewest(dataset);
}

async function applyInTurns(dataset: Dataset, deletions: readonly PointDeletion[]): Promise<void> {
  await inSlices(dataset, deletions, (deletion) => applyDeletion(dataset, deletion));
  await findDatasetNewestInSlices(dataset);
}

/** The points to delete: stored ones and pending ones. Undefined when there are none from the time on. */
function planDeletion(dataset: Dataset, tag: Tag, start: Instant): PointDeletion | undefined {
  const { accepted } = tag;
  if (!accepted || compareTime(accepted, start.ms, start.ticks) < 0) return undefined;
  const to = tag.acceptedOrdinal;
  const left = leftOf(dataset.writing, tag);
  const newest = left === tag ? tag.newest : findNewest(dataset, left);
  if (newest && compareTime(newest, start.ms, start.ticks) >= 0) {
    const before = start.ticks > 0 ? { ms: start.ms, ticks: start.ticks - 1 } : { ms: start.ms - 1, ticks: 9999 };
    const located = locateNewestUpTo(dataset, left, before);
    const first = firstUnpurged(dataset, left);
    // If the point that purge kept is deleted, everything it hides is, too: some may still be stored, and would become readable.
    const range = { tagId: tag.id, from: located && located.ordinal >= first ? located.ordinal + 1 : 0, to };
    const removed = countUndeleted(left, Math.max(range.from, first), to);
    return { tag, range, start, removed, newest: findNewest(dataset, left.withDeleted([range])) };
  }
  return planPendingDeletion(dataset.writing, tag, start, { to, newest, tag: left });
}

/** Points below stay hidden, except those of system tags: their cutoff moves back after a clock that was ahead. */
function firstUnpurged(dataset: Dataset, tag: Tag): number {
  return tag.isSystem ? 0 : firstVisibleOrdinal(dataset, tag);
}

interface Left {
  readonly to: number;
  /** The newest stored point. */
  readonly newest: NewestPoint | undefined;
  /** The tag as pending deletions leave it. */
  readonly tag: Tag;
}

/** The case that only pending points are at or after the time. */
function planPendingDeletion(writing: Writing, tag: Tag, start: Instant, left: Left): PointDeletion | undefined {
  const { to } = left;
  let { newest } = left;
  for (const { generalPoints: points, runs } of writing.pending) {
    for (const run of runs) {
      if (run.tag !== tag) continue;
      for (let i = run.start; i < run.start + run.count; i++) {
        const ordinal = run.firstOrdinal + i - run.start;
        if (isDeleted(left.tag, ordinal)) continue;
        if (compareTime(start, points.timesMs[i] as number, points.ticks[i] as number) <= 0) {
          const removed = countUndeleted(left.tag, ordinal, to);
          return { tag, range: { tagId: tag.id, from: ordinal, to }, start, removed, newest };
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
  for (const deleted of tag.deletedRanges) {
    const start = Math.max(deleted.from, countedTo);
    const end = Math.min(deleted.to, to);
    if (end <= start) continue;
    count -= end - start;
    countedTo = end;
  }
  return Math.max(0, count);
}

function applyDeletion(dataset: Dataset, { tag, range, start, newest }: PointDeletion): void {
  tag.deleteRange(range, newest);
  dataset.audience.noteTag(tag);
  notifyCorrected(dataset, tag.id, { start, end: LAST_INSTANT });
}
