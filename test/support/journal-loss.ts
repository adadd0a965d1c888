// A loss for negative controls: what a disk that forgot its newest writes would leave behind.

import { readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

/** Cuts off the second half of what is written in the newest journal of a dataset's folder, whose server must be gone. */
export function cutNewestJournal(datasetFolder: string): void {
  const folder = join(datasetFolder, 'journal');
  const path = join(folder, readdirSync(folder).sort().at(-1) as string);
  // Journals are allocated ahead: what follows the last record is zeros.
  const writtenBytes = readFileSync(path).findLastIndex((byte) => byte !== 0) + 1;
  truncateSync(path, writtenBytes >> 1);
}
