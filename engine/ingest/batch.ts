// What is appended together, with one record of the journal: all of a usual request, a part of a long one, which is cut into
// batches of bounded work (D17).

import type { EngineTunables } from '../limits.ts';
import { timeMsAt } from '../points/run-time.ts';
import { charsOfTexts, endOfTexts } from '../points/text-lengths.ts';
import { orderByTime } from '../points/time-order.ts';
import {
  type Instant,
  NOT_PLAIN,
  type PointBatch,
  type PointColumns,
  type PointRun,
  type TagRef,
  type ValueType,
} from '../types.ts';
import { payloadOf } from '../value-types.ts';

export interface Batch extends PointBatch {
  /** Points of the batch, about: the columns may hold those of other batches, too. */
  readonly pointCount: number;
  /** Characters of its texts, about. */
  readonly chars: number;
}

/** All of a request as one batch. */
export function wholeOf({ points, runs }: PointBatch): Batch {
  return batchOf(points, runs, points.count, points.texts.chars);
}

/** Every batch is made here, so that all have one shape. */
export function batchOf(points: PointColumns, runs: readonly PointRun[], pointCount: number, chars: number): Batch {
  return { points, runs, pointCount, chars };
}

/** Most that a batch has, unless a single text is longer. */
export type BatchLimits = Pick<EngineTunables, 'batchTags' | 'batchPoints' | 'batchChars'>;

/** Whether a request may be more than one batch. */
export function isLongRequest({ runs, points }: PointBatch, limits: BatchLimits): boolean {
  return runs.length > limits.batchTags || points.count > limits.batchPoints || points.texts.chars > limits.batchChars;
}

/** Gives the request as batches, in order. Points must have their times. */
export async function cutBatches(
  { points, runs }: PointBatch,
  limits: BatchLimits,
  pause: () => Promise<void> | undefined,
): Promise<Batch[]> {
  const cutter = new BatchCutter(points, limits);
  for (const run of runs) if (cutter.add(run)) await pause();
  return cutter.finish();
}

/** Each run is in one batch, unless it alone is more than a batch takes: then its points are put in order of time, and cut. */
class BatchCutter {
  readonly #points: PointColumns;
  readonly #limits: BatchLimits;
  /** Whether lengths of texts are looked at at all. */
  readonly #isOfTexts: boolean;
  readonly #batches: Batch[] = [];
  #runs: PointRun[] = [];
  #pointCount = 0;
  #chars = 0;

  constructor(points: PointColumns, limits: BatchLimits) {
    this.#points = points;
    this.#limits = limits;
    this.#isOfTexts = points.texts.chars > limits.batchChars;
  }

  /** Adds a run; returns whether much work was done since the last time that it was. */
  add(run: PointRun): boolean {
    const chars = this.#charsOf(run);
    const { batchTags, batchPoints, batchChars } = this.#limits;
    if (run.count > batchPoints || (chars > batchChars && run.count > 1)) {
      this.#cut(run);
      return true;
    }
    const isFull =
      this.#runs.length >= batchTags || this.#pointCount + run.count > batchPoints || this.#chars + chars > batchChars;
    if (isFull) this.#end();
    this.#take(run, chars);
    return isFull;
  }

  finish(): Batch[] {
    this.#end();
    return this.#batches;
  }

  #charsOf({ type, start, count }: PointRun): number {
    return this.#isOfTexts && payloadOf(type) === 'text' ? charsOfTexts(this.#points, start, start + count) : 0;
  }

  #take(run: PointRun, chars: number): void {
    this.#runs.push(run);
    this.#pointCount += run.count;
    this.#chars += chars;
  }

  #end(): void {
    if (this.#runs.length === 0) return;
    this.#batches.push(batchOf(this.#points, this.#runs, this.#pointCount, this.#chars));
    this.#runs = [];
    this.#pointCount = 0;
    this.#chars = 0;
  }

  /** Each part but the last is a batch of its own. */
  #cut(run: PointRun): void {
    const ordered = { ...run, decimals: putInOrder(this.#points, run) };
    const end = run.start + run.count;
    for (let from = run.start; from < end; ) {
      this.#end();
      const to = this.#endOfPart(run, from);
      const part = new RunPart(ordered, from, to, to < end ? timeAt(this.#points, ordered, to) : undefined);
      this.#take(part, this.#charsOf(part));
      from = to;
    }
  }

  #endOfPart({ type, start, count }: PointRun, from: number): number {
    const { batchPoints, batchChars } = this.#limits;
    const end = Math.min(start + count, from + batchPoints);
    return this.#isOfTexts && payloadOf(type) === 'text' ? endOfTexts(this.#points, [from, end], batchChars) : end;
  }
}

function timeAt(points: PointColumns, run: PointRun & { readonly decimals: number }, i: number): Instant {
  return { ms: timeMsAt(points, run, i), ticks: run.decimals === NOT_PLAIN ? (points.ticks[i] as number) : 0 };
}

/** Puts the points of a run in order of time; returns its decimals: a plain run that is in order stays plain. */
function putInOrder(points: PointColumns, { start, count, decimals = NOT_PLAIN }: PointRun): number {
  if (decimals !== NOT_PLAIN) {
    if (isAscending(points.offsets, start, start + count)) return decimals;
    points.spread(start, start + count, decimals);
  }
  orderByTime(points, start, count);
  return NOT_PLAIN;
}

function isAscending(offsets: Int32Array, start: number, end: number): boolean {
  for (let i = start + 1; i < end; i++) if ((offsets[i] as number) < (offsets[i - 1] as number)) return false;
  return true;
}

/** A part of a run with more points than a batch takes: the parts of a run follow each other in time order. */
export class RunPart implements PointRun {
  readonly name: string;
  tag: TagRef | undefined;
  readonly type: ValueType;
  readonly start: number;
  readonly count: number;
  readonly rejected: number;
  readonly stamped: number;
  readonly decimals: number;
  /** Time of the first point of the part behind this one; undefined of the last part. */
  readonly nextTime: Instant | undefined;

  /** Points `[from, to)` of the columns. */
  constructor(run: PointRun & { readonly decimals: number }, from: number, to: number, nextTime: Instant | undefined) {
    this.name = run.name;
    this.tag = run.tag;
    this.type = run.type;
    this.start = from;
    this.count = to - from;
    this.rejected = from === run.start ? run.rejected : 0;
    // It is unknown which points are stamped: no part may count as having none.
    this.stamped = Math.min(this.count, run.stamped);
    this.decimals = run.decimals;
    this.nextTime = nextTime;
  }
}

/** Time of the tag's next point in the request, if another batch has more of them. */
export function nextTimeOf(run: PointRun): Instant | undefined {
  return (run as Partial<RunPart>).nextTime;
}
