// Tag files that are created off the main thread, ahead of the first block that goes into them: a file that is created waits for the
// file system, and a thousand tags may get their first block at the same time.

import { TAGS_FOLDER, tagFolder } from '../filenames.ts';
import type { Dataset } from './dataset.ts';
import type { Tag } from './tag.ts';
import { TagFile, takesBlock } from './tag-file.ts';

/** Node's thread pool has four threads; one is left for the journal. */
const PARALLEL = 3;

/**
 * Creates the next file of each tag whose next block begins one; undefined when there is no such tag. Never rejects: a file that
 * cannot be created is tried again by who writes it, and fails there.
 */
export function createFilesAhead(dataset: Dataset, tags: readonly Tag[]): Promise<void> | undefined {
  const lacking = tags.filter((tag) => needsFile(dataset, tag));
  return lacking.length === 0 ? undefined : createAll(dataset, lacking);
}

/** Whether a file was created ahead; it is nobody else's from now on. */
export function takeFileAhead({ filesAhead }: Dataset, { tagId, number }: TagFile): boolean {
  return filesAhead.get(tagId) === number && filesAhead.delete(tagId);
}

/** Removes the file of a deleted tag that nothing was written to. */
export function removeFileAhead(dataset: Dataset, tag: Tag): void {
  const number = dataset.filesAhead.get(tag.id);
  if (number === undefined) return;
  dataset.filesAhead.delete(tag.id);
  if (number === tag.nextFile) dataset.context.vfs.removeSync(`${dataset.folder}/${new TagFile(tag.id, number).path}`);
}

/** Notes that the subfolder of a tag, and its entry, are to be synced: there may be a new file in it. */
export function noteTagFolder(dataset: Dataset, tagId: number): void {
  dataset.dirtyFolders.add(`${TAGS_FOLDER}/${tagFolder(tagId)}`);
  dataset.dirtyFolders.add(TAGS_FOLDER);
}

/** By the newest point, because the block is not made yet: a file may come a block or two too early. */
function needsFile({ filesAhead, context }: Dataset, tag: Tag): boolean {
  if (tag.deleted || filesAhead.get(tag.id) === tag.nextFile) return false;
  const last = tag.files.at(-1);
  return !last || !takesBlock(last, tag.newest?.ms ?? Number.NEGATIVE_INFINITY, context.tunables);
}

async function createAll(dataset: Dataset, tags: readonly Tag[]): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < tags.length) await createOne(dataset, tags[next++] as Tag);
  };
  await Promise.all(Array.from({ length: Math.min(PARALLEL, tags.length) }, worker));
}

async function createOne(dataset: Dataset, tag: Tag): Promise<void> {
  const file = new TagFile(tag.id, tag.nextFile);
  try {
    await dataset.context.vfs.createFile(`${dataset.folder}/${file.path}`);
  } catch {
    return;
  }
  noteTagFolder(dataset, tag.id);
  // Somebody else may have begun that file meanwhile.
  if (tag.nextFile === file.number) dataset.filesAhead.set(tag.id, file.number);
  if (tag.deleted) removeFileAhead(dataset, tag);
}
