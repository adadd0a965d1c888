// Notifies watchers of points that have become readable, and of ranges that have changed.

import type { Dataset } from '../dataset/dataset.ts';
import { ownerOfLate } from '../tag/late-tag.ts';
import type { Tag } from '../tag/tag.ts';
import type { Instant, PointColumns } from '../types.ts';
import type { CorrectionWatcher, PointWatch, PointWatcher } from '../watches.ts';
import type { AcceptedRun } from './receipts.ts';

export function watchPoints(dataset: Dataset, watcher: PointWatcher, onCorrected?: CorrectionWatcher): PointWatch {
  const own: PointWatcher = (run) => watcher(run);
  const ownOfCorrections: CorrectionWatcher = (range) => onCorrected?.(range);
  dataset.audience.watchers.add(own);
  dataset.audience.correctionWatchers.add(ownOfCorrections);
  return {
    position(name) {
      const tag = dataset.tags.find(name);
      return tag && { tagId: tag.id, ordinal: tag.nextOrdinal };
    },
    nameOf: (tagId) => dataset.tags.byId.get(tagId)?.name,
    get isOn() {
      return !dataset.deleted && dataset.audience.watchers.has(own);
    },
    stop() {
      dataset.audience.watchers.delete(own);
      dataset.audience.correctionWatchers.delete(ownOfCorrections);
    },
  };
}

/** Call it once the points are applied: nobody sees a point before it may be acknowledged (D4). */
export function notifyWatchers(dataset: Dataset, points: PointColumns, runs: readonly AcceptedRun[]): void {
  const { watchers } = dataset.audience;
  for (const { tag, type, start, count, firstOrdinal } of runs) {
    if (!tag || count === 0 || tag.deleted) continue;
    if (tag.isLate) {
      notifyLate(dataset, tag, points, start, count);
      continue;
    }
    const { id: tagId, isSystem, definition } = tag;
    const run = { tagId, ordinal: firstOrdinal, isSystem, tag: definition, type, points, start, count };
    for (const watcher of watchers) watcher(run);
  }
}

/** Late points change a range of the past, as corrections do. */
function notifyLate(dataset: Dataset, tag: Tag, points: PointColumns, start: number, count: number): void {
  const timeOf = (i: number): Instant => ({ ms: points.timesMs[i] as number, ticks: points.ticks[i] as number });
  notifyCorrected(dataset, ownerOfLate(tag.name) as number, { start: timeOf(start), end: timeOf(start + count - 1) });
}

/** Call it once reads see the change. */
export function notifyCorrected(
  dataset: Dataset,
  tagId: number,
  range: { readonly start: Instant; readonly end: Instant },
): void {
  const tag = dataset.tags.byId.get(tagId);
  if (tag === undefined || tag.isLate || dataset.audience.correctionWatchers.size === 0) return;
  const { start, end } = range;
  const { isSystem, definition } = tag;
  for (const watcher of dataset.audience.correctionWatchers) watcher({ tagId, isSystem, tag: definition, start, end });
}
