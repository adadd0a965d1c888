// The whole history of one tag, for the strip below the chart: read once and refreshed now and then.

import { useEffect, useState } from 'preact/hooks';
import { readTags } from '../api/historian.ts';
import { serverNowMs } from '../api/http.ts';
import { isSameTag, type TagRef } from '../model/tags/tag.ts';
import type { TimeWindow } from '../model/time/time-range.ts';
import { crowdStart } from '../model/trend/crowd-start.ts';
import type { Series } from '../model/trend/series.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';

const REFRESH_MS = 60_000;
const POINTS = 400;
const DAY_MS = 86_400_000;
const LEAST_SPAN_MS = 3_600_000;
/** Each leaves a few points that lie far off out. */
const MOST_ROUNDS = 3;
const MARGIN = 0.03;

export interface History {
  readonly window: TimeWindow;
  readonly series: Series | undefined;
  /** The oldest point, when the window leaves it out because it lies far before the others. */
  readonly olderMs: number | undefined;
}

/**
 * From the oldest point of the tag's dataset, or the window's start if that is earlier, to now or the window's end; without
 * a few points of the tag that lie far before all others.
 */
export function useHistory(ref: TagRef | undefined): History {
  const startMs = useStore(app, ({ datasets, nowMs, view, window }) => {
    const ageDays = Math.max(
      0,
      ...(datasets ?? []).filter(({ n }) => view.tags.some((tag) => tag.dataset === n)).map(({ a }) => a),
    );
    const oldestMs = nowMs - Math.max(LEAST_SPAN_MS, ageDays * DAY_MS * 1.005);
    return roundDown(Math.min(oldestMs, window.startMs));
  });
  const viewedMs = useStore(app, ({ window }) => roundDown(window.startMs));
  const endMs = useStore(app, ({ nowMs, window }) => roundDown(Math.max(nowMs, window.endMs)) + 60_000);
  const [read, setRead] = useState<UsualHistory | undefined>();
  const key = ref === undefined ? '' : `${ref.dataset}\n${ref.name}`;
  useEffect(() => {
    if (ref === undefined) return undefined;
    const closing = new AbortController();
    const refresh = async (): Promise<void> => {
      try {
        setRead(await readUsual(ref, { startMs, endMs: serverNowMs() }, closing.signal));
      } catch {
        // The trend reads the same tag and says what is wrong.
      }
    };
    void refresh();
    const timer = setInterval(() => void refresh(), REFRESH_MS);
    return () => {
      closing.abort();
      clearInterval(timer);
    };
  }, [key, startMs]);
  const isOwn = read !== undefined && ref !== undefined && isSameTag(read.series.ref, ref);
  if (!isOwn) return { window: { startMs, endMs }, series: undefined, olderMs: undefined };
  const usualMs = Math.min(viewedMs, Math.max(startMs, read.startMs));
  const olderMs = read.olderMs !== undefined && read.olderMs < usualMs ? read.olderMs : undefined;
  return { window: { startMs: usualMs, endMs }, series: read.series, olderMs };
}

interface UsualHistory {
  readonly series: Series;
  readonly startMs: number;
  readonly olderMs: number | undefined;
}

/** Reads once more, from where most points begin, when all but a few are crowded at the end. */
async function readUsual(ref: TagRef, window: TimeWindow, signal: AbortSignal): Promise<UsualHistory | undefined> {
  let olderMs: number | undefined;
  let { startMs } = window;
  for (let round = 0; ; round++) {
    const request = { startMs, endMs: window.endMs, points: POINTS, isCarried: true, signal };
    const [series] = await readTags(ref.dataset, [ref.name], request);
    if (series === undefined) return undefined;
    const count = Math.max(series.reducedFrom ?? 0, series.timesMs.length);
    const found = crowdStart(series.timesMs, { startMs, endMs: window.endMs }, count);
    const nextMs = round < MOST_ROUNDS ? found : undefined;
    if (nextMs === undefined) return { series, startMs, olderMs };
    const [oldestMs = nextMs] = series.timesMs;
    if (oldestMs < nextMs) olderMs ??= oldestMs;
    startMs = nextMs - (window.endMs - nextMs) * MARGIN;
  }
}

function roundDown(timeMs: number): number {
  return Math.floor(timeMs / 60_000) * 60_000;
}
