// Limits of real processes that are killed or copied.

import type { EngineTunables } from '../../engine/index.ts';
import type { SeededRandom } from '../support/seeded-random.ts';

const DAY_MS = 86_400_000;

/** Limits under which heads, spills, journals and tag files turn over within a few requests of a real process. */
export function drawLimits(random: SeededRandom): Partial<EngineTunables> {
  return {
    blockPoints: random.pick([16, 64, 256]),
    headLimitBytes: random.pick([4_000, 20_000, 1_000_000]),
    journalFileBytes: random.pick([3_000, 20_000]),
    journalLimitBytes: random.pick([10_000, 60_000, 600_000]),
    retiredFileMs: random.pick([0, 1_000, 60_000]),
    maxSpills: random.pick([1, 3]),
    spillAgeMs: random.pick([2_000, 60_000]),
    tagFileBytes: random.pick([1_000, 10_000]),
    tagFileSpanMs: random.pick([DAY_MS / 4, 6 * DAY_MS]),
    systemTagIntervalMs: random.pick([0, 1_000]),
    purgeIntervalMs: 2_000,
    sliceMs: random.pick([0, 4]),
    indexCacheEntries: random.pick([4, 1_000]),
    diskReserveBytes: random.pick([0, 0, 50_000]),
    blockCacheBytes: random.pick([0, 1_000_000]),
  };
}
