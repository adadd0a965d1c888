// Forces tag files and their folders to stable storage, several at a time off the main thread.

import type { Dataset } from '../dataset/dataset.ts';
import { poison } from '../dataset/write-failure.ts';
import type { TagFile } from '../files/tag-file.ts';
import { isTooManyFiles } from '../io/system-errors.ts';

/** Syncs at a time. Node's thread pool has four threads; one is left for the journal. */
const PARALLEL = 3;
/** These are synced in about a second: who ends a pass over very many tags waits no longer. */
const MANY_FILES = 2000;

/**
 * Syncs everything written to tag files before the call. Rejects with POISONED, after which nothing is written: a sync is
 * never retried (D11). With too many open files it rejects with the system's error, and may be called again.
 */
export async function syncTagFiles(dataset: Dataset): Promise<void> {
  const batch = dataset.files.unsynced.take();
  const errors = await forEachParallel(batch.files, (file) => syncFile(dataset, file));
  if (errors.length === 0) errors.push(...(await syncFolders(dataset, batch.folders)));
  if (errors.length === 0) return;
  const final = errors.find((error) => !isTooManyFiles(error));
  if (final !== undefined) throw poison(dataset, 'A sync of tag files', final);
  dataset.files.unsynced.putBack(batch);
  throw errors[0];
}

/**
 * For passes over very many tags: syncs as `syncTagFiles` once many files wait for it. Undefined when there is nothing to wait
 * for.
 */
export function syncManyTagFiles(dataset: Dataset): Promise<void> | undefined {
  return dataset.files.unsynced.fileCount < MANY_FILES ? undefined : syncTagFiles(dataset);
}

async function syncFile(dataset: Dataset, file: TagFile): Promise<void> {
  const { vfs } = dataset.context;
  // Opening it would create it again if it was removed since.
  if (!vfs.statSync(`${dataset.files.folder}/${file.path}`)) return;
  const opened = vfs.openSync(`${dataset.files.folder}/${file.path}`, 'write');
  try {
    await opened.sync();
  } finally {
    opened.closeSync();
  }
}

async function syncFolders(
  { context: { vfs }, files: { folder } }: Dataset,
  parts: readonly string[],
): Promise<unknown[]> {
  const errors = await forEachParallel(parts, (part) => vfs.syncDirectory(`${folder}/${part}`));
  if (errors.length > 0 || parts.length === 0) return errors;
  return forEachParallel([folder], (path) => vfs.syncDirectory(path));
}

/** Resolves with the errors when all work is done. */
async function forEachParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<unknown[]> {
  const errors: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && errors.length === 0) {
      await work(items[next++] as T).catch((error: unknown) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return errors;
}
