// Reads what goes over all points of the window: after the chart has its lines, and calmly while the window moves with the
// clock.

import { serverNowMs } from '../api/http.ts';
import { pauseAfter } from '../model/time/calm-pause.ts';
import { isLive, type TimeWindow } from '../model/time/time-range.ts';
import { app } from '../state/app-state.ts';

/** Whoever moves the window goes on moving it. */
const QUIET_MS = 300;

export type CalmRead = (window: TimeWindow, signal: AbortSignal) => Promise<void>;

/** Follows the window until the function that it gives is called. `read` tells its faults itself. */
export function followCalmly(read: CalmRead): () => void {
  let reading = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasLoading = app.get().isLoading;
  /** View that was read last, or will be after the quiet. */
  let view: unknown;
  let doneMs = 0;
  let tookMs = 0;
  let isUnderWay = false;

  const run = async (): Promise<void> => {
    reading.abort();
    reading = new AbortController();
    const { signal } = reading;
    const beganMs = Date.now();
    isUnderWay = true;
    try {
      await read(app.get().window, signal);
    } finally {
      if (!signal.aborted) {
        isUnderWay = false;
        doneMs = Date.now();
        tookMs = doneMs - beganMs;
      }
    }
  };
  const runSoon = (): void => {
    reading.abort();
    isUnderWay = false;
    doneMs = Date.now();
    view = app.get().view;
    clearTimeout(timer);
    timer = setTimeout(() => {
      // Then it is the turn of the chart.
      if (app.get().isLoading) view = undefined;
      else void run();
    }, QUIET_MS);
  };
  const check = (): void => {
    const { isLoading, view: shown, window } = app.get();
    const isLoaded = wasLoading && !isLoading;
    wasLoading = isLoading;
    if (shown !== view) reading.abort();
    if (isLoading) return;
    const isMoving = isLive(shown.range, serverNowMs());
    // A window that stands still is loaded again when its points are others than before.
    if (shown !== view || (isLoaded && !isMoving)) runSoon();
    else if (isMoving && !isUnderWay && !document.hidden && Date.now() - doneMs >= pauseAfter(window, tookMs))
      void run();
  };
  check();
  const unwatch = app.watch(check);
  return () => {
    unwatch();
    clearTimeout(timer);
    reading.abort();
  };
}
