// How long the tags of the trend that have states were in each of them, in the window.

import { ApiError } from '../api/http.ts';
import { type TagRef, tagKey, tagsOnly } from '../model/tags/tag.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import { valueKind } from '../model/values/value-kind.ts';
import { app } from '../state/app-state.ts';
import { createStore } from '../state/store.ts';
import { followCalmly } from '../trend/calm-reads.ts';
import { type StateTime, stateTimes } from './state-time.ts';
import { readStates } from './states-api.ts';

export type StateRow =
  | {
      readonly kind: 'read';
      readonly times: readonly StateTime[];
      readonly window: TimeWindow;
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** By `tagKey`. */
export const states = createStore<{ readonly rows: ReadonlyMap<string, StateRow> }>({ rows: new Map() });

export function followStates(): () => void {
  return followCalmly(readRows);
}

/** One after the other: a browser opens few connections to a server, and the chart needs them. */
async function readRows(window: TimeWindow, signal: AbortSignal): Promise<void> {
  const wanted = tagsOnly(app.get().view.tags).filter(mayHaveStates);
  const keys = new Set(wanted.map(tagKey));
  states.set({ rows: new Map([...states.get().rows].filter(([key]) => keys.has(key))) });
  for (const ref of wanted) {
    const row = await readRow(ref, window, signal);
    if (signal.aborted) return;
    if (row !== undefined) states.set({ rows: new Map(states.get().rows).set(tagKey(ref), row) });
  }
}

function mayHaveStates(ref: TagRef): boolean {
  const tag = app.get().series.get(tagKey(ref))?.tag;
  return tag !== undefined && (valueKind(tag) === 'state' || tag.t === 'System.String');
}

/** Undefined while the server cannot be reached, which the trend says. */
async function readRow(ref: TagRef, window: TimeWindow, signal: AbortSignal): Promise<StateRow | undefined> {
  try {
    return { kind: 'read', times: stateTimes(await readStates(ref, window, signal)), window };
  } catch (error) {
    return error instanceof ApiError ? { kind: 'refused', reason: error.message } : undefined;
  }
}
