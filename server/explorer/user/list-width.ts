// The width of the list of tags, kept in this browser.

import { keptWidth, listWidth } from '../model/tags/list-width.ts';
import { createStore } from '../state/store.ts';

const KEY = 'varve.list-width';

export const listEdge = createStore({ widthPx: listWidth(keptWidth(localStorage.getItem(KEY)), innerWidth) });

export function setListWidth(wantedPx: number): void {
  const widthPx = listWidth(wantedPx, innerWidth);
  if (widthPx === listEdge.get().widthPx) return;
  localStorage.setItem(KEY, String(widthPx));
  listEdge.set({ widthPx });
}
