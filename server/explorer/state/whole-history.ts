// The whole history of one tag, for the strip below the chart: read once and refreshed now and then.

import { useEffect, useState } from 'preact/hooks';
import { readTags } from '../api/historian.ts';
import { serverNowMs } from '../api/http.ts';
import type { Series } from '../model/series.ts';
import { isSameTag, type TagRef } from '../model/tag.ts';
import type { TimeWindow } from '../model/time-range.ts';
import { app } from './app-state.ts';
import { useStore } from './store.ts';

const REFRESH_MS = 60_000;
const POINTS = 400;
const DAY_MS = 86_400_000;
const LEAST_SPAN_MS = 3_600_000;

export interface History {
  readonly window: TimeWindow;
  readonly series: Series | undefined;
}

/** From the oldest point of the tag's dataset, or the window's start if that is earlier, to now or the window's end. */
export function useHistory(ref: TagRef | undefined): History {
  const startMs = useStore(app, ({ datasets, nowMs, view, window }) => {
    const ageDays = Math.max(
      0,
      ...(datasets ?? []).filter(({ n }) => view.tags.some((tag) => tag.dataset === n)).map(({ a }) => a),
    );
    const oldestMs = nowMs - Math.max(LEAST_SPAN_MS, ageDays * DAY_MS * 1.005);
    return roundDown(Math.min(oldestMs, window.startMs));
  });
  const endMs = useStore(app, ({ nowMs, window }) => roundDown(Math.max(nowMs, window.endMs)) + 60_000);
  const [series, setSeries] = useState<Series | undefined>();
  const key = ref === undefined ? '' : `${ref.dataset}\n${ref.name}`;
  useEffect(() => {
    if (ref === undefined) return undefined;
    const closing = new AbortController();
    const refresh = async (): Promise<void> => {
      try {
        const request = { startMs, endMs: serverNowMs(), points: POINTS, isCarried: true, signal: closing.signal };
        const [found] = await readTags(ref.dataset, [ref.name], request);
        setSeries(found);
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
  const isOwn = series !== undefined && ref !== undefined && isSameTag(series.ref, ref);
  return { window: { startMs, endMs }, series: isOwn ? series : undefined };
}

function roundDown(timeMs: number): number {
  return Math.floor(timeMs / 60_000) * 60_000;
}
