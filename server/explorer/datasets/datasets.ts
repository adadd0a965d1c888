// Keeps the datasets with their rates, and the tags of those that are looked at.

import { listDatasets, listTags, readTags } from '../api/historian.ts';
import { serverNowMs } from '../api/http.ts';
import { type DatasetInfo, SYSTEM_PREFIX } from '../model/tags/tag.ts';
import { toNumber } from '../model/trend/series.ts';
import { NO_ANSWER, reportFault } from '../state/actions.ts';
import { app } from '../state/app-state.ts';

const REFRESH_MS = 5000;
/** Rates are asked for dataset by dataset; beyond so many none are shown. */
const MOST_RATES = 12;

/** Starts to follow the server; for the life of the page. */
export function followDatasets(): void {
  let listed: string | undefined;
  app.watch(() => {
    const { dataset } = app.get().view;
    if (dataset === listed) return;
    listed = dataset;
    const isKnown = app.get().datasets?.some(({ n }) => n === dataset) ?? false;
    if (dataset !== undefined && isKnown && !app.get().listings.has(dataset)) void refreshTags(dataset);
  });
  setInterval(() => {
    if (!document.hidden && !app.get().needsToken) void refreshDatasets();
  }, REFRESH_MS);
}

/** Reads the datasets again; a change in the number of tags reads the listed ones as well. */
export async function refreshDatasets(): Promise<void> {
  if (app.get().needsToken) return;
  try {
    const before = app.get().datasets;
    const datasets = await listDatasets();
    app.set({ datasets, fault: undefined });
    const { dataset } = app.get().view;
    const count = (list: readonly DatasetInfo[] | undefined): number | undefined =>
      list?.find(({ n }) => n === dataset)?.c;
    if (dataset !== undefined && count(before) !== count(datasets)) void refreshTags(dataset);
    await refreshRates(datasets);
  } catch (error) {
    if (error instanceof TypeError) app.set({ fault: NO_ANSWER });
    else reportFault(error);
  }
}

async function refreshRates(datasets: readonly DatasetInfo[]): Promise<void> {
  const endMs = serverNowMs();
  const rates = await Promise.all(
    datasets.slice(0, MOST_RATES).map(async ({ n }) => {
      const [series] = await readTags(n, [`${SYSTEM_PREFIX}Writes`], { endMs });
      return [n, toNumber(series?.values.at(-1) ?? null)] as const;
    }),
  );
  app.set({ rates: new Map(rates.filter(([, rate]) => !Number.isNaN(rate))) });
}

export async function refreshTags(dataset: string): Promise<void> {
  try {
    const listing = await listTags(dataset);
    app.set({ listings: new Map(app.get().listings).set(dataset, listing) });
  } catch (error) {
    reportFault(error);
  }
}

/** Beyond so many tags a dataset is searched only while it is chosen. */
export const MOST_SEARCHED = 100_000;

/** Lists the tags of all datasets, one dataset after the other: for the search. */
export async function listAllTags(): Promise<void> {
  for (const { n, c } of app.get().datasets ?? []) {
    const listing = app.get().listings.get(n);
    if (c <= MOST_SEARCHED && listing?.User.length !== c) await refreshTags(n);
  }
}
