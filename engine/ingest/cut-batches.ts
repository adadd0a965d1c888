// Cuts a long request into batches of bounded work (D17). Each run is in one batch, unless it alone is more than a batch takes:
// then its points are put in order of time, and are cut into parts.

import type { EngineTunables } from '../limits.ts';
import { timeMsAt } from '../points/run-time.ts';
import { charsOfTexts, endOfTexts } from '../points/text-lengths.ts';
import { orderByTime } from '../points/time-order.ts';
import { type Instant, NOT_PLAIN, type PointBatch, type PointColumns, type PointRun } from '../types.ts';
import { payloadOf } from '../value-types.ts';
import { RunPart } from './accepted/run-part.ts';
import { type Batch, batchOf } from './batch.ts';

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
