// Figures about one dataset, for metrics.

import type { DatasetStats } from '../engine.ts';
import type { DatasetUpkeep } from './dataset-upkeep.ts';

export function describeStats(upkeep: DatasetUpkeep): DatasetStats {
  const { dataset } = upkeep;
  const { counters, journal } = dataset;
  return {
    name: dataset.name,
    tagCount: dataset.names.size,
    pointsWritten: counters.written,
    pointsIgnored: counters.ignored,
    pointsRepeated: counters.repeated,
    pointsAhead: counters.ahead,
    pointsRead: counters.read,
    sizeBytes: upkeep.size.sizeBytes,
    headBytes: dataset.arena.usedBytes,
    journalBytes: upkeep.journalBytes,
    spillCount: dataset.spills.length,
    syncCount: journal.syncCount,
    syncSeconds: journal.syncMs / 1000,
    tagFileCount: tagFileCount(upkeep),
    requestCount: counters.requests,
    damagedBlocks: counters.damagedBlocks,
    refusing: refusal(upkeep),
    purgeUnmet: dataset.purgeUnmet,
  };
}

function tagFileCount({ dataset }: DatasetUpkeep): number {
  let count = 0;
  for (const { files } of dataset.byId.values()) count += files.length;
  return count;
}

function refusal({ dataset }: DatasetUpkeep): DatasetStats['refusing'] {
  if (dataset.context.health.poisoned) return 'POISONED';
  return dataset.context.disk.full ? 'DISK_FULL' : undefined;
}
