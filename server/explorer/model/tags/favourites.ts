// Tags marked with a star: a list without repeats, and the rows that stand above the other tags of their dataset.

import type { BrowseRow } from './browse-rows.ts';
import { isSameTag, type TagRef } from './tag.ts';

/** Limit for each dataset. */
export const MOST_FAVOURITES = 200;

/** No tag or branch has it: names hold no line feed. */
export const FAVOURITES_PATH = 'favourites\n';

/** Reads what a browser has kept; whatever is not understood is left out. */
export function parseFavourites(text: string | null): TagRef[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(list) ? list.filter(isTagRef) : [];
  } catch {
    return [];
  }
}

function isTagRef(entry: unknown): entry is TagRef {
  if (typeof entry !== 'object' || entry === null) return false;
  const { dataset, name } = entry as Record<string, unknown>;
  return typeof dataset === 'string' && typeof name === 'string';
}

export function isFavourite(favourites: readonly TagRef[], ref: TagRef): boolean {
  return favourites.some((one) => isSameTag(one, ref));
}

/** Without the tag when it is among them, else with it; undefined when its dataset has no room for one more. */
export function toggledFavourites(favourites: readonly TagRef[], ref: TagRef): TagRef[] | undefined {
  if (isFavourite(favourites, ref)) return favourites.filter((one) => !isSameTag(one, ref));
  const ofDataset = favourites.filter(({ dataset }) => dataset === ref.dataset);
  return ofDataset.length >= MOST_FAVOURITES ? undefined : [...favourites, ref];
}

/** A branch with the favourites in the order of their names; none without favourites. `labelOf` gives what is shown of a name. */
export function favouriteRows(
  favourites: readonly TagRef[],
  isOpen: boolean,
  labelOf: (name: string) => string,
): BrowseRow[] {
  const [first] = favourites;
  if (first === undefined) return [];
  const head = { tagName: undefined, path: FAVOURITES_PATH, label: 'Favourites', below: favourites.length };
  const rows: BrowseRow[] = favourites.map(({ dataset, name }) => {
    return {
      dataset,
      path: `${FAVOURITES_PATH}${name}`,
      label: labelOf(name),
      level: 2,
      tagName: name,
      below: 0,
      isOpen: false,
    };
  });
  rows.sort((a, b) => a.label.localeCompare(b.label, 'en', { numeric: true }));
  return [{ ...head, dataset: first.dataset, level: 1, isOpen }, ...(isOpen ? rows : [])];
}
