// Digests of runs of good points that were not gone over in order: first, last and extreme points are known, sums are not.

import type { Instant } from '../../types.ts';
import { Status } from './aggregate-rules.ts';
import type { Bound } from './bound.ts';
import { ExactSum } from './exact-sum.ts';
import { Integral } from './integral.ts';
import type { RunDigest } from './run-digest.ts';

/** A value, and how many ms behind the first point of the run it was there. */
interface Timed {
  readonly afterMs: number;
  readonly value: number;
}

export interface RunEnds {
  /** Number of all points. */
  readonly count: number;
  readonly origin: Instant;
  readonly firstValue: number;
  readonly firstQuality: number;
  readonly last: Timed;
  /** The first of the smallest, and of the largest, of all points; without their times where no function gives these. */
  readonly min: Timed;
  readonly max: Timed;
  readonly worstQuality: number;
}

/** What is not known is NaN: a result that is made of it is none. */
const UNKNOWN = Number.NaN;

/**
 * Digest of a run whose first point has a time of its own, at least where an interval begins. The first point may be an
 * extreme one: it is taken before, and an extreme that is no more than it changes nothing.
 */
export function digestOfEnds({
  count,
  origin,
  firstValue,
  firstQuality,
  last,
  min,
  max,
  worstQuality,
}: RunEnds): RunDigest {
  return {
    origin,
    first: goodAt({ afterMs: 0, value: firstValue }),
    beforeLast: goodAt({ afterMs: UNKNOWN, value: UNKNOWN }),
    last: goodAt(last),
    firstQuality,
    isFirstAlone: true,
    count: count - 1,
    sum: ExactSum.unknown(),
    mean: UNKNOWN,
    squares: UNKNOWN,
    min: goodAt(min),
    max: goodAt(max),
    worstQuality,
    transitions: UNKNOWN,
    steppedIntegral: Integral.unknown(),
    slopedIntegral: Integral.unknown(),
    zeroMs: UNKNOWN,
    nonZeroMs: UNKNOWN,
  };
}

function goodAt({ afterMs, value }: Timed): Bound {
  return { time: afterMs, value, status: Status.Good };
}
