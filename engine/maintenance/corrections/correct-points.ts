// Corrections of a tag's points, and their undoing: checked, stored in the log, then in force.

import type { Correction } from '../../corrections/correction.ts';
import { formatCorrection, formatUndo } from '../../corrections/correction-entry.ts';
import type { CorrectionFilter, CorrectionInfo, CorrectionReceipt, CorrectionRequest } from '../../corrections.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import type { DatasetTags } from '../../dataset/dataset-tags.ts';
import type { Writing } from '../../dataset/writing.ts';
import { EngineError } from '../../errors.ts';
import { notifyCorrected } from '../../ingest/point-watch.ts';
import { Slicer } from '../../io/slicer.ts';
import { MAX_CORRECTION_POINTS } from '../../limits.ts';
import { spreadBatch } from '../../points/spread-runs.ts';
import { orderByTime } from '../../points/time-order.ts';
import { firstLeft, readableUpTo } from '../../read/amended/readable-points.ts';
import { userTags } from '../../read/tag-search.ts';
import { retentionCutoffMs } from '../../read/visible-range.ts';
import type { NewestPoint } from '../../tag/newest-point.ts';
import { newestFrom, pushPoint } from '../../tag/stored-value.ts';
import { compareTime, type Tag } from '../../tag/tag.ts';
import { compareInstants, type Instant, PointColumns, type ValueType } from '../../types.ts';
import { appendToLog } from './append-to-log.ts';
import { countReadable } from './count-readable.ts';
import { type Author, checkRoom, endsOf, numberOf, type Planned, putInForce } from './numbered-corrections.ts';

/**
 * Corrects points, durable once resolved. Rejects with TAG_NOT_FOUND; BAD_REQUEST for points outside of the range or behind
 * the tag's newest, a range without points, one that purge has reached, and too many points.
 */
export async function correctPoints(dataset: Dataset, request: CorrectionRequest): Promise<CorrectionReceipt> {
  const { by, reason } = request;
  dataset.checkWritable();
  const planned = plan(dataset, request);
  const hidden = await countHidden(dataset, planned);
  if (hidden === 0 && request.kind !== 'insert') throw nothingThere(request);
  const added = planned.points.count;
  if (request.isPreview) return { id: undefined, hidden, added };
  const id = await store(dataset, () => asAccepted(dataset, planned), { by, reason });
  return { id, hidden, added };
}

/** Takes a correction out of force. Rejects with CORRECTION_NOT_FOUND, and CONFLICT when that was done before. */
export async function undoCorrection(
  dataset: Dataset,
  id: number,
  by: string,
  reason: string,
): Promise<CorrectionInfo> {
  dataset.checkWritable();
  checkUndoable(dataset, id);
  const [at] = await inLane(dataset.writing, () => {
    checkUndoable(dataset, id);
    return appendToLog(dataset, [formatUndo(id, by, reason)]);
  });
  dataset.corrections.undo(id, { at: at as Instant, by, reason });
  const correction = correctionOf(dataset, id);
  notifyCorrected(dataset, correction.tagId, correction);
  return describe(dataset.tags, correction);
}

export function findCorrection(dataset: Dataset, id: number): CorrectionInfo {
  return describe(dataset.tags, correctionOf(dataset, id));
}

/** Newest first. Throws TAG_NOT_FOUND. */
export function listCorrections(dataset: Dataset, { tag, before, limit }: CorrectionFilter): CorrectionInfo[] {
  const tagId = tag === undefined ? undefined : dataset.tags.named(tag).id;
  const listed: CorrectionInfo[] = [];
  for (const correction of dataset.corrections.all()) {
    if (listed.length === limit) break;
    if (tagId !== undefined && correction.tagId !== tagId) continue;
    if (before === undefined || correction.id < before) listed.push(describe(dataset.tags, correction));
  }
  return listed;
}

function plan(dataset: Dataset, request: CorrectionRequest): Planned {
  const tag = userTags(dataset, [request.tag], 'corrected')[0] as Tag;
  const { type, points } = pointsOf(tag, request);
  const range = rangeOf(request, points);
  checkRange(dataset, tag, range, points);
  checkRoom(dataset, points);
  return { tagId: tag.id, kind: request.kind, ...range, ...endsOf(dataset.tags, tag.id), type, points };
}

/** Counting took several turns: a removal or a purge may have been accepted before it. Throws as `plan` does. */
function asAccepted(dataset: Dataset, planned: Planned): Planned {
  const tag = dataset.tags.byId.get(planned.tagId);
  if (tag && !tag.leaving) checkRange(dataset, tag, planned, planned.points);
  return { ...planned, ...endsOf(dataset.tags, planned.tagId) };
}

/** A copy of the request's points, in time order. */
function pointsOf(tag: Tag, { kind, batch }: CorrectionRequest): { type: ValueType; points: PointColumns } {
  const runs = batch ? spreadBatch(batch).runs.filter(({ count }) => count > 0) : [];
  const count = runs.reduce((sum, run) => sum + run.count, 0);
  if (kind === 'delete' && count > 0) throw refused(tag, "a correction of the kind 'delete' has no points");
  if (kind !== 'delete' && count === 0) throw refused(tag, `a correction of the kind '${kind}' needs points`);
  if (count > MAX_CORRECTION_POINTS)
    throw refused(tag, `a correction has at most ${MAX_CORRECTION_POINTS} points, and this one ${count}; divide it`);
  const points = new PointColumns(count);
  for (const { type, start, count: length } of runs) {
    for (let i = start; i < start + length; i++)
      pushPoint(points, newestFrom((batch as NonNullable<typeof batch>).points, i, type, undefined));
  }
  orderByTime(points, 0, count);
  return { type: runs[0]?.type ?? tag.type, points };
}

function rangeOf({ kind, range, tag }: CorrectionRequest, points: PointColumns): { start: Instant; end: Instant } {
  const first = timeOf(points, 0);
  const last = timeOf(points, points.count - 1);
  if (!range) {
    if (kind === 'insert') return { start: first, end: last };
    throw new EngineError('BAD_REQUEST', `The correction of tag '${tag}' lacks its range: want 'start' and 'end'.`);
  }
  const { start, end } = range;
  if (compareInstants(start, end) > 0)
    throw new EngineError('BAD_REQUEST', `The range of the correction of tag '${tag}' ends before it starts.`);
  if (points.count > 0 && (compareInstants(first, start) < 0 || compareInstants(last, end) > 0))
    throw new EngineError('BAD_REQUEST', `The correction of tag '${tag}' has points outside of its range.`);
  return kind === 'insert' ? { start: first, end: last } : { start, end };
}

/** Corrections are of the past: what is newer is written, and what purge has reached is gone. */
function checkRange(dataset: Dataset, tag: Tag, { start }: { start: Instant }, points: PointColumns): void {
  const newest = newestLeft(tag);
  if (!newest) throw refused(tag, 'it has no points');
  const last = timeOf(points, points.count - 1);
  if (points.count > 0 && compareTime(newest, last.ms, last.ticks) < 0)
    throw refused(
      tag,
      `a point at ${formatTime(last)} is behind its newest one at ${formatTime(newest)}; write it instead`,
    );
  const cutoffMs = retentionCutoffMs(dataset, tag);
  if (start.ms <= cutoffMs)
    throw refused(tag, `the range begins where points are purged, up to ${formatTime({ ms: cutoffMs, ticks: 0 })}`);
  checkUnpurged(dataset, tag, points);
}

/** The newest point that is read, and that no removal on its way to disk takes. */
function newestLeft({ newest, accepted }: Tag): NewestPoint | undefined {
  return newest && accepted && compareInstants(accepted, newest) < 0 ? accepted : accepted && newest;
}

/** Refuses points before the first one that purge had left: after a cutoff was lifted they would never be read. */
function checkUnpurged(dataset: Dataset, tag: Tag, points: PointColumns): void {
  if (points.count === 0) return;
  const first = firstLeft(dataset, tag);
  const time = timeOf(points, 0);
  if (first && compareInstants(time, first) < 0)
    throw refused(tag, `a point at ${formatTime(time)} is before ${formatTime(first)}, up to where points were purged`);
}

/** Points that are read now, and would not be with the correction in force. */
async function countHidden(dataset: Dataset, { tagId, kind, start, end, points }: Planned): Promise<number> {
  const tag = dataset.tags.byId.get(tagId);
  if (tag === undefined) return 0;
  if (kind !== 'insert') return countReadable(dataset, tag, { start, end });
  const slicer = new Slicer(dataset.context);
  let count = 0;
  for (let i = 0; i < points.count; i++) {
    const pause = slicer.pause();
    if (pause !== undefined) await pause;
    if (dataset.tags.byId.get(tagId) !== tag || tag.leaving) return count;
    const time = timeOf(points, i);
    const isSame = i > 0 && compareInstants(timeOf(points, i - 1), time) === 0;
    const there = isSame ? undefined : readableUpTo(dataset, tag, time);
    if (there && compareInstants(there, time) === 0) count++;
  }
  return count;
}

/** `complete` is called in the turn in which the correction is accepted. */
async function store(dataset: Dataset, complete: () => Planned, { by, reason }: Author): Promise<number> {
  const { correction, stored } = await inLane(dataset.writing, async () => {
    const numbered = numberOf(dataset, complete());
    return { correction: numbered, stored: appendToLog(dataset, formatCorrection(numbered, by, reason)) };
  });
  const [at] = await stored;
  putInForce(dataset, correction, { at: at as Instant, by, reason });
  return correction.id;
}

/** Runs work after what takes several turns, such as a long write. */
function inLane<T>({ lane }: Writing, work: () => Promise<T>): Promise<T> {
  return lane.isTaken ? lane.pass(work) : work();
}

function checkUndoable(dataset: Dataset, id: number): void {
  const { kind, undone } = correctionOf(dataset, id);
  if (kind === 'cut') throw new EngineError('CONFLICT', `Correction ${id} tells of points that were removed for good.`);
  if (undone) throw new EngineError('CONFLICT', `Correction ${id} was undone at ${formatTime(undone.at)}.`);
}

function correctionOf(dataset: Dataset, id: number): Correction {
  const correction = dataset.corrections.find(id);
  if (correction) return correction;
  throw new EngineError(
    'CORRECTION_NOT_FOUND',
    `Correction ${id} could not be found: there is none, or it was purged.`,
  );
}

function describe(
  tags: DatasetTags,
  { id, tagId, kind, start, end, points, made, undone }: Correction,
): CorrectionInfo {
  return { id, tag: (tags.byId.get(tagId) as Tag).name, kind, start, end, points: points.count, made, undone };
}

function nothingThere({ tag }: CorrectionRequest): EngineError {
  return new EngineError('BAD_REQUEST', `Tag '${tag}' has no points in the range of the correction.`, { name: tag });
}

function refused({ name }: Tag, why: string): EngineError {
  return new EngineError('BAD_REQUEST', `Tag '${name}' cannot be corrected like this: ${why}.`, { name });
}

function timeOf(points: PointColumns, i: number): Instant {
  return { ms: points.timesMs[i] as number, ticks: points.ticks[i] as number };
}

function formatTime({ ms }: Instant): string {
  return new Date(ms).toISOString();
}
