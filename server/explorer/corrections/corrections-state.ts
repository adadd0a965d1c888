// The corrections of the trend's tags: read with the points, which they change, and again after each change of them.

import { useEffect } from 'preact/hooks';
import { ApiError } from '../api/http.ts';
import { type TagRef, tagKey, tagsOnly } from '../model/tags/tag.ts';
import { reportFault } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { createStore } from '../state/store.ts';
import type { CorrectionAnswer } from './correction.ts';
import { MOST_IN_ANSWER, readCorrections } from './corrections-api.ts';

/** By `tagKey`. */
interface Corrections {
  readonly byTag: ReadonlyMap<string, readonly CorrectionAnswer[]>;
}

export const corrections = createStore<Corrections>({ byTag: new Map() });

let followers = 0;
let unwatch: (() => void) | undefined;
let wasLoading = true;
let reading = new AbortController();

/** Keeps them up to date while at least one component uses it. */
export function useCorrections(): void {
  useEffect(() => {
    followers++;
    if (followers === 1) {
      unwatch = app.watch(refreshWithPoints);
      if (!app.get().isLoading) void refresh();
    }
    return () => {
      followers--;
      if (followers === 0) unwatch?.();
    };
  }, []);
}

/** Whenever points were read as a whole: the server says when points were corrected, and they are read again then. */
function refreshWithPoints(): void {
  const { isLoading } = app.get();
  const isLoaded = wasLoading && !isLoading;
  wasLoading = isLoading;
  if (isLoaded) void refresh();
}

async function refresh(): Promise<void> {
  reading.abort();
  reading = new AbortController();
  const { signal } = reading;
  const refs = tagsOnly(app.get().view.tags);
  const datasets = [...new Set(refs.map(({ dataset }) => dataset))];
  try {
    const read = await Promise.all(
      datasets.map((dataset) =>
        readOfDataset(
          refs.filter((ref) => ref.dataset === dataset),
          dataset,
          signal,
        ),
      ),
    );
    if (!signal.aborted) corrections.set({ byTag: new Map(read.flat()) });
  } catch (error) {
    // While the server cannot be reached, the trend says so.
    if (!signal.aborted && !(error instanceof TypeError)) reportFault(error);
  }
}

type OfTag = readonly [key: string, corrections: readonly CorrectionAnswer[]];

/** One answer for all tags, where the dataset has no more than that holds; else one for each. */
async function readOfDataset(refs: readonly TagRef[], dataset: string, signal: AbortSignal): Promise<OfTag[]> {
  try {
    const all = await readCorrections({ dataset }, signal);
    if (all.length < MOST_IN_ANSWER)
      return refs.map((ref) => [tagKey(ref), all.filter(({ tag }) => tag === ref.name)] as const);
    return await Promise.all(refs.map(async (ref) => [tagKey(ref), await readCorrections(ref, signal)] as const));
  } catch (error) {
    // A link may name what is not there, or not for this token; the trend says that.
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return [];
    throw error;
  }
}
