// Forces tag files and their folders to stable storage, several at a time off the main thread.

import { EngineError } from '../errors.ts';
import type { Dataset } from './dataset.ts';

/** Node's thread pool has four threads; one is left for the journal. */
const PARALLEL = 3;

/** Syncs everything written to tag files before the call. Rejects with POISONED: a sync is never retried (rule 4). */
export async function syncTagFiles(dataset: Dataset): Promise<void> {
  const { vfs } = dataset.context;
  const files = [...dataset.dirtyFiles];
  const folders = [...dataset.dirtyFolders];
  dataset.dirtyFiles.clear();
  dataset.dirtyFolders.clear();
  try {
    await forEachParallel(files, async (file) => {
      // Not to be created again when it was removed since.
      if (!vfs.statSync(`${dataset.folder}/${file.path}`)) return;
      const opened = vfs.openSync(`${dataset.folder}/${file.path}`, 'write');
      try {
        await opened.sync();
      } finally {
        opened.closeSync();
      }
    });
    await forEachParallel(folders, (folder) => vfs.syncDirectory(`${dataset.folder}/${folder}`));
    if (folders.length > 0) await vfs.syncDirectory(dataset.folder);
  } catch (error) {
    throw new EngineError(
      'POISONED',
      `A sync of tag files of dataset '${dataset.name}' failed (${String(error)}).`,
      {},
      error,
    );
  }
}

async function forEachParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) await work(items[next++] as T);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}
