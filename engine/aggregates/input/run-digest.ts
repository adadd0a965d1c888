// What a run of good points comes to, without the points: so that calculators need not go over a block again that lies in
// one interval. The first point is told by itself, for how the interval goes on to it depends on what lies before.

import type { Instant } from '../../types.ts';
import { Status } from './aggregate-rules.ts';
import type { Bound } from './bound.ts';
import { ExactSum } from './exact-sum.ts';
import { Integral } from './integral.ts';
import type { PointWindow } from './point-window.ts';

/** A value, by the index of its point. */
interface Extreme {
  readonly at: number;
  readonly value: number;
}

/** Times are ms from the first point. */
export interface RunDigest {
  /** When the first point was. */
  readonly origin: Instant;
  readonly first: Bound;
  readonly beforeLast: Bound;
  readonly last: Bound;
  readonly firstQuality: number;
  /** Whether the second point, if there is one, has a later time than the first. */
  readonly isFirstAlone: boolean;
  /** All below are of the points behind the first, and mean nothing when there are none. How many there are. */
  readonly count: number;
  readonly sum: ExactSum;
  /** The mean of the values less the first point's. */
  readonly mean: number;
  /** Sum of the squared distances from the mean. */
  readonly squares: number;
  /** The first of the smallest, and of the largest. */
  readonly min: Bound;
  readonly max: Bound;
  readonly worstQuality: number;
  /** How often a value was another than the one before, the first point's included. */
  readonly transitions: number;
  /** From the first point to the last: when values hold until the next point, and on the lines between them. */
  readonly steppedIntegral: Integral;
  readonly slopedIntegral: Integral;
  /** How long there was zero, and something else, when values hold. */
  readonly zeroMs: number;
  readonly nonZeroMs: number;
}

/** Digest of all points of a window, at least one, with times in ms from the first of them; undefined unless all are good. */
export function digestOf(window: PointWindow, origin: Instant): RunDigest | undefined {
  const { times, values, qualities, statuses, count } = window;
  for (let i = 0; i < count; i++) if (statuses[i] !== Status.Good) return undefined;
  const boundAt = (i: number): Bound => ({ time: times[i] as number, value: values[i] as number, status: Status.Good });
  const first = boundAt(0);
  let min: Extreme = { at: 0, value: Number.POSITIVE_INFINITY };
  let max: Extreme = { at: 0, value: Number.NEGATIVE_INFINITY };
  let [mean, squares, transitions, zeroMs, nonZeroMs] = [0, 0, 0, 0, 0];
  let worstQuality = Number.POSITIVE_INFINITY;
  let { time, value } = first;
  for (let i = 1; i < count; i++) {
    const nextTime = times[i] as number;
    const next = values[i] as number;
    const spanMs = nextTime - time;
    if (value === 0) zeroMs += spanMs;
    else nonZeroMs += spanMs;
    if (next !== value) transitions++;
    if (next < min.value) min = { at: i, value: next };
    if (next > max.value) max = { at: i, value: next };
    const difference = next - first.value;
    const delta = difference - mean;
    mean += delta / i;
    squares += delta * (difference - mean);
    worstQuality = Math.min(worstQuality, qualities[i] as number);
    time = nextTime;
    value = next;
  }
  return {
    origin,
    first,
    beforeLast: boundAt(Math.max(0, count - 2)),
    last: boundAt(count - 1),
    firstQuality: qualities[0] as number,
    isFirstAlone: count === 1 || (times[1] as number) > first.time,
    count: count - 1,
    sum: sumOf(window),
    mean,
    squares,
    min: boundAt(min.at),
    max: boundAt(max.at),
    worstQuality,
    transitions,
    steppedIntegral: integralOf(window, true),
    slopedIntegral: integralOf(window, false),
    zeroMs,
    nonZeroMs,
  };
}

function sumOf({ values, count }: PointWindow): ExactSum {
  const sum = new ExactSum();
  sum.addAll(values, 1, count);
  return sum;
}

function integralOf(window: PointWindow, isStepped: boolean): Integral {
  const integral = new Integral(isStepped);
  integral.addRun(window, 1, window.count, { time: window.times[0] as number, value: window.values[0] as number });
  return integral;
}

/** A bound of a digest whose first point is so many ms from the start of the range. */
export function moved({ time, value, status }: Bound, offsetMs: number): Bound {
  return { time: time + offsetMs, value, status };
}
