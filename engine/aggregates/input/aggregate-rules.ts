// The rules that a calculation goes by: what counts as good, and the quality of results (OPC UA Part 13, 4.2.1.2).

import { GOOD_QUALITY } from '../../types.ts';

/** Status of a point, a bounding value or a result. */
export const Status = { Bad: 0, Uncertain: 1, Good: 2 } as const;
export type Status = (typeof Status)[keyof typeof Status];

/** Qualities from here up to good are uncertain, those below bad. */
export const UNCERTAIN_QUALITY = 64;

/** What a result of a status has for a quality. */
export const STATUS_QUALITIES = [0, UNCERTAIN_QUALITY, GOOD_QUALITY] as const;

export interface AggregateRules {
  /** Values hold until the next point, instead of changing evenly towards it. */
  readonly isStepped: boolean;
  readonly treatUncertainAsBad: boolean;
  /** A result is good when at least so many percent of what it is made of are. */
  readonly percentGood: number;
  /** Else bad when at least so many percent are bad, and uncertain in between. */
  readonly percentBad: number;
  /** True: the slope between the last two points goes on behind the last one; false: the last value does. */
  readonly extrapolatesSlope: boolean;
}

/** Status of a point: a null says nothing, so it is bad whatever its quality. */
export function statusOf(quality: number, isNull: boolean): Status {
  if (isNull || quality < UNCERTAIN_QUALITY) return Status.Bad;
  return quality < GOOD_QUALITY ? Status.Uncertain : Status.Good;
}

/** Whether a value takes part in results. */
export function isUsable(rules: AggregateRules, status: Status): boolean {
  return status === Status.Good || (status === Status.Uncertain && !rules.treatUncertainAsBad);
}

/** The status of a result by the shares of good and bad time, or points; of nothing it is good. */
export function statusOfShares(rules: AggregateRules, good: number, bad: number, total: number): Status {
  if (total === 0 || good * 100 >= rules.percentGood * total) return Status.Good;
  return bad * 100 >= rules.percentBad * total ? Status.Bad : Status.Uncertain;
}
