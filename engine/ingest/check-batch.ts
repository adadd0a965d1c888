// What is wrong with a request, found before anything of it is stored.

import type { Dataset } from '../dataset/dataset.ts';
import type { DatasetTags } from '../dataset/dataset-tags.ts';
import { EngineError } from '../errors.ts';
import { timeMsAt } from '../points/run-time.ts';
import { checkTagName } from '../tag/tag-name-rules.ts';
import { type PointBatch, type PointColumns, type PointRun, ValueType } from '../types.ts';
import { findTag } from './accepted/accept-runs.ts';
import type { TimeLimits } from './accepted/time-limits.ts';

/**
 * Throws BAD_NAME, TOO_FAR_AHEAD, and BAD_REQUEST when the type of a tag has changed since the body was read. Points must
 * have their times.
 */
export function checkBatch(dataset: Dataset, { points, runs }: PointBatch, { refusedMs }: TimeLimits): void {
  for (const run of runs) checkTag(dataset.tags, run);
  if (refusedMs < Number.POSITIVE_INFINITY) for (const run of runs) checkAhead(points, run, refusedMs);
}

function checkTag(tags: DatasetTags, run: PointRun): void {
  if (!run.tag) checkTagName(run.name);
  if (run.count === 0 || run.type === ValueType.Open) return;
  const found = findTag(tags, run);
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
