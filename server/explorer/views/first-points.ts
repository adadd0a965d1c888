// A server without a point: it is asked a little more often, and what comes first is shown.

import { refreshDatasets } from '../datasets/datasets.ts';
import type { DatasetInfo } from '../model/tags/tag.ts';
import { app } from '../state/app-state.ts';
import { showNewDataset } from './first-view.ts';
import { views } from './views.ts';

const ASK_MS = 2000;

/** A dataset that cannot be read may have points. */
export function isWithoutPoints(datasets: readonly DatasetInfo[] | undefined): boolean {
  return datasets?.every(({ a, state }) => a === 0 && state === undefined) ?? false;
}

/** For the life of the page. */
export function followFirstPoints(): void {
  let wasEmpty = false;
  app.watch(() => {
    const { datasets, view } = app.get();
    const isEmpty = isWithoutPoints(datasets);
    const filled = datasets?.find(({ a }) => a > 0);
    const isNew = wasEmpty && filled !== undefined && view.tags.length === 0 && views.get().board === undefined;
    wasEmpty = isEmpty;
    if (isNew) void showNewDataset(filled.n);
  });
  let isAsking = false;
  setInterval(() => {
    if (isAsking || document.hidden || !isWithoutPoints(app.get().datasets)) return;
    isAsking = true;
    void refreshDatasets().finally(() => {
      isAsking = false;
    });
  }, ASK_MS);
}
