// Handling of damage in journals during replay: reports it, and truncates a torn tail.

import type { Dataset } from '../dataset/dataset.ts';
import { poison } from '../dataset/write-failure.ts';
import type { JournalDamage, JournalFileContent } from '../journal/journal-reader.ts';

/** Reports an unreadable part of a journal. */
export function reportDamage(dataset: Dataset, damage: JournalDamage): void {
  const { place, bytes, reason } = damage;
  if (place !== 'tail') {
    const message = `${bytes} bytes of a journal cannot be read (${reason}).`;
    dataset.report('error', 'journal.damaged', message, { ...damage });
    return;
  }
  const message = `${bytes} bytes at the end of a journal are torn, and cut off (${reason}).`;
  dataset.report('warn', 'journal.tail-cut', message, { ...damage });
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
