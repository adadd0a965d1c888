// Pages: bytes divided into parts, each packed into a frame of its own, so that damage affects one page and no other.
// The frame's sequence is the page's offset in the unpacked bytes.

import { corrupt } from '../../errors.ts';
import { ByteReader, type ByteWriter } from './byte-cursors.ts';
import { beginFrame, decodeFrame, endFrame, findFrame } from './frame.ts';
import { packBytes, unpackBytes } from './packed-bytes.ts';

/**
 * Appends `bytes` as the page at `unpackedOffset`; `stored` bytes are not compressed.
 * @param identity distinguishes the page from pages of other files
 */
export function encodePage(
  out: ByteWriter,
  unpackedOffset: number,
  bytes: Uint8Array,
  identity: number,
  form: 'packed' | 'stored',
): void {
  const offset = beginFrame(out);
  packBytes(out, bytes, form);
  endFrame(out, offset, unpackedOffset, identity);
}

/** A page: its location in the file, and in the unpacked bytes. */
export interface PageEntry {
  readonly offset: number;
  /** Size of the frame, header and payload. */
  readonly packedBytes: number;
  readonly unpackedOffset: number;
  readonly sizeBytes: number;
}

/** The sound pages of a file from `start` on, in order of unpacked offset; damaged bytes between them are skipped. */
export function findPages(bytes: Uint8Array, start: number, identity: number): PageEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pages: PageEntry[] = [];
  let offset: number | undefined = start;
  while (offset !== undefined && offset < bytes.length) {
    try {
      const { sequence, payloadStart, payloadEnd } = decodeFrame(bytes, view, offset, identity);
      const sizeBytes = new ByteReader(bytes, payloadStart, payloadEnd).varint();
      pages.push({ offset, packedBytes: payloadEnd - offset, unpackedOffset: sequence, sizeBytes });
      offset = payloadEnd;
    } catch {
      offset = findFrame(bytes, view, offset + 1, identity);
    }
  }
  return pages;
}

/** The unpacked bytes of a page; `packed` is its frame. Throws CORRUPT. */
export function decodePage(packed: Uint8Array, page: PageEntry, identity: number): Uint8Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const frame = decodeFrame(packed, view, 0, identity);
  const bytes = unpackBytes(new ByteReader(packed, frame.payloadStart, frame.payloadEnd));
  if (frame.sequence !== page.unpackedOffset || bytes.length !== page.sizeBytes)
    throw corrupt('a page is not the one that was here', { offset: page.offset });
  return bytes;
}
