// The statistics of the window, tag by tag, while the table shows them.

import { ApiError } from '../api/http.ts';
import { type TagRef, tagKey, tagsOnly } from '../model/tags/tag.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import type { ViewState } from '../model/trend/view-state.ts';
import { app } from '../state/app-state.ts';
import { createStore } from '../state/store.ts';
import { followCalmly } from '../trend/calm-reads.ts';
import { readKnownTime } from './known-time-api.ts';
import { readStatistics } from './statistics-api.ts';
import type { TagStatistics } from './tag-statistics.ts';
import type { BeyondTime } from './time-beyond.ts';
import { readTimeBeyond } from './time-beyond-api.ts';

/** Statistics of one tag, or why there are none. */
export type StatisticsRow =
  | {
      readonly kind: 'read';
      readonly statistics: TagStatistics;
      /** Undefined for a tag without limits. */
      readonly beyond: BeyondTime | undefined;
      readonly spanMs: number;
      readonly view: ViewState;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** By `tagKey`. */
export const statistics = createStore<{ readonly rows: ReadonlyMap<string, StatisticsRow> }>({ rows: new Map() });

export function followStatistics(): () => void {
  return followCalmly(readRows);
}

/** One after the other: a browser opens few connections to a server, and the chart needs them. */
async function readRows(window: TimeWindow, signal: AbortSignal): Promise<void> {
  const { view } = app.get();
  const tags = tagsOnly(view.tags);
  const wanted = new Set(tags.map(tagKey));
  statistics.set({ rows: new Map([...statistics.get().rows].filter(([key]) => wanted.has(key))) });
  for (const ref of tags) {
    const row = await readRow(ref, window, signal);
    if (signal.aborted) return;
    if (row !== undefined) statistics.set({ rows: new Map(statistics.get().rows).set(tagKey(ref), row) });
  }
}

/** Undefined while the server cannot be reached, which the trend says. */
export async function readRow(
  ref: TagRef,
  window: TimeWindow,
  signal: AbortSignal,
): Promise<StatisticsRow | undefined> {
  const { view } = app.get();
  try {
    const [found, known] = await Promise.all([readStatistics(ref, window, signal), readKnownTime(ref, window, signal)]);
    if (found === undefined) return { kind: 'refused', reason: 'The server knows nothing of it.' };
    const statistics = known === undefined ? found : { ...found, timeMean: known.mean, percentGood: known.percentGood };
    const beyond = await readTimeBeyond(ref, window, found, signal);
    return { kind: 'read', statistics, beyond, spanMs: window.endMs - window.startMs, view };
  } catch (error) {
    return error instanceof ApiError ? { kind: 'refused', reason: error.message } : undefined;
  }
}
