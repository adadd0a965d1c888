// Buffers for the journal records of requests on their way to disk, reused: those of small requests, of which many are
// pending at a time, and those of large ones, of which few are.

import { ByteWriter } from '../format/bytes/byte-cursors.ts';
import { beginFrame } from '../format/bytes/frame.ts';
import { Pool } from '../points/pool.ts';

const FIRST_BYTES = 128;
/** Estimated bytes of a point; more with one point per tag. */
const POINT_BYTES = 4;
const SMALL_BYTES = 2 ** 17;
const KEPT_SMALL = 64;
/**
 * Longer records are allocated at their largest size, because growing copies everything at once: so much memory comes
 * fresh from the system, which clears it page by page as it is used. Memory that was used before would be cleared at once.
 */
const MOST_POINT_BYTES = 12;
const FRESH_BYTES = 2 ** 25;
/** Larger buffers, grown by one huge request, are not kept. */
const LARGEST_BYTES = 2 ** 21;
const KEPT_LARGE = 4;

const newRecord = (): ByteWriter => new ByteWriter(FIRST_BYTES);
const small = new Pool(KEPT_SMALL, newRecord);
const large = new Pool(KEPT_LARGE, newRecord);

/** About what a record is to hold. */
export interface RecordContents {
  readonly pointCount: number;
  /** Characters of texts. */
  readonly chars: number;
}

/** A record with the room for its frame's header, sized for these points and for definitions of about so many bytes. */
export function takeRecord(contents: RecordContents, definitionsBytes: number): ByteWriter {
  const record = takeBuffer(contents, definitionsBytes);
  beginFrame(record);
  return record;
}

function takeBuffer({ pointCount, chars }: RecordContents, definitionsBytes: number): ByteWriter {
  const expectedBytes = pointCount * POINT_BYTES + chars + definitionsBytes;
  if (expectedBytes > LARGEST_BYTES)
    return new ByteWriter(Math.max(FRESH_BYTES, expectedBytes + pointCount * (MOST_POINT_BYTES - POINT_BYTES)));
  return (expectedBytes > SMALL_BYTES ? large.takeSpare() : undefined) ?? small.take();
}

/** Releases a record for reuse. */
export function releaseRecord(record: ByteWriter): void {
  record.clear();
  const sizeBytes = record.bytes.length;
  if (sizeBytes <= SMALL_BYTES) small.release(record);
  else if (sizeBytes <= LARGEST_BYTES) large.release(record);
}
