// Notifies watchers of points that have become readable.

import type { Dataset } from '../dataset/dataset.ts';
import type { PointColumns, PointWatch, PointWatcher } from '../types.ts';
import type { AcceptedRun } from './receipts.ts';

export function watchPoints(dataset: Dataset, watcher: PointWatcher): PointWatch {
  const own: PointWatcher = (run) => watcher(run);
  dataset.watchers.add(own);
  return {
    position(name) {
      const tag = dataset.findTag(name);
      return tag && { tagId: tag.id, ordinal: tag.nextOrdinal };
    },
    get isOn() {
      return !dataset.deleted && dataset.watchers.has(own);
    },
    stop: () => dataset.watchers.delete(own),
  };
}

/** Call it once the points are applied: nobody sees a point before it may be acknowledged (D4). */
export function notifyWatchers({ watchers }: Dataset, points: PointColumns, runs: readonly AcceptedRun[]): void {
  for (const { tag, type, start, count, firstOrdinal } of runs) {
    if (!tag || count === 0 || tag.deleted) continue;
    const marker = { tagId: tag.id, ordinal: firstOrdinal, isSystem: tag.isSystem };
    for (const watcher of watchers) watcher({ ...marker, tag: tag.definition, type, points, start, count });
  }
}
