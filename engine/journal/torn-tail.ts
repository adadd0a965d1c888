// Finds where a power failure tore the last journal. A disk writes the sectors of an unsynced group in any order, so whole
// records may follow a hole although none of them was promised: the journal ends at the hole, and nothing is lost (D3).

import type { Frame } from '../format/bytes/frame.ts';
import type { JournalDamage, JournalFileContent } from './journal-reader.ts';

/** The smallest unit that a disk writes atomically; bytes. */
const SECTOR_BYTES = 512;

/**
 * Ends the last file of a journal at the first hole that a power failure explains: it contains a sector that was never
 * written, and no later record proves that it was synced; or that a copy explains, which was read while records came: what
 * lies behind came after the copy began. Every other hole is damage, and stays.
 * @param durableSequence records up to this one were synced for certain
 */
export function endAtTear(content: JournalFileContent, durableSequence: number): JournalFileContent {
  const tear = content.damages.find(
    (damage) =>
      damage.place !== 'tail' &&
      content.frames.length > 0 &&
      ((isTorn(content.bytes, damage) && !isProven(content, damage, durableSequence)) ||
        isSeenEarlier(content.bytes, damage)),
  );
  if (!tear) return content;
  const tail: JournalDamage = { ...tear, bytes: content.sizeBytes - tear.offset, place: 'tail' };
  return {
    ...content,
    frames: content.frames.filter((frame) => frame.payloadStart < tear.offset),
    damages: [...content.damages.filter((damage) => damage.offset < tear.offset), tail],
  };
}

function isProven({ frames, firstSequence }: JournalFileContent, { offset }: JournalDamage, durable: number): boolean {
  const isAfter = (frame: Frame): boolean => frame.payloadStart > offset;
  const before = frames.findLast((frame) => !isAfter(frame));
  const lost = before ? before.sequence + 1 : (firstSequence ?? durable + 1);
  return durable >= lost || frames.some((frame) => isAfter(frame) && frame.syncedSequence >= lost);
}

/** Whether some sector of the hole is all zeros, as sectors that were never written are. */
function isTorn(bytes: Uint8Array, { offset, bytes: length }: JournalDamage): boolean {
  const end = offset + length;
  for (let start = offset; start < end; start = nextSector(start)) {
    const sectorEnd = nextSector(start);
    if (sectorEnd <= end && bytes.subarray(start, sectorEnd).every((byte) => byte === 0)) return true;
  }
  return false;
}

/**
 * Whether the sector in which the last whole record ends was read before the next record came: zeros follow that record in
 * it. A disk loses whole sectors, and with this one it would have lost the end of that record.
 */
function isSeenEarlier(bytes: Uint8Array, { offset, bytes: length }: JournalDamage): boolean {
  const end = nextSector(offset);
  if (offset % SECTOR_BYTES === 0 || end > offset + length) return false;
  return bytes.subarray(offset, end).every((byte) => byte === 0);
}

function nextSector(offset: number): number {
  return (Math.floor(offset / SECTOR_BYTES) + 1) * SECTOR_BYTES;
}
