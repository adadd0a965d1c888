// The list of a dataset's tags, sorted by name: built over several turns of the event loop when there are very many.

import type { Dataset } from '../dataset/dataset.ts';
import { isListed } from '../dataset/system-tags.ts';
import { Slicer } from '../io/slicer.ts';
import { sortInSlices } from '../points/sort-in-slices.ts';
import type { TagDefinition } from '../types.ts';

/** Tags between two looks at the clock. */
const AT_ONCE = 64;

export interface TagList {
  readonly user: TagDefinition[];
  readonly system: TagDefinition[];
}

/** Tags whose name contains a text, ignoring case; all tags without one. */
export async function listTags(dataset: Dataset, contains: string | undefined): Promise<TagList> {
  const wanted = contains?.toLowerCase();
  const matches = (tag: TagDefinition): boolean => wanted === undefined || tag.name.toLowerCase().includes(wanted);
  const slicer = new Slicer(dataset.context);
  const user: TagDefinition[] = [];
  let count = 0;
  for (const tag of dataset.names) {
    if (tag.visible && matches(tag.definition)) user.push(tag.definition);
    const pause = ++count % AT_ONCE === 0 ? slicer.pause() : undefined;
    if (pause) await pause;
  }
  const system = [...dataset.systemNames.values()]
    .filter((tag) => isListed(tag, dataset.followers.size > 0))
    .map((tag) => tag.definition)
    .filter(matches);
  return { user: await sortInSlices(user, byName, slicer), system: system.sort(byName) };
}

function byName(a: TagDefinition, b: TagDefinition): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}
