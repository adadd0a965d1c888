// The way from a moment of a distribution back to the trend.

import { openDialog, showRange } from '../state/app/actions.ts';
import { app, cursor } from '../state/app/app-state.ts';

/** Marks the time, in a window that shows it. */
export function showInTrend(timeMs: number): void {
  const { startMs, endMs } = app.get().window;
  const halfMs = (endMs - startMs) / 2;
  if (timeMs < startMs || timeMs > endMs)
    showRange({ from: Math.round(timeMs - halfMs), to: Math.round(timeMs + halfMs) });
  cursor.set({ markedMs: timeMs, beforeMs: undefined });
  openDialog(undefined);
}
