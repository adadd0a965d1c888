// Rewrites a tag file of which purge needs only the end: the blocks that stay go, byte for byte, into a new file.

import { ByteWriter } from '../format/byte-cursors.ts';
import { indexOf } from './block-sources.ts';
import type { Dataset } from './dataset.ts';
import type { Tag } from './tag.ts';
import { TagFile } from './tag-file.ts';
import { readExactly } from './tag-file-reader.ts';
import { appendToTagFile, encodeTagFileHead, sealTagFile } from './tag-file-writer.ts';
import { makeTagFolder } from './tag-filing.ts';

/** A file is rewritten when at least this share of its bytes goes. */
const WORTHWHILE_SHARE = 0.5;

/**
 * Copies the blocks from the one that holds `ordinal` on into a new file, which takes the old one's place in the tag.
 * @returns whether it was worth it; the old file is then superfluous, once the new one is synced and in the catalog
 */
export function rewriteTagFile(dataset: Dataset, tag: Tag, file: TagFile, ordinal: number): boolean {
  const entries = indexOf(dataset, file);
  const kept = entries.filter((entry) => entry.firstOrdinal + entry.ordinalCount > ordinal);
  const keptBytes = kept.reduce((sum, entry) => sum + entry.sizeBytes, 0);
  if (
    kept.length === 0 ||
    kept.some((entry) => entry.sizeBytes === 0) ||
    keptBytes > file.sizeBytes * (1 - WORTHWHILE_SHARE)
  )
    return false;
  const copy = new TagFile(tag.id, tag.nextFile++);
  copy.index = [];
  makeTagFolder(dataset, tag.id);
  const out = new ByteWriter(keptBytes + 1024);
  encodeTagFileHead(out, copy, tag.definition);
  const opened = dataset.context.vfs.openSync(`${dataset.folder}/${file.path}`, 'read');
  try {
    for (const entry of kept) {
      const offset = out.length;
      out.raw(readExactly(opened, entry.offset, entry.sizeBytes));
      copy.add({ ...entry, offset });
    }
  } finally {
    opened.closeSync();
  }
  appendToTagFile(dataset.context.vfs, dataset.folder, copy, out.written());
  if (file.sealed) sealTagFile(dataset.context.vfs, dataset.folder, copy);
  dataset.dirtyFiles.add(copy);
  dataset.context.bytesWritten.tags += copy.sizeBytes;
  // Behind it: blocks that come while the old file is still in use are appended to the last one, and must not go with it.
  tag.files = tag.files.toSpliced(tag.files.indexOf(file) + 1, 0, copy);
  return true;
}
