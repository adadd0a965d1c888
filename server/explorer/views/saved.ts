// The saved trends of this browser.

import { parseSavedTrends, type SavedTrend, withoutTrend, withTrend } from '../model/views/saved-trends.ts';
import { createStore } from '../state/store.ts';

const KEY = 'varve.trends';
/** Set once it was asked whether they shall go to the server. */
const OFFERED_KEY = 'varve.trends.offered';

interface SavedState {
  readonly trends: readonly SavedTrend[];
  readonly isOffered: boolean;
}

export const savedTrends = createStore<SavedState>({
  trends: parseSavedTrends(localStorage.getItem(KEY)),
  isOffered: localStorage.getItem(OFFERED_KEY) !== null,
});

export function settleUpload(): void {
  savedTrends.set({ isOffered: true });
  localStorage.setItem(OFFERED_KEY, 'yes');
}

export function saveTrend(trend: SavedTrend): void {
  keep(withTrend(savedTrends.get().trends, trend));
}

export function removeTrend(name: string): void {
  keep(withoutTrend(savedTrends.get().trends, name));
}

function keep(trends: readonly SavedTrend[]): void {
  savedTrends.set({ trends });
  localStorage.setItem(KEY, JSON.stringify(trends));
}
