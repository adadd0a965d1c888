// The values in force now of all single values of a dashboard: one read for each dataset, every two seconds.

import { useEffect, useState } from 'preact/hooks';
import { readTags } from '../api/historian.ts';
import { serverNowMs, withLimit } from '../api/http.ts';
import { type TagDefinition, type TagRef, tagKey } from '../model/tags/tag.ts';
import { pointAt, type SeriesPoint } from '../model/trend/series.ts';
import { namesByDataset } from '../trend/trend.ts';
import { pause, READ_LIMIT_MS, tileFault } from './tile-trend.ts';

const REFRESH_MS = 2000;

export interface TagValue {
  readonly tag: TagDefinition;
  /** Undefined when nothing was written yet. */
  readonly point: SeriesPoint | undefined;
}

export interface BoardValues {
  /** By `tagKey`; none for a tag that does not exist. */
  readonly values: ReadonlyMap<string, TagValue>;
  readonly nowMs: number;
  /** Datasets whose values are not up to date, with why. */
  readonly faults: ReadonlyMap<string, string>;
  /** True when all were asked for once. */
  readonly isRead: boolean;
}

export function useBoardValues(refs: readonly TagRef[]): BoardValues {
  const [shown, setShown] = useState<BoardValues>({
    values: new Map(),
    nowMs: serverNowMs(),
    faults: new Map(),
    isRead: false,
  });
  const key = JSON.stringify(refs.map(({ dataset, name }) => [dataset, name]));
  useEffect(() => {
    const closing = new AbortController();
    void follow(refs, setShown, closing.signal);
    return () => closing.abort();
  }, [key]);
  return shown;
}

type Show = (next: (shown: BoardValues) => BoardValues) => void;

async function follow(refs: readonly TagRef[], show: Show, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (!document.hidden && refs.length > 0) await readOnce(refs, show, signal);
    await pause(REFRESH_MS, signal);
  }
}

async function readOnce(refs: readonly TagRef[], show: Show, signal: AbortSignal): Promise<void> {
  const nowMs = serverNowMs();
  const values = new Map<string, TagValue>();
  const faults = new Map<string, string>();
  await Promise.all(
    [...namesByDataset(refs)].map(async ([dataset, names]) => {
      try {
        for (const series of await readTags(dataset, [...new Set(names)], {
          endMs: nowMs,
          signal: withLimit(signal, READ_LIMIT_MS),
        })) {
          values.set(tagKey(series.ref), { tag: series.tag, point: pointAt(series, nowMs) });
        }
      } catch (error) {
        faults.set(dataset, tileFault(error));
      }
    }),
  );
  if (signal.aborted) return;
  // What is not up to date stays in sight, and is marked.
  show((shown) => ({
    values: faults.size === 0 ? values : new Map([...shown.values, ...values]),
    nowMs,
    faults,
    isRead: true,
  }));
}
