// Frees what purge hides: tag files that are hidden as a whole go, those of which enough is hidden are rewritten without it.

import type { Dataset } from '../dataset/dataset.ts';
import type { TagFile } from '../files/tag-file.ts';
import { checkpoint } from '../flush/checkpoint.ts';
import { removeTagFile, retireTagFile } from '../flush/file-removal.ts';
import { syncTagFiles } from '../flush/tag-file-sync.ts';
import { Slicer } from '../io/slicer.ts';
import { newestPlaceUpTo, retentionCutoffMs } from '../read/visible-range.ts';
import type { Tag } from '../tag/tag.ts';
import { type Gain, rewriteTagFile } from './tag-file-rewrite.ts';

interface SuperfluousFile {
  readonly tag: Tag;
  readonly file: TagFile;
  /** Another file holds the points of it that stay. */
  readonly rewritten: boolean;
}

/** Frees what lies before the cuts, which must be durable. A file is rewritten where that gains at least so much. */
export async function freeHidden(dataset: Dataset, gain: Gain): Promise<void> {
  const slicer = new Slicer(dataset.context);
  const superfluous: SuperfluousFile[] = [];
  const cutoffMs = dataset.cutoffs.userMs;
  for (const tag of [...dataset.byId.values()]) {
    if (!tag.deleted) for (const found of superfluousOf(dataset, tag, gain)) superfluous.push(found);
    const turn = slicer.pause();
    if (turn) await turn;
  }
  dataset.cutoffs.noteOldest(cutoffMs);
  if (superfluous.length === 0) return;
  // The catalog first: it must not promise files that are gone.
  await syncTagFiles(dataset);
  for (const { tag, file } of superfluous) {
    tag.dropFile(file);
    const turn = slicer.pause();
    if (turn) await turn;
  }
  await checkpoint(dataset, { mode: 'spill' });
  for (const { tag, file, rewritten } of superfluous) {
    if (rewritten) retireTagFile(dataset, tag, file);
    else removeTagFile(dataset, tag, file);
    const turn = slicer.pause();
    if (turn) await turn;
  }
}

/** The tag's files that are not needed any more; those of which a part is needed are rewritten. */
function superfluousOf(dataset: Dataset, tag: Tag, gain: Gain): SuperfluousFile[] {
  const first = findFirst(dataset, tag);
  const superfluous: SuperfluousFile[] = [];
  if (first === 0) return superfluous;
  for (const file of [...tag.files]) {
    if (file.nextOrdinal <= first) {
      file.sealed = true; // nothing more is appended to it
      superfluous.push({ tag, file, rewritten: false });
    }
    const divided = file.firstOrdinal < first && first < file.nextOrdinal && !file.missing;
    if (divided && rewriteTagFile(dataset, tag, file, { ordinal: first, gain }))
      superfluous.push({ tag, file, rewritten: true });
  }
  return superfluous;
}

/** The first ordinal that may be read; the tag's oldest time is made that of its point. */
function findFirst(dataset: Dataset, tag: Tag): number {
  const cutoffMs = retentionCutoffMs(dataset, tag);
  if (!(tag.oldestMs <= cutoffMs)) return tag.purgedOrdinal;
  const kept = newestPlaceUpTo(dataset, tag, { ms: cutoffMs, ticks: 0 });
  if (!kept || kept.ordinal < tag.purgedOrdinal) return tag.purgedOrdinal;
  tag.oldestMs = kept.ms;
  return kept.ordinal;
}
