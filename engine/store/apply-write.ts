// What a durable request changes in memory: heads grow, newest points move on, full heads are queued.

import { type PointColumns, ValueType } from '../types.ts';
import type { Dataset } from './dataset.ts';
import { Head } from './head-arena.ts';
import type { AdmittedRun, PendingWrite } from './pending-write.ts';
import { tellWatchers } from './point-watch.ts';
import type { Tag } from './tag.ts';

/** Applies a request whose record is durable. Benchmark: bench ingest. */
export function applyWrite(dataset: Dataset, write: PendingWrite): void {
  const { counters } = dataset;
  dataset.appliedSequence = Math.max(dataset.appliedSequence, write.sequence);
  for (const run of write.runs) {
    if (!run.tag?.isSystem) {
      counters.written += run.written;
      counters.ignored += run.ignored;
      counters.repeated += run.repeated;
      counters.ahead += run.ahead;
    }
    if (run.tag && run.count > 0 && !run.tag.deleted) applyRun(dataset, run.tag, run, write);
  }
  if (dataset.watchers.size > 0) tellWatchers(dataset, write);
}

function applyRun(dataset: Dataset, tag: Tag, run: AdmittedRun, write: PendingWrite): void {
  const { points, sequence } = write;
  const isCopied = appendRecord(dataset, tag, run, write);
  if (!isCopied) appendToHead(dataset, tag, run.type, run.firstOrdinal, points, run.start, run.count);
  // A tag with points in its head, not all of them cut, has an oldest one; to look would be to wait for memory.
  const mayBeFirst = !isCopied || !tag.newest;
  if (mayBeFirst && Number.isNaN(tag.oldestMs)) tag.oldestMs = points.timesMs[run.start] as number;
  tag.headSequence = sequence;
  tag.newest = run.newest;
  tag.nextOrdinal = run.firstOrdinal + run.count;
  tag.visible = true;
  if (!tag.isSystem) noteNewest(dataset, points.timesMs[run.start + run.count - 1] as number, run.stamped);
  if (!tag.queued && tag.nextOrdinal - tag.filedOrdinal >= fullAt(tag, dataset.context.tunables.blockPoints)) {
    tag.queued = true;
    dataset.fullTags.push(tag);
  }
}

/** Puts a run behind a tag's head as its record has it; says false when it has to be done point by point. */
function appendRecord(dataset: Dataset, { head }: Tag, run: AdmittedRun, { points, record }: PendingWrite): boolean {
  if (!record || run.columnsEnd === 0) return false;
  if (!head || head.count === 0 || head.type !== run.type || head.nextOrdinal !== run.firstOrdinal) return false;
  dataset.arena.appendCoded(head, run, record, points, run.start);
  return true;
}

/** Puts points behind a tag's head, in a part of their own when their type or ordinals do not continue it. */
export function appendToHead(
  dataset: Dataset,
  tag: Tag,
  type: ValueType,
  firstOrdinal: number,
  points: PointColumns,
  start: number,
  count: number,
): void {
  let head = tag.head;
  if (head?.count === 0) head = undefined;
  if (head && head.type === ValueType.Open && head.nextOrdinal === firstOrdinal) head.retype(type);
  if (!head || (head.type !== type && type !== ValueType.Open) || head.nextOrdinal !== firstOrdinal) {
    head = new Head(type, firstOrdinal, head);
    tag.head = head;
  }
  dataset.arena.append(head, points, start, count);
}

/** Rule 9: points with the server's own time do not move what purge counts from. */
export function noteNewest(dataset: Dataset, lastMs: number, stamped: number): void {
  if (lastMs > dataset.newestMs) dataset.newestMs = lastMs;
  if (stamped === 0 && lastMs > dataset.newestClientMs) dataset.newestClientMs = lastMs;
}

/** After a cut, which is the way out after a wrong clock, the dataset's newest times must come back, too. */
export function findDatasetNewest(dataset: Dataset): void {
  let newestMs = Number.NEGATIVE_INFINITY;
  for (const tag of dataset.names) if (tag.newest && tag.newest.ms > newestMs) newestMs = tag.newest.ms;
  dataset.newestMs = newestMs;
  dataset.newestClientMs = Math.min(dataset.newestClientMs, newestMs);
}

/** Points that make a tag's next block; the first is shorter by tag, so that tags do not all fill up at once. */
function fullAt(tag: Tag, blockPoints: number): number {
  if (tag.filedOrdinal > 0) return blockPoints;
  const half = blockPoints >>> 1;
  return half + ((Math.imul(tag.id, 0x9e3779b1) >>> 0) % Math.max(1, half));
}
