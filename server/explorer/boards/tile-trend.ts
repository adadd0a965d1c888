// The points of one trend of a dashboard. Its newest part is read again whenever a pixel's worth of time has passed.

import { useEffect, useState } from 'preact/hooks';
import { ApiError, serverNowMs, withLimit } from '../api/http.ts';
import type { LineRef } from '../model/tags/tag.ts';
import { isLive, resolveRange, type TimeWindow } from '../model/time/time-range.ts';
import type { EarlierSeries, Series } from '../model/trend/series.ts';
import type { ViewState } from '../model/trend/view-state.ts';
import { createStore, type Store } from '../state/store.ts';
import { readAll, readEarlier, splitStatuses } from '../trend/trend.ts';

const LEAST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 30_000;
/** A read that takes longer counts as no answer. */
export const READ_LIMIT_MS = 10_000;
const MOST_POINTS = 2000;
/** A step in the width reads anew; less does not. */
const WIDTH_STEP_PX = 100;

/** What is drawn of a trend. */
export interface ShownTrend {
  readonly tags: readonly LineRef[];
  /** Scales and limits by hand, by `tagKey`. */
  readonly axes: ViewState['axes'];
  readonly window: TimeWindow;
  readonly nowMs: number;
  /** What was read of it, as in `AppState`. */
  readonly read: TimeWindow;
  /** By `tagKey`. */
  readonly series: ReadonlyMap<string, Series>;
  readonly earlier: EarlierSeries;
  readonly statuses: ReadonlyMap<string, Series>;
  /** Why it is not up to date; undefined when it is. */
  readonly fault: string | undefined;
}

/** A store of its own, which follows the clock as long as the component is there. */
export function useTileTrend(view: ViewState, widthPx: number): Store<ShownTrend> {
  const [store] = useState(() => createStore<ShownTrend>(emptyTrend(view)));
  const points = Math.min(MOST_POINTS, Math.ceil(widthPx / WIDTH_STEP_PX) * WIDTH_STEP_PX);
  useEffect(() => {
    if (points <= 0) return undefined;
    const closing = new AbortController();
    void follow(store, view, points, closing.signal);
    return () => closing.abort();
  }, [store, JSON.stringify([view.tags, view.range, view.compare, [...view.axes]]), points]);
  return store;
}

function emptyTrend({ tags, axes, range }: ViewState): ShownTrend {
  const nowMs = serverNowMs();
  const none = new Map<string, Series>();
  const window = resolveRange(range, nowMs);
  return {
    tags,
    axes,
    window,
    nowMs,
    read: window,
    series: none,
    earlier: new Map(),
    statuses: none,
    fault: undefined,
  };
}

async function follow(store: Store<ShownTrend>, view: ViewState, points: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (!document.hidden) await readOnce(store, view, points, signal);
    const { startMs, endMs } = store.get().window;
    const pauseMs = isLive(view.range, serverNowMs()) ? (endMs - startMs) / points : LONGEST_PAUSE_MS;
    await pause(Math.max(LEAST_PAUSE_MS, Math.min(LONGEST_PAUSE_MS, pauseMs)), signal);
  }
}

async function readOnce(store: Store<ShownTrend>, view: ViewState, points: number, signal: AbortSignal): Promise<void> {
  const nowMs = serverNowMs();
  const window = resolveRange(view.range, nowMs);
  try {
    const request = { ...window, points, isCarried: true, signal: withLimit(signal, READ_LIMIT_MS) };
    const [present, earlier] = await Promise.all([readAll(view, request), readEarlier(view, window, request)]);
    if (signal.aborted) return;
    store.set({
      tags: view.tags,
      axes: view.axes,
      window,
      nowMs,
      read: window,
      ...splitStatuses(present),
      earlier,
      fault: undefined,
    });
  } catch (error) {
    if (signal.aborted) return;
    store.set({ fault: tileFault(error) });
  }
}

/** Why a tile is not up to date. */
export function tileFault(error: unknown): string {
  return error instanceof ApiError ? error.message : 'The server does not answer.';
}

/** Ends early by the signal. */
export function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, durationMs);
    signal.addEventListener('abort', end, { once: true });
  });
}
