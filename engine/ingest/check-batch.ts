// What comes before a request is accepted: its points get their times, and what is wrong with it is found while nothing is stored.

import type { Dataset } from '../dataset/dataset.ts';
import type { DatasetTags } from '../dataset/dataset-tags.ts';
import { EngineError } from '../errors.ts';
import { timeMsAt } from '../points/run-time.ts';
import { expiryCutoffMs } from '../retention/retention-cutoff.ts';
import { checkTagName } from '../tag/tag-name-rules.ts';
import {
  type Instant,
  oneTickAfter,
  type PointBatch,
  type PointColumns,
  type PointRun,
  SERVER_TIME,
  ValueType,
} from '../types.ts';

/** Limits between which times of points need no special treatment. */
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

/**
 * Gives times to points that come without one: that of their arrival, or one tick after the newest point of their tag where that
 * is not later. They stay in the order in which they came, however many come in a millisecond and wherever the clock is. To be
 * called in the dataset's order of requests (D15), before the points are put in order of time.
 */
export function giveServerTimes(tags: DatasetTags, { points, runs }: PointBatch): void {
  for (const run of runs) {
    if (run.stamped === 0) continue;
    giveTimes(points, [run.start, run.start + run.count], tags.ofRun(run)?.accepted);
  }
}

/** Points with a time of their own count as if they had come one by one, too. */
function giveTimes(
  { timesMs, ticks }: PointColumns,
  [start, end]: readonly [start: number, end: number],
  before: Instant | undefined,
): void {
  let newest = before;
  for (let i = start; i < end; i++) {
    let ms = timesMs[i] as number;
    if (ticks[i] === SERVER_TIME) {
      const isLater = newest === undefined || ms > newest.ms;
      const time: Instant = isLater || newest === undefined ? { ms, ticks: 0 } : oneTickAfter(newest);
      ms = time.ms;
      timesMs[i] = ms;
      ticks[i] = time.ticks;
    }
    const after = ticks[i] as number;
    if (newest === undefined || ms > newest.ms || (ms === newest.ms && after > newest.ticks))
      newest = { ms, ticks: after };
  }
}

/**
 * Throws BAD_NAME, TAG_RENAMED, TOO_FAR_AHEAD, and BAD_REQUEST when the type of a tag has changed since the body was read. Points must
 * have their times.
 */
export function checkBatch(dataset: Dataset, { points, runs }: PointBatch, { refusedMs }: TimeLimits): void {
  for (const run of runs) checkTag(dataset.tags, run);
  if (refusedMs < Number.POSITIVE_INFINITY) for (const run of runs) checkAhead(points, run, refusedMs);
}

function checkTag(tags: DatasetTags, run: PointRun): void {
  if (!run.tag) checkTagName(run.name);
  const found = tags.ofRun(run);
  if (!found) tags.checkNotFormer(run.name);
  if (run.count === 0 || run.type === ValueType.Open) return;
  if (!found || found.type === run.type || found.type === ValueType.Open) return;
  const message = `Tag '${run.name}' has got another type since its values were read; send the request again.`;
  throw new EngineError('BAD_REQUEST', message, { name: run.name });
}

function checkAhead(points: PointColumns, run: PointRun, refusedMs: number): void {
  const { name, start, count } = run;
  for (let i = start; i < start + count; i++) {
    const timeMs = timeMsAt(points, run, i);
    if (timeMs <= refusedMs) continue;
    const message = `Tag '${name}' has a point at ${new Date(timeMs).toISOString()}, which is further ahead of now than allowed.`;
    throw new EngineError('TOO_FAR_AHEAD', message, { name, timeMs });
  }
}
