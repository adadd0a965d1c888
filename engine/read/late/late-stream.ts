// The late points of a tag in time order, in a range: spans are decoded when their time comes, and merged. Points of one time
// keep the order in which they came.

import type { Dataset } from '../../dataset/dataset.ts';
import { isAfter } from '../../points/time-search.ts';
import type { ReadGap } from '../../reads.ts';
import { FIRST_LATE_ORDINAL } from '../../tag/late-tag.ts';
import type { Tag } from '../../tag/tag.ts';
import { compareInstants, type Instant, type PointColumns, type ValueType } from '../../types.ts';
import type { PointMark } from '../tag-cursor.ts';
import { type LatePoints, LateSpans } from './late-spans.ts';

/** A late point: point `index` of the columns. */
export interface LatePoint extends Instant {
  /** From `FIRST_LATE_ORDINAL` on. */
  readonly ordinal: number;
  readonly type: ValueType;
  readonly points: PointColumns;
  readonly index: number;
}

const NONE = -1;

/** Work of a turn: points that are passed; to open a span is as much as this many of them. */
const WORK_OF_TURN = 8192;
const WORK_OF_SPAN = 2048;

export class LateStream {
  readonly #spans: LateSpans;
  readonly #start: PointMark;
  readonly #end: Instant;
  /** Spans that are being read; a heap by their next points. */
  readonly #open: SortedSpan[] = [];
  #work = 0;

  constructor(dataset: Dataset, late: Tag, start: PointMark, end: Instant) {
    this.#start = start;
    this.#end = end;
    this.#spans = new LateSpans(dataset, late, { start, end });
  }

  /** The next point, once `prepare` has said so; undefined at the end. */
  get next(): LatePoint | undefined {
    return this.#open[0]?.point;
  }

  get gaps(): readonly ReadGap[] {
    return this.#spans.gaps;
  }

  /** Whether others should have a turn; spans may overlap, and then many have to be opened for one point. */
  get isSpent(): boolean {
    return this.#work >= WORK_OF_TURN;
  }

  beginTurn(): void {
    this.#work = 0;
  }

  /** Opens the spans that may have the next point; false when it takes another turn. */
  prepare(): boolean {
    while (this.#needsSpan()) {
      if (this.isSpent) return false;
      this.#openSpan();
    }
    return true;
  }

  advance(): void {
    const first = this.#open[0] as SortedSpan;
    this.#work++;
    if (first.advance()) sink(this.#open);
    else {
      const last = this.#open.pop() as SortedSpan;
      if (last !== first) {
        this.#open[0] = last;
        sink(this.#open);
      }
    }
    while (this.#needsSpan()) this.#openSpan();
  }

  close(): void {
    this.#open.length = 0;
    this.#spans.close();
  }

  /** Whether the next span that is not open may have a point before, or at the time of, the next one. */
  #needsSpan(): boolean {
    const bounds = this.#spans.next;
    if (bounds === undefined) return false;
    const next = this.next;
    return next === undefined || (bounds.firstMs - next.ms || bounds.firstTicks - next.ticks) <= 0;
  }

  #openSpan(): void {
    this.#work += WORK_OF_SPAN;
    const taken = this.#spans.take();
    const span = taken && new SortedSpan(taken, this.#start, this.#end);
    if (span?.advance()) lift(this.#open, span);
  }
}

/** The points of a span in a range, in time order. */
class SortedSpan {
  point!: LatePoint;
  readonly #span: LatePoints;
  readonly #order: readonly number[];
  #at = 0;

  constructor(span: LatePoints, start: PointMark, end: Instant) {
    this.#span = span;
    this.#order = sortedWithin(span, start, end);
  }

  /** Goes to the next point; false at the end. */
  advance(): boolean {
    const index = this.#order[this.#at++];
    if (index === undefined) return false;
    const { type, points, firstOrdinal } = this.#span;
    const ordinal = FIRST_LATE_ORDINAL + firstOrdinal + index;
    this.point = {
      ms: points.timesMs[index] as number,
      ticks: points.ticks[index] as number,
      ordinal,
      type,
      points,
      index,
    };
    return true;
  }
}

/** Indexes of the points of a range, by time and then by ordinal. */
function sortedWithin({ points, firstOrdinal, from, to }: LatePoints, start: PointMark, end: Instant): number[] {
  const { timesMs, ticks } = points;
  const order: number[] = [];
  let isOrdered = true;
  let last = NONE;
  for (let i = from; i < to; i++) {
    const behindStart =
      (timesMs[i] as number) - start.ms ||
      (ticks[i] as number) - start.ticks ||
      FIRST_LATE_ORDINAL + firstOrdinal + i - start.ordinal;
    if (behindStart < 0 || isAfter(points, i, end)) continue;
    isOrdered &&=
      last === NONE ||
      ((timesMs[last] as number) - (timesMs[i] as number) || (ticks[last] as number) - (ticks[i] as number)) <= 0;
    last = i;
    order.push(i);
  }
  if (isOrdered) return order;
  return order.sort(
    (a, b) => (timesMs[a] as number) - (timesMs[b] as number) || (ticks[a] as number) - (ticks[b] as number) || a - b,
  );
}

function isFirst(a: SortedSpan, b: SortedSpan): boolean {
  return (compareInstants(a.point, b.point) || a.point.ordinal - b.point.ordinal) < 0;
}

/** Adds a span to the heap. */
function lift(heap: SortedSpan[], span: SortedSpan): void {
  let at = heap.push(span) - 1;
  for (let parent = (at - 1) >> 1; at > 0 && isFirst(span, heap[parent] as SortedSpan); parent = (at - 1) >> 1) {
    heap[at] = heap[parent] as SortedSpan;
    at = parent;
  }
  heap[at] = span;
}

/** Puts the first of the heap where it belongs. */
function sink(heap: SortedSpan[]): void {
  const span = heap[0] as SortedSpan;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child + 1 < heap.length && isFirst(heap[child + 1] as SortedSpan, heap[child] as SortedSpan)) child++;
    if (child >= heap.length || !isFirst(heap[child] as SortedSpan, span)) break;
    heap[at] = heap[child] as SortedSpan;
    at = child;
  }
  heap[at] = span;
}
