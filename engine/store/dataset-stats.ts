// Figures about one dataset, for metrics.

import type { Dataset } from '../dataset/dataset.ts';
import type { DatasetStats } from '../engine.ts';
import type { ReadableDataset } from '../maintenance/dataset-maintenance.ts';
import { tagFileCount } from '../read/tag-totals.ts';

export function describeStats({ dataset, size, reason }: ReadableDataset): DatasetStats {
  const isReadOnly = reason !== undefined;
  const {
    counters,
    writing: { journal },
  } = dataset;
  return {
    name: dataset.name,
    tagCount: dataset.tags.names.size,
    pointsWritten: counters.written,
    pointsIgnored: counters.ignored,
    pointsRepeated: counters.repeated,
    pointsRejected: counters.rejected,
    pointsAhead: counters.ahead,
    pointsExpired: counters.expired,
    pointsRead: counters.read,
    sizeBytes: size.sizeBytes,
    headBytes: dataset.memory.arena.usedBytes,
    journalBytes: journal.keptBytes,
    spillCount: dataset.files.spills.length,
    syncCount: journal.syncCount,
    syncSeconds: journal.syncMs / 1000,
    tagFileCount: tagFileCount(dataset),
    requestCount: counters.requests,
    damagedBlocks: counters.damagedBlocks,
    refusing: isReadOnly ? 'DISK_FULL' : refusal(dataset),
    purgeUnmet: dataset.purgeUnmet,
    isReadOnly,
  };
}

function refusal({ context }: Dataset): DatasetStats['refusing'] {
  if (context.health.poisoned) return 'POISONED';
  return context.disk.full ? 'DISK_FULL' : undefined;
}
