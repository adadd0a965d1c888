// Makes the records durable that a start has read from the journals, so that the journals can be kept (D8).

import type { Dataset } from '../dataset/dataset.ts';
import { poison } from '../dataset/write-failure.ts';
import { formatFileNumber, JOURNAL_FOLDER, UNFINISHED } from '../filenames.ts';
import { isPassing } from '../io/system-errors.ts';
import { readWholeFile, replaceFile } from '../io/whole-file.ts';
import type { ReplayResult } from './replay.ts';

/**
 * Rewrites the last journal that was replayed. The process that wrote it may not have synced it, or its sync may have failed
 * (D11), and then a sync of the cached pages proves nothing. Earlier journals were synced before this one was begun.
 * False, with nothing changed, when there is no room for it. Throws POISONED after any other fault (D11).
 */
export async function rewriteLastJournal(dataset: Dataset, { needed }: ReplayResult): Promise<boolean> {
  const last = needed.at(-1);
  if (!last) return true;
  const { vfs } = dataset.context;
  const folder = `${dataset.files.folder}/${JOURNAL_FOLDER}`;
  const name = formatFileNumber(last.number);
  try {
    const records = readWholeFile(vfs, `${folder}/${name}`).subarray(0, last.sizeBytes);
    await replaceFile(vfs, folder, name, records);
    return true;
  } catch (error) {
    if (!isPassing(error)) throw poison(dataset, 'Writing anew the last journal', error);
    vfs.removeSync(`${folder}/${name}${UNFINISHED}`);
    return false;
  }
}
