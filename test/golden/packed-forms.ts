// Files whose bytes are compared unpacked, and journals without the zeros behind their records, which are no more than
// room. What deflate makes of the same bytes is the business of the zlib that Node is built with, which differs between
// versions and processors: everything else in a file follows from its input. Written from docs/format.md, with nothing of
// the engine, so that no change of both sides passes unseen.

import { inflateRawSync } from 'node:zlib';

const FRAME_MAGIC = 0x43455256;
const FRAME_BYTES = 24;
const SPILL_HEADER_BYTES = 24;
const CATALOG_HEADER_BYTES = 28;
const JOURNAL_HEADER_BYTES = 28;
const PACKED_TAGS = 4;

/** The bytes of a file as they are, those of a spill or a catalog with their packed parts unpacked. */
export function unpackedForm(path: string, bytes: Uint8Array): Uint8Array {
  if (/(^|\/)spill\/\d+$/.test(path)) return unpackFrames(Buffer.from(bytes), SPILL_HEADER_BYTES, unpackPage);
  if (/(^|\/)catalog$/.test(path)) return unpackFrames(Buffer.from(bytes), CATALOG_HEADER_BYTES, unpackRecord);
  return /(^|\/)journal\/\d+$/.test(path) ? withoutRoom(Buffer.from(bytes)) : bytes;
}

/** Header and frames of a journal; all of it when anything but zeros follows. */
export function withoutRoom(bytes: Buffer): Buffer {
  let end = JOURNAL_HEADER_BYTES;
  while (end + FRAME_BYTES <= bytes.length && bytes.readUInt32LE(end) === FRAME_MAGIC)
    end += FRAME_BYTES + bytes.readUInt32LE(end + 4);
  return bytes.subarray(end).every((byte) => byte === 0) ? bytes.subarray(0, end) : bytes;
}

/** Header, then of each frame its magic, sequence and records not synced, and its payload; length and checksum follow from deflate. */
function unpackFrames(bytes: Buffer, headerBytes: number, unpack: (payload: Buffer) => Buffer): Buffer {
  const parts = [bytes.subarray(0, headerBytes)];
  for (let at = headerBytes; at < bytes.length; ) {
    if (bytes.readUInt32LE(at) !== FRAME_MAGIC) throw new Error(`there is no frame at ${at}`);
    const end = at + FRAME_BYTES + bytes.readUInt32LE(at + 4);
    parts.push(bytes.subarray(at, at + 4), bytes.subarray(at + 8, at + 20));
    parts.push(unpack(bytes.subarray(at + FRAME_BYTES, end)));
    at = end;
  }
  return Buffer.concat(parts);
}

/** The varint of the unpacked length stays. */
function unpackPage(payload: Buffer): Buffer {
  const start = payload.findIndex((byte) => byte < 0x80) + 1;
  return Buffer.concat([payload.subarray(0, start), inflateRawSync(payload.subarray(start))]);
}

function unpackRecord(payload: Buffer): Buffer {
  if (payload[0] !== PACKED_TAGS) return payload;
  return Buffer.concat([payload.subarray(0, 1), unpackPage(payload.subarray(1))]);
}
