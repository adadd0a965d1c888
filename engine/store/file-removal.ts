// Removing files that are no longer needed: only when no read holds them, and not while HOLD keeps everything.

import { HOLD_FILE } from '../filenames.ts';
import type { Dataset } from './dataset.ts';
import type { Spill } from './spill.ts';
import type { Tag } from './tag.ts';
import type { Pinned, TagFile } from './tag-file.ts';

/** Whether a file HOLD keeps the dataset's files for somebody who copies them; it counts for a day. */
export function isHeld(dataset: Dataset): boolean {
  const { vfs, clock, tunables } = dataset.context;
  const hold = vfs.statSync(`${dataset.folder}/${HOLD_FILE}`);
  return hold !== undefined && clock.nowMs() - hold.modifiedMs < tunables.holdMs;
}

/** Takes a spill out of use. Its file goes now, when its last read ends, or, while HOLD is there, at the next start. */
export function removeSpill(dataset: Dataset, spill: Spill): void {
  dataset.spills = dataset.spills.filter((other) => other !== spill);
  removeWhenFree(dataset, spill, spill.path);
}

/** Takes a tag file out of use, likewise. */
export function removeTagFile(dataset: Dataset, tag: Tag, file: TagFile): void {
  tag.files = tag.files.filter((other) => other !== file);
  dataset.dirtyFiles.delete(file);
  dataset.indexCache.drop(file);
  removeWhenFree(dataset, file, file.path);
}

function removeWhenFree(dataset: Dataset, item: Pinned, path: string): void {
  const remove = () => {
    if (!dataset.deleted && !isHeld(dataset)) dataset.context.vfs.removeSync(`${dataset.folder}/${path}`);
  };
  if (item.pins > 0) item.onUnpinned = remove;
  else remove();
}
