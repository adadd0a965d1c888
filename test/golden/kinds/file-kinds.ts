// Walks all files of a data folder, and notes every kind of thing in them.

import { AnnotationRecord } from '../../../engine/annotations/annotation-record.ts';
import {
  decodeIndexFooter,
  INDEX_ENTRY,
  INDEX_FOOTER,
  type IndexFooter,
} from '../../../engine/format/block/block-index.ts';
import { ByteReader } from '../../../engine/format/bytes/byte-cursors.ts';
import {
  ANNOTATIONS_HEADER,
  ANNOTATIONS_MAGIC,
  decodeHeader,
  PAGED_VERSION,
  SPILL_HEADER,
  SPILL_MAGIC,
  TAG_FILE_HEADER,
  TAG_FILE_MAGIC,
} from '../../../engine/format/bytes/file-headers.ts';
import { unpackBytes } from '../../../engine/format/bytes/packed-bytes.ts';
import { decodeDefinition } from '../../../engine/format/record/definition-codec.ts';
import { EngineError } from '../../../engine/index.ts';
import { seeBlock } from './block-kinds.ts';
import { seeCatalog, seeDefinition } from './catalog-kinds.ts';
import { eachFrame } from './frames.ts';
import { seeJournal } from './journal-kinds.ts';
import { type SeenKinds, Variant } from './kinds.ts';

/** What is done with a file, by its first folder or name behind the dataset's. */
const WALKS: Readonly<Record<string, (seen: SeenKinds, bytes: Uint8Array) => void>> = {
  'dataset.json': seeDatasetFile,
  catalog: seeCatalog,
  annotations: seeAnnotations,
  journal: seeJournal,
  spill: seeSpill,
  tags: seeTagFile,
};

/** `path` is inside the data folder. */
export function seeFile(seen: SeenKinds, path: string, bytes: Uint8Array): void {
  const [first = '', part = ''] = path.split('/');
  if (first.startsWith('.')) {
    seen.see('file', first);
    return;
  }
  const walk = WALKS[part];
  if (!walk) throw new Error(`${path} is no file of a dataset`);
  seen.see('file', part);
  walk(seen, bytes);
}

/** A cut that is null is none. */
function seeDatasetFile(seen: SeenKinds, bytes: Uint8Array): void {
  const fields = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
  for (const [field, value] of Object.entries(fields)) if (value !== null) seen.see('datasetField', field);
}

function seeAnnotations(seen: SeenKinds, bytes: Uint8Array): void {
  const reader = new ByteReader(bytes);
  const { identity } = decodeHeader(reader, ANNOTATIONS_HEADER, ANNOTATIONS_MAGIC);
  seen.see('layout', ANNOTATIONS_HEADER.name);
  for (const { payload } of eachFrame(seen, bytes, reader.offset, identity)) {
    const kind = payload[0] as number;
    seen.see('annotationRecord', kind);
    if (kind !== AnnotationRecord.Keep) continue;
    const record = new ByteReader(payload, 1);
    record.varint();
    record.varint();
    seen.seeFlags('annotationFlag', record.u8());
  }
}

function seeTagFile(seen: SeenKinds, bytes: Uint8Array): void {
  const reader = new ByteReader(bytes);
  const header = decodeHeader(reader, TAG_FILE_HEADER, TAG_FILE_MAGIC);
  seen.see('layout', TAG_FILE_HEADER.name);
  const definitionEnd = reader.offset + header.definitionBytes;
  seeDefinition(seen, decodeDefinition(reader));
  const place = indexOf(bytes);
  seen.see('variant', place ? Variant.TagFileSealed : Variant.TagFileOpen);
  if (place) seeIndex(seen);
  seeBlocks(seen, bytes, definitionEnd, place?.indexOffset ?? bytes.length);
}

function seeSpill(seen: SeenKinds, bytes: Uint8Array): void {
  const reader = new ByteReader(bytes);
  const header = decodeHeader(reader, SPILL_HEADER, SPILL_MAGIC);
  seen.see('layout', SPILL_HEADER.name);
  const row = header.version < PAGED_VERSION ? bytes : unpackRow(seen, bytes, reader.offset, header.number);
  const place = decodeIndexFooter(row, row.length);
  seeIndex(seen);
  seeBlocks(seen, row, reader.offset, place.indexOffset);
}

/** The file's header, and then the bytes of its pages. */
function unpackRow(seen: SeenKinds, bytes: Uint8Array, headerEnd: number, number: number): Uint8Array {
  const parts = [bytes.subarray(0, headerEnd)];
  for (const { payload } of eachFrame(seen, bytes, headerEnd, number)) {
    const reader = new ByteReader(payload);
    parts.push(unpackBytes(new ByteReader(payload)));
    reader.varint();
    // The two bits behind the first say how a block of deflate is packed: 0, not at all.
    seen.see('variant', ((payload[reader.offset] as number) & 6) === 0 ? Variant.PageStored : Variant.PagePacked);
  }
  return Buffer.concat(parts);
}

function seeBlocks(seen: SeenKinds, bytes: Uint8Array, from: number, to: number): void {
  for (let at = from; at < to; ) {
    const { headerBytes, payloadBytes } = seeBlock(seen, bytes, at);
    at += headerBytes + payloadBytes;
  }
}

function seeIndex(seen: SeenKinds): void {
  seen.see('layout', INDEX_ENTRY.name);
  seen.see('layout', INDEX_FOOTER.name);
}

function indexOf(bytes: Uint8Array): IndexFooter | undefined {
  try {
    return decodeIndexFooter(bytes, bytes.length);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'CORRUPT') return undefined;
    throw error;
  }
}
