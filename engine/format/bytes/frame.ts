// A frame holds one record of a journal or catalog: located, bounded and verified independently of its contents. One request
// is one frame under one checksum, so it is stored whole or not at all (D2).

import { corrupt } from '../../errors.ts';
import type { ByteWriter } from './byte-cursors.ts';
import { crc32Between, crc32Seed } from './crc.ts';
import { defineLayout } from './layout.ts';

/** `VREC` in little-endian bytes. */
export const FRAME_MAGIC = 0x43455256;
export const FRAME_HEADER = defineLayout('frame-header', {
  magic: 'u32',
  payloadBytes: 'u32',
  sequence: 'f64',
  unsyncedBefore: 'u32',
  crc: 'u32',
});
/** Larger records are never written, so a longer length is damage. */
export const MAX_FRAME_PAYLOAD_BYTES = 1024 * 2 ** 20;

export interface Frame {
  readonly sequence: number;
  /** The last record that was known to be on stable storage when this one was written. */
  readonly syncedSequence: number;
  readonly payloadStart: number;
  readonly payloadEnd: number;
}

const CRC_OFFSET = 20;

/** Reserves a frame header at the writer's position; the payload follows. Returns the frame's offset for `endFrame`. */
export function beginFrame(out: ByteWriter): number {
  const offset = out.length;
  out.reserve(FRAME_HEADER.sizeBytes);
  out.length += FRAME_HEADER.sizeBytes;
  return offset;
}

/**
 * Completes the frame begun at `offset` with everything written since.
 * @param identity seeds the checksum, so that a frame of another file never passes
 * @param syncedSequence the last record known to be on stable storage
 */
export function endFrame(
  out: ByteWriter,
  offset: number,
  sequence: number,
  identity: number,
  syncedSequence = sequence - 1,
): void {
  const payloadStart = offset + FRAME_HEADER.sizeBytes;
  const payloadBytes = out.length - payloadStart;
  out.view.setUint32(offset, FRAME_MAGIC, true);
  out.view.setUint32(offset + 4, payloadBytes, true);
  out.view.setFloat64(offset + 8, sequence, true);
  out.view.setUint32(offset + 16, Math.min(sequence - 1 - syncedSequence, 0xffffffff), true);
  out.view.setUint32(offset + CRC_OFFSET, frameCrc(out.bytes, offset, payloadBytes, identity), true);
}

/** The frame at `offset`. Throws CORRUPT when there is no whole, sound one. */
export function decodeFrame(bytes: Uint8Array, view: DataView, offset: number, identity: number): Frame {
  if (bytes.length - offset < FRAME_HEADER.sizeBytes) throw corrupt('a record header is cut short', { offset });
  const magic = view.getUint32(offset, true);
  if (magic !== FRAME_MAGIC)
    throw corrupt(`got record magic ${magic.toString(16)}; want ${FRAME_MAGIC.toString(16)}`, { offset });
  const payloadBytes = view.getUint32(offset + 4, true);
  const payloadStart = offset + FRAME_HEADER.sizeBytes;
  if (payloadBytes > MAX_FRAME_PAYLOAD_BYTES || payloadStart + payloadBytes > bytes.length) {
    throw corrupt(`a record of ${payloadBytes} bytes runs past the end`, { offset });
  }
  if (view.getUint32(offset + CRC_OFFSET, true) !== frameCrc(bytes, offset, payloadBytes, identity)) {
    throw corrupt('a record fails its checksum', { offset });
  }
  const sequence = view.getFloat64(offset + 8, true);
  const syncedSequence = sequence - 1 - view.getUint32(offset + 16, true);
  return { sequence, syncedSequence, payloadStart, payloadEnd: payloadStart + payloadBytes };
}

/** Offset of the next whole, sound frame at or after `from`; undefined when there is none. */
export function findFrame(bytes: Uint8Array, view: DataView, from: number, identity: number): number | undefined {
  const last = bytes.length - FRAME_HEADER.sizeBytes;
  for (let offset = from; offset <= last; offset++) {
    if (view.getUint32(offset, true) !== FRAME_MAGIC) continue;
    try {
      decodeFrame(bytes, view, offset, identity);
      return offset;
    } catch {
      // Payload bytes that happen to look like a magic: continue searching.
    }
  }
  return undefined;
}

/**
 * The identity of a file whose header is damaged: the one that two of its frames agree on, or one frame and `guess` (the
 * one in the header). Undefined when there is none.
 */
export function recoverIdentity(bytes: Uint8Array, view: DataView, guess: number | undefined): number | undefined {
  if (guess !== undefined && findFrame(bytes, view, 0, guess) !== undefined) return guess;
  const candidates = new Set<number>();
  for (let offset = 0; offset <= bytes.length - FRAME_HEADER.sizeBytes; offset++) {
    if (view.getUint32(offset, true) !== FRAME_MAGIC) continue;
    const payloadStart = offset + FRAME_HEADER.sizeBytes;
    const payloadEnd = payloadStart + view.getUint32(offset + 4, true);
    if (payloadEnd > bytes.length) continue;
    const headerCrc = crc32Seed(bytes.subarray(payloadStart, payloadEnd), view.getUint32(offset + CRC_OFFSET, true));
    const identity = crc32Seed(bytes.subarray(offset, offset + CRC_OFFSET), headerCrc);
    if (candidates.has(identity)) return identity;
    candidates.add(identity);
  }
  return undefined;
}

function frameCrc(bytes: Uint8Array, offset: number, payloadBytes: number, identity: number): number {
  const header = crc32Between(bytes, offset, offset + CRC_OFFSET, identity);
  const payloadStart = offset + FRAME_HEADER.sizeBytes;
  return crc32Between(bytes, payloadStart, payloadStart + payloadBytes, header);
}
