// Statistics of a tag as the API answers them.

import type { TagDefinition } from '../model/tags/tag.ts';
import type { PointValue } from '../model/values/value-text.ts';

interface AnswerPoint {
  /** ISO 8601. */
  readonly t: string;
  readonly v: PointValue;
}

export interface TagStatistics {
  readonly t: TagDefinition;
  readonly points: number;
  readonly good: number;
  readonly min: AnswerPoint | null;
  readonly max: AnswerPoint | null;
  readonly mean: number | null;
  readonly timeMean: number | null;
  readonly deviation: number | null;
  readonly percentiles: {
    readonly p5: number;
    readonly p50: number;
    readonly p95: number;
    /** `sample`: of a million of the values. */
    readonly of: 'all' | 'sample';
  } | null;
  readonly percentGood: number;
  readonly longestGap: { readonly s: string; readonly e: string; readonly ms: number } | null;
  /** Points that are known to have been there and cannot be read. */
  readonly gaps?: readonly unknown[];
}
