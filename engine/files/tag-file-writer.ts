// Writing tag files: created with the tag's definition at the start, appended with blocks, sealed with an index.

import { encodeIndex } from '../format/block/block-index.ts';
import { ByteWriter } from '../format/bytes/byte-cursors.ts';
import { crc32 } from '../format/bytes/crc.ts';
import { encodeHeader, TAG_FILE_HEADER, TAG_FILE_MAGIC } from '../format/bytes/file-headers.ts';
import { encodeDefinition } from '../format/record/definition-codec.ts';
import type { Vfs } from '../io/vfs.ts';
import type { TagDefinition } from '../types.ts';
import type { TagFile } from './tag-file.ts';
import { loadTagFileIndex } from './tag-file-reader.ts';

/** The start of a tag file: header and definition. */
export function encodeTagFileHead(out: ByteWriter, file: TagFile, definition: TagDefinition): void {
  const encoded = new ByteWriter(256);
  encodeDefinition(encoded, definition);
  encodeHeader(out, TAG_FILE_HEADER, TAG_FILE_MAGIC, {
    tagId: file.tagId,
    number: file.number,
    definitionBytes: encoded.length,
    definitionCrc: crc32(encoded.written()),
  });
  out.raw(encoded.written());
}

/**
 * Appends bytes to a tag file; not synced. After an error nothing half-written stays: the file is truncated, and
 * removed where it was new.
 * Throws the system's error.
 */
export function appendToTagFile(vfs: Vfs, datasetFolder: string, file: TagFile, bytes: Uint8Array): void {
  const opened = vfs.openSync(`${datasetFolder}/${file.path}`, 'write');
  try {
    opened.writeSync(bytes, file.sizeBytes);
    file.sizeBytes += bytes.length;
  } catch (error) {
    opened.truncateSync(file.sizeBytes);
    // A retry begins another one.
    if (file.sizeBytes === 0) vfs.removeSync(opened.path);
    throw error;
  } finally {
    opened.closeSync();
  }
}

/** Seals a tag file: writes the index of its blocks; nothing is appended afterwards. */
export function sealTagFile(vfs: Vfs, datasetFolder: string, file: TagFile): void {
  const index =
    file.index ?? loadTagFileIndex(vfs, `${datasetFolder}/${file.path}`, file.tagId, file.sizeBytes).entries;
  const entries = index.filter(({ sizeBytes }) => sizeBytes > 0); // the index in memory also has entries for lost blocks
  const out = new ByteWriter(entries.length * 64 + 64);
  encodeIndex(out, entries, file.sizeBytes);
  appendToTagFile(vfs, datasetFolder, file, out.written());
  file.sealed = true;
}
