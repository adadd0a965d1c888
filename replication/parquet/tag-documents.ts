// The newest documents of tags, in one file for each range of ids. A file is replaced as a whole, with what it held before.

import { formatTag } from '../documents.ts';
import type { TagDocument } from '../sink.ts';
import { inParallel } from './in-parallel.ts';
import { readJson, writeJson } from './json-files.ts';
import { byRange, rangeOfFile, tagsFile, tagsFolder } from './layout.ts';
import type { ObjectStore } from './stores/object-store.ts';

/** What `formatTag` writes, with what stands beside it. */
interface WrittenTag {
  readonly id: number;
  readonly revision: number;
}

interface WrittenTags {
  readonly tags: readonly WrittenTag[];
}

const FILES_AT_ONCE = 4;

/** Puts documents; of several for a tag, there or here, the one with the largest revision stays. */
export async function putTagDocuments(
  store: ObjectStore,
  folder: string,
  documents: readonly TagDocument[],
): Promise<void> {
  const groups = byRange(documents, ({ id }) => id);
  await inParallel(groups, FILES_AT_ONCE, async ([range, ofRange]) => {
    const path = tagsFile(folder, range);
    const tags = new Map<number, WrittenTag>();
    const before = await readJson<WrittenTags>(store, path);
    for (const tag of before?.tags ?? []) keepNewer(tags, tag);
    for (const document of ofRange) keepNewer(tags, written(document));
    // Also when nothing is new: what was read may have been written by a process that ended before it was synced.
    await writeJson(store, path, { tags: [...tags.values()].sort((a, b) => a.id - b.id) });
  });
}

/** Ids and revisions of all tags with documents, a file at a time. */
export async function* knownTags(store: ObjectStore, folder: string): AsyncGenerator<WrittenTag> {
  for await (const name of store.names(tagsFolder(folder))) {
    const range = rangeOfFile(name);
    if (range === undefined) continue;
    const content = await readJson<WrittenTags>(store, tagsFile(folder, range));
    yield* content?.tags ?? [];
  }
}

function written(document: TagDocument): WrittenTag {
  const { id, revision } = document;
  return { id, revision, ...(JSON.parse(formatTag(document)) as object) };
}

function keepNewer(tags: Map<number, WrittenTag>, tag: WrittenTag): void {
  const known = tags.get(tag.id);
  if (known === undefined || tag.revision >= known.revision) tags.set(tag.id, tag);
}
