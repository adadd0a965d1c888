// The values in force now of the tags that are in sight: asked for every few seconds, and at once for tags that come into sight.

import { useEffect, useState } from 'preact/hooks';
import { readTags } from '../api/historian.ts';
import { serverNowMs } from '../api/http.ts';
import { pointAt, type SeriesPoint } from '../model/series.ts';
import { app } from './app-state.ts';

const REFRESH_MS = 2000;
/** Scrolling asks when it comes to rest. */
const SETTLE_MS = 80;

/** By the names asked for; not the newest points, which may lie ahead of now. */
export function useCurrentValues(dataset: string, names: readonly string[]): ReadonlyMap<string, SeriesPoint> {
  const [values, setValues] = useState<ReadonlyMap<string, SeriesPoint>>(new Map());
  const key = names.join('\n');
  useEffect(() => {
    if (key === '') return undefined;
    const closing = new AbortController();
    const refresh = async (): Promise<void> => {
      if (document.hidden || app.get().needsToken) return;
      try {
        const nowMs = serverNowMs();
        const found = await readTags(dataset, key.split('\n'), { endMs: nowMs, signal: closing.signal });
        const points = found.flatMap((series) => {
          const point = pointAt(series, nowMs);
          return point === undefined ? [] : [[series.ref.name, point] as const];
        });
        app.set({ nowMs });
        setValues((known) => new Map([...known, ...points]));
      } catch {
        // The datasets are read by a clock of their own, which says what is wrong.
      }
    };
    const first = setTimeout(() => void refresh(), SETTLE_MS);
    const timer = setInterval(() => void refresh(), REFRESH_MS);
    return () => {
      closing.abort();
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [dataset, key]);
  return values;
}
