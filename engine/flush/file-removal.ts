// Removing files that are no longer needed (D12): only when no read holds them, and never while a HOLD file is in force.
// Files that a copy under way may still need (journals, spills, rewritten tag files) are retired first: points move from
// journals to spills to tag files, and a copy may read the folder in the opposite order.

import type { Dataset } from '../dataset/dataset.ts';
import type { DatasetFiles, RetiredFile } from '../dataset/dataset-files.ts';
import { HOLD_FILE } from '../filenames.ts';
import type { Spill } from '../files/spill.ts';
import type { Pinned, TagFile } from '../files/tag-file.ts';
import type { Tag } from '../tag/tag.ts';

/**
 * Whether a HOLD file keeps the dataset's files for a copy under way; it is in force for a day. When this cannot be
 * determined it counts as held: nothing is removed from a failing disk.
 */
export function isHeld(dataset: Dataset): boolean {
  const { vfs, clock, tunables } = dataset.context;
  try {
    const hold = vfs.statSync(`${dataset.files.folder}/${HOLD_FILE}`);
    return hold !== undefined && clock.nowMs() - hold.modifiedMs < tunables.holdMs;
  } catch {
    return true;
  }
}

/** Retires a file: it is removed later. `path` is inside the dataset's folder. */
export function retireFile(dataset: Dataset, path: string, sizeBytes: number, reads: Pinned | undefined): void {
  dataset.files.retired.push({ path, sizeBytes, retiredAtMs: dataset.context.clock.monotonicMs(), reads });
}

/** Retires a spill whose points are in synced tag files. */
export function retireSpill(dataset: Dataset, spill: Spill): void {
  dataset.files.spills = dataset.files.spills.filter((other) => other !== spill);
  retireFile(dataset, spill.path, spill.sizeBytes, spill);
}

/** Retires a tag file whose remaining points are in another file. */
export function retireTagFile(dataset: Dataset, tag: Tag, file: TagFile): void {
  forgetTagFile(dataset.files, tag, file);
  retireFile(dataset, file.path, file.sizeBytes, file);
}

/** Removes a tag file that is no longer needed: now, when its last read ends, or when HOLD is gone. */
export function removeTagFile(dataset: Dataset, tag: Tag, file: TagFile): void {
  forgetTagFile(dataset.files, tag, file);
  const remove = () => {
    if (dataset.deleted) return;
    if (isHeld(dataset))
      dataset.files.retired.push({
        path: file.path,
        sizeBytes: file.sizeBytes,
        retiredAtMs: Number.NEGATIVE_INFINITY,
        reads: file,
      });
    else dataset.context.vfs.removeSync(`${dataset.files.folder}/${file.path}`);
  };
  if (file.pins > 0) file.onUnpinned = remove;
  else remove();
}

function forgetTagFile(files: DatasetFiles, tag: Tag, file: TagFile): void {
  tag.dropFile(file);
  files.unsynced.dropFile(file);
  files.indexCache.drop(file);
}

/**
 * Deletes retired files, oldest first, that are old enough or exceed the byte limit, as many as one slice allows.
 * `all` deletes every one (purge by size). Files held by reads wait for the next call. Returns whether it ran out of time.
 */
export function removeRetiredFiles(dataset: Dataset, which: 'due' | 'all'): boolean {
  if (dataset.files.retired.length === 0 || isHeld(dataset)) return false;
  const { clock, tunables } = dataset.context;
  const nowMs = clock.monotonicMs();
  let bytes = dataset.files.retired.reduce((sum, file) => sum + file.sizeBytes, 0);
  let isEnough = false;
  dataset.files.retired = dataset.files.retired.filter((file) => {
    const old = nowMs - file.retiredAtMs >= tunables.retiredFileMs;
    const due = which === 'all' || old || bytes > tunables.retiredFileBytes;
    if (!due || isEnough || (file.reads && file.reads.pins > 0)) return true;
    if (!tryRemove(dataset, file)) return true;
    bytes -= file.sizeBytes;
    isEnough = clock.monotonicMs() - nowMs >= tunables.sliceMs;
    return false;
  });
  return isEnough;
}

/** False when the system refuses: reported once, and retried with the next call. */
function tryRemove(dataset: Dataset, file: RetiredFile): boolean {
  try {
    dataset.context.vfs.removeSync(`${dataset.files.folder}/${file.path}`);
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
