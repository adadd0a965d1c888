// The list of a dataset's tags, sorted by name.

import type { Dataset } from '../dataset/dataset.ts';
import { isListed } from '../dataset/system-tags.ts';
import { Slicer } from '../io/slicer.ts';
import type { TagDefinition, TagList } from '../types.ts';

/** `isAborted`: whether nobody waits for it any more; it is of no use then. */
export async function listTags(dataset: Dataset, isAborted: () => boolean): Promise<TagList> {
  const user = await dataset.tags.sorted.list(isAborted, new Slicer(dataset.context));
  const system = [...dataset.tags.systemNames.values()]
    .filter((tag) => isListed(tag, dataset.audience.followers.size > 0))
    .map((tag) => tag.definition);
  return { user, system: system.sort(byName) };
}

function byName(a: TagDefinition, b: TagDefinition): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}
