// The new name of a tag in what names the former one: saved views that the user may change, what this browser keeps, and the
// trend that is shown.

import { ApiError } from '../api/http.ts';
import { changeView as changeSaved, getView, listViews } from '../api/views.ts';
import { isSameTag } from '../model/tags/tag.ts';
import { renamedContent, renamedLink, type TagRename } from '../model/views/renamed-content.ts';
import type { ViewHead } from '../model/views/saved-view.ts';
import { replaceTag } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { renameFavourite } from '../user/favourites.ts';
import { savedTrends, saveTrend } from './saved.ts';
import { refreshBoard, refreshViews, views } from './views.ts';

export interface RenamedViews {
  /** Views with the new name now. */
  readonly changed: number;
  /** Views with the former name still: the user may not change them, or somebody else did so at the same time. */
  readonly left: number;
}

/** Only trends and dashboards that the user may open are looked at. */
export async function renameInViews(rename: TagRename): Promise<RenamedViews> {
  const heads = (await listViews()).filter(({ datasets }) => datasets.includes(rename.dataset));
  const counts = { changed: 0, left: 0, none: 0 };
  for (const head of heads) counts[await renameIn(head, rename)]++;
  await refreshViews();
  await refreshBoard();
  return counts;
}

async function renameIn({ id }: ViewHead, rename: TagRename): Promise<'changed' | 'left' | 'none'> {
  try {
    const { kind, name, folder, datasets, content, revision, editable } = await getView(id);
    const renamed = renamedContent(content, rename);
    if (renamed === undefined) return 'none';
    if (!editable) return 'left';
    const changed = await changeSaved(id, revision, { kind, name, folder, datasets, content: renamed });
    if (views.get().trend?.id === id) views.set({ trend: changed });
    return 'changed';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.status === 404 ? 'none' : 'left';
  }
}

/** In the trend that is shown, and in what this browser keeps. */
export function renameHere(rename: TagRename): void {
  const { dataset, name, to } = rename;
  const old = { dataset, name };
  if (app.get().view.tags.some((ref) => isSameTag(ref, old))) replaceTag(old, { dataset, name: to });
  renameFavourite(rename);
  for (const trend of savedTrends.get().trends) {
    const link = renamedLink(trend.link, rename);
    if (link !== undefined) saveTrend({ ...trend, link });
  }
}
