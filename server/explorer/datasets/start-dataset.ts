// The dataset to begin with: the one that this browser used last, else the one with the newest points. Nobody waits for long
// lists of tags: of a dataset that has many it counts when it was last written to.

import { readTags } from '../api/historian.ts';
import { serverNowMs } from '../api/http.ts';
import { type DatasetInfo, SYSTEM_PREFIX } from '../model/tags/tag.ts';
import { lastAbove } from '../model/trend/series.ts';
import { app } from '../state/app-state.ts';
import { lastDataset } from '../state/last-dataset.ts';
import { refreshTags } from './datasets.ts';

/** Bounds of what is looked at for the newest points. */
const MOST_DATASETS = 12;
const MOST_LISTED = 1000;
const SAMPLE = 50;
/** And so far back for the last write, to some hours. */
const LOOK_BACK_MS = 30 * 86_400_000;
const WRITE_POINTS = 200;

/** Undefined when there is none. */
export async function startDataset(datasets: readonly DatasetInfo[]): Promise<string | undefined> {
  const kept = lastDataset();
  if (kept !== undefined && datasets.some(({ n }) => n === kept)) return kept;
  const filled = datasets.filter(({ c }) => c > 0);
  if (filled.length <= 1) return (filled[0] ?? datasets[0])?.n;
  const looked = filled.slice(0, MOST_DATASETS);
  const newest = await Promise.all(
    looked.map(async (dataset) => ({ n: dataset.n, timeMs: await newestTime(dataset) })),
  );
  const [first] = newest.sort((a, b) => b.timeMs - a.timeMs);
  return first?.n;
}

/** Time of the newest point of some of its tags; what lies ahead of now does not count. */
async function newestTime({ n, c }: DatasetInfo): Promise<number> {
  try {
    return c <= MOST_LISTED ? await newestPointMs(n) : await lastWriteMs(n);
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}

async function newestPointMs(dataset: string): Promise<number> {
  if (!app.get().listings.has(dataset)) await refreshTags(dataset);
  const tags = app.get().listings.get(dataset)?.User ?? [];
  const step = Math.max(1, Math.floor(tags.length / SAMPLE));
  const names = tags.filter((_, index) => index % step === 0).map(({ n }) => n);
  const found = await readTags(dataset, names, { endMs: serverNowMs() });
  return Math.max(...found.map(({ timesMs }) => timesMs.at(-1) ?? Number.NEGATIVE_INFINITY));
}

async function lastWriteMs(dataset: string): Promise<number> {
  const endMs = serverNowMs();
  const request = { startMs: endMs - LOOK_BACK_MS, endMs, points: WRITE_POINTS };
  const [writes] = await readTags(dataset, [`${SYSTEM_PREFIX}Writes`], request);
  return writes === undefined ? Number.NEGATIVE_INFINITY : lastAbove(writes, 0);
}
