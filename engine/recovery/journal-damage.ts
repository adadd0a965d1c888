// Handling of damage in journals during replay: reports it, and truncates a torn tail.

import type { Dataset } from '../dataset/dataset.ts';
import { poison } from '../dataset/write-failure.ts';
import { JOURNAL_HEADER } from '../format/bytes/file-headers.ts';
import type { JournalDamage, JournalFileContent } from '../journal/journal-reader.ts';

/** Reports an unreadable part of a journal. */
export function reportDamage(dataset: Dataset, { frames }: JournalFileContent, damage: JournalDamage): void {
  const { place, bytes, reason, zeros } = damage;
  // A file created just before a power failure is shorter than its header, or all zeros: it never had a record.
  const isBegun = place === 'header' && frames.length === 0 && (zeros || bytes < JOURNAL_HEADER.sizeBytes);
  if (place !== 'tail' && !isBegun) {
    const message = `${bytes} bytes of a journal cannot be read (${reason}).`;
    dataset.report('error', 'journal.damaged', message, { ...damage });
    return;
  }
  // Zeros are the trace of a file extension interrupted by a power failure.
  const message = `${bytes} bytes at the end of a journal are torn, and cut off (${reason}).`;
  dataset.report(zeros ? 'info' : 'warn', 'journal.tail-cut', message, { ...damage });
}

/** D3: truncates the file durably after its last good record; the sequence numbers of what followed are used again. */
export async function truncateTail(dataset: Dataset, content: JournalFileContent): Promise<void> {
  const tail = content.damages.at(-1);
  if (tail?.place !== 'tail') return;
  const file = dataset.context.vfs.openSync(content.path, 'write');
  try {
    file.truncateSync(tail.offset);
    await file.sync();
  } catch (error) {
    // The next attempt would find no tail in the cache, although it may still be on disk (D11).
    throw poison(dataset, 'Cutting the torn end of a journal', error);
  } finally {
    file.closeSync();
  }
}
