// The values in force now of the tags that are in sight: asked for every few seconds, and at once for tags that come into sight.

import { useEffect, useState } from 'preact/hooks';
import { readTags } from '../api/historian.ts';
import { serverNowMs } from '../api/http.ts';
import { type TagRef, tagKey } from '../model/tags/tag.ts';
import { pointAt, type SeriesPoint } from '../model/trend/series.ts';
import { app } from '../state/app-state.ts';
import { knownNow } from '../state/last-answer.ts';

const REFRESH_MS = 2000;
/** Scrolling asks when it comes to rest. */
const SETTLE_MS = 80;

/** By `tagKey`; not the newest points, which may lie ahead of now. */
export function useCurrentValues(refs: readonly TagRef[]): ReadonlyMap<string, SeriesPoint> {
  const [values, setValues] = useState<ReadonlyMap<string, SeriesPoint>>(new Map());
  const key = refs.map(tagKey).join('\n\n');
  useEffect(() => {
    if (refs.length === 0) return undefined;
    const closing = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = async (): Promise<void> => {
      if (document.hidden || app.get().needsToken) return;
      try {
        const nowMs = serverNowMs();
        const points = await readCurrent(refs, nowMs, closing.signal);
        if (app.get().fault === undefined) app.set({ nowMs: knownNow(nowMs) });
        setValues((known) => new Map([...known, ...points]));
      } catch {
        // The datasets are read by a clock of their own, which says what is wrong.
      }
    };
    // One at a time: a slow line would have ever more of them.
    const follow = async (): Promise<void> => {
      await refresh();
      if (!closing.signal.aborted) timer = setTimeout(() => void follow(), REFRESH_MS);
    };
    timer = setTimeout(() => void follow(), SETTLE_MS);
    return () => {
      closing.abort();
      clearTimeout(timer);
    };
  }, [key]);
  return values;
}

/** The points in force at a time, by `tagKey`; of tags without one none. */
export async function readCurrent(
  refs: readonly TagRef[],
  nowMs: number,
  signal: AbortSignal,
): Promise<[key: string, point: SeriesPoint][]> {
  const byDataset = new Map<string, string[]>();
  for (const { dataset, name } of refs) byDataset.set(dataset, [...(byDataset.get(dataset) ?? []), name]);
  const found = await Promise.all(
    [...byDataset].map(([dataset, names]) => readTags(dataset, names, { endMs: nowMs, signal })),
  );
  return found.flat().flatMap((series) => {
    const point = pointAt(series, nowMs);
    return point === undefined ? [] : [[tagKey(series.ref), point] as [string, SeriesPoint]];
  });
}
