// Reads journal files back: every whole record, in order; a damaged tail is truncated, damage in the middle skipped (D3).
// Zeros to the end of the file are the room that was made ahead of its records, and no damage.

import { corrupt, EngineError } from '../errors.ts';
import { formatFileNumber, parseFileNumber } from '../filenames.ts';
import { ByteReader } from '../format/bytes/byte-cursors.ts';
import { decodeHeader, identityIn, JOURNAL_HEADER, JOURNAL_MAGIC } from '../format/bytes/file-headers.ts';
import { decodeFrame, type Frame, findFrame, recoverIdentity } from '../format/bytes/frame.ts';
import type { Vfs } from '../io/vfs.ts';
import { readWholeFile } from '../io/whole-file.ts';

/** What is wrong with a journal file. */
export interface JournalDamage {
  readonly path: string;
  readonly offset: number;
  readonly bytes: number;
  /** `tail`: no whole record follows in this file; `middle`: records follow; `header`: the file is unreadable. */
  readonly place: 'tail' | 'middle' | 'header';
  readonly reason: string;
}

export interface JournalFileContent {
  readonly number: number;
  readonly path: string;
  readonly sizeBytes: number;
  /** Undefined when the header is damaged: nothing in the file can be trusted. */
  readonly firstSequence: number | undefined;
  readonly bytes: Uint8Array;
  readonly frames: readonly Frame[];
  readonly damages: readonly JournalDamage[];
}

type FileBytes = Pick<JournalFileContent, 'path' | 'bytes'>;

/** Numbers of the journal files in a folder, in order. */
export function listJournals(vfs: Vfs, folder: string): number[] {
  const numbers = vfs.listSync(folder).map(parseFileNumber);
  return numbers.filter((n) => n !== undefined).sort((a, b) => a - b);
}

/** Numbers of the files that have records after `sequence`, or may have. */
export function journalsAfterSequence(vfs: Vfs, folder: string, sequence: number): number[] {
  const numbers = listJournals(vfs, folder);
  return numbers.filter((_, i) => {
    const next = numbers[i + 1];
    const nextFirst = next === undefined ? undefined : readFirstSequence(vfs, folder, next);
    return nextFirst === undefined || nextFirst > sequence + 1;
  });
}

/** The first sequence number of a file, from its header alone; undefined when that is damaged. */
export function readFirstSequence(vfs: Vfs, folder: string, number: number): number | undefined {
  const path = `${folder}/${formatFileNumber(number)}`;
  const header = new Uint8Array(JOURNAL_HEADER.sizeBytes);
  const file = vfs.openSync(path, 'read');
  try {
    const length = file.readSync(header, 0, header.length, 0);
    return decodeNumberedHeader(new ByteReader(header, 0, length), number).firstSequence;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'CORRUPT') return undefined;
    throw error;
  } finally {
    file.closeSync();
  }
}

/** Reads one file and finds its records. Never throws for damage, only for I/O errors. */
export function readJournal(vfs: Vfs, folder: string, number: number): JournalFileContent {
  const path = `${folder}/${formatFileNumber(number)}`;
  const bytes = readWholeFile(vfs, path);
  const content = { number, path, sizeBytes: bytes.length, bytes };
  const reader = new ByteReader(bytes);
  try {
    const header = decodeNumberedHeader(reader, number);
    return {
      ...content,
      firstSequence: header.firstSequence,
      ...findFrames(content, reader.offset, header.identity),
    };
  } catch (error) {
    return { ...content, firstSequence: undefined, ...withoutHeader(error, content) };
  }
}

/** With a damaged header the identity is taken from the frames. A file shorter than a header is torn. */
function withoutHeader(error: unknown, file: FileBytes): { frames: Frame[]; damages: JournalDamage[] } {
  const { bytes } = file;
  const isForeign = error instanceof EngineError && error.details.isForeign === true;
  const guess = identityIn(bytes, JOURNAL_HEADER);
  const identity = isForeign ? undefined : recoverIdentity(bytes, viewOf(bytes), guess);
  if (identity === undefined) {
    const isTorn = bytes.length < JOURNAL_HEADER.sizeBytes || isZero(bytes, 0);
    const place = isTorn ? 'tail' : 'header';
    return { frames: [], damages: [describe(error, file, { offset: 0, bytes: bytes.length, place })] };
  }
  const { frames, damages } = findFrames(file, 0, identity);
  const [first, ...others] = damages;
  return { frames, damages: first ? [{ ...first, place: 'header' }, ...others] : [] };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Throws CORRUPT also for a sound header of another file's number. */
function decodeNumberedHeader(reader: ByteReader, number: number) {
  const header = decodeHeader(reader, JOURNAL_HEADER, JOURNAL_MAGIC);
  if (header.number !== number)
    throw corrupt(`got the header of journal ${header.number}; want ${number}`, { offset: 0, isForeign: true });
  return header;
}

function findFrames(file: FileBytes, start: number, identity: number): { frames: Frame[]; damages: JournalDamage[] } {
  const { bytes } = file;
  const view = viewOf(bytes);
  const frames: Frame[] = [];
  const damages: JournalDamage[] = [];
  let offset = start;
  while (offset < bytes.length) {
    try {
      const frame = decodeFrame(bytes, view, offset, identity);
      frames.push(frame);
      offset = frame.payloadEnd;
    } catch (error) {
      if (isZero(bytes, offset) && offset > 0) break;
      const next = findFrame(bytes, view, offset + 1, identity);
      const end = next ?? bytes.length;
      const place = next === undefined ? 'tail' : 'middle';
      damages.push(describe(error, file, { offset, bytes: end - offset, place }));
      offset = end;
    }
  }
  return { frames, damages };
}

/** Whether there is nothing but zeros from an offset on. */
function isZero(bytes: Uint8Array, from: number): boolean {
  for (let i = from; i < bytes.length; i++) if (bytes[i] !== 0) return false;
  return true;
}

function describe(
  error: unknown,
  { path }: FileBytes,
  span: Pick<JournalDamage, 'offset' | 'bytes' | 'place'>,
): JournalDamage {
  if (!(error instanceof EngineError) || error.code !== 'CORRUPT') throw error;
  return { path, ...span, reason: error.message };
}
