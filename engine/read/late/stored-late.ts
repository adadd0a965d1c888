// Whether late points are stored already: searches those that came last, enough to recognise a request that is sent again.

import type { Dataset } from '../../dataset/dataset.ts';
import type { TimeRange } from '../../points/time-search.ts';
import { FIRST_LATE_ORDINAL } from '../../tag/late-tag.ts';
import { keyAt } from '../../tag/stored-value.ts';
import type { Tag } from '../../tag/tag.ts';
import type { PointColumns, ValueType } from '../../types.ts';
import type { RemovedPoints } from '../removed-points.ts';
import { type LatePoints, LateSpans } from './late-spans.ts';

/** Late points of a tag that are searched: those that came last. */
const MOST_SEARCHED = 65_536;
const NONE = -1;

/** A point: `index` of some columns, of a type. */
interface PlacedPoint {
  readonly index: number;
  readonly type: ValueType;
}

/** The late points of a tag in a range, by their times. What cannot be read is not found. */
export class StoredLate {
  readonly #removed: RemovedPoints;
  readonly #spans: LatePoints[] = [];
  /** Numbers of points: that of the last one of a ms, and of the one before it; and for each its span and its index in it. */
  readonly #lastOfMs = new Map<number, number>();
  readonly #before: number[] = [];
  readonly #spanOf: number[] = [];
  readonly #indexOf: number[] = [];
  /** Keys of the points of each ms that was asked for. */
  readonly #keysOfMs = new Map<number, ReadonlySet<string>>();

  constructor(dataset: Dataset, late: Tag, range: TimeRange, removed: RemovedPoints) {
    this.#removed = removed;
    const spans = new LateSpans(dataset, late, range, late.nextOrdinal - MOST_SEARCHED);
    try {
      while (spans.next !== undefined) {
        const span = spans.take();
        if (span) this.#add(span);
      }
    } finally {
      spans.close();
    }
  }

  /** Whether it is stored with the same time, value and quality, and not removed. */
  has(points: PointColumns, { index, type }: PlacedPoint): boolean {
    const ms = points.timesMs[index] as number;
    let keys = this.#keysOfMs.get(ms);
    if (keys === undefined) {
      keys = this.#keysOf(ms);
      this.#keysOfMs.set(ms, keys);
    }
    return keys.has(`${points.ticks[index]}:${keyAt(points, index, type)}`);
  }

  #keysOf(ms: number): Set<string> {
    const keys = new Set<string>();
    const last = this.#lastOfMs.get(ms) ?? NONE;
    for (let number = last; number !== NONE; number = this.#before[number] as number) {
      const { points, type, firstOrdinal } = this.#spans[this.#spanOf[number] as number] as LatePoints;
      const i = this.#indexOf[number] as number;
      const ticks = points.ticks[i] as number;
      if (this.#removed.has({ ms, ticks }, FIRST_LATE_ORDINAL + firstOrdinal + i)) continue;
      keys.add(`${ticks}:${keyAt(points, i, type)}`);
    }
    return keys;
  }

  #add(span: LatePoints): void {
    const at = this.#spans.push(span) - 1;
    const { timesMs } = span.points;
    for (let i = span.from; i < span.to; i++) {
      const ms = timesMs[i] as number;
      this.#before.push(this.#lastOfMs.get(ms) ?? NONE);
      this.#lastOfMs.set(ms, this.#spanOf.length);
      this.#spanOf.push(at);
      this.#indexOf.push(i);
    }
  }
}
