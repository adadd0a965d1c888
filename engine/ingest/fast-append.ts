// The short cut through admission for requests as most are: all their tags exist and have their types, and every point is
// later than the newest of its tag. Plain runs of such requests are checked and put in the journal record in one go. Its slow
// twin in general-append.ts does the same for every request. Benchmark: bench ingest.

import { beginPoints } from '../format/record/journal-record.ts';
import { POWERS } from '../format/record/plain-words.ts';
import type { RunHead } from '../format/record/run-coding.ts';
import type { RunEncoder } from '../format/record/run-encoder.ts';
import { newestFrom } from '../tag/stored-value.ts';
import { Tag } from '../tag/tag.ts';
import { ACCEPTED } from '../tag/tag-rows.ts';
import type { PointBatch, PointColumns, PointRun } from '../types.ts';
import { NOT_PLAIN, ValueType } from '../types.ts';
import { type FastRun, type FastRuns, releaseFastRuns, takeFastRuns } from './fast-runs.ts';
import { DividedBatch, isContinued } from './long-runs.ts';
import { isAllNew } from './new-points.ts';

/** Times of points that are nothing special, in ms. */
export interface TimeLimits {
  /** Later points are ahead of time. */
  readonly aheadMs: number;
  /** Purge would take points up to here. */
  readonly expiryMs: number;
}

// An import is looked up at every use; a constant of the module itself is compiled in.
const powers = POWERS;

/** Tells the tags of one request from those of all others. */
let request = 0;
let lastRequest = 0;

/** The run being admitted. */
const head: RunHead = { tagId: 0, firstOrdinal: 0, count: 0, type: ValueType.Open, stamped: 0 };

/**
 * Admits a request whose every run is in order; undefined, with nothing changed, when it is another. Give the answer back
 * when it is settled.
 * @param limits points outside are counted as ahead of time or as expired, which is not done here
 */
export function appendFast(batch: PointBatch, limits: TimeLimits): FastRuns | undefined {
  if (batch.runs.length === 0) return undefined;
  const pass = new OrderedPass(batch, limits);
  return pass.appendAtOnce(batch.runs.length) ? pass.finish() : pass.rollback();
}

/** Admits the runs of a request some at a time; nothing else may change the dataset's tags meanwhile. */
export class OrderedPass {
  readonly #points: PointColumns;
  readonly #ordered: FastRuns;
  readonly #encoder: RunEncoder;
  readonly #limits: TimeLimits;
  readonly #request: number;
  #accepted = 0;

  constructor(batch: PointBatch, limits: TimeLimits) {
    this.#points = batch.points;
    this.#ordered = takeFastRuns(batch);
    this.#ordered.isDivided = batch instanceof DividedBatch;
    this.#encoder = beginPoints(this.#ordered.record, batch.runs.length);
    this.#limits = limits;
    this.#request = ++lastRequest;
  }

  /** Puts the runs up to an index in the record, and moves the tags of plain ones on; false at one that is not in order. */
  appendAtOnce(upTo: number): boolean {
    request = this.#request;
    this.#accepted = acceptRuns(this.#points, this.#ordered, this.#encoder, this.#limits, this.#accepted, upTo);
    return this.#accepted === upTo;
  }

  /** All are admitted. */
  finish(): FastRuns {
    if (this.#ordered.hasOthers) acceptOthers(this.#points, this.#ordered);
    return this.#ordered;
  }

  /** Leaves the tags as they were. */
  rollback(): undefined {
    rollback(this.#ordered, this.#accepted);
    releaseFastRuns(this.#ordered);
  }
}

/** Admits the runs from one index up to another; returns how many are admitted: fewer where one is not in order. */
function acceptRuns(
  points: PointColumns,
  ordered: FastRuns,
  encoder: RunEncoder,
  limits: TimeLimits,
  from: number,
  to: number,
): number {
  const { runs, isDivided, record, firstOrdinals, codings, columnsStarts, columnsEnds } = ordered;
  let pointCount = 0;
  let rejectedCount = 0;
  for (let i = from; i < to; i++) {
    const run = runs[i] as PointRun;
    const isNext = isDivided && i > 0 && isContinued(runs[i - 1]);
    if (!isInOrder(points, run, limits, isNext)) return i;
    const tag = run.tag as Tag;
    const { start, count } = run;
    firstOrdinals[i] = head.firstOrdinal;
    columnsEnds[i] = 0;
    const { decimals = NOT_PLAIN } = run;
    if (decimals !== NOT_PLAIN) {
      if (!encoder.plainRun(head, points, start, decimals)) return i;
      codings[i] = encoder.coding;
      columnsStarts[i] = encoder.columnsStart;
      columnsEnds[i] = record.length;
      advance(points, ordered, i, tag, start + count - 1, decimals);
      tag.acceptedOrdinal += count;
    } else if (isDivided || !encodeOther(points, run, encoder)) return i;
    else ordered.hasOthers = true;
    pointCount += count;
    rejectedCount += run.rejected;
  }
  ordered.pointCount += pointCount;
  ordered.rejectedCount += rejectedCount;
  return to;
}

/** Makes a plain point the tag's newest accepted one, and keeps the one before. */
function advance(
  points: PointColumns,
  { before }: FastRuns,
  i: number,
  tag: Tag,
  last: number,
  decimals: number,
): void {
  const { rows } = tag;
  const place = tag.row + ACCEPTED;
  before[2 * i] = rows[place] as number;
  before[2 * i + 1] = rows[place + 1] as number;
  rows[place] = points.baseMs + (points.offsets[last] as number);
  rows[place + 1] = (points.mantissas[last] as number) / (powers[decimals] as number);
}

/** Undoes what was done for the first runs, the last of them first: a tag may have several. */
function rollback({ runs, before, columnsEnds }: FastRuns, count: number): void {
  for (let i = count - 1; i >= 0; i--) {
    if (columnsEnds[i] === 0) continue;
    const { tag, count: pointCount } = runs[i] as FastRun;
    tag.rows[tag.row + ACCEPTED] = before[2 * i] as number;
    tag.rows[tag.row + ACCEPTED + 1] = before[2 * i + 1] as number;
    tag.acceptedOrdinal -= pointCount;
  }
}

/** Moves the tags of runs on that are not plain, which can no longer be undone. */
function acceptOthers(points: PointColumns, { runs, columnsEnds }: FastRuns): void {
  for (let i = 0; i < runs.length; i++) {
    if (columnsEnds[i] !== 0) continue;
    const { tag, type, start, count } = runs[i] as FastRun;
    tag.accepted = newestFrom(points, start + count - 1, type, undefined);
    tag.acceptedOrdinal += count;
  }
}

/** Whether a run's first point is later than its tag's newest, and nothing else speaks against it; fills in the head. */
function isInOrder(points: PointColumns, run: PointRun, { aheadMs, expiryMs }: TimeLimits, isNext: boolean): boolean {
  const { tag, start, count } = run;
  if (!(tag instanceof Tag) || !isFast(tag, run, isNext)) return false;
  tag.lastRequest = request;
  if (timeOf(points, run, start + count - 1) > aheadMs) return false;
  const firstMs = timeOf(points, run, start);
  if (firstMs <= expiryMs) return false;
  const newestMs = tag.rows[tag.row + ACCEPTED] as number;
  // Without a number there, the newest point is no plain one, or there is none.
  if (!(firstMs > newestMs) && !(Number.isNaN(newestMs) && isLater(firstMs, tag))) return false;
  head.tagId = tag.id;
  head.firstOrdinal = tag.acceptedOrdinal;
  head.count = count;
  head.type = run.type;
  return true;
}

/** The time of a point of a run, in ms. */
function timeOf({ baseMs, offsets, timesMs }: PointColumns, { decimals = NOT_PLAIN }: PointRun, i: number): number {
  return decimals === NOT_PLAIN ? (timesMs[i] as number) : baseMs + (offsets[i] as number);
}

function isLater(firstMs: number, { accepted }: Tag): boolean {
  return accepted === undefined || firstMs > accepted.ms;
}

/** A run that is not plain. */
function encodeOther(points: PointColumns, { start, count }: PointRun, encoder: RunEncoder): boolean {
  if (!isAllNew(undefined, points, start, start + count)) return false;
  for (let i = start; i < start + count; i++) if (points.nulls[i]) points.bigints[i] = 0n;
  encoder.run(head, points, start);
  return true;
}

/** Whether the run's points go to a tag as it is, and to no run before of this request but one that it goes on with. */
function isFast(tag: Tag, run: PointRun, isNext: boolean): boolean {
  if (tag.deleted || tag.leaving || (tag.lastRequest === request && !isNext) || tag.isSystem) return false;
  return run.count > 0 && run.stamped === 0 && tag.type === run.type && tag.type !== ValueType.Open;
}
