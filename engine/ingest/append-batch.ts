// Appends one batch of points: decides what it adds, in the order of requests (D15), and submits its record to the journal.
// Most batches take the fast path; the general one does the same for all.

import type { Dataset } from '../dataset/dataset.ts';
import type { Writing } from '../dataset/writing.ts';
import type { ByteWriter } from '../format/bytes/byte-cursors.ts';
import { beginPoints, encodeDefine, mostDefineBytes } from '../format/record/journal-record.ts';
import { takeRecord } from '../journal/record-buffers.ts';
import { spreadBatch } from '../points/spread-runs.ts';
import type { PointBatch, WriteReceipt } from '../types.ts';
import { LateRuns } from './accept-late.ts';
import { acceptRuns } from './accept-runs.ts';
import { type Batch, wholeOf } from './batch.ts';
import { checkBatch, giveServerTimes, limitsNow, type TimeLimits } from './check-batch.ts';
import { appendFast } from './fast-append.ts';
import { type OperationBeside, type PendingAppend, PendingFastAppend, PendingGeneralAppend } from './pending-append.ts';
import type { AcceptedRun } from './receipts.ts';

/**
 * Stores a request of one batch, whole or not at all; resolves when it is durable.
 * Throws DISK_FULL, POISONED, BAD_NAME, TOO_FAR_AHEAD before anything is changed.
 */
export function appendRequest(dataset: Dataset, request: PointBatch): Promise<WriteReceipt> {
  dataset.checkWritable();
  giveServerTimes(dataset.tags, request);
  const batch = wholeOf(request);
  const limits = limitsNow(dataset);
  const fast = appendFastBatch(dataset, batch, limits);
  if (fast) return fast.settled;
  checkBatch(dataset, batch, limits);
  return appendGeneral(dataset, batch, limits).settled;
}

/** Appends a batch that was checked; its points have their times. Throws as `Dataset.checkWritable`. */
export function appendBatch(dataset: Dataset, batch: Batch, limits: TimeLimits): PendingAppend {
  dataset.checkWritable();
  return appendFastBatch(dataset, batch, limits) ?? appendGeneral(dataset, batch, limits);
}

/** Undefined, with nothing changed, when the batch does not qualify. */
function appendFastBatch(dataset: Dataset, batch: Batch, limits: TimeLimits): PendingAppend | undefined {
  const fastRuns = appendFast(dataset.tags, batch, limits) ?? appendLateRuns(dataset, batch, limits);
  return fastRuns && submitAppend(dataset.writing, new PendingFastAppend(dataset, batch.points, fastRuns), 'sync');
}

/** The fast path where some points are late, and accepted; undefined when the batch does not qualify. */
function appendLateRuns(dataset: Dataset, given: Batch, limits: TimeLimits): ReturnType<typeof appendFast> {
  if (dataset.tags.late.size === 0 || dataset.definition.late !== 'accept') return undefined;
  const runs = new LateRuns(dataset, given.points, limits.expiryMs).divide(given.runs);
  return runs && appendFast(dataset.tags, { ...given, runs }, limits);
}

function appendGeneral(dataset: Dataset, batch: Batch, limits: TimeLimits): PendingAppend {
  return appendAccepted(dataset, spreadBatch(batch), limits, 'sync');
}

/** Accepts runs of all kinds one by one. `beside`, if any, is accepted already. */
function appendAccepted(
  dataset: Dataset,
  batch: Batch,
  limits: TimeLimits,
  urgency: 'sync' | 'lazy',
  beside?: OperationBeside,
): PendingAppend {
  const runs = acceptRuns(dataset, batch, limits);
  const record = encodeBatch(batch, runs, beside);
  const { points } = batch;
  return submitAppend(dataset.writing, new PendingGeneralAppend(dataset, { points, runs, record, beside }), urgency);
}

/**
 * Appends the server's own points of system tags; they are applied with the next group, without a sync of their own where
 * `lazy`. With `beside`, all of them must be new: it is stored in their record.
 */
export function appendSystemPoints(
  dataset: Dataset,
  request: PointBatch,
  urgency: 'sync' | 'lazy',
  beside?: OperationBeside,
): Promise<WriteReceipt> {
  const limits = {
    aheadMs: Number.POSITIVE_INFINITY,
    refusedMs: Number.POSITIVE_INFINITY,
    expiryMs: dataset.cutoffs.systemMs,
  };
  return appendAccepted(dataset, wholeOf(request), limits, urgency, beside).settled;
}

/** What is beside the points first, then definitions, then points. Undefined when neither is to be stored. */
function encodeBatch(
  batch: Batch,
  runs: readonly AcceptedRun[],
  beside: OperationBeside | undefined,
): ByteWriter | undefined {
  let writing = 0;
  let definitionsBytes = 0;
  for (const { tag, count, createsTag, typeChange } of runs) {
    if (count > 0) writing++;
    if (tag && (createsTag || typeChange)) definitionsBytes += mostDefineBytes(tag.definition);
  }
  if (writing === 0 && definitionsBytes === 0) return undefined;
  const record = takeRecord(batch, definitionsBytes);
  beside?.encode(record);
  if (definitionsBytes > 0) for (const run of runs) encodeDefinition(record, run);
  if (writing === 0) return record;
  const encoder = beginPoints(record, writing);
  for (const run of runs) if (run.count > 0) encoder.run(run, batch.points, run.start);
  return record;
}

function encodeDefinition(record: ByteWriter, { tag, createsTag, typeChange }: AcceptedRun): void {
  if (tag && createsTag) encodeDefine(record, tag.id, tag.definition);
  if (tag && typeChange) encodeDefine(record, tag.id, typeChange.after);
}

/** Gives the append back, with its promise. Decisions are rolled back when the journal cannot take the record. */
function submitAppend(writing: Writing, append: PendingAppend, urgency: 'sync' | 'lazy'): PendingAppend {
  append.settled = new Promise<WriteReceipt>((resolve, reject) => {
    const settled = (): void => {
      writing.pending.delete(append);
      append.release();
      resolve(append.receipt);
    };
    writing.pending.add(append);
    append.sequence = writing.journal.submit(
      append.record,
      {
        commit: () => {
          const applying = append.commit();
          return applying ? applying.then(settled) : settled();
        },
        fail: (error) => {
          append.error = error;
          writing.pending.delete(append);
          append.undo();
          append.release();
          reject(error);
        },
      },
      urgency,
    );
  });
  return append;
}
