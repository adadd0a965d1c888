// Admission: decides in one order what each request adds (rule 1a), numbers its points, and hands the record to the
// journal. What it decides is undone when the journal cannot take the record.

import { EngineError } from '../errors.ts';
import { hasControlCharacter } from '../filenames.ts';
import type { ByteWriter } from '../format/byte-cursors.ts';
import { beginPoints, encodeDefine } from '../format/journal-record.ts';
import { MAX_TAG_NAME_BYTES, SYSTEM_PREFIX } from '../limits.ts';
import {
  type PointBatch,
  type PointColumns,
  type PointRun,
  type TagDefinition,
  ValueType,
  type WriteReceipt,
} from '../types.ts';
import { applyWrite } from './apply-write.ts';
import type { Dataset } from './dataset.ts';
import { keepNew } from './new-points.ts';
import { AdmittedRun, PendingWrite, Receipt } from './pending-write.ts';
import { Tag, withType } from './tag.ts';
import { orderByTime } from './time-order.ts';

/** Tags that a request creates or gives a type; their records go first. */
interface Definitions {
  readonly created: Tag[];
  readonly typed: { readonly tag: Tag; readonly before: TagDefinition; readonly after: TagDefinition }[];
}

/**
 * Stores a batch, whole or not at all; resolves when it is durable.
 * Throws DISK_FULL, POISONED, BAD_NAME, TOO_FAR_AHEAD before anything is changed.
 */
export function admit(dataset: Dataset, batch: PointBatch): Promise<WriteReceipt> {
  dataset.checkWritable();
  for (const run of batch.runs) checkRun(dataset, run);
  checkAhead(dataset, batch);
  const aheadMs = Math.max(dataset.context.clock.nowMs(), dataset.newestMs) + dataset.context.tunables.aheadMs;
  const definitions: Definitions = { created: [], typed: [] };
  const runs: AdmittedRun[] = [];
  for (const run of batch.runs) runs.push(admitRun(dataset, batch.points, run, definitions, aheadMs));
  return submit(dataset, batch.points, runs, definitions, 'sync');
}

/** Hands admitted runs to the journal. */
function submit(
  dataset: Dataset,
  points: PointColumns,
  runs: AdmittedRun[],
  definitions: Definitions,
  urgency: 'sync' | 'lazy',
): Promise<WriteReceipt> {
  return new Promise((resolve, reject) => {
    const write = new PendingWrite(
      points,
      runs,
      (done) => {
        forget(dataset, done);
        for (const tag of definitions.created) tag.visible = true;
        for (const { tag, after } of definitions.typed) tag.durableDefinition = after;
        applyWrite(dataset, done);
        resolve(new Receipt(runs));
      },
      (failed, error) => {
        forget(dataset, failed);
        undo(dataset, failed, definitions);
        reject(error);
      },
    );
    const writing = runs.filter((run) => run.count > 0);
    const encode =
      writing.length === 0 ? undefined : (out: ByteWriter) => encodeRequest(out, points, writing, definitions);
    dataset.pending.push(write);
    write.sequence = dataset.journal.submit(encode, write, urgency);
  });
}

/** Stores the server's own points of system tags: applied with the next group, and no sync is made for them. */
export function admitSystemPoints(
  dataset: Dataset,
  batch: PointBatch,
  urgency: 'sync' | 'lazy',
): Promise<WriteReceipt> {
  const definitions: Definitions = { created: [], typed: [] };
  const runs = batch.runs.map((run) => admitRun(dataset, batch.points, run, definitions, Number.POSITIVE_INFINITY));
  return submit(dataset, batch.points, runs, definitions, urgency);
}

function forget(dataset: Dataset, write: PendingWrite): void {
  const index = dataset.pending.indexOf(write);
  if (index >= 0) dataset.pending.splice(index, 1);
}

function undo(dataset: Dataset, write: PendingWrite, definitions: Definitions): void {
  for (const { tag } of write.runs) {
    if (!tag) continue;
    tag.admitted = tag.newest;
    tag.admittedOrdinal = tag.nextOrdinal;
  }
  for (const { tag, before } of definitions.typed) tag.definition = before;
  for (const tag of definitions.created) dataset.removeTag(tag);
}

function encodeRequest(
  out: ByteWriter,
  points: PointColumns,
  runs: readonly AdmittedRun[],
  definitions: Definitions,
): void {
  for (const tag of definitions.created) encodeDefine(out, tag.id, tag.definition);
  for (const { tag, after } of definitions.typed) encodeDefine(out, tag.id, after);
  const encoder = beginPoints(out, runs.length);
  for (const run of runs) encoder.run(run, points, run.start);
}

function admitRun(
  dataset: Dataset,
  points: PointColumns,
  run: PointRun,
  definitions: Definitions,
  aheadMs: number,
): AdmittedRun {
  if (run.count === 0) return new AdmittedRun(run, undefined);
  const { start } = run;
  const tag = tagOf(dataset, run, definitions);
  const admitted = new AdmittedRun(run, tag);
  clearNulls(points, start, run.count);
  orderByTime(points, start, run.count);
  keepNew(dataset, tag, points, run.count, admitted);
  admitted.written = admitted.count;
  admitted.stamped = Math.min(run.stamped, admitted.count);
  if (admitted.count > 0) {
    noteAhead(points, admitted, aheadMs);
    giveType(tag, run.type, definitions);
  }
  tag.admitted = admitted.newest;
  tag.admittedOrdinal += admitted.count;
  return admitted;
}

/** The tag of a run: found by the parser, by name, or made now. */
function tagOf(dataset: Dataset, run: PointRun, definitions: Definitions): Tag {
  const found = findTag(dataset, run);
  if (found) return found;
  const tag = dataset.addTag({ name: run.name, type: run.type }, undefined);
  definitions.created.push(tag);
  return tag;
}

function findTag(dataset: Dataset, { tag, name }: PointRun): Tag | undefined {
  return tag instanceof Tag && !tag.deleted && !tag.leaving ? tag : dataset.names.find(name);
}

/** A tag without a type gets that of the first values that are stored, in the same record. */
function giveType(tag: Tag, type: ValueType, definitions: Definitions): void {
  if (tag.type !== ValueType.Open || type === ValueType.Open) return;
  const before = tag.definition;
  const after = withType(before, type);
  tag.definition = after;
  definitions.typed.push({ tag, before, after });
}

/** Throws before anything is changed: BAD_NAME, and BAD_REQUEST when a tag has got another type since the body was read. */
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

function noteAhead(points: PointColumns, run: AdmittedRun, aheadMs: number): void {
  const { start, count } = run;
  for (let i = start + count - 1; i >= start && (points.timesMs[i] as number) > aheadMs; i--) run.ahead++;
}

const encoder = new TextEncoder();

/** Throws BAD_NAME for what cannot be the name of a user tag. */
export function checkTagName(name: string): void {
  const why = tagNameFault(name);
  if (why)
    throw new EngineError('BAD_NAME', `${JSON.stringify(name.slice(0, 100))} cannot be a tag name: it ${why}.`, {
      name,
    });
}

function tagNameFault(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..') return 'is empty, "." or ".."';
  // A character takes 3 bytes at most.
  const mayBeLong = name.length * 3 > MAX_TAG_NAME_BYTES;
  if (mayBeLong && encoder.encode(name).length > MAX_TAG_NAME_BYTES)
    return `is longer than ${MAX_TAG_NAME_BYTES} bytes`;
  if (hasControlCharacter(name)) return 'has a control character';
  if (!name.isWellFormed()) return 'has a lone surrogate';
  if (name.startsWith(SYSTEM_PREFIX)) return `begins with ${SYSTEM_PREFIX}, which is kept for system tags`;
  return undefined;
}

function checkAhead(dataset: Dataset, { points, runs }: PointBatch): void {
  const { maxAheadMs } = dataset.context.tunables;
  if (maxAheadMs === undefined) return;
  const limit = Math.max(dataset.context.clock.nowMs(), dataset.newestMs) + maxAheadMs;
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
