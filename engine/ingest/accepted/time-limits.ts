// Limits between which times of points need no special treatment.

import type { Dataset } from '../../dataset/dataset.ts';
import { expiryCutoffMs } from '../../retention/retention-cutoff.ts';

export interface TimeLimits {
  /** Later points count as ahead, or are refused. */
  readonly aheadMs: number;
  /** Later points are refused. */
  readonly refusedMs: number;
  /** Points up to here would be purged at once. */
  readonly expiryMs: number;
}

/** Limits for a request that comes now: all of its batches are judged by them. */
export function limitsNow(dataset: Dataset): TimeLimits {
  const { clock, tunables } = dataset.context;
  const { aheadMs, maxAheadMs = Number.POSITIVE_INFINITY } = tunables;
  const nowMs = Math.max(clock.nowMs(), dataset.progress.newestMs);
  return {
    aheadMs: nowMs + Math.min(aheadMs, maxAheadMs),
    refusedMs: nowMs + maxAheadMs,
    expiryMs: expiryCutoffMs(dataset),
  };
}
