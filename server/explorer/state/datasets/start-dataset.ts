// The dataset to begin with: the one that this browser used last, else the one with the newest points.

import { readTags } from '../../api/historian.ts';
import { serverNowMs } from '../../api/http.ts';
import type { DatasetInfo } from '../../model/tags/tag.ts';
import { app } from '../app/app-state.ts';
import { lastDataset } from '../app/last-dataset.ts';
import { refreshTags } from './datasets.ts';

/** Limits of the search for the newest points. */
const MOST_DATASETS = 12;
const MOST_TAGS = 100_000;
const SAMPLE = 50;

/** Undefined when there is none. */
export async function startDataset(datasets: readonly DatasetInfo[]): Promise<string | undefined> {
  const kept = lastDataset();
  if (kept !== undefined && datasets.some(({ n }) => n === kept)) return kept;
  const filled = datasets.filter(({ c }) => c > 0);
  if (filled.length <= 1) return (filled[0] ?? datasets[0])?.n;
  const looked = filled.filter(({ c }) => c <= MOST_TAGS).slice(0, MOST_DATASETS);
  const newest = await Promise.all(looked.map(async ({ n }) => ({ n, timeMs: await newestTime(n) })));
  const [first] = newest.sort((a, b) => b.timeMs - a.timeMs);
  return (first ?? filled[0])?.n;
}

/** Newest time of some of its tags; what lies ahead of now does not count. */
async function newestTime(dataset: string): Promise<number> {
  if (!app.get().listings.has(dataset)) await refreshTags(dataset);
  const tags = app.get().listings.get(dataset)?.User ?? [];
  const step = Math.max(1, Math.floor(tags.length / SAMPLE));
  const names = tags.filter((_, index) => index % step === 0).map(({ n }) => n);
  try {
    const found = await readTags(dataset, names, { endMs: serverNowMs() });
    return Math.max(...found.map(({ timesMs }) => timesMs.at(-1) ?? Number.NEGATIVE_INFINITY));
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}
