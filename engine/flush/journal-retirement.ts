// Retires journals that a checkpoint has made superfluous for recovery; they are kept for a while for copies under way.

import type { Dataset } from '../dataset/dataset.ts';
import { formatFileNumber, JOURNAL_FOLDER } from '../filenames.ts';
import { retireFile } from './file-removal.ts';

/** Retires the files that a checkpoint up to `sequence` has made superfluous. */
export function retireJournals(dataset: Dataset, sequence: number): void {
  const closed = dataset.journal.files.slice(0, -1).filter((file) => file.lastSequence <= sequence);
  const last = dataset.journal.files.at(-1);
  // Also the last one, if a roll has closed it for further records.
  if (last && last.lastSequence <= sequence && dataset.journal.rolling) closed.push(last);
  for (const { number, sizeBytes } of closed) {
    dataset.journal.forget(number);
    retireFile(dataset, `${JOURNAL_FOLDER}/${formatFileNumber(number)}`, sizeBytes, undefined);
  }
}
