// The general path of appending: decides in one order what each request adds (D15), numbers its points, and submits the
// record to the journal. Its decisions are rolled back when the journal cannot take the record.

import type { Dataset } from '../dataset/dataset.ts';
import { EngineError } from '../errors.ts';
import type { ByteWriter } from '../format/bytes/byte-cursors.ts';
import { beginPoints, encodeDefine, mostDefineBytes } from '../format/record/journal-record.ts';
import { Turns } from '../io/turns.ts';
import { takeRecord } from '../journal/record-buffers.ts';
import { spreadBatch, spreadInTurns } from '../points/spread-runs.ts';
import { orderByTime } from '../points/time-order.ts';
import { expiryCutoffMs } from '../retention/retention-cutoff.ts';
import { Tag, withType } from '../tag/tag.ts';
import { checkTagName } from '../tag/tag-name-rules.ts';
import { type PointBatch, type PointColumns, type PointRun, ValueType, type WriteReceipt } from '../types.ts';
import { type SplitRun, splitLate } from './accepted/accept-late.ts';
import { dropExpired } from './accepted/expired-points.ts';
import { LateRuns } from './accepted/late-runs.ts';
import { keepNew } from './accepted/new-points.ts';
import { AcceptedRun, Receipt, type TypeChange } from './accepted/receipts.ts';
import { appendFast, FastPass, type TimeLimits } from './fast-append.ts';
import type { FastRuns } from './fast-runs.ts';
import { DividedBatch, divideRuns, nextStart, runsAtOnce } from './long-runs.ts';
import {
  type OperationBeside,
  type PendingAppend,
  PendingFastAppend,
  PendingGeneralAppend,
  rollbackRuns,
} from './pending-append.ts';
import { giveServerTimes, giveServerTimesInTurns } from './server-times.ts';

/**
 * Stores a batch, whole or not at all; resolves when it is durable.
 * Throws DISK_FULL, POISONED, BAD_NAME, TOO_FAR_AHEAD before anything is changed.
 */
export function appendAtOnce(dataset: Dataset, batch: PointBatch): Promise<WriteReceipt> {
  dataset.checkWritable();
  const { points } = batch;
  giveServerTimes(dataset, batch);
  const times = appendTimes(dataset);
  const fastRuns = appendFast(dataset, batch, times.fastLimits) ?? appendLateRuns(dataset, batch, times.fastLimits);
  if (fastRuns) return submit(dataset, new PendingFastAppend(dataset, points, fastRuns), 'sync');
  const general = spreadBatch(batch);
  for (const run of general.runs) checkRun(dataset, run);
  checkAhead(general, times.nowMs, dataset.context.tunables.maxAheadMs);
  return acceptRuns(dataset, general, times.limits, 'sync');
}

/** The fast path where some points are late, and accepted; undefined when the request does not qualify. */
function appendLateRuns(dataset: Dataset, given: PointBatch, limits: TimeLimits): FastRuns | undefined {
  if (!takesLateRuns(dataset)) return undefined;
  const late = new LateRuns(dataset, given, limits.expiryMs);
  const batch = late.divide(given.runs.length) ? late.batch : undefined;
  return batch && appendFast(dataset, batch, limits);
}

function takesLateRuns({ definition, lateTags }: Dataset): boolean {
  return lateTags.size > 0 && definition.late === 'accept';
}

interface AppendTimes {
  /** The later of now and the dataset's newest point. */
  readonly nowMs: number;
  readonly limits: TimeLimits;
  /** Limits of the fast path: points that may be too far ahead are left to the general path. */
  readonly fastLimits: TimeLimits;
}

function appendTimes(dataset: Dataset): AppendTimes {
  const { aheadMs, maxAheadMs } = dataset.context.tunables;
  const nowMs = Math.max(dataset.context.clock.nowMs(), dataset.newestMs);
  const expiryMs = expiryCutoffMs(dataset);
  return {
    nowMs,
    limits: { aheadMs: nowMs + aheadMs, expiryMs },
    fastLimits: { aheadMs: nowMs + Math.min(aheadMs, maxAheadMs ?? aheadMs), expiryMs },
  };
}

/** Accepts runs of all kinds one by one. `beside`, if any, is accepted already. */
function acceptRuns(
  dataset: Dataset,
  { points, runs }: PointBatch,
  limits: TimeLimits,
  urgency: 'sync' | 'lazy',
  beside?: OperationBeside,
): Promise<WriteReceipt> {
  const accepted = runs.flatMap((run) => acceptRun(dataset, points, run, limits));
  const counts: RunCounts = { writing: 0, definitionsBytes: 0 };
  for (const run of accepted) countRun(counts, run);
  const record = encodeRequest(points, accepted, counts, beside);
  const receipt = Receipt.of(accepted);
  return submit(
    dataset,
    new PendingGeneralAppend(dataset, { points, runs: accepted, record, receipt, beside }),
    urgency,
  );
}

/** Appends what `appendAtOnce` does, over several turns of the event loop; run it in the dataset's lane. */
export async function appendInTurns(dataset: Dataset, given: PointBatch): Promise<WriteReceipt> {
  dataset.checkWritable();
  const { points } = given;
  await giveServerTimesInTurns(dataset, given, new Turns(dataset));
  const batch = await divideRuns(dataset, given);
  const times = appendTimes(dataset);
  const turns = new Turns(dataset, runsAtOnce(batch.runs.length, points));
  const fastRuns =
    (await appendFastInTurns(dataset, batch, times.fastLimits, turns)) ??
    (await appendLateInTurns(dataset, batch, times.fastLimits, turns));
  if (fastRuns) return submit(dataset, new PendingFastAppend(dataset, points, fastRuns), 'sync');
  const general = await spreadInTurns(batch, turns);
  await turns.over(general.runs, (run) => checkRun(dataset, run));
  checkAhead(general, times.nowMs, dataset.context.tunables.maxAheadMs);
  return acceptRunsInTurns(dataset, general, times.limits, turns);
}

async function appendFastInTurns(
  dataset: Dataset,
  batch: PointBatch,
  limits: TimeLimits,
  turns: Turns,
): Promise<FastRuns | undefined> {
  const { length } = batch.runs;
  const pass = new FastPass(dataset, batch, limits);
  try {
    const isFast =
      (!pass.hasUnknown || (await turns.each(length, (upTo) => pass.define(upTo)))) &&
      (await turns.each(length, (upTo) => pass.accept(upTo)));
    return isFast ? pass.finish() : pass.rollback();
  } catch (error) {
    pass.rollback();
    throw error;
  }
}

async function appendLateInTurns(
  dataset: Dataset,
  given: PointBatch,
  limits: TimeLimits,
  turns: Turns,
): Promise<FastRuns | undefined> {
  // The parts of long runs are sorted already, and follow each other.
  if (given instanceof DividedBatch || !takesLateRuns(dataset)) return undefined;
  const late = new LateRuns(dataset, given, limits.expiryMs);
  const isFast = await turns.each(given.runs.length, (upTo) => late.divide(upTo));
  const batch = isFast ? late.batch : undefined;
  return batch && appendFastInTurns(dataset, batch, limits, turns);
}

async function acceptRunsInTurns(
  dataset: Dataset,
  { points, runs }: PointBatch,
  limits: TimeLimits,
  turns: Turns,
): Promise<WriteReceipt> {
  // Full length from the start: growing it would copy all of it in one go.
  const accepted = new Array<AcceptedRun>(runs.length);
  let count = 0;
  const receipt = new Receipt(accepted);
  const counts: RunCounts = { writing: 0, definitionsBytes: 0 };
  try {
    await turns.over(runs, (run) => {
      for (const one of acceptRun(dataset, points, run, limits)) {
        accepted[count++] = one;
        receipt.count(one);
        countRun(counts, one);
      }
    });
    const record = await encodeInTurns(points, accepted, counts, turns);
    return submit(dataset, new PendingGeneralAppend(dataset, { points, runs: accepted, record, receipt }), 'sync');
  } catch (error) {
    // Aborted between two turns: the dataset is being deleted, or cannot be written to any more.
    rollbackRuns(dataset, accepted.slice(0, count));
    throw error;
  }
}

/** What the record of a request holds. */
interface RunCounts {
  /** Runs of which points are stored. */
  writing: number;
  /** Most bytes of the definitions; 0 when there is none. */
  definitionsBytes: number;
}

function countRun(counts: RunCounts, { tag, count, createsTag, typeChange }: AcceptedRun): void {
  if (count > 0) counts.writing++;
  if (tag && (createsTag || typeChange)) counts.definitionsBytes += mostDefineBytes(tag.definition);
}

/** The record of a request: what is beside it first, then definitions, then points. Undefined when no points are stored. */
function encodeRequest(
  points: PointColumns,
  runs: readonly AcceptedRun[],
  { writing, definitionsBytes }: RunCounts,
  beside: OperationBeside | undefined,
): ByteWriter | undefined {
  if (writing === 0) return undefined;
  const record = takeRecord(points, definitionsBytes);
  beside?.encode(record);
  if (definitionsBytes > 0) for (const run of runs) encodeDefinition(record, run);
  const encoder = beginPoints(record, writing);
  for (const run of runs) if (run.count > 0) encoder.run(run, points, run.start);
  return record;
}

async function encodeInTurns(
  points: PointColumns,
  runs: readonly AcceptedRun[],
  { writing, definitionsBytes }: RunCounts,
  turns: Turns,
): Promise<ByteWriter | undefined> {
  if (writing === 0) return undefined;
  const record = takeRecord(points, definitionsBytes);
  if (definitionsBytes > 0) await turns.over(runs, (run) => encodeDefinition(record, run));
  const encoder = beginPoints(record, writing);
  await turns.over(runs, (run) => {
    if (run.count > 0) encoder.run(run, points, run.start);
  });
  return record;
}

function encodeDefinition(record: ByteWriter, { tag, createsTag, typeChange }: AcceptedRun): void {
  if (tag && createsTag) encodeDefine(record, tag.id, tag.definition);
  if (tag && typeChange) encodeDefine(record, tag.id, typeChange.after);
}

/** Submits an accepted request to the journal; resolves when it is applied. */
function submit(dataset: Dataset, append: PendingAppend, urgency: 'sync' | 'lazy'): Promise<WriteReceipt> {
  const { record, receipt } = append;
  return new Promise((resolve, reject) => {
    const settled = (): void => {
      forget(dataset, append);
      append.release();
      resolve(receipt);
    };
    dataset.pending.push(append);
    append.sequence = dataset.journal.submit(
      record,
      {
        commit: () => {
          const applying = append.commit();
          return applying ? applying.then(settled) : settled();
        },
        fail: (error) => {
          forget(dataset, append);
          append.undo();
          append.release();
          reject(error);
        },
      },
      urgency,
    );
  });
}

/**
 * Appends the server's own points of system tags; they are applied with the next group, without a sync of their own where
 * `lazy`. With `beside`, all of them must be new: it is stored in their record.
 */
export function appendSystemPoints(
  dataset: Dataset,
  batch: PointBatch,
  urgency: 'sync' | 'lazy',
  beside?: OperationBeside,
): Promise<WriteReceipt> {
  const limits = { aheadMs: Number.POSITIVE_INFINITY, expiryMs: dataset.cutoffs.systemMs };
  return acceptRuns(dataset, batch, limits, urgency, beside);
}

function forget(dataset: Dataset, write: PendingAppend): void {
  const index = dataset.pending.indexOf(write);
  if (index >= 0) dataset.pending.splice(index, 1);
}

/** What becomes of a run: one run of its tag, and before it one of late points where they are accepted. */
function acceptRun(dataset: Dataset, points: PointColumns, run: PointRun, limits: TimeLimits): AcceptedRun[] {
  if (run.count === 0) return [new AcceptedRun(run, undefined)];
  const found = findTag(dataset, run);
  const tag = found ?? dataset.addTag({ name: run.name, type: run.type }, undefined);
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
  dropExpired(tag, points, accepted, expiryMs, nextStart(run));
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

/** The tag of a run: found by the parser, or by name. */
function findTag(dataset: Dataset, { tag, name }: PointRun): Tag | undefined {
  return tag instanceof Tag && !tag.deleted && !tag.leaving ? tag : dataset.names.find(name);
}

/** Sets the type of a tag without one to that of its first stored values, in the same record. */
function giveType(tag: Tag, type: ValueType): TypeChange | undefined {
  if (tag.type !== ValueType.Open || type === ValueType.Open) return undefined;
  const before = tag.definition;
  const after = withType(before, type);
  tag.definition = after;
  return { before, after };
}

/** Throws before anything is changed: BAD_NAME, and BAD_REQUEST when the tag's type has changed since the body was read. */
function checkRun(dataset: Dataset, run: PointRun): void {
  if (!run.tag) checkTagName(run.name);
  if (run.count === 0 || run.type === ValueType.Open) return;
  const found = findTag(dataset, run);
  if (!found || found.type === run.type || found.type === ValueType.Open) return;
  const message = `Tag '${run.name}' has got another type since its values were read; send the request again.`;
  throw new EngineError('BAD_REQUEST', message, { name: run.name });
}

function clearNulls(points: PointColumns, start: number, count: number): void {
  for (let i = start; i < start + count; i++) if (points.nulls[i]) points.bigints[i] = 0n;
}

function noteAhead(points: PointColumns, run: AcceptedRun, aheadMs: number): void {
  const { start, count } = run;
  for (let i = start + count - 1; i >= start && (points.timesMs[i] as number) > aheadMs; i--) run.ahead++;
}

function checkAhead({ points, runs }: PointBatch, nowMs: number, maxAheadMs: number | undefined): void {
  if (maxAheadMs === undefined) return;
  const limit = nowMs + maxAheadMs;
  for (const run of runs) {
    for (let i = run.start; i < run.start + run.count; i++) {
      const ms = points.timesMs[i] as number;
      if (ms <= limit) continue;
      throw new EngineError(
        'TOO_FAR_AHEAD',
        `Tag '${run.name}' has a point at ${new Date(ms).toISOString()}, which is further ahead of now than allowed.`,
        {
          name: run.name,
          timeMs: ms,
        },
      );
    }
  }
}
