// What replay does about damage in journals: says it, and cuts a torn tail off.

import type { Dataset } from '../dataset/dataset.ts';
import { poison } from '../dataset/write-failure.ts';
import { JOURNAL_HEADER } from '../format/bytes/file-headers.ts';
import type { JournalDamage, JournalFileContent } from '../journal/journal-reader.ts';

/** Says what of a journal cannot be read. */
export function reportDamage(dataset: Dataset, { frames }: JournalFileContent, damage: JournalDamage): void {
  const { place, bytes, reason, zeros } = damage;
  // A file that had just been begun when the power went holds less than its header, or zeros: no record was ever in it.
  const isBegun = place === 'header' && frames.length === 0 && (zeros || bytes < JOURNAL_HEADER.sizeBytes);
  if (place !== 'tail' && !isBegun) {
    const message = `${bytes} bytes of a journal cannot be read (${reason}).`;
    dataset.report('error', 'journal.damaged', message, { ...damage });
    return;
  }
  // Zeros are what an interrupted extension leaves after a power cut.
  const message = `${bytes} bytes at the end of a journal are torn, and cut off (${reason}).`;
  dataset.report(zeros ? 'info' : 'warn', 'journal.tail-cut', message, { ...damage });
}

/** D3: cut at the last good record, for good: numbers of records behind the cut are given again. */
export async function truncateTail(dataset: Dataset, content: JournalFileContent): Promise<void> {
  const tail = content.damages.at(-1);
  if (tail?.place !== 'tail') return;
  const file = dataset.context.vfs.openSync(content.path, 'write');
  try {
    file.truncateSync(tail.offset);
    await file.sync();
  } catch (error) {
    // The next attempt would find no tail to cut, and on the disk it may still be there (D11).
    throw poison(dataset, 'Cutting the torn end of a journal', error);
  } finally {
    file.closeSync();
  }
}
