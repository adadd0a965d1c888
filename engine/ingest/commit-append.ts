// Applies a durable batch to memory: heads grow, newest points advance, full heads are queued. Reads see it only now (D4).

import type { Audience } from '../dataset/audience.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { DatasetMemory } from '../dataset/dataset-memory.ts';
import { PLAIN, POWERS } from '../format/record/plain-words.ts';
import { Head } from '../head/head.ts';
import { spreadRuns } from '../points/spread-runs.ts';
import { retentionCutoffMs } from '../read/visible-range.ts';
import { newestFrom } from '../tag/stored-value.ts';
import type { Tag } from '../tag/tag.ts';
import { NEWEST } from '../tag/tag-rows.ts';
import { GOOD_QUALITY, type PointColumns, ValueType } from '../types.ts';
import type { FastRun, FastRuns } from './fast-runs.ts';
import { isUpTo } from './new-points.ts';
import { notifyWatchers } from './point-watch.ts';
import type { AcceptedRun } from './receipts.ts';

/** Heads that are read ahead of their turn: all of a long batch would have left the processor's nearest caches by then. */
const RUNS_TOUCHED = 256;

/** What applying needs of a batch. */
export interface AppliedBatch {
  /** Points of plain runs are in the plain columns only. */
  readonly points: PointColumns;
  readonly sequence: number;
}

/** Applies the durable runs of the general path. */
export function commitRuns(dataset: Dataset, batch: AppliedBatch, runs: readonly AcceptedRun[]): void {
  const { audience } = dataset;
  for (const run of runs) applyRun(dataset, run, batch);
  audience.notePoints(runs);
  if (audience.watchers.size > 0) notifyWatchers(dataset, batch.points, runs);
  dataset.progress.advanceApplied(batch.sequence);
}

/** Applies the durable runs of the fast path. Benchmark: bench ingest. */
export function commitFastRuns(dataset: Dataset, batch: AppliedBatch, fastRuns: FastRuns): void {
  const { runs } = fastRuns;
  const { audience } = dataset;
  applyFastRuns(dataset, batch, fastRuns);
  audience.notePoints(runs as readonly FastRun[]);
  if (audience.watchers.size > 0) {
    spreadRuns(batch.points, runs);
    notifyWatchers(dataset, batch.points, fastRuns.accepted());
  }
  dataset.progress.advanceApplied(batch.sequence);
}

function applyRun(dataset: Dataset, run: AcceptedRun, { points, sequence }: AppliedBatch): void {
  const { counters } = dataset;
  const { tag, start, count } = run;
  if (!tag?.isSystem) {
    counters.written += run.written;
    counters.ignored += run.ignored;
    counters.repeated += run.repeated;
    counters.ahead += run.ahead;
    counters.expired += run.expired;
  }
  if (!tag) return;
  if (run.createsTag) tag.visible = true;
  if (run.typeChange) tag.durableDefinition = run.typeChange.after;
  if (run.createsTag || run.typeChange) dataset.audience.noteTag(tag);
  if (count === 0 || tag.deleted) return;
  appendToHead(dataset.memory, tag, run.type, run.firstOrdinal, points, start, count);
  if (tag.isLate) return noteLate(dataset, run, points, sequence);
  // A point at or before the cutoff replaces the one that purge has kept so far.
  const isKept = isUpTo(points, start, retentionCutoffMs(dataset, tag));
  if (isKept || Number.isNaN(tag.oldestMs)) tag.oldestMs = points.timesMs[start] as number;
  tag.newest = run.newest;
  noteRun(dataset, tag, run.firstOrdinal + count, sequence);
  if (!tag.isSystem) dataset.progress.noteNewest(points.timesMs[start + count - 1] as number, run.stamped);
}

/** Late points are no newest ones of their tag, nor of the dataset. */
function noteLate(dataset: Dataset, run: AcceptedRun, points: PointColumns, sequence: number): void {
  const { tag, start, count } = run as AcceptedRun & { readonly tag: Tag };
  const firstMs = points.timesMs[start] as number;
  if (!(tag.oldestMs <= firstMs)) tag.oldestMs = firstMs;
  for (let i = start; i < start + count; i++)
    dataset.memory.recentLate.add(tag.id, points.timesMs[i] as number, points.ticks[i] as number);
  noteRun(dataset, tag, run.firstOrdinal + count, sequence);
}

/** Location in the record of the run being appended; reused. */
const recorded = { coding: 0, count: 0, columnsStart: 0, columnsEnd: 0, firstMs: 0, lastMs: 0 };

/**
 * Reads what applying runs will change; returns 0 or more. Heads are scattered over memory: of reads that do not depend on
 * each other the processor has several under way, where applying run by run waits for one after the other. Benchmark: bench ingest.
 */
function touchHeads({ arena }: DatasetMemory, { runs }: FastRuns, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) {
    const { head } = (runs[i] as FastRun).tag;
    if (head !== undefined) sum += arena.touch(head);
  }
  return sum;
}

/** Applies a batch of the fast path: no point is of a system tag, or stamped by the server. */
function applyFastRuns(dataset: Dataset, { points, sequence }: AppliedBatch, fastRuns: FastRuns): void {
  const { length } = fastRuns.runs;
  let newestMs = Number.NEGATIVE_INFINITY;
  let touchedTo = 0;
  for (let i = 0; i < length; i++) {
    if (i === touchedTo) {
      touchedTo = Math.min(length, i + RUNS_TOUCHED);
      // Never true; the compiler leaves out reads whose results nobody looks at.
      if (touchHeads(dataset.memory, fastRuns, i, touchedTo) < 0) return;
    }
    const run = fastRuns.runs[i] as FastRun;
    const { tag, count } = run;
    dataset.counters.written += count;
    if (tag.deleted) continue;
    if ((fastRuns.codings[i] as number) >= PLAIN) applyPlain(dataset.memory, points, fastRuns, i, run);
    else applyGeneral(dataset.memory, points, fastRuns, i, run);
    noteRun(dataset, tag, (fastRuns.firstOrdinals[i] as number) + count, sequence);
    if (!tag.isLate && recorded.lastMs > newestMs) newestMs = recorded.lastMs;
  }
  dataset.progress.noteNewest(newestMs, 0);
}

/** Fills in `recorded`. */
function locate(
  { codings, columnsStarts, columnsEnds }: FastRuns,
  i: number,
  count: number,
  firstMs: number,
  lastMs: number,
): void {
  recorded.coding = codings[i] as number;
  recorded.count = count;
  recorded.columnsStart = columnsStarts[i] as number;
  recorded.columnsEnd = columnsEnds[i] as number;
  recorded.firstMs = firstMs;
  recorded.lastMs = lastMs;
}

/**
 * Appends a plain run to its tag's head by copying it from the record. Its times are in `recorded` then: returned, the last
 * one would be a new number on the heap for each run.
 */
function applyPlain(
  memory: DatasetMemory,
  { baseMs, offsets, mantissas }: PointColumns,
  fastRuns: FastRuns,
  i: number,
  { tag, type, start, count, decimals = 0 }: FastRun,
): void {
  const last = start + count - 1;
  const lastMs = baseMs + (offsets[last] as number);
  locate(fastRuns, i, count, baseMs + (offsets[start] as number), lastMs);
  memory.arena.appendRecorded(headFor(tag, type, fastRuns.firstOrdinals[i] as number), recorded, fastRuns.record);
  if (tag.isLate) {
    noteLatePlain(memory, tag, offsets, start, last);
    return;
  }
  if (Number.isNaN(tag.oldestMs)) tag.oldestMs = recorded.firstMs;
  const value = (mantissas[last] as number) / (POWERS[decimals] as number);
  if (tag.type === type) {
    tag.rows[tag.row + NEWEST] = lastMs;
    tag.rows[tag.row + NEWEST + 1] = value;
  } else tag.newest = { ms: lastMs, ticks: 0, value, quality: GOOD_QUALITY, type, tie: undefined };
}

/** Notes a plain late run as `noteLate` does; `recorded` is of the run. */
function noteLatePlain(memory: DatasetMemory, tag: Tag, offsets: Int32Array, start: number, last: number): void {
  const { firstMs } = recorded;
  if (!(tag.oldestMs <= firstMs)) tag.oldestMs = firstMs;
  const baseMs = firstMs - (offsets[start] as number);
  for (let i = start; i <= last; i++) memory.recentLate.add(tag.id, baseMs + (offsets[i] as number), 0);
}

/** Applies a run that is not plain, whose columns the head has as the record does, if they fit. */
function applyGeneral(
  { arena }: DatasetMemory,
  points: PointColumns,
  fastRuns: FastRuns,
  i: number,
  { tag, type, start, count }: FastRun,
): void {
  const last = start + count - 1;
  const head = headFor(tag, type, fastRuns.firstOrdinals[i] as number);
  locate(fastRuns, i, count, points.timesMs[start] as number, points.timesMs[last] as number);
  if (arena.takesRecorded(head, recorded)) arena.appendRecorded(head, recorded, fastRuns.record);
  else arena.append(head, points, start, count);
  if (Number.isNaN(tag.oldestMs)) tag.oldestMs = recorded.firstMs;
  tag.newest = newestFrom(points, last, type, undefined);
}

/** Updates the tag of a stored run. */
function noteRun(dataset: Dataset, tag: Tag, nextOrdinal: number, sequence: number): void {
  tag.headSequence = sequence;
  tag.nextOrdinal = nextOrdinal;
  if (!tag.visible) show(dataset.audience, tag);
  if (!tag.queued && nextOrdinal - tag.flushedOrdinal >= fullAt(tag, dataset.context.tunables.blockPoints)) {
    tag.queued = true;
    dataset.memory.fullTags.push(tag);
  }
}

/** The request that has created the tag is durable. */
function show(audience: Audience, tag: Tag): void {
  tag.visible = true;
  audience.noteTag(tag);
}

/** Appends points to a tag's head. */
export function appendToHead(
  memory: DatasetMemory,
  tag: Tag,
  type: ValueType,
  firstOrdinal: number,
  points: PointColumns,
  start: number,
  count: number,
): void {
  memory.arena.append(headFor(tag, type, firstOrdinal), points, start, count);
}

/** A tag's head, or a new part of it if the type changes or ordinals jump. */
export function headFor(tag: Tag, type: ValueType, firstOrdinal: number): Head {
  let head = tag.head;
  if (head?.count === 0) head = undefined;
  const isNext = head?.nextOrdinal === firstOrdinal;
  if (head && isNext && head.type === type) return head;
  if (head && isNext && head.type === ValueType.Open) head.retype(type);
  if (!head || !isNext || (head.type !== type && type !== ValueType.Open)) {
    head = new Head(type, firstOrdinal, head);
    tag.head = head;
  }
  return head;
}

/** Removes a deleted tag and its points from memory. */
export function forgetTag(dataset: Dataset, tag: Tag): void {
  dataset.removeTag(tag);
  for (let part = tag.head; part; part = part.older) if (part.count > 0) dataset.memory.arena.drop(part, part.count);
  tag.head = undefined;
  for (const file of tag.files) dataset.files.unsynced.dropFile(file);
}

/** Points of a tag's next block; the first block varies in length by tag, so that tags do not all fill up at once. */
function fullAt(tag: Tag, blockPoints: number): number {
  if (tag.flushedOrdinal > 0) return blockPoints;
  const half = blockPoints >>> 1;
  return half + ((Math.imul(tag.id, 0x9e3779b1) >>> 0) % Math.max(1, half));
}
