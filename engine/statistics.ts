// The words of statistics: what there is to know of a tag's points in a range, in one answer.

import type { AggregateRequest, ReadGap, ReadMemory } from './reads.ts';
import type { Instant, TagDefinition } from './types.ts';

export interface StatisticsRequest {
  readonly tags: readonly string[];
  /** The start is part of it, the end is not; the start is before the end. */
  readonly range: { readonly start: Instant; readonly end: Instant };
  /** Leave unknown tags out instead of failing with TAG_NOT_FOUND. */
  readonly skipMissing: boolean;
  readonly interpolation: AggregateRequest['interpolation'];
  readonly treatUncertainAsBad: boolean;
  /** Nothing is missing behind it. */
  readonly now: Instant;
  /** Whether nobody waits for the answer any more: no further points are read then, and what is given is incomplete. */
  readonly isAborted: () => boolean;
  /** For the values of a tag while its percentiles are found; nobody asks when absent. */
  readonly memory?: ReadMemory | undefined;
}

/** A point of the tag; times as values are instants, to the ms. */
export interface StatisticsPoint {
  readonly time: Instant;
  readonly value: boolean | number | string | Instant | null;
  /** 192 good, 64 uncertain, 0 bad. */
  readonly quality: number;
}

/** Statistics of one tag. What there is none of is null, as everything that needs numbers is for texts and times. */
export interface TagStatistics {
  readonly tag: TagDefinition;
  /** Points in the range, and the good ones among them. */
  readonly points: number;
  readonly good: number;
  readonly first: StatisticsPoint | null;
  readonly last: StatisticsPoint | null;
  /** The good values count, here and in all that follow but `timeMean`. */
  readonly min: StatisticsPoint | null;
  readonly max: StatisticsPoint | null;
  readonly mean: number | null;
  /** The function TimeAverage. */
  readonly timeMean: number | null;
  /** Standard deviation of a sample, so over n - 1. */
  readonly deviation: number | null;
  readonly percentiles: Percentiles | null;
  /** Share of the range in which the value was good. */
  readonly percentGood: number;
  /** The longest time of the range without a point, up to now. */
  readonly longestGap: { readonly start: Instant; readonly end: Instant } | null;
  /** What could not be read. */
  readonly gaps: readonly ReadGap[];
}

/** Between values that are next to each other, on the line between them. */
export interface Percentiles {
  readonly p5: number;
  readonly p50: number;
  readonly p95: number;
  /** Whether all values were counted, instead of a random part of them. */
  readonly isExact: boolean;
}

export interface StatisticsResult {
  /** Finds the tags, in slices; rejects with TAG_NOT_FOUND as a read does. */
  settle(): Promise<void>;
  /** Valid once `settle` has resolved. */
  readonly tagCount: number;
  /** Statistics of the i-th tag: computed when it is called, in slices. */
  of(index: number): Promise<TagStatistics>;
}
