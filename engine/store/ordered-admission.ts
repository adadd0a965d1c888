// The short cut through admission for requests as most are: all their tags exist and have their types, and every point is
// later than the newest of its tag. Such runs are checked and put in the journal record in one go. Its slow twin in
// admission.ts does the same for every request. Benchmark: bench ingest.

import { beginPoints } from '../format/journal-record.ts';
import type { RunHead } from '../format/run-coding.ts';
import type { RunEncoder } from '../format/run-encoder.ts';
import type { PointBatch, PointColumns, PointRun } from '../types.ts';
import { ValueType } from '../types.ts';
import { isAllNew } from './new-points.ts';
import { giveBackOrderedRuns, type OrderedRun, type OrderedRuns, takeOrderedRuns } from './ordered-runs.ts';
import { newestFrom } from './stored-value.ts';
import { Tag } from './tag.ts';
import { ADMITTED } from './tag-rows.ts';

/** Tells the tags of one request from those of all others. */
let request = 0;

/** The run being admitted. */
const head: RunHead = { tagId: 0, firstOrdinal: 0, count: 0, type: ValueType.Open, stamped: 0 };

/**
 * Admits a request whose every run is in order; undefined, with nothing changed, when it is another. Give the answer back
 * when it is settled.
 * @param aheadMs later points are counted as ahead of time, which is not done here
 */
export function admitInOrder(batch: PointBatch, aheadMs: number): OrderedRuns | undefined {
  const { points, runs } = batch;
  if (runs.length === 0) return undefined;
  request++;
  const ordered = takeOrderedRuns(batch);
  const admittedCount = admitRuns(points, ordered, aheadMs);
  if (admittedCount < runs.length) {
    takeBack(ordered, admittedCount);
    giveBackOrderedRuns(ordered);
    return undefined;
  }
  if (ordered.hasOthers) admitOthers(points, ordered);
  return ordered;
}

/** Puts the runs in the record, and moves the tags of plain ones on; returns how many come before one that is not in order. */
function admitRuns(points: PointColumns, ordered: OrderedRuns, aheadMs: number): number {
  const { runs, record, firstOrdinals, codings, columnsStarts, columnsEnds } = ordered;
  const encoder = beginPoints(record, runs.length);
  let pointCount = 0;
  let rejectedCount = 0;
  for (let i = 0; i < runs.length; i++) {
    const run = runs[i] as PointRun;
    if (!isInOrder(points, run, aheadMs)) return i;
    const tag = run.tag as Tag;
    const { start, count } = run;
    firstOrdinals[i] = head.firstOrdinal;
    columnsEnds[i] = 0;
    if (encoder.plainRun(head, points, start)) {
      codings[i] = encoder.coding;
      columnsStarts[i] = encoder.columnsStart;
      columnsEnds[i] = record.length;
      moveOn(points, ordered, i, tag, start + count - 1);
      tag.admittedOrdinal += count;
    } else if (!encodeOther(points, run, encoder)) return i;
    else ordered.hasOthers = true;
    pointCount += count;
    rejectedCount += run.rejected;
  }
  ordered.pointCount = pointCount;
  ordered.rejectedCount = rejectedCount;
  return runs.length;
}

/** Makes a plain point the tag's newest accepted one, and keeps the one before. */
function moveOn({ timesMs, numbers }: PointColumns, { before }: OrderedRuns, i: number, tag: Tag, last: number): void {
  const { rows } = tag;
  const place = tag.row + ADMITTED;
  before[2 * i] = rows[place] as number;
  before[2 * i + 1] = rows[place + 1] as number;
  rows[place] = timesMs[last] as number;
  rows[place + 1] = numbers[last] as number;
}

/** Undoes what was done for the first runs. */
function takeBack({ runs, before, columnsEnds }: OrderedRuns, count: number): void {
  for (let i = 0; i < count; i++) {
    if (columnsEnds[i] === 0) continue;
    const { tag, count: pointCount } = runs[i] as OrderedRun;
    tag.rows[tag.row + ADMITTED] = before[2 * i] as number;
    tag.rows[tag.row + ADMITTED + 1] = before[2 * i + 1] as number;
    tag.admittedOrdinal -= pointCount;
  }
}

/** Moves the tags of runs on that are not plain, which can no longer be undone. */
function admitOthers(points: PointColumns, { runs, columnsEnds }: OrderedRuns): void {
  for (let i = 0; i < runs.length; i++) {
    if (columnsEnds[i] !== 0) continue;
    const { tag, type, start, count } = runs[i] as OrderedRun;
    tag.admitted = newestFrom(points, start + count - 1, type, undefined);
    tag.admittedOrdinal += count;
  }
}

/** Whether a run's first point is later than its tag's newest, and nothing else speaks against it; fills in the head. */
function isInOrder({ timesMs }: PointColumns, run: PointRun, aheadMs: number): boolean {
  const { tag, start, count } = run;
  if (!(tag instanceof Tag) || !isUsual(tag, run)) return false;
  tag.lastRequest = request;
  if ((timesMs[start + count - 1] as number) > aheadMs) return false;
  const firstMs = timesMs[start] as number;
  const newestMs = tag.rows[tag.row + ADMITTED] as number;
  // Without a number there, the newest point is no plain one, or there is none.
  if (!(firstMs > newestMs) && !(Number.isNaN(newestMs) && isLater(firstMs, tag))) return false;
  head.tagId = tag.id;
  head.firstOrdinal = tag.admittedOrdinal;
  head.count = count;
  head.type = run.type;
  return true;
}

function isLater(firstMs: number, { admitted }: Tag): boolean {
  return admitted === undefined || firstMs > admitted.ms;
}

/** A run that has something to it: states other than good, or values that are no numbers. */
function encodeOther(points: PointColumns, { start, count }: PointRun, encoder: RunEncoder): boolean {
  if (!isAllNew(undefined, points, start, start + count)) return false;
  for (let i = start; i < start + count; i++) if (points.nulls[i]) points.bigints[i] = 0n;
  encoder.run(head, points, start);
  return true;
}

/** Whether the run's points go to a tag as it is, and to no run before of this request. */
function isUsual(tag: Tag, run: PointRun): boolean {
  if (tag.deleted || tag.leaving || tag.lastRequest === request || tag.isSystem) return false;
  return run.count > 0 && run.stamped === 0 && tag.type === run.type && tag.type !== ValueType.Open;
}
