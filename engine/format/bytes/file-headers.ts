// The fixed headers at the beginning of each kind of binary file. Tables: docs/format.md.

import { corrupt } from '../../errors.ts';
import type { ByteReader, ByteWriter } from './byte-cursors.ts';
import { crc32 } from './crc.ts';
import { defineLayout, type FieldTable, type Layout, type LayoutValues } from './layout.ts';

/** The version that is written; every version from 1 on is read. */
export const FORMAT_VERSION = 7;
/** From this version on spills consist of packed pages. */
export const PAGED_VERSION = 3;

export function isKnownVersion(version: unknown): boolean {
  return Number.isInteger(version) && (version as number) >= 1 && (version as number) <= FORMAT_VERSION;
}

export const JOURNAL_HEADER = defineLayout('journal-header', {
  magic: 'u32',
  version: 'u32',
  identity: 'u32',
  number: 'u32',
  firstSequence: 'f64',
  crc: 'u32',
});
export const CATALOG_HEADER = defineLayout('catalog-header', {
  magic: 'u32',
  version: 'u32',
  identity: 'u32',
  recordCount: 'u32',
  sequence: 'f64',
  crc: 'u32',
});
export const TAG_FILE_HEADER = defineLayout('tag-file-header', {
  magic: 'u32',
  version: 'u32',
  tagId: 'u32',
  number: 'u32',
  definitionBytes: 'u32',
  definitionCrc: 'u32',
  crc: 'u32',
});
export const SPILL_HEADER = defineLayout('spill-header', {
  magic: 'u32',
  version: 'u32',
  number: 'u32',
  createdMs: 'f64',
  crc: 'u32',
});

export const ANNOTATIONS_HEADER = defineLayout('annotations-header', {
  magic: 'u32',
  version: 'u32',
  identity: 'u32',
  firstSequence: 'f64',
  crc: 'u32',
});

/** `VJNL`, `VCAT`, `VTAG`, `VSPL`, `VANN` in little-endian bytes. */
export const JOURNAL_MAGIC = 0x4c4e4a56;
export const CATALOG_MAGIC = 0x54414356;
export const TAG_FILE_MAGIC = 0x47415456;
export const SPILL_MAGIC = 0x4c505356;
export const ANNOTATIONS_MAGIC = 0x4e4e4156;

/** Its first fields are magic and version, its last the checksum. */
type Header = FieldTable & { readonly magic: 'u32'; readonly version: 'u32'; readonly crc: 'u32' };
const VERSION_OFFSET = 4;
type HeaderValues<T extends Header> = Omit<LayoutValues<T>, 'magic' | 'version' | 'crc'>;

/** Appends a header with its magic, version and checksum. */
export function encodeHeader<T extends Header>(
  out: ByteWriter,
  layout: Layout<T>,
  magic: number,
  values: HeaderValues<T>,
): void {
  out.reserve(layout.sizeBytes);
  const offset = out.length;
  // Fields that are not among the values become 0. An object spread for each file would be of another shape each time.
  layout.encode(out.view, offset, values as LayoutValues<T>);
  out.view.setUint32(offset, magic, true);
  out.view.setUint32(offset + VERSION_OFFSET, FORMAT_VERSION, true);
  out.length += layout.sizeBytes;
  const crcOffset = out.length - 4;
  out.view.setUint32(crcOffset, crc32(out.bytes.subarray(offset, crcOffset)), true);
}

/** The identity in a header, even if the header is damaged; undefined when there are too few bytes. */
export function identityIn(
  bytes: Uint8Array,
  layout: typeof JOURNAL_HEADER | typeof CATALOG_HEADER | typeof ANNOTATIONS_HEADER,
): number | undefined {
  if (bytes.length < layout.sizeBytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (layout === JOURNAL_HEADER) return JOURNAL_HEADER.decode(view, 0).identity;
  return layout === CATALOG_HEADER
    ? CATALOG_HEADER.decode(view, 0).identity
    : ANNOTATIONS_HEADER.decode(view, 0).identity;
}

/** Whether a header is sound, but of a version that this program does not know. */
export function isOfOtherVersion(bytes: Uint8Array, layout: typeof ANNOTATIONS_HEADER, magic: number): boolean {
  if (bytes.length < layout.sizeBytes) return false;
  const header = layout.decode(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0);
  const isSound = header.magic === magic && header.crc === crc32(bytes.subarray(0, layout.sizeBytes - 4));
  return isSound && !isKnownVersion(header.version);
}

/** Reads and verifies a header. Throws CORRUPT, also for a version that this program does not know. */
export function decodeHeader<T extends Header>(reader: ByteReader, layout: Layout<T>, magic: number): LayoutValues<T> {
  const offset = reader.take(layout.sizeBytes);
  const values = layout.decode(reader.view, offset);
  if (values.magic !== magic)
    throw corrupt(`got ${layout.name} magic ${values.magic.toString(16)}; want ${magic.toString(16)}`, { offset });
  const crc = crc32(reader.bytes.subarray(offset, offset + layout.sizeBytes - 4));
  if (values.crc !== crc) throw corrupt(`the ${layout.name} fails its checksum`, { offset });
  if (!isKnownVersion(values.version))
    throw corrupt(`got ${layout.name} version ${values.version}; want 1 to ${FORMAT_VERSION}`, { offset });
  return values;
}
