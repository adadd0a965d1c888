// Holds the tag files that are in the folder against what the catalog says of them.

import { EngineError } from '../errors.ts';
import { formatTagFile, parseTagFile, TAGS_FOLDER, tagFolder } from '../filenames.ts';
import type { TagDefinition } from '../types.ts';
import { walkBlocks } from './block-walk.ts';
import type { Dataset } from './dataset.ts';
import { Slicer } from './slicer.ts';
import type { Tag } from './tag.ts';
import { TagFile } from './tag-file.ts';
import { blocksOffset, readIndexPlace, readTagFileHead } from './tag-file-reader.ts';

export interface AdoptedFiles {
  /** Files of ids that the catalog does not know (yet: the journal may). */
  readonly unknown: Map<number, TagFile[]>;
  /** A file lacks bytes that the catalog knows. */
  readonly incomplete: boolean;
}

/** Finds every tag file, reads on where one has grown since the catalog, and cuts torn tails. */
export async function adoptTagFiles(
  dataset: Dataset,
  { trusted }: { readonly trusted: boolean },
): Promise<AdoptedFiles> {
  const slicer = new Slicer(dataset.context);
  const unknown = new Map<number, TagFile[]>();
  const seen = new Set<TagFile>();
  let incomplete = false;
  for (const { tagId, number, sizeBytes } of listTagFiles(dataset)) {
    await slicer.pause();
    if (dataset.tombstones.has(tagId)) {
      removeDeleted(dataset, tagId, number);
      continue;
    }
    const tag = dataset.byId.get(tagId);
    const known = tag?.files.find((file) => file.number === number);
    const file = known ?? new TagFile(tagId, number);
    seen.add(file);
    if (known && sizeBytes === known.sizeBytes && trusted && !known.missing) continue;
    if (known && sizeBytes < known.sizeBytes) incomplete = true;
    readOn(dataset, file, sizeBytes, known !== undefined && trusted && sizeBytes > known.sizeBytes);
    if (tag && !known) takeFiles(tag, [file]);
    if (!tag) unknown.set(tagId, [...(unknown.get(tagId) ?? []), file]);
  }
  for (const tag of dataset.byId.values()) if (noteMissing(dataset, tag, seen)) incomplete = true;
  return { unknown, incomplete };
}

/** Makes files a tag's own. */
export function takeFiles(tag: Tag, files: readonly TagFile[]): void {
  for (const file of files) {
    tag.files.push(file);
    tag.nextFile = Math.max(tag.nextFile, file.number + 1);
  }
}

function* listTagFiles(dataset: Dataset): Generator<{ tagId: number; number: number; sizeBytes: number }> {
  const { vfs } = dataset.context;
  const root = `${dataset.folder}/${TAGS_FOLDER}`;
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

/** Finishes a deletion that a crash interrupted. */
function removeDeleted(dataset: Dataset, tagId: number, number: number): void {
  dataset.context.vfs.removeSync(
    `${dataset.folder}/${TAGS_FOLDER}/${tagFolder(tagId)}/${formatTagFile(tagId, number)}`,
  );
}

/** Takes in what a file holds: all of it, or what was added behind the size that the catalog knows. */
function readOn(dataset: Dataset, file: TagFile, sizeBytes: number, grownOnly: boolean): void {
  const { vfs } = dataset.context;
  const opened = vfs.openSync(`${dataset.folder}/${file.path}`, 'read');
  let from = file.sizeBytes;
  let endOffset: number;
  try {
    const place = readIndexPlace(opened, sizeBytes);
    if (!grownOnly) {
      reset(file);
      from = blocksOffset(opened);
    }
    const to = place?.indexOffset ?? sizeBytes;
    const walk = walkBlocks(opened, { from: Math.min(from, to), to, tagId: file.tagId, verify: 'payloads' });
    // What has grown since the catalog is in journals and spills as well: it counts only up to the first damage.
    const torn = grownOnly ? walk.damages[0]?.offset : undefined;
    const entries = torn === undefined ? walk.entries : walk.entries.filter((entry) => entry.offset < torn);
    for (const entry of entries) file.add(entry);
    if (!grownOnly) file.index = entries;
    file.sealed = place !== undefined && torn === undefined;
    const middle = grownOnly ? [] : walk.damages.filter((damage) => damage.offset < walk.endOffset);
    file.damages = middle;
    for (const damage of middle) {
      dataset.report(
        'error',
        'tag-file.damaged',
        `${damage.sizeBytes} bytes of a tag file cannot be read: ${damage.reason}.`,
        { path: file.path, ...damage },
      );
    }
    endOffset = file.sealed ? sizeBytes : (torn ?? Math.max(walk.endOffset, Math.min(from, sizeBytes)));
  } finally {
    opened.closeSync();
  }
  file.missing = false;
  file.sizeBytes = endOffset;
  if (endOffset < sizeBytes) cutTail(dataset, file, sizeBytes);
}

function reset(file: TagFile): void {
  file.blockCount = 0;
  file.nextOrdinal = 0;
  file.firstOrdinal = 0;
  file.firstMs = Number.NaN;
  file.lastMs = Number.NaN;
}

/** Rule 3: what is torn at the end goes; its points are in the journal. */
function cutTail(dataset: Dataset, file: TagFile, sizeBytes: number): void {
  const opened = dataset.context.vfs.openSync(`${dataset.folder}/${file.path}`, 'write');
  try {
    opened.truncateSync(file.sizeBytes);
  } finally {
    opened.closeSync();
  }
  dataset.dirtyFiles.add(file);
  const bytes = sizeBytes - file.sizeBytes;
  dataset.report('warn', 'tag-file.tail-cut', `${bytes} bytes at the end of a tag file were torn, and are cut off.`, {
    path: file.path,
    offset: file.sizeBytes,
    bytes,
  });
}

/** Files that the catalog knows and the folder lacks: purged ones are forgotten, others are said to be missing. */
function noteMissing(dataset: Dataset, tag: Tag, seen: ReadonlySet<TagFile>): boolean {
  const cutMs = tag.isSystem ? dataset.systemPurgedBeforeMs : dataset.purgedBeforeMs;
  let incomplete = false;
  if (tag.files.every((file) => seen.has(file))) return false;
  tag.files = tag.files.filter((file) => seen.has(file) || !(file.lastMs < cutMs));
  for (const file of tag.files) {
    if (seen.has(file)) continue;
    incomplete = true;
    file.missing = true;
    dataset.report(
      'error',
      'tag-file.missing',
      `A file of tag '${tag.name}' is missing; its points are looked for in the journals.`,
      { path: file.path },
    );
  }
  return incomplete;
}

/** The definition at the head of a file, or undefined when that is damaged. */
export function definitionOf(dataset: Dataset, file: TagFile): TagDefinition | undefined {
  const opened = dataset.context.vfs.openSync(`${dataset.folder}/${file.path}`, 'read');
  try {
    return readTagFileHead(opened).definition;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'CORRUPT') return undefined;
    throw error;
  } finally {
    opened.closeSync();
  }
}
