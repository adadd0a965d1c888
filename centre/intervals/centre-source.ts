// The points of a tag at the centre for functions: as they are, or, of many points and where it comes to the same, as digests of
// those that need not be gone over.

import type { NeededPoints, ReadGap, TagDefinition, TakePoints, TaskSource } from '../../engine/index.ts';
import type { TagPoints } from '../points/tag-points.ts';
import { readDigested } from './digested-range.ts';
import { type Grid, gridOf } from './grid.ts';
import { findBeginning, readBehind, readFrom } from './needed-rows.ts';
import type { TagSums } from './tag-sums.ts';

/** Points of a range from which on digests are worth a query more. */
const FEWEST_SUMMED = 65_536;

export class CentreSource implements TaskSource {
  readonly #points: TagPoints;
  readonly #sums: TagSums;

  constructor(points: TagPoints, sums: TagSums) {
    this.#points = points;
    this.#sums = sums;
  }

  get definition(): TagDefinition {
    return this.#points.tag.definition;
  }

  async read(needed: NeededPoints, take: TakePoints): Promise<readonly ReadGap[]> {
    const points = this.#points;
    const [newest, from] = await Promise.all([points.newest(), findBeginning(points, needed)]);
    if (newest === undefined) return [];
    const grid = await this.#gridFor(needed, newest.ordinal - (from.ordinalBefore ?? 0));
    const { calculation } = needed;
    if (grid && calculation) await readDigested({ points, sums: this.#sums, needed, calculation, grid, from, take });
    else await readFrom(points, needed, from, take);
    const isBehind = newest.ms - needed.end.ms || newest.ticks - needed.end.ticks;
    if (isBehind > 0) await readBehind(points, needed, take);
    return [];
  }

  /**
   * Undefined where all points are read: they are few, or a function needs each of them.
   * @param mostPoints of the range and behind it
   */
  async #gridFor({ start, end, calculation }: NeededPoints, mostPoints: number): Promise<Grid | undefined> {
    const needs = calculation?.digestNeeds;
    if (calculation === undefined || needs === undefined || needs.sums || needs.beforeLast) return undefined;
    if (!this.#sums.arePossible || mostPoints < FEWEST_SUMMED) return undefined;
    const pointCount = await this.#sums.countUpTo(start, end);
    return pointCount < FEWEST_SUMMED ? undefined : gridOf(start, calculation.edges, pointCount);
  }
}
