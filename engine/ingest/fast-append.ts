// The fast path of appending, taken by most requests: all tags are new or have types, and every point is later than the
// newest of its tag. Plain runs of such requests are checked and encoded into the journal record in one pass. The slow path,
// general-append.ts, does the same for every request. Benchmark: bench ingest.

import { beginPoints } from '../format/record/journal-record.ts';
import { PLAIN, POWERS } from '../format/record/plain-words.ts';
import type { RunHead } from '../format/record/run-coding.ts';
import type { RunEncoder } from '../format/record/run-encoder.ts';
import { newestFrom } from '../tag/stored-value.ts';
import { Tag } from '../tag/tag.ts';
import { ACCEPTED } from '../tag/tag-rows.ts';
import type { PointBatch, PointColumns, PointRun } from '../types.ts';
import { NOT_PLAIN, ValueType } from '../types.ts';
import { isAllNew } from './accepted/new-points.ts';
import { type FastRun, type FastRuns, releaseFastRuns, takeFastRuns } from './fast-runs.ts';
import { DividedBatch, isContinued } from './long-runs.ts';
import { definitionsBytesOf, giveTag, removeCreated, type TagOwner } from './new-tags.ts';

/** Limits between which times need no special treatment, in ms. */
export interface TimeLimits {
  /** Later points count as ahead. */
  readonly aheadMs: number;
  /** Points up to here would be purged at once. */
  readonly expiryMs: number;
}

// A module constant is inlined; an import is looked up at every use.
const powers = POWERS;
const plain = PLAIN;

/** Number of the request being appended; marks the tags it has used. */
let request = 0;
let lastRequest = 0;

/** The run being accepted; reused. */
const head: RunHead = { tagId: 0, firstOrdinal: 0, count: 0, type: ValueType.Open, stamped: 0 };

/**
 * Accepts a request that qualifies for the fast path; undefined, with nothing changed, when it does not. Release the result
 * when the request is settled.
 * @param limits points outside count as ahead or expired, which the general path handles
 */
export function appendFast(dataset: TagOwner, batch: PointBatch, limits: TimeLimits): FastRuns | undefined {
  const { length } = batch.runs;
  if (length === 0) return undefined;
  const pass = new FastPass(dataset, batch, limits);
  return pass.define(length) && pass.accept(length) ? pass.finish() : pass.rollback();
}

/** Accepts the runs of a request a few at a time; nothing else may change the dataset's tags meanwhile. */
export class FastPass {
  /** Whether some runs have no tags yet. */
  readonly hasUnknown: boolean;
  readonly #dataset: TagOwner;
  readonly #points: PointColumns;
  readonly #fastRuns: FastRuns;
  #encoder: RunEncoder | undefined;
  readonly #limits: TimeLimits;
  readonly #request: number;
  #defined = 0;
  #accepted = 0;

  constructor(dataset: TagOwner, batch: PointBatch, limits: TimeLimits) {
    const definitionsBytes = definitionsBytesOf(batch.runs);
    this.hasUnknown = definitionsBytes > 0;
    this.#dataset = dataset;
    this.#points = batch.points;
    this.#fastRuns = takeFastRuns(batch, definitionsBytes);
    this.#fastRuns.isDivided = batch instanceof DividedBatch;
    this.#limits = limits;
    this.#request = ++lastRequest;
  }

  /** Gives the runs up to an index their tags; false at one that the general path is to take. Call it for all before `accept`. */
  define(upTo: number): boolean {
    if (!this.hasUnknown) return true;
    const { runs } = this.#fastRuns;
    for (; this.#defined < upTo; this.#defined++) {
      if (!isWithin(this.#points, runs[this.#defined] as PointRun, this.#limits)) return false;
      if (!giveTag(this.#dataset, this.#fastRuns, this.#defined)) return false;
    }
    return true;
  }

  /** Encodes the runs up to an index, and advances the tags of plain ones; false at a run that is not in order. */
  accept(upTo: number): boolean {
    request = this.#request;
    this.#encoder ??= beginPoints(this.#fastRuns.record, this.#fastRuns.runs.length);
    this.#accepted = acceptRuns(this.#points, this.#fastRuns, this.#encoder, this.#limits, this.#accepted, upTo);
    return this.#accepted === upTo;
  }

  /** Call it when all runs are accepted. */
  finish(): FastRuns {
    if (this.#fastRuns.hasGeneralRuns) acceptGeneralRuns(this.#points, this.#fastRuns);
    return this.#fastRuns;
  }

  /** Restores the tags, and removes those that were created. */
  rollback(): undefined {
    rollback(this.#fastRuns, this.#accepted);
    removeCreated(this.#dataset, this.#fastRuns);
    releaseFastRuns(this.#fastRuns);
  }
}

/** Accepts runs `[from, to)`; returns the index after the last accepted one: less than `to` at a run that is not in order. */
function acceptRuns(
  points: PointColumns,
  fastRuns: FastRuns,
  encoder: RunEncoder,
  limits: TimeLimits,
  from: number,
  to: number,
): number {
  const { runs, isDivided, record, firstOrdinals, codings, columnsStarts, columnsEnds } = fastRuns;
  let pointCount = 0;
  let rejectedCount = 0;
  for (let i = from; i < to; i++) {
    const run = runs[i] as PointRun;
    const isNext = isDivided && i > 0 && isContinued(runs[i - 1]);
    if (!isInOrder(points, run, limits, isNext)) return i;
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
      if (isDivided || !encodeGeneralRun(points, run, encoder)) return i;
      codings[i] = encoder.coding | encoder.pointFlags;
      fastRuns.hasGeneralRuns = true;
    }
    columnsStarts[i] = encoder.columnsStart;
    columnsEnds[i] = record.length;
    pointCount += count;
    rejectedCount += run.rejected;
  }
  fastRuns.pointCount += pointCount;
  fastRuns.rejectedCount += rejectedCount;
  return to;
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
  rows[at + 1] = (points.mantissas[last] as number) / (powers[decimals] as number);
}

/** Rolls the first `count` runs back, in reverse order: a tag may have several. */
function rollback({ runs, before, codings }: FastRuns, count: number): void {
  for (let i = count - 1; i >= 0; i--) {
    if ((codings[i] as number) < plain) continue;
    const { tag, count: pointCount } = runs[i] as FastRun;
    tag.rows[tag.row + ACCEPTED] = before[2 * i] as number;
    tag.rows[tag.row + ACCEPTED + 1] = before[2 * i + 1] as number;
    tag.acceptedOrdinal -= pointCount;
  }
}

/** Advances the tags of runs that are not plain; `rollback` cannot undo this. */
function acceptGeneralRuns(points: PointColumns, { runs, codings }: FastRuns): void {
  for (let i = 0; i < runs.length; i++) {
    if ((codings[i] as number) >= plain) continue;
    const { tag, type, start, count } = runs[i] as FastRun;
    tag.accepted = newestFrom(points, start + count - 1, type, undefined);
    tag.acceptedOrdinal += count;
  }
}

/** Whether a run qualifies for the fast path: its first point is later than its tag's newest. Fills in `head`. */
function isInOrder(points: PointColumns, run: PointRun, limits: TimeLimits, isNext: boolean): boolean {
  const { tag, start, count } = run;
  if (!(tag instanceof Tag) || !isFast(tag, run, isNext)) return false;
  tag.lastRequest = request;
  if (!isWithin(points, run, limits)) return false;
  const firstMs = timeOf(points, run, start);
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
function isWithin(points: PointColumns, run: PointRun, { aheadMs, expiryMs }: TimeLimits): boolean {
  const { start, count } = run;
  return timeOf(points, run, start + count - 1) <= aheadMs && timeOf(points, run, start) > expiryMs;
}

/** The time of a point of a run, in ms. */
function timeOf({ baseMs, offsets, timesMs }: PointColumns, { decimals = NOT_PLAIN }: PointRun, i: number): number {
  return decimals === NOT_PLAIN ? (timesMs[i] as number) : baseMs + (offsets[i] as number);
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

/** Whether the tag needs no change for the run, and no earlier run of the request is of that tag, but one that it continues. */
function isFast(tag: Tag, run: PointRun, isNext: boolean): boolean {
  if (tag.deleted || tag.leaving || (tag.lastRequest === request && !isNext) || tag.isSystem) return false;
  return run.count > 0 && run.stamped === 0 && tag.type === run.type && tag.type !== ValueType.Open;
}
