// The ways from a plot back to the trend: to one moment, or to all that is marked.

import type { TimeWindow } from '../model/time/time-range.ts';
import { changeView } from '../state/actions.ts';
import { app, cursor } from '../state/app-state.ts';
import { highlight } from './highlight.tsx';

/** Marks the time, in a window that shows it. */
export function showInTrend(timeMs: number): void {
  const { startMs, endMs } = app.get().window;
  const halfMs = (endMs - startMs) / 2;
  const isOutside = timeMs < startMs || timeMs > endMs;
  const range = { from: Math.round(timeMs - halfMs), to: Math.round(timeMs + halfMs) };
  cursor.set({ markedMs: timeMs, beforeMs: undefined });
  changeView({ plot: undefined, ...(isOutside ? { range } : {}) });
}

/** Shades the times of what is marked. */
export function shadeInTrend(spans: readonly TimeWindow[], text: string): void {
  highlight.set({ spans, text });
  changeView({ plot: undefined });
}
