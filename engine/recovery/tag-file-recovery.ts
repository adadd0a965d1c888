// Compares the tag files in the folder with the catalog.

import type { Dataset } from '../dataset/dataset.ts';
import type { DatasetFiles } from '../dataset/dataset-files.ts';
import { formatTagFile, JOURNAL_FOLDER, parseTagFile, TAGS_FOLDER, tagFolder } from '../filenames.ts';
import { type BlockWalk, walkBlocks } from '../files/block-walk.ts';
import { TagFile } from '../files/tag-file.ts';
import {
  blocksOffset,
  damagedIndex,
  readIndexEntries,
  readIndexFooter,
  readTagFileHead,
  undefinedIfCorrupt,
} from '../files/tag-file-reader.ts';
import type { IndexFooter } from '../format/block/block-index.ts';
import { Slicer } from '../io/slicer.ts';
import type { VfsFile } from '../io/vfs.ts';
import { tagsDeletedAfter } from '../journal/later-deletions.ts';
import { retentionCutoffMs } from '../read/visible-range.ts';
import type { Tag } from '../tag/tag.ts';
import type { TagDefinition } from '../types.ts';

export interface UnlistedFile {
  readonly tag: Tag;
  readonly file: TagFile;
}

export interface AdoptedFiles {
  /** Files of ids that the catalog does not list; the journal may define them. */
  readonly unknown: Map<number, TagFile[]>;
  /** Files that the catalog does not list for their tag, although their numbers were assigned before it was written. */
  readonly unlisted: UnlistedFile[];
  /** Whether a file is shorter than in the catalog. */
  readonly incomplete: boolean;
}

export interface KnownCatalog {
  /** Whether there is one without damage. */
  readonly trusted: boolean;
  /** The last record that it covers. */
  readonly sequence: number;
}

/** Finds all tag files, reads blocks appended after the catalog, and truncates torn tails. */
export async function adoptTagFiles(dataset: Dataset, { trusted, sequence }: KnownCatalog): Promise<AdoptedFiles> {
  const slicer = new Slicer(dataset.context);
  const unknown = new Map<number, TagFile[]>();
  const unlisted: UnlistedFile[] = [];
  const seen = new Set<TagFile>();
  let incomplete = false;
  for (const { tagId, number, sizeBytes } of listTagFiles(dataset)) {
    await slicer.pause();
    if (dataset.tags.tombstones.has(tagId)) {
      removeDeleted(dataset, tagId, number);
      continue;
    }
    const tag = dataset.tags.byId.get(tagId);
    const known = tag?.files.find((file) => file.number === number);
    const file = known ?? new TagFile(tagId, number);
    if (known && sizeBytes === known.sizeBytes && trusted && !known.missing) {
      seen.add(file);
      continue;
    }
    const isGrown = known !== undefined && trusted && !known.missing && sizeBytes > known.sizeBytes;
    if (known && sizeBytes < known.sizeBytes) {
      incomplete = true;
      const message = `A tag file has ${sizeBytes} bytes; the catalog knows ${known.sizeBytes}.`;
      dataset.report('warn', 'tag-file.short', message, { path: file.path, sizeBytes });
    }
    // A longer file without this tag's definition at its start is another file: it must not be truncated.
    if (isGrown && definitionOf(dataset, file) !== undefined) readGrown(dataset, file, sizeBytes);
    else if (!readAll(dataset, file, sizeBytes)) {
      tag?.noteFileNumber(number);
      continue;
    }
    noteUnsynced(dataset.files, file);
    seen.add(file);
    if (tag && !known && number < tag.nextFile) unlisted.push({ tag, file });
    if (tag && !known) takeFiles(tag, [file]);
    if (!tag) unknown.set(tagId, [...(unknown.get(tagId) ?? []), file]);
  }
  const lacking: Tag[] = [];
  for (const tag of dataset.tags.byId.values()) if (!tag.files.every((file) => seen.has(file))) lacking.push(tag);
  forgetDeleted(dataset, sequence, { lacking, seen });
  for (const tag of lacking) if (noteMissing(dataset, tag, seen)) incomplete = true;
  return { unknown, unlisted, incomplete };
}

/** Assigns files to a tag. */
export function takeFiles(tag: Tag, files: readonly TagFile[]): void {
  for (const file of files) tag.addFile(file);
}

function* listTagFiles(dataset: Dataset): Generator<{ tagId: number; number: number; sizeBytes: number }> {
  const { vfs } = dataset.context;
  const root = `${dataset.files.folder}/${TAGS_FOLDER}`;
  for (const folder of vfs.listSync(root)) {
    for (const name of vfs.listSync(`${root}/${folder}`)) {
      const parsed = parseTagFile(name);
      const stat = vfs.statSync(`${root}/${folder}/${name}`);
      if (!parsed || folder !== tagFolder(parsed.tagId) || !stat) {
        dataset.report(
          'warn',
          'file.unknown',
          `${TAGS_FOLDER}/${folder}/${name} is not a file of Varve; it is left alone.`,
          { path: `${TAGS_FOLDER}/${folder}/${name}` },
        );
        continue;
      }
      yield { tagId: parsed.tagId, number: parsed.n, sizeBytes: stat.sizeBytes };
    }
  }
}

/** The process that wrote it may not have synced it or its folders, and the next catalog will list it. */
function noteUnsynced(files: DatasetFiles, file: TagFile): void {
  files.unsynced.addFile(file);
  files.unsynced.addTagFolder(file.tagId);
}

/** Finishes a deletion that a crash interrupted. */
function removeDeleted(dataset: Dataset, tagId: number, number: number): void {
  dataset.context.vfs.removeSync(
    `${dataset.files.folder}/${TAGS_FOLDER}/${tagFolder(tagId)}/${formatTagFile(tagId, number)}`,
  );
}

/**
 * Adds blocks appended after the size in the catalog. Their points are in journals and spills as well, so only the blocks
 * before the first damage count.
 */
function readGrown(dataset: Dataset, file: TagFile, sizeBytes: number): void {
  const { footer, walk } = walkFile(dataset, file, sizeBytes, () => file.sizeBytes);
  const torn = walk.damages[0]?.offset;
  for (const entry of walk.entries) if (torn === undefined || entry.offset < torn) file.add(entry);
  file.sealed = footer !== undefined && torn === undefined;
  truncateTail(dataset, file, torn ?? sizeBytes, sizeBytes);
}

/** Adds all blocks of a file; false when nothing of it is readable, not even its definition. */
function readAll(dataset: Dataset, file: TagFile, sizeBytes: number): boolean {
  const syncedBytes = sizeBytes < file.sizeBytes ? 0 : file.sizeBytes;
  reset(file);
  let blocksAt = 0;
  const { footer, walk, hasHead } = walkFile(dataset, file, sizeBytes, (opened) => {
    blocksAt = blocksOffset(opened);
    return blocksAt;
  });
  file.missing = false;
  file.sealed = footer !== undefined;
  if (!hasHead && walk.entries.length === 0) {
    noteUnusable(dataset, file, sizeBytes);
    return false;
  }
  for (const entry of walk.entries) file.add(entry);
  file.index = walk.entries;
  // Damage after the last block of an open file is its torn tail; damage in synced bytes is skipped, and left.
  const endOffset = file.sealed ? sizeBytes : Math.max(walk.endOffset, blocksAt, syncedBytes);
  file.damages = walk.damages.filter((damage) => damage.offset < endOffset);
  for (const damage of file.damages) {
    const message = `${damage.sizeBytes} bytes of a tag file cannot be read: ${damage.reason}.`;
    dataset.report('error', 'tag-file.damaged', message, { path: file.path, ...damage });
  }
  truncateTail(dataset, file, endOffset, sizeBytes);
  return true;
}

/** A file torn at its creation, or damaged as a whole, is emptied; one of another tag is left alone. */
function noteUnusable(dataset: Dataset, file: TagFile, sizeBytes: number): void {
  const opened = dataset.context.vfs.openSync(`${dataset.files.folder}/${file.path}`, 'read');
  let isForeign: boolean;
  try {
    const walk = walkBlocks(opened, { from: 0, to: sizeBytes, tagId: undefined, verify: 'headers' });
    isForeign = walk.entries.length > 0;
  } finally {
    opened.closeSync();
  }
  if (!isForeign) return truncateTail(dataset, file, 0, sizeBytes);
  const message = `${file.path} holds blocks of another tag; it is left alone.`;
  dataset.report('error', 'tag-file.foreign', message, { path: file.path });
}

interface WalkedFile {
  /** Its index footer, when it is sealed. */
  readonly footer: IndexFooter | undefined;
  readonly walk: BlockWalk;
  readonly hasHead: boolean;
}

function walkFile(
  dataset: Dataset,
  file: TagFile,
  sizeBytes: number,
  blocksFrom: (opened: VfsFile) => number,
): WalkedFile {
  const opened = dataset.context.vfs.openSync(`${dataset.files.folder}/${file.path}`, 'read');
  try {
    const footer = readIndexFooter(opened, sizeBytes);
    const to = footer?.indexOffset ?? sizeBytes;
    const from = Math.min(blocksFrom(opened), to);
    const walk = walkBlocks(opened, { from, to, tagId: file.tagId, verify: 'payloads' });
    if (footer && !readIndexEntries(opened, footer, file.tagId)) walk.damages.push(damagedIndex(footer, sizeBytes));
    return { footer, walk, hasHead: definitionIn(opened, file) !== undefined };
  } finally {
    opened.closeSync();
  }
}

function reset(file: TagFile): void {
  file.blockCount = 0;
  file.nextOrdinal = 0;
  file.firstOrdinal = 0;
  file.firstMs = Number.NaN;
  file.lastMs = Number.NaN;
}

/** D3: truncates a torn tail; its points are in the journal. */
function truncateTail(dataset: Dataset, file: TagFile, endOffset: number, sizeBytes: number): void {
  file.sizeBytes = endOffset;
  if (endOffset >= sizeBytes) return;
  const opened = dataset.context.vfs.openSync(`${dataset.files.folder}/${file.path}`, 'write');
  try {
    opened.truncateSync(endOffset);
  } finally {
    opened.closeSync();
  }
  dataset.files.unsynced.addFile(file);
  const bytes = sizeBytes - endOffset;
  const message = `${bytes} bytes at the end of a tag file were torn, and are cut off.`;
  dataset.report('warn', 'tag-file.tail-cut', message, { path: file.path, offset: endOffset, bytes });
}

/** Files of tags that are deleted later are not looked for: replay deletes these tags. */
function forgetDeleted(
  dataset: Dataset,
  sequence: number,
  { lacking, seen }: { readonly lacking: readonly Tag[]; readonly seen: ReadonlySet<TagFile> },
): void {
  const looked = lacking.filter(({ files }) => files.some((file) => !file.missing && !seen.has(file)));
  if (looked.length === 0) return;
  const deleted = tagsDeletedAfter(dataset.context.vfs, `${dataset.files.folder}/${JOURNAL_FOLDER}`, sequence);
  for (const tag of looked) if (deleted.has(tag.id)) tag.keepFiles((file) => seen.has(file));
}

/** Files that the catalog lists and the folder lacks: purged ones are forgotten, others are reported as missing. */
function noteMissing(dataset: Dataset, tag: Tag, seen: ReadonlySet<TagFile>): boolean {
  const cutoffMs = retentionCutoffMs(dataset, tag);
  let incomplete = false;
  const isPurged = (file: TagFile): boolean => file.lastMs < cutoffMs || file.nextOrdinal <= tag.purgedOrdinal;
  tag.keepFiles((file) => seen.has(file) || !isPurged(file));
  for (const file of tag.files) {
    if (seen.has(file)) continue;
    if (file.missing) {
      const points = file.nextOrdinal - file.firstOrdinal;
      const message = `${points} points of tag '${tag.name}' were lost before; reads report the gap.`;
      dataset.report('warn', 'tag.points-missing', message, { tag: tag.name, points });
      continue;
    }
    incomplete = true;
    file.missing = true;
    const message = `A file of tag '${tag.name}' is missing; its points are looked for in the journals.`;
    dataset.report('error', 'tag-file.missing', message, { path: file.path });
  }
  return incomplete;
}

/** The definition at the start of a file, or undefined when it is damaged, or of another file. */
export function definitionOf(dataset: Dataset, file: TagFile): TagDefinition | undefined {
  const opened = dataset.context.vfs.openSync(`${dataset.files.folder}/${file.path}`, 'read');
  try {
    return definitionIn(opened, file);
  } finally {
    opened.closeSync();
  }
}

function definitionIn(opened: VfsFile, file: TagFile): TagDefinition | undefined {
  try {
    const head = readTagFileHead(opened);
    return head.tagId === file.tagId && head.number === file.number ? head.definition : undefined;
  } catch (error) {
    return undefinedIfCorrupt(error);
  }
}
