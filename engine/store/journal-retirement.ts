// Retired journals: not needed for recovery, kept for a while because somebody may be copying the folder right now.

import { formatFileNumber, JOURNAL_FOLDER } from '../filenames.ts';
import type { Dataset } from './dataset.ts';
import { isHeld } from './file-removal.ts';

/** Retires the files that a checkpoint up to `sequence` has made superfluous. */
export function retireJournals(dataset: Dataset, sequence: number): void {
  const nowMs = dataset.context.clock.monotonicMs();
  const closed = dataset.journal.files.slice(0, -1).filter((file) => file.lastSequence <= sequence);
  const last = dataset.journal.files.at(-1);
  // The last one, too, when a roll has closed it for further records.
  if (last && last.lastSequence <= sequence && dataset.journal.rolling) closed.push(last);
  for (const { number, sizeBytes } of closed) {
    dataset.journal.forget(number);
    dataset.retired.push({ number, sizeBytes, retiredAtMs: nowMs });
  }
}

/** Deletes retired journals that are old enough, or too many bytes in all. `all` deletes every one (a full disk, purge by size). */
export function removeRetiredJournals(dataset: Dataset, which: 'due' | 'all'): number {
  if (dataset.retired.length === 0 || isHeld(dataset)) return 0;
  const { vfs, clock, tunables } = dataset.context;
  const oldest = clock.monotonicMs() - tunables.retiredJournalMs;
  let bytes = dataset.retired.reduce((sum, journal) => sum + journal.sizeBytes, 0);
  let removed = 0;
  dataset.retired = dataset.retired.filter((journal) => {
    const due = which === 'all' || journal.retiredAtMs < oldest || bytes > tunables.retiredJournalBytes;
    if (!due) return true;
    vfs.removeSync(`${dataset.folder}/${JOURNAL_FOLDER}/${formatFileNumber(journal.number)}`);
    bytes -= journal.sizeBytes;
    removed += journal.sizeBytes;
    return false;
  });
  return removed;
}
