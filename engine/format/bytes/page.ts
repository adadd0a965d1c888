// Pages: a row of bytes cut into pieces, each packed into a frame of its own, so that damage takes one page and no other.
// The frame's sequence is the page's place in the row.

import { corrupt } from '../../errors.ts';
import { ByteReader, type ByteWriter } from './byte-cursors.ts';
import { beginFrame, decodeFrame, endFrame, findFrame } from './frame.ts';
import { packBytes, unpackBytes } from './packed-bytes.ts';

/** Appends `bytes` as the page at `place` of the row; `identity` keeps pages of another file from passing. `stored` bytes are only wrapped. */
export function encodePage(
  out: ByteWriter,
  place: number,
  bytes: Uint8Array,
  identity: number,
  form: 'packed' | 'stored',
): void {
  const offset = beginFrame(out);
  packBytes(out, bytes, form);
  endFrame(out, offset, place, identity);
}

/** A page in the file, and what it is of the row. */
export interface PageEntry {
  readonly offset: number;
  /** Of the frame, header and payload. */
  readonly packedBytes: number;
  readonly place: number;
  readonly sizeBytes: number;
}

/** The sound pages of a file from `start` on, by their places; what lies between them is left out. */
export function findPages(bytes: Uint8Array, start: number, identity: number): PageEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pages: PageEntry[] = [];
  let offset: number | undefined = start;
  while (offset !== undefined && offset < bytes.length) {
    try {
      const { sequence, payloadStart, payloadEnd } = decodeFrame(bytes, view, offset, identity);
      const sizeBytes = new ByteReader(bytes, payloadStart, payloadEnd).varint();
      pages.push({ offset, packedBytes: payloadEnd - offset, place: sequence, sizeBytes });
      offset = payloadEnd;
    } catch {
      offset = findFrame(bytes, view, offset + 1, identity);
    }
  }
  return pages;
}

/** The bytes of a page, `packed` being its frame. Throws CORRUPT. */
export function decodePage(packed: Uint8Array, page: PageEntry, identity: number): Uint8Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const frame = decodeFrame(packed, view, 0, identity);
  const bytes = unpackBytes(new ByteReader(packed, frame.payloadStart, frame.payloadEnd));
  if (frame.sequence !== page.place || bytes.length !== page.sizeBytes)
    throw corrupt('a page is not the one that was here', { offset: page.offset });
  return bytes;
}
