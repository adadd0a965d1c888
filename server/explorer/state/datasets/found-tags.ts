// The tags that are listed: those of the chosen dataset, or what a search finds in all of them.

import { useMemo } from 'preact/hooks';
import type { TagListing } from '../../api/historian.ts';
import { SYSTEM_PREFIX, type TagDefinition } from '../../model/tags/tag.ts';
import { searchTags } from '../../model/tags/tag-search.ts';
import type { ListedTag } from '../../model/tags/tag-tree.ts';
import { app } from '../app/app-state.ts';
import { useStore } from '../app/store.ts';

export type Side = 'User' | 'System';

export interface BrowsedTag extends ListedTag {
  readonly dataset: string;
  readonly tag: TagDefinition;
}

export interface FoundTags {
  readonly dataset: string;
  readonly tags: readonly BrowsedTag[];
}

/** The chosen dataset first; the others only for a search. */
export function useFoundTags(dataset: string | undefined, text: string, side: Side): readonly FoundTags[] {
  const listings = useStore(app, (state) => state.listings);
  return useMemo(() => findIn(listings, dataset, text, side), [listings, dataset, text, side]);
}

function findIn(
  listings: ReadonlyMap<string, TagListing>,
  chosen: string | undefined,
  text: string,
  side: Side,
): FoundTags[] {
  const others = text.trim() === '' ? [] : [...listings.keys()].filter((dataset) => dataset !== chosen).sort();
  return [...(chosen === undefined ? [] : [chosen]), ...others].map((dataset) => ({
    dataset,
    tags: searchTags(browsedTags(dataset, listings.get(dataset)?.[side] ?? [], side), text),
  }));
}

function browsedTags(dataset: string, tags: readonly TagDefinition[], side: Side): BrowsedTag[] {
  const prefix = side === 'System' ? SYSTEM_PREFIX : '';
  return tags.map((tag) => ({ dataset, name: `${prefix}${tag.n}`, label: tag.n, description: tag.d, tag }));
}
