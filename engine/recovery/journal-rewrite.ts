// Makes durable what a start has read of the journals, so that they can go on holding it (D8).

import type { Dataset } from '../dataset/dataset.ts';
import { poison } from '../dataset/write-failure.ts';
import { formatFileNumber, JOURNAL_FOLDER, UNFINISHED } from '../filenames.ts';
import { isPassing } from '../io/system-errors.ts';
import { readWholeFile, replaceFile } from '../io/whole-file.ts';
import type { ReplayResult } from './replay.ts';

/**
 * Writes the last journal that was replayed anew: who wrote it may not have synced it, or in vain (D11), and then a sync
 * of what the system's memory shows proves nothing. The ones before were synced before it was begun.
 * False, with nothing changed, when there is no room for it. Throws POISONED after any other fault (D11).
 */
export async function rewriteLastJournal(dataset: Dataset, { needed }: ReplayResult): Promise<boolean> {
  const last = needed.at(-1);
  if (!last) return true;
  const { vfs } = dataset.context;
  const folder = `${dataset.folder}/${JOURNAL_FOLDER}`;
  const name = formatFileNumber(last.number);
  try {
    await replaceFile(vfs, folder, name, readWholeFile(vfs, `${folder}/${name}`));
    return true;
  } catch (error) {
    if (!isPassing(error)) throw poison(dataset, 'Writing anew the last journal', error);
    vfs.removeSync(`${folder}/${name}${UNFINISHED}`);
    return false;
  }
}
