// The tags that are listed: those of the chosen dataset, or what a search finds in all of them.

import { useMemo } from 'preact/hooks';
import type { TagListing } from '../api/historian.ts';
import { SYSTEM_PREFIX, type TagDefinition } from '../model/tags/tag.ts';
import { searchTags } from '../model/tags/tag-search.ts';
import type { ListedTag } from '../model/tags/tag-tree.ts';
import { unitOf } from '../model/values/value-kind.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';

export type Side = 'User' | 'System';

export interface BrowsedTag extends ListedTag {
  readonly dataset: string;
  readonly tag: TagDefinition;
}

export interface FoundTags {
  readonly dataset: string;
  readonly tags: readonly BrowsedTag[];
}

/** The chosen dataset first; the others only where all are searched. */
export function useFoundTags(
  chosen: string | undefined,
  text: string,
  side: Side,
  reach: 'chosen' | 'all',
): readonly FoundTags[] {
  const listings = useStore(app, (state) => state.listings);
  return useMemo(() => findIn(listings, { chosen, text, side, reach }), [listings, chosen, text, side, reach]);
}

interface Search {
  readonly chosen: string | undefined;
  readonly text: string;
  readonly side: Side;
  readonly reach: 'chosen' | 'all';
}

function findIn(listings: ReadonlyMap<string, TagListing>, { chosen, text, side, reach }: Search): FoundTags[] {
  const others = reach === 'chosen' ? [] : [...listings.keys()].filter((dataset) => dataset !== chosen).sort();
  return [...(chosen === undefined ? [] : [chosen]), ...others].map((dataset) => ({
    dataset,
    tags: searchTags(browsedTags(dataset, listings.get(dataset)?.[side] ?? [], side), text),
  }));
}

/** Made once for each listing: a search goes over all of them at every key. */
const browsed = new WeakMap<readonly TagDefinition[], readonly BrowsedTag[]>();

function browsedTags(dataset: string, tags: readonly TagDefinition[], side: Side): readonly BrowsedTag[] {
  const prefix = side === 'System' ? SYSTEM_PREFIX : '';
  const known = browsed.get(tags);
  if (known !== undefined) return known;
  const made = tags.map((tag) => {
    const unit = unitOf(tag)?.text;
    return { dataset, name: `${prefix}${tag.n}`, label: tag.n, description: tag.d, unit, tag };
  });
  browsed.set(tags, made);
  return made;
}
