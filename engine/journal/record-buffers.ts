// Memory for the journal records of requests on their way to disk, used again: those of small requests, of which many are
// on their way at a time, and those of large ones, of which few are.

import { ByteWriter } from '../format/bytes/byte-cursors.ts';

const FIRST_BYTES = 128;
/** About what a point takes; more at one point a tag. */
const POINT_BYTES = 4;
/** About what the definition of a tag takes that a write makes. */
const DEFINITION_BYTES = 64;
const SMALL_BYTES = 2 ** 17;
const KEPT_SMALL = 64;
/** A buffer that one huge request has blown up is not kept above this. */
const LARGEST_BYTES = 2 ** 21;
const KEPT_LARGE = 4;

const small: ByteWriter[] = [];
const large: ByteWriter[] = [];

/** An empty record, perhaps with room for so many points and definitions. */
export function takeRecord(pointCount: number, definitionCount = 0): ByteWriter {
  const expectedBytes = pointCount * POINT_BYTES + definitionCount * DEFINITION_BYTES;
  // One that has to grow very much copies what is there in one go.
  if (expectedBytes > LARGEST_BYTES) return new ByteWriter(expectedBytes);
  return (expectedBytes > SMALL_BYTES ? large.pop() : undefined) ?? small.pop() ?? new ByteWriter(FIRST_BYTES);
}

/** The record is not used any more. */
export function releaseRecord(record: ByteWriter): void {
  record.clear();
  const sizeBytes = record.bytes.length;
  if (sizeBytes <= SMALL_BYTES) {
    if (small.length < KEPT_SMALL) small.push(record);
  } else if (sizeBytes <= LARGEST_BYTES && large.length < KEPT_LARGE) large.push(record);
}
