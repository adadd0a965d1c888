// Which tags the journals delete that a catalog still lists: the files of a deleted tag go at once, while the catalog lists
// them until the next checkpoint. Files of such a tag are not missing when they are not there.

import { EngineError } from '../errors.ts';
import { decodeRecord, type RecordVisitor } from '../format/record/journal-record.ts';
import type { Vfs } from '../io/vfs.ts';
import { PointColumns } from '../types.ts';
import { type JournalFileContent, journalsAfterSequence, readJournal } from './journal-reader.ts';
import { endAtTear } from './torn-tail.ts';

const SCRATCH_POINTS = 1024;

/** Ids of the tags that records after `sequence` delete. Reads those journals, so ask only when a file is not there. */
export function tagsDeletedAfter(vfs: Vfs, journalFolder: string, sequence: number): Set<number> {
  const deleted = new Set<number>();
  const nothing = (): void => undefined;
  const note = (ids: readonly number[]): void => {
    for (const id of ids) deleted.add(id);
  };
  const visitor: RecordVisitor = { define: nothing, delete: note, run: nothing, deletion: nothing };
  const numbers = journalsAfterSequence(vfs, journalFolder, sequence);
  let lastSequence = sequence;
  for (const number of numbers) {
    const whole = readJournal(vfs, journalFolder, number);
    const content = number === numbers.at(-1) ? endAtTear(whole, lastSequence) : whole;
    visitAfter(content, sequence, visitor);
    lastSequence = Math.max(lastSequence, content.frames.at(-1)?.sequence ?? 0);
  }
  return deleted;
}

/** A record that cannot be read deletes nothing; replay and check report it. */
function visitAfter({ bytes, frames }: JournalFileContent, sequence: number, visitor: RecordVisitor): void {
  const scratch = new PointColumns(SCRATCH_POINTS);
  for (const frame of frames) {
    if (frame.sequence <= sequence) continue;
    try {
      decodeRecord(bytes, frame.payloadStart, frame.payloadEnd, scratch, visitor);
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'CORRUPT') throw error;
    }
  }
}
