// Gives a range to a calculation span by span: digests of the cells whose points need not be gone over, and the points between
// them, each in its place.

import {
  type Calculation,
  compareInstants,
  type Instant,
  justBefore,
  type NeededPoints,
  type PointChunk,
  PointColumns,
  type RunDigest,
  type TagCursor,
  type TakePoints,
  ValueType,
} from '../../engine/index.ts';
import type { TagPoints } from '../points/tag-points.ts';
import type { RowRange } from '../points/tag-rows.ts';
import { type DigestPlan, planDigests } from './digest-plan.ts';
import { type Grid, type GridSpan, spansOf } from './grid.ts';
import { type Beginning, readFrom, takeAll } from './needed-rows.ts';
import type { TagSums } from './tag-sums.ts';

export interface DigestedRange {
  readonly points: TagPoints;
  readonly sums: TagSums;
  readonly needed: NeededPoints;
  readonly calculation: Calculation;
  readonly grid: Grid;
  readonly from: Beginning;
  readonly take: TakePoints;
}

/** Cells of one query: a MB. */
const CELLS_AT_ONCE = 8192;

export async function readDigested(range: DigestedRange): Promise<void> {
  const { points, sums, needed, calculation, grid, take } = range;
  let { from } = range;
  const extremeTimes = calculation.digestNeeds?.extremeTimes === true;
  for (const span of spansOf(grid, needed, CELLS_AT_ONCE)) {
    if (needed.isAborted()) return;
    const plan = planDigests(await sums.cells({ grid, ...span, extremeTimes }));
    if (plan === undefined) return readFrom(points, needed, from, take);
    await new SpanFeed(range, plan.digests).feed(openRanges(points, from, rangesOf(plan, from, span, needed)));
    from = { start: span.end, firstOrdinal: 0 };
  }
}

/** With what lies before the range in the first span, and at its very end in the last. */
function rangesOf({ ranges }: DigestPlan, from: Beginning, span: GridSpan, { start, end }: NeededPoints): RowRange[] {
  const isFirst = compareInstants(from.start, start) < 0;
  const isLast = compareInstants(span.end, end) === 0;
  return [
    ...(isFirst ? [{ start: from.start, end: justBefore(start) }] : []),
    ...ranges,
    ...(isLast ? [{ start: end, end }] : []),
  ];
}

function openRanges(points: TagPoints, from: Beginning, ranges: readonly RowRange[]): TagCursor | undefined {
  const end = ranges.at(-1)?.end;
  return end && points.open({ ...from, end, limit: undefined, source: points.rowsWithin(ranges) });
}

class SpanFeed {
  readonly #range: DigestedRange;
  readonly #digests: readonly RunDigest[];
  #next = 0;

  constructor(range: DigestedRange, digests: readonly RunDigest[]) {
    this.#range = range;
    this.#digests = digests;
  }

  async feed(cursor: TagCursor | undefined): Promise<void> {
    if (cursor)
      await takeAll(cursor, this.#range.needed, async (chunk) => {
        await this.#takeChunk(chunk);
        return 'more';
      });
    await this.#giveUpTo(undefined);
  }

  /** Its points, and the digests that lie between them. */
  async #takeChunk(chunk: PointChunk): Promise<void> {
    for (let { start } = chunk; start < chunk.end; ) {
      await this.#giveUpTo(timeAt(chunk, start));
      const digest = this.#digests[this.#next];
      let end = start + 1;
      while (end < chunk.end && (!digest || compareInstants(timeAt(chunk, end), digest.origin) < 0)) end++;
      await this.#range.take({ ...chunk, start, end });
      start = end;
    }
  }

  /** All digests before a time, or all that are left. */
  async #giveUpTo(time: Instant | undefined): Promise<void> {
    const { needed } = this.#range;
    for (let digest = this.#digests[this.#next]; digest && !needed.isAborted(); digest = this.#digests[this.#next]) {
      if (time && compareInstants(digest.origin, time) > 0) return;
      this.#next++;
      await this.#give(digest);
      const pause = needed.slicer.pause();
      if (pause) await pause;
    }
  }

  /** The first point by itself: how an interval goes on to it depends on what lies before. */
  async #give(digest: RunDigest): Promise<void> {
    const { take, calculation, needed } = this.#range;
    await take(firstPointOf(digest));
    calculation.takeRest(digest, digest.origin.ms - needed.start.ms);
  }
}

function firstPointOf({ origin, first, firstQuality }: RunDigest): PointChunk {
  const points = new PointColumns(1);
  points.timesMs[0] = origin.ms;
  points.ticks[0] = origin.ticks;
  points.numbers[0] = first.value;
  points.qualities[0] = firstQuality;
  points.count = 1;
  return { type: ValueType.Double, points, start: 0, end: 1 };
}

function timeAt({ points }: PointChunk, i: number): Instant {
  return { ms: points.timesMs[i] as number, ticks: points.ticks[i] as number };
}
