// Values at a time, from the points around it.

import { type AggregateRules, isUsable, Status } from './aggregate-rules.ts';
import type { PointWindow } from './point-window.ts';

/** A point, or a value at a time. */
export interface Bound {
  readonly time: number;
  readonly value: number;
  readonly status: Status;
}

export function boundOfPoint({ times, values, statuses }: PointWindow, i: number): Bound {
  return { time: times[i] as number, value: values[i] as number, status: statuses[i] as Status };
}

/** Bound at a time that nothing is known about. */
export function unknownAt(time: number): Bound {
  return { time, value: Number.NaN, status: Status.Bad };
}

/** The value at a time on the line between two points; before the first when these have the same time. */
export function valueBetween(a: Bound, b: Bound, time: number): number {
  if (b.time === a.time) return a.value;
  if (time === b.time) return b.value;
  const value = a.value + ((b.value - a.value) * (time - a.time)) / (b.time - a.time);
  if (Number.isFinite(value)) return value;
  // The difference, or its product, is more than a double holds.
  const share = (time - a.time) / (b.time - a.time);
  return a.value * (1 - share) + b.value * share;
}

/**
 * The simple bounding value between two points that follow each other. Towards a point that is not usable there is no line, so the value
 * before it holds, and is uncertain.
 */
export function simpleBound(rules: AggregateRules, before: Bound | undefined, behind: Bound, time: number): Bound {
  if (before === undefined || !isUsable(rules, before.status)) return unknownAt(time);
  const { value, status } = before;
  if (rules.isStepped) return { time, value, status };
  if (!isUsable(rules, behind.status)) return { time, value, status: Status.Uncertain };
  const bothGood = status === Status.Good && behind.status === Status.Good;
  return { time, value: valueBetween(before, behind, time), status: bothGood ? Status.Good : Status.Uncertain };
}
