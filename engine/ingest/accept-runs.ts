// The general way to accept the runs of a batch: sorts their points, decides what each adds, and numbers it (D15).

import type { Dataset } from '../dataset/dataset.ts';
import { orderByTime } from '../points/time-order.ts';
import { type Tag, withType } from '../tag/tag.ts';
import { type PointBatch, type PointColumns, type PointRun, ValueType } from '../types.ts';
import { type SplitRun, splitLate } from './accept-late.ts';
import { nextTimeOf } from './batch.ts';
import type { TimeLimits } from './check-batch.ts';
import { dropExpired, keepNew } from './new-points.ts';
import { AcceptedRun, type TypeChange } from './receipts.ts';

/** The points of all runs must be in the general columns. */
export function acceptRuns(dataset: Dataset, { points, runs }: PointBatch, limits: TimeLimits): AcceptedRun[] {
  return runs.flatMap((run) => acceptRun(dataset, points, run, limits));
}

/** What becomes of a run: one run of its tag, and before it one of late points where they are accepted. */
function acceptRun(dataset: Dataset, points: PointColumns, run: PointRun, limits: TimeLimits): AcceptedRun[] {
  if (run.count === 0) return [new AcceptedRun(run, undefined)];
  const found = dataset.tags.ofRun(run);
  const tag = found ?? dataset.tags.add({ name: run.name, type: run.type }, undefined);
  clearNulls(points, run.start, run.count);
  orderByTime(points, run.start, run.count);
  const split = splitLate(dataset, tag, points, run, limits.expiryMs);
  if (split) return acceptSplit(dataset, tag, points, split, limits);
  const accepted = acceptNew(dataset, tag, points, run, limits);
  accepted.createsTag = found === undefined;
  return [accepted];
}

/** Late points may be the first values of a tag that has only had nulls. */
function acceptSplit(
  dataset: Dataset,
  tag: Tag,
  points: PointColumns,
  { late, rest }: SplitRun,
  limits: TimeLimits,
): AcceptedRun[] {
  const accepted = rest.count === 0 ? new AcceptedRun(rest, tag) : acceptNew(dataset, tag, points, rest, limits);
  if (late.count > 0) accepted.typeChange ??= giveType(tag, rest.type);
  return rest.count === 0 && accepted.typeChange === undefined ? [late] : [late, accepted];
}

function acceptNew(
  dataset: Dataset,
  tag: Tag,
  points: PointColumns,
  run: PointRun,
  { aheadMs, expiryMs }: TimeLimits,
): AcceptedRun {
  const accepted = new AcceptedRun(run, tag);
  keepNew(dataset, tag, points, run.count, accepted);
  dropExpired(tag, points, accepted, expiryMs, nextTimeOf(run));
  accepted.written = accepted.count;
  accepted.stamped = Math.min(run.stamped, accepted.count);
  if (accepted.count > 0) {
    noteAhead(points, accepted, aheadMs);
    accepted.typeChange = giveType(tag, run.type);
  }
  tag.accepted = accepted.newest;
  tag.acceptedOrdinal += accepted.count;
  return accepted;
}

/** Sets the type of a tag without one to that of its first stored values, in the same record. */
function giveType(tag: Tag, type: ValueType): TypeChange | undefined {
  if (tag.type !== ValueType.Open || type === ValueType.Open) return undefined;
  const before = tag.definition;
  const after = withType(before, type);
  tag.definition = after;
  return { before, after };
}

function clearNulls(points: PointColumns, start: number, count: number): void {
  for (let i = start; i < start + count; i++) if (points.nulls[i]) points.bigints[i] = 0n;
}

function noteAhead(points: PointColumns, run: AcceptedRun, aheadMs: number): void {
  const { start, count } = run;
  for (let i = start + count - 1; i >= start && (points.timesMs[i] as number) > aheadMs; i--) run.ahead++;
}
