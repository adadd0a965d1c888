// Checks the journals: headers, frames, one sequence without gaps over all files, and that every record decodes.

import { EngineError } from '../errors.ts';
import { JOURNAL_FOLDER } from '../filenames.ts';
import { ByteReader } from '../format/bytes/byte-cursors.ts';
import { decodeHeader, JOURNAL_HEADER, JOURNAL_MAGIC } from '../format/bytes/file-headers.ts';
import type { Frame } from '../format/bytes/frame.ts';
import { decodeRecord, type RecordVisitor } from '../format/record/journal-record.ts';
import type { Vfs } from '../io/vfs.ts';
import {
  type JournalDamage,
  type JournalFileContent,
  listJournals,
  readFirstSequence,
  readJournal,
} from '../journal/journal-reader.ts';
import { endAtTear } from '../journal/torn-tail.ts';
import type { PointColumns } from '../types.ts';
import type { CheckLog } from './check-log.ts';

export interface JournalCheck {
  readonly log: CheckLog;
  readonly vfs: Vfs;
  /** The dataset's folder, and its path in findings. */
  readonly folder: string;
  readonly prefix: string;
  /** The points of records up to this one are in other files as well. */
  readonly checkpointSequence: number;
  readonly scratch: PointColumns;
}

/** Checks all journals, and decodes their records into `visitorFor(path)`. */
export function checkJournals(check: JournalCheck, visitorFor: (path: string) => RecordVisitor): void {
  const { log, vfs, folder, prefix } = check;
  const numbers = listJournals(vfs, `${folder}/${JOURNAL_FOLDER}`);
  let lastSequence: number | undefined;
  for (const [i, number] of numbers.entries()) {
    const isLast = i === numbers.length - 1;
    const whole = readJournal(vfs, `${folder}/${JOURNAL_FOLDER}`, number);
    const content = isLast ? endAtTear(whole, Math.max(check.checkpointSequence, lastSequence ?? 0)) : whole;
    const path = `${prefix}${content.path.slice(folder.length + 1)}`;
    checkHeader(check, content, path);
    const next = isLast ? undefined : readFirstSequence(vfs, `${folder}/${JOURNAL_FOLDER}`, numbers[i + 1] as number);
    const end = content.frames.at(-1)?.sequence;
    const isFollowed = end !== undefined && next === end + 1;
    for (const damage of content.damages) reportDamage(log, path, damage, isLast || isFollowed ? 'torn' : 'lost');
    for (const frame of content.frames) {
      const { sequence, payloadStart, payloadEnd } = frame;
      log.counts.journalRecords++;
      checkSequence(check, path, frame, lastSequence);
      lastSequence = sequence;
      try {
        decodeRecord(content.bytes, payloadStart, payloadEnd, check.scratch, visitorFor(path));
      } catch (error) {
        if (!(error instanceof EngineError) || error.code !== 'CORRUPT') throw error;
        log.report('error', path, `record ${sequence} cannot be read: ${error.message}`, payloadStart);
      }
    }
  }
}

function checkHeader(
  { log }: JournalCheck,
  { bytes, number, firstSequence, frames }: JournalFileContent,
  path: string,
): void {
  if (firstSequence === undefined) return; // damaged, and reported
  const header = decodeHeader(new ByteReader(bytes), JOURNAL_HEADER, JOURNAL_MAGIC);
  if (header.number !== number) log.report('error', path, `its header says journal ${header.number}`, 0);
  const first = frames[0]?.sequence ?? firstSequence;
  if (first !== firstSequence)
    log.report('error', path, `its first record is ${first}; its header says ${firstSequence}`, 0);
}

/** A gap before the checkpoint loses nothing. */
function checkSequence(
  { log, checkpointSequence }: JournalCheck,
  path: string,
  { sequence, payloadStart }: Frame,
  last: number | undefined,
): void {
  const expected = last === undefined ? Math.min(sequence, checkpointSequence + 1) : last + 1;
  if (sequence === expected) return;
  const level = sequence > expected && sequence <= checkpointSequence + 1 ? 'warn' : 'error';
  log.report(level, path, `got record ${sequence}; want ${expected}`, payloadStart);
}

function reportDamage(
  log: CheckLog,
  path: string,
  { offset, bytes, place, reason }: JournalDamage,
  tail: 'torn' | 'lost',
): void {
  const isTorn = place === 'tail' && tail === 'torn';
  if (isTorn && bytes === 0) log.report('info', path, 'it was being begun, and holds nothing yet', offset);
  else if (isTorn)
    log.report('warn', path, `${bytes} bytes at the end are torn, and will be cut off: ${reason}`, offset);
  else log.report('error', path, `${bytes} bytes hold no record: ${reason}`, offset);
}
