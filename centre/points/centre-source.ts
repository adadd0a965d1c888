// The points that functions need of a tag, from the centre: those of the range, from the last usable one before it to the first
// one behind it. The same points as where they were written.

import {
  type Instant,
  isUsable,
  justBefore,
  justBehind,
  LAST_INSTANT,
  MAX_SEARCHED_POINTS,
  type NeededPoints,
  type PointChunk,
  type ReadGap,
  statusOf,
  type TagDefinition,
  type TakePoints,
  type TaskSource,
} from '../../engine/index.ts';
import type { RowPoint } from './readable-rows.ts';
import type { TagPoints } from './tag-points.ts';

/** Where the points that are needed begin. */
interface Beginning {
  readonly start: Instant;
  readonly firstOrdinal: number;
}

export class CentreSource implements TaskSource {
  readonly #points: TagPoints;

  constructor(points: TagPoints) {
    this.#points = points;
  }

  get definition(): TagDefinition {
    return this.#points.tag.definition;
  }

  async read(needed: NeededPoints, take: TakePoints): Promise<readonly ReadGap[]> {
    const newest = await this.#points.newestUpTo(LAST_INSTANT);
    if (newest === undefined) return [];
    const from = await this.#findBeginning(needed);
    await this.#readRange(needed, { ...from, end: needed.end }, async (chunk) => {
      await take(chunk);
      return 'more';
    });
    const isBehind = newest.ms - needed.end.ms || newest.ticks - needed.end.ticks;
    if (isBehind > 0) await this.#readBehind(needed, take);
    return [];
  }

  async #findBeginning({ start, rules, usableBefore }: NeededPoints): Promise<Beginning> {
    let located: RowPoint | undefined;
    let first: RowPoint | undefined;
    let usable = 0;
    let searched = 0;
    for await (const point of this.#points.newestFirst(justBefore(start))) {
      located ??= point;
      const status = statusOf(point.points.qualities[point.index] as number, point.points.nulls[point.index] !== 0);
      if (isUsable(rules, status)) {
        first = point;
        usable++;
      }
      if (usable === usableBefore || ++searched > MAX_SEARCHED_POINTS) break;
    }
    if (first) return { start: first, firstOrdinal: 0 };
    return located ? { start: located, firstOrdinal: located.ordinal } : { start, firstOrdinal: 0 };
  }

  async #readRange(
    { slicer, isAborted }: NeededPoints,
    range: Beginning & { readonly end: Instant },
    take: (chunk: PointChunk) => Promise<'more' | 'enough'>,
  ): Promise<void> {
    const cursor = this.#points.open({ ...range, limit: undefined });
    try {
      for (let chunk = await cursor.next(); chunk && !isAborted(); chunk = await cursor.next()) {
        if ((await take(chunk)) === 'enough') return;
        const pause = slicer.pause();
        if (pause) await pause;
      }
    } finally {
      cursor.close();
    }
  }

  async #readBehind(needed: NeededPoints, take: TakePoints): Promise<void> {
    const range = { start: justBehind(needed.end), end: LAST_INSTANT, firstOrdinal: 0 };
    let searched = 0;
    await this.#readRange(needed, range, async (chunk) => {
      const found = needed.needsUsableBehind ? firstUsable(needed, chunk) : chunk.start;
      await take({ ...chunk, end: Math.min(chunk.end, found + 1) });
      searched += chunk.end - chunk.start;
      return found < chunk.end || searched > MAX_SEARCHED_POINTS ? 'enough' : 'more';
    });
  }
}

/** The end of the chunk when there is none. */
function firstUsable({ rules }: NeededPoints, { points, start, end }: PointChunk): number {
  let i = start;
  while (i < end && !isUsable(rules, statusOf(points.qualities[i] as number, points.nulls[i] !== 0))) i++;
  return i;
}
