// Memory for the journal records of requests on their way to disk, used again.

import { ByteWriter } from '../format/byte-cursors.ts';

const KEPT_BUFFERS = 64;
/** A buffer that one huge request has blown up is not kept above this. */
const KEPT_BYTES = 2 ** 17;
const FIRST_BYTES = 128;

const spare: ByteWriter[] = [];

/** An empty record. */
export function takeRecord(): ByteWriter {
  return spare.pop() ?? new ByteWriter(FIRST_BYTES);
}

/** The record is not used any more. */
export function giveBackRecord(record: ByteWriter): void {
  record.clear();
  if (spare.length < KEPT_BUFFERS && record.bytes.length <= KEPT_BYTES) spare.push(record);
}
