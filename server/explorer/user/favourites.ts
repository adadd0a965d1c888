// The tags marked with a star, kept in this browser.

import { isFavourite, MOST_FAVOURITES, parseFavourites, toggledFavourites } from '../model/tags/favourites.ts';
import { isSameTag, type TagRef } from '../model/tags/tag.ts';
import type { TagRename } from '../model/views/renamed-content.ts';
import { notify } from '../state/actions.ts';
import { createStore } from '../state/store.ts';

const KEY = 'varve.favourites';

const read = (): readonly TagRef[] => parseFavourites(localStorage.getItem(KEY));

export const favourites = createStore({ tags: read() });

// Another tab of this browser has changed them.
addEventListener('storage', ({ key }) => {
  if (key === KEY) favourites.set({ tags: read() });
});

/** A tag that was renamed keeps its star. */
export function renameFavourite({ dataset, name, to }: TagRename): void {
  const before = read();
  if (isFavourite(before, { dataset, name }))
    keep(before.map((ref) => (isSameTag(ref, { dataset, name }) ? { dataset, name: to } : ref)));
}

export function toggleFavourite(ref: TagRef): void {
  const tags = toggledFavourites(read(), ref);
  if (tags === undefined) {
    notify(`A dataset holds ${MOST_FAVOURITES} favourites; take the star of one off first.`);
    return;
  }
  keep(tags);
}

function keep(tags: readonly TagRef[]): void {
  localStorage.setItem(KEY, JSON.stringify(tags));
  favourites.set({ tags });
}
