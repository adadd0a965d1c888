// Frees points that purge hides: removes tag files that are hidden as a whole, rewrites those of which enough is hidden.

import type { Dataset } from '../dataset/dataset.ts';
import type { TagFile } from '../files/tag-file.ts';
import { checkpoint } from '../flush/checkpoint.ts';
import { removeTagFile, retireTagFile } from '../flush/file-removal.ts';
import { syncManyTagFiles, syncTagFiles } from '../flush/tag-file-sync.ts';
import { Slicer } from '../io/slicer.ts';
import { firstLeft } from '../read/amended/readable-points.ts';
import {
  firstRemainingOrdinal,
  type LocatedPoint,
  locateNewestUpTo,
  retentionCutoffMs,
} from '../read/visible-range.ts';
import type { Tag } from '../tag/tag.ts';
import { type Gain, rewriteTagFile } from './tag-file-rewrite.ts';

interface SuperfluousFile {
  readonly tag: Tag;
  readonly file: TagFile;
  /** Whether another file holds its remaining points. */
  readonly rewritten: boolean;
}

/**
 * Frees points before the cutoffs, which must be durable. A file is rewritten if that gains at least `gain`. When the dataset
 * ends meanwhile it ends early: the next purge frees the rest, and the next start removes files that no catalog lists.
 */
export async function freeHidden(dataset: Dataset, gain: Gain): Promise<void> {
  const slicer = new Slicer(dataset.context);
  const superfluous: SuperfluousFile[] = [];
  const cutoffMs = dataset.cutoffs.userMs;
  for (const tag of dataset.tags.byId.values(dataset.tags.nextId)) {
    if (!tag.deleted) for (const found of superfluousOf(dataset, tag, gain)) superfluous.push(found);
    const synced = syncManyTagFiles(dataset);
    if (synced) await synced;
    const turn = slicer.pause();
    if (turn) await turn;
    if (dataset.isEnding) break;
  }
  if (!dataset.isEnding) dataset.cutoffs.noteOldest(cutoffMs);
  if (superfluous.length === 0) return;
  // The catalog first: it must not list files that are removed.
  await syncTagFiles(dataset);
  for (const { tag, file } of superfluous) {
    tag.dropFile(file);
    const turn = slicer.pause();
    if (turn) await turn;
  }
  await checkpoint(dataset, { mode: 'spill', mayBeLeft: true });
  // A checkpoint that was left has written no catalog: the old one lists these files.
  if (dataset.isEnding) return;
  for (const { tag, file, rewritten } of superfluous) {
    if (rewritten) retireTagFile(dataset, tag, file);
    else removeTagFile(dataset, tag, file);
    const turn = slicer.pause();
    if (turn) await turn;
  }
}

/** Returns the tag's files that are no longer needed; rewrites those that are needed in part. */
function superfluousOf(dataset: Dataset, tag: Tag, gain: Gain): SuperfluousFile[] {
  const first = findFirst(dataset, tag);
  const superfluous: SuperfluousFile[] = [];
  if (first === 0) return superfluous;
  // Known from here on, also when the points themselves are freed and a spill still holds some of them.
  if (tag.isLate) tag.purgedOrdinal = first;
  else firstLeft(dataset, tag);
  for (const file of [...tag.files]) {
    if (file.nextOrdinal <= first) {
      file.sealed = true; // nothing must be appended to it
      superfluous.push({ tag, file, rewritten: false });
    }
    const divided = file.firstOrdinal < first && first < file.nextOrdinal && !file.missing;
    if (divided && rewriteTagFile(dataset, tag, file, { ordinal: first, gain }))
      superfluous.push({ tag, file, rewritten: true });
  }
  return superfluous;
}

/**
 * Corrections before a point hide only what is purged; but not late points, which may be read again once the point is removed and
 * the rule lifted.
 */
function forgetCorrections({ corrections, tags: { late: lateTags } }: Dataset, { id }: Tag, kept: LocatedPoint): void {
  if (lateTags.has(id) || corrections.amendmentOf(id)?.hiddenRangeOf(kept, kept.ordinal)) return;
  corrections.forgetBefore(id, kept);
}

/** The first ordinal that may be read; sets the tag's oldest time to that of its point. */
function findFirst(dataset: Dataset, tag: Tag): number {
  const cutoffMs = retentionCutoffMs(dataset, tag);
  if (tag.isLate) return firstRemainingOrdinal(dataset, tag, cutoffMs);
  if (!(tag.oldestMs <= cutoffMs)) return tag.purgedOrdinal;
  const kept = locateNewestUpTo(dataset, tag, { ms: cutoffMs, ticks: 0 });
  if (!kept || kept.ordinal < tag.purgedOrdinal) return tag.purgedOrdinal;
  tag.oldestMs = kept.ms;
  forgetCorrections(dataset, tag, kept);
  return kept.ordinal;
}
