// Packing of repetitive bytes: the records of many tags, the blocks of a few points each. The unpacked length, then raw
// deflate at its fastest level, because a checkpoint of 100,000 tags packs 20 MB. The checksum is the frame's.

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { corrupt } from '../../errors.ts';
import type { ByteReader, ByteWriter } from './byte-cursors.ts';
import { MAX_FRAME_PAYLOAD_BYTES } from './frame.ts';

/** Most bytes that are packed at once: no record is longer. */
const MAX_UNPACKED_BYTES = MAX_FRAME_PAYLOAD_BYTES;
const FASTEST = { level: 1 } as const;
const STORED = { level: 0 } as const;

/** Appends `bytes`, packed, or in stored blocks of deflate. */
export function packBytes(out: ByteWriter, bytes: Uint8Array, form: 'packed' | 'stored' = 'packed'): void {
  out.varint(bytes.length);
  out.raw(deflateRawSync(bytes, form === 'packed' ? FASTEST : STORED));
}

/** Unpacks the rest of the reader. Throws CORRUPT. */
export function unpackBytes(reader: ByteReader): Uint8Array {
  const { offset } = reader;
  const sizeBytes = reader.varint();
  if (sizeBytes > MAX_UNPACKED_BYTES) throw corrupt(`${sizeBytes} bytes are never packed at once`, { offset });
  const packed = reader.raw(reader.remaining);
  const bytes = inflate(packed, sizeBytes, offset);
  if (bytes.length !== sizeBytes) throw corrupt(`got ${bytes.length} packed bytes; want ${sizeBytes}`, { offset });
  return bytes;
}

function inflate(packed: Uint8Array, sizeBytes: number, offset: number): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, sizeBytes) });
  } catch (error) {
    throw corrupt(`packed bytes cannot be unpacked (${(error as Error).message})`, { offset });
  }
}
