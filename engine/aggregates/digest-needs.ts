// What the functions of a calculation take of a digest. Sums are left out by some who make digests: added up in another order
// than that of the points they come to other last digits.

import type { AggregateRules } from './input/aggregate-rules.ts';
import type { ResultColumn } from './result-column.ts';

export interface DigestNeeds {
  /** What is added up from point to point: means, squares, integrals, changes, times of zero. */
  readonly sums: boolean;
  /** When the smallest and the largest value were there first. */
  readonly extremeTimes: boolean;
  readonly beforeLast: boolean;
}

/** All others are taken to need sums. */
const WITHOUT_SUMS = new Set([
  'Interpolative',
  'Minimum',
  'Maximum',
  'MinimumActualTime',
  'MaximumActualTime',
  'Range',
  'Minimum2',
  'Maximum2',
  'MinimumActualTime2',
  'MaximumActualTime2',
  'Range2',
  'Count',
  'Start',
  'End',
  'Delta',
  'StartBound',
  'EndBound',
  'DeltaBounds',
  'DurationGood',
  'DurationBad',
  'PercentGood',
  'PercentBad',
  'WorstQuality',
  'WorstQuality2',
]);

export function digestNeedsOf({ extrapolatesSlope }: AggregateRules, columns: readonly ResultColumn[]): DigestNeeds {
  return {
    sums: columns.some(({ fn }) => !WITHOUT_SUMS.has(fn.name)),
    extremeTimes: columns.some(({ fn }) => fn.hasOwnTime && fn.needsNumbers),
    beforeLast: extrapolatesSlope,
  };
}
