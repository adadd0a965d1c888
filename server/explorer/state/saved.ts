// The saved trends of this browser.

import { parseSavedTrends, type SavedTrend, withoutTrend, withTrend } from '../model/saved-trends.ts';
import { createStore } from './store.ts';

const KEY = 'varve.trends';

export const savedTrends = createStore<{ readonly trends: readonly SavedTrend[] }>({
  trends: parseSavedTrends(localStorage.getItem(KEY)),
});

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
