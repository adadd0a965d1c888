// Removing files that are no longer needed (D12): only when no read holds them, and not while HOLD keeps everything. What
// somebody who copies the folder right now may still need (journals, spills, rewritten tag files) is retired first:
// points move from journals to spills to tag files, and a copy may go through the folder the other way.

import type { Dataset, RetiredFile } from '../dataset/dataset.ts';
import { HOLD_FILE } from '../filenames.ts';
import type { Spill } from '../files/spill.ts';
import type { Pinned, TagFile } from '../files/tag-file.ts';
import type { Tag } from '../tag/tag.ts';

/**
 * Whether a file HOLD keeps the dataset's files for somebody who copies them; it counts for a day. Where nobody can tell,
 * it does: nothing is removed from a disk that fails.
 */
export function isHeld(dataset: Dataset): boolean {
  const { vfs, clock, tunables } = dataset.context;
  try {
    const hold = vfs.statSync(`${dataset.folder}/${HOLD_FILE}`);
    return hold !== undefined && clock.nowMs() - hold.modifiedMs < tunables.holdMs;
  } catch {
    return true;
  }
}

/** Keeps a file that is not needed any more for a while. `path` is inside the dataset's folder. */
export function retireFile(dataset: Dataset, path: string, sizeBytes: number, reads: Pinned | undefined): void {
  dataset.retired.push({ path, sizeBytes, retiredAtMs: dataset.context.clock.monotonicMs(), reads });
}

/** Takes a spill out of use: what it holds is in synced tag files. */
export function retireSpill(dataset: Dataset, spill: Spill): void {
  dataset.spills = dataset.spills.filter((other) => other !== spill);
  retireFile(dataset, spill.path, spill.sizeBytes, spill);
}

/** Takes a tag file out of use of which another file holds what is still needed. */
export function retireTagFile(dataset: Dataset, tag: Tag, file: TagFile): void {
  forgetTagFile(dataset, tag, file);
  retireFile(dataset, file.path, file.sizeBytes, file);
}

/** Takes a tag file out of use that nobody needs. It goes now, when its last read ends, or when HOLD is gone. */
export function removeTagFile(dataset: Dataset, tag: Tag, file: TagFile): void {
  forgetTagFile(dataset, tag, file);
  const remove = () => {
    if (dataset.deleted) return;
    if (isHeld(dataset))
      dataset.retired.push({
        path: file.path,
        sizeBytes: file.sizeBytes,
        retiredAtMs: Number.NEGATIVE_INFINITY,
        reads: file,
      });
    else dataset.context.vfs.removeSync(`${dataset.folder}/${file.path}`);
  };
  if (file.pins > 0) file.onUnpinned = remove;
  else remove();
}

function forgetTagFile(dataset: Dataset, tag: Tag, file: TagFile): void {
  tag.dropFile(file);
  dataset.unsynced.dropFile(file);
  dataset.indexCache.drop(file);
}

/**
 * Deletes retired files that are old enough, or too many bytes in all, oldest first, as many as a slice of work takes.
 * `all` means every one (purge by size). Files that reads hold wait for the next call. Tells whether it stopped for the time.
 */
export function removeRetiredFiles(dataset: Dataset, which: 'due' | 'all'): boolean {
  if (dataset.retired.length === 0 || isHeld(dataset)) return false;
  const { clock, tunables } = dataset.context;
  const nowMs = clock.monotonicMs();
  let bytes = dataset.retired.reduce((sum, file) => sum + file.sizeBytes, 0);
  let isEnough = false;
  dataset.retired = dataset.retired.filter((file) => {
    const old = nowMs - file.retiredAtMs >= tunables.retiredJournalMs;
    const due = which === 'all' || old || bytes > tunables.retiredJournalBytes;
    if (!due || isEnough || (file.reads && file.reads.pins > 0)) return true;
    if (!removeRetired(dataset, file)) return true;
    bytes -= file.sizeBytes;
    isEnough = clock.monotonicMs() - nowMs >= tunables.sliceMs;
    return false;
  });
  return isEnough;
}

/** False when the system refuses: said once, and tried again with the next call. */
function removeRetired(dataset: Dataset, file: RetiredFile): boolean {
  try {
    dataset.context.vfs.removeSync(`${dataset.folder}/${file.path}`);
    return true;
  } catch (error) {
    if (!file.refused) {
      const message = `${file.path} is not needed any more, and cannot be removed: ${String(error)}.`;
      dataset.report('warn', 'file.not-removed', message, { path: file.path });
    }
    file.refused = true;
    return false;
  }
}
