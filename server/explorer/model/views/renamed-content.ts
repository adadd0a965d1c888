// What a saved view shows, after a tag was renamed: all but that name stays as it was saved.

import type { TagRef } from '../tags/tag.ts';

export interface TagRename extends TagRef {
  /** The new name. */
  readonly to: string;
}

/** The content of a view with the new name; undefined when it does not name the tag. Expressions are left as they are. */
export function renamedContent(content: unknown, rename: TagRename): object | undefined {
  if (!isObject(content)) return undefined;
  const { link, tiles } = content;
  const newLink = typeof link === 'string' ? renamedLink(link, rename) : undefined;
  const newTiles = Array.isArray(tiles) ? renamedTiles(tiles, rename) : undefined;
  if (newLink === undefined && newTiles === undefined) return undefined;
  return {
    ...content,
    ...(newLink === undefined ? {} : { link: newLink }),
    ...(newTiles === undefined ? {} : { tiles: newTiles }),
  };
}

/** The link of a trend with the new name; undefined when it does not name the tag. */
export function renamedLink(link: string, { dataset, name, to }: TagRename): string | undefined {
  const parameters: [key: string, value: string][] = [];
  let current = '';
  let isNamed = false;
  for (const [key, value] of new URLSearchParams(link.replace(/^#/, ''))) {
    if (key === 'd' && value !== '') current = value;
    const isTag = key === 't' && value === name && current === dataset;
    isNamed ||= isTag;
    parameters.push([key, isTag ? to : value]);
  }
  return isNamed ? new URLSearchParams(parameters).toString() : undefined;
}

function renamedTiles(tiles: readonly unknown[], { dataset, name, to }: TagRename): unknown[] | undefined {
  const isNamed = (tile: unknown): tile is object =>
    isObject(tile) && tile.kind === 'value' && tile.dataset === dataset && tile.tag === name;
  return tiles.some(isNamed) ? tiles.map((tile) => (isNamed(tile) ? { ...tile, tag: to } : tile)) : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
