// The fast path of appending, taken by most batches: all tags are new or have types, and every point is later than the
// newest of its tag. Plain runs of such batches are checked and encoded into the journal record in one pass. The general
// path (accept-runs.ts, append-batch.ts) does the same for every batch. Benchmark: bench ingest.

import type { DatasetTags } from '../dataset/dataset-tags.ts';
import { beginPoints, encodeDefine, mostDefineBytes } from '../format/record/journal-record.ts';
import { PLAIN, POWERS } from '../format/record/plain-words.ts';
import type { RunHead } from '../format/record/run-coding.ts';
import type { RunEncoder } from '../format/record/run-encoder.ts';
import { timeMsAt } from '../points/run-time.ts';
import { newestFrom } from '../tag/stored-value.ts';
import { Tag } from '../tag/tag.ts';
import { tagNameFault } from '../tag/tag-name-rules.ts';
import { ACCEPTED } from '../tag/tag-rows.ts';
import { NOT_PLAIN, type PointColumns, type PointRun, ValueType } from '../types.ts';
import type { Batch } from './batch.ts';
import type { TimeLimits } from './check-batch.ts';
import { type FastRun, type FastRuns, releaseFastRuns, takeFastRuns } from './fast-runs.ts';
import { isAllNew } from './new-points.ts';

/** Points outside count as ahead or expired, which the general path handles. */
export type UsualTimes = Pick<TimeLimits, 'aheadMs' | 'expiryMs'>;

/** Number of the batch being appended; marks the tags it has used. */
let batchNumber = 0;

/** The run being accepted; reused. */
const head: RunHead = { tagId: 0, firstOrdinal: 0, count: 0, type: ValueType.Open, stamped: 0 };

/**
 * Accepts a batch that qualifies for the fast path; undefined, with nothing changed, when it does not. Release the result
 * when the batch is settled.
 */
export function appendFast(tags: DatasetTags, batch: Batch, limits: UsualTimes): FastRuns | undefined {
  const { points, runs } = batch;
  if (runs.length === 0) return undefined;
  const definitionsBytes = definitionsBytesOf(runs);
  const fastRuns = takeFastRuns(batch, definitionsBytes);
  if (definitionsBytes > 0 && !giveTags(tags, points, fastRuns, limits)) return undo(tags, fastRuns, 0);
  const accepted = acceptRuns(points, fastRuns, limits);
  if (accepted < runs.length) return undo(tags, fastRuns, accepted);
  if (fastRuns.hasGeneralRuns) acceptGeneralRuns(points, fastRuns);
  return fastRuns;
}

/** Restores the tags of the first `accepted` runs, and removes those that were created. */
function undo(tags: DatasetTags, fastRuns: FastRuns, accepted: number): undefined {
  rollback(fastRuns, accepted);
  removeCreated(tags, fastRuns);
  releaseFastRuns(fastRuns);
}

/** Gives all runs their tags; false at one that the general path is to take. */
function giveTags(tags: DatasetTags, points: PointColumns, fastRuns: FastRuns, limits: UsualTimes): boolean {
  const { runs } = fastRuns;
  for (let i = 0; i < runs.length; i++) {
    if (!isWithin(points, runs[i] as PointRun, limits) || !giveTag(tags, fastRuns, i)) return false;
  }
  return true;
}

/**
 * Encodes the runs, and advances the tags of plain ones; returns how many were accepted: less than all when one is not in
 * order.
 */
function acceptRuns(points: PointColumns, fastRuns: FastRuns, limits: UsualTimes): number {
  const { runs, record, firstOrdinals, codings, columnsStarts, columnsEnds } = fastRuns;
  const encoder = beginPoints(record, runs.length);
  batchNumber++;
  let pointCount = 0;
  let rejectedCount = 0;
  for (let i = 0; i < runs.length; i++) {
    const run = runs[i] as PointRun;
    if (!isInOrder(points, run, limits)) return i;
    const tag = run.tag as Tag;
    const { start, count } = run;
    firstOrdinals[i] = head.firstOrdinal;
    const { decimals = NOT_PLAIN } = run;
    if (decimals !== NOT_PLAIN) {
      if (!encoder.plainRun(head, points, start, decimals)) return i;
      codings[i] = encoder.coding;
      advance(points, fastRuns, i, tag, start + count - 1, decimals);
      tag.acceptedOrdinal += count;
    } else {
      if (!encodeGeneralRun(points, run, encoder)) return i;
      codings[i] = encoder.coding | encoder.pointFlags;
      fastRuns.hasGeneralRuns = true;
    }
    columnsStarts[i] = encoder.columnsStart;
    columnsEnds[i] = record.length;
    pointCount += count;
    rejectedCount += run.rejected;
  }
  fastRuns.pointCount = pointCount;
  fastRuns.rejectedCount = rejectedCount;
  return runs.length;
}

/** Makes a plain point the tag's newest accepted one unless it is late, and saves the previous one for `rollback`. */
function advance(
  points: PointColumns,
  { before }: FastRuns,
  i: number,
  tag: Tag,
  last: number,
  decimals: number,
): void {
  const { rows } = tag;
  const at = tag.row + ACCEPTED;
  before[2 * i] = rows[at] as number;
  before[2 * i + 1] = rows[at + 1] as number;
  if (tag.isLate) return;
  rows[at] = points.baseMs + (points.offsets[last] as number);
  rows[at + 1] = (points.mantissas[last] as number) / (POWERS[decimals] as number);
}

/** Rolls the first `count` runs back. */
function rollback({ runs, before, codings }: FastRuns, count: number): void {
  for (let i = 0; i < count; i++) {
    if ((codings[i] as number) < PLAIN) continue;
    const { tag, count: pointCount } = runs[i] as FastRun;
    tag.rows[tag.row + ACCEPTED] = before[2 * i] as number;
    tag.rows[tag.row + ACCEPTED + 1] = before[2 * i + 1] as number;
    tag.acceptedOrdinal -= pointCount;
  }
}

/** Advances the tags of runs that are not plain; `rollback` cannot undo this. */
function acceptGeneralRuns(points: PointColumns, { runs, codings }: FastRuns): void {
  for (let i = 0; i < runs.length; i++) {
    if ((codings[i] as number) >= PLAIN) continue;
    const { tag, type, start, count } = runs[i] as FastRun;
    tag.accepted = newestFrom(points, start + count - 1, type, undefined);
    tag.acceptedOrdinal += count;
  }
}

/** Whether a run qualifies for the fast path: its first point is later than its tag's newest. Fills in `head`. */
function isInOrder(points: PointColumns, run: PointRun, limits: UsualTimes): boolean {
  const { tag, start, count } = run;
  if (!(tag instanceof Tag) || !isFast(tag, run)) return false;
  tag.lastBatch = batchNumber;
  if (!isWithin(points, run, limits)) return false;
  const firstMs = timeMsAt(points, run, start);
  const newestMs = tag.rows[tag.row + ACCEPTED] as number;
  // NaN: the newest point is not a plain number, or there is none.
  if (!(firstMs > newestMs) && !(Number.isNaN(newestMs) && isLater(firstMs, tag))) return false;
  head.tagId = tag.id;
  head.firstOrdinal = tag.acceptedOrdinal;
  head.count = count;
  head.type = run.type;
  return true;
}

/** Whether the first and the last point are within limits; false for a run without points. */
function isWithin(points: PointColumns, run: PointRun, { aheadMs, expiryMs }: UsualTimes): boolean {
  const { start, count } = run;
  return timeMsAt(points, run, start + count - 1) <= aheadMs && timeMsAt(points, run, start) > expiryMs;
}

function isLater(firstMs: number, { accepted }: Tag): boolean {
  return accepted === undefined || firstMs > accepted.ms;
}

/** Encodes a run that is not plain; false when its points are not in order. */
function encodeGeneralRun(points: PointColumns, { start, count }: PointRun, encoder: RunEncoder): boolean {
  if (!isAllNew(undefined, points, start, start + count)) return false;
  for (let i = start; i < start + count; i++) if (points.nulls[i]) points.bigints[i] = 0n;
  encoder.run(head, points, start);
  return true;
}

/** Whether the tag needs no change for the run, and no earlier run of the batch is of that tag. */
function isFast(tag: Tag, run: PointRun): boolean {
  if (tag.deleted || tag.leaving || tag.lastBatch === batchNumber || tag.isSystem) return false;
  return run.count > 0 && run.stamped === 0 && tag.type === run.type && tag.type !== ValueType.Open;
}

/** Most bytes of the definitions of the tags that were unknown when the runs were read; 0 when none was. */
function definitionsBytesOf(runs: readonly PointRun[]): number {
  let bytes = 0;
  for (const run of runs) if (run.tag === undefined) bytes += mostDefineBytes(run);
  return bytes;
}

/** Gives run `i` its tag, a new one if there is none of its name; false, with nothing changed, when the general path is to. */
function giveTag(tags: DatasetTags, { runs, record, created }: FastRuns, i: number): boolean {
  const run = runs[i] as PointRun;
  run.tag ??= tags.names.find(run.name);
  if (run.tag !== undefined) return true;
  const { name, type, count, stamped } = run;
  if (tags.former.lastOf(name) !== undefined) return false;
  if (type === ValueType.Open || count === 0 || stamped > 0 || tagNameFault(name) !== undefined) return false;
  const definition = { name, type };
  const tag = tags.add(definition, undefined);
  run.tag = tag;
  created.push(i);
  encodeDefine(record, tag.id, definition);
  return true;
}

/** Removes the tags that a request has created; it was not accepted, or is not durable: nobody has seen them yet. */
export function removeCreated(tags: DatasetTags, { runs, created }: FastRuns): void {
  for (const i of created) {
    const run = runs[i] as PointRun;
    tags.remove(run.tag as Tag);
    run.tag = undefined;
  }
}
