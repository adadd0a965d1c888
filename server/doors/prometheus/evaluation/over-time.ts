// The value of a series at each step, out of the states of its tag.

import type { OverFunction } from '../promql/promql.ts';
import type { TimeBounds } from './bounds-of-time.ts';
import type { TagStates } from './tag-states.ts';

/** NaN where there is none. */
export function valuesOver(fn: OverFunction, states: TagStates, { starts, ends, timesMs }: TimeBounds): Float64Array {
  if (fn === 'min_over_time') return extremes(states.smallest, { starts, ends }, (a, b) => a < b);
  if (fn === 'max_over_time') return extremes(states.largest, { starts, ends }, (a, b) => a > b);
  const values = new Float64Array(ends.length);
  for (let i = 0; i < values.length; i++) {
    values[i] = FUNCTIONS[fn](states, timesMs, starts[i] as number, ends[i] as number);
  }
  return values;
}

/** Gives the value of the stretch between two of the times. */
type OverStretch = (states: TagStates, timesMs: Float64Array, from: number, to: number) => number;

const difference = (column: Float64Array, from: number, to: number): number =>
  (column[to] as number) - (column[from] as number);

const FUNCTIONS: Readonly<Record<Exclude<OverFunction, 'min_over_time' | 'max_over_time'>, OverStretch>> = {
  last_over_time: ({ pointsMs, values }, timesMs, from, to) =>
    (pointsMs[to] as number) > (timesMs[from] as number) ? (values[to] as number) : Number.NaN,
  avg_over_time: ({ integrals, durations }, _timesMs, from, to) =>
    integrals.between(from, to).over({ high: difference(durations, from, to), low: 0 }),
  count_over_time: ({ counts }, _timesMs, from, to) => difference(counts, from, to) || Number.NaN,
  delta: ({ values }, _timesMs, from, to) => difference(values, from, to),
  rate: ({ gains, values }, timesMs, from, to) =>
    Number.isNaN(values[from] as number)
      ? Number.NaN
      : (gains.between(from, to).value * 1000) / difference(timesMs, from, to),
};

/**
 * The smallest (or largest) of the times since each start: those that a later one surpasses are dropped from the list, so that
 * its first is the one wanted.
 */
function extremes(
  column: Float64Array,
  { starts, ends }: Pick<TimeBounds, 'starts' | 'ends'>,
  surpasses: (a: number, b: number) => boolean,
): Float64Array {
  const values = new Float64Array(ends.length);
  const list: number[] = [];
  let first = 0;
  let taken = 0;
  for (let i = 0; i < values.length; i++) {
    const [from, to] = [starts[i] as number, ends[i] as number];
    for (; taken <= to; taken++) {
      const value = column[taken] as number;
      if (Number.isNaN(value)) continue;
      while (list.length > first && !surpasses(column[list.at(-1) as number] as number, value)) list.pop();
      list.push(taken);
    }
    // What ends at the start is not of the stretch; what is in force there begins the next part as well.
    while (first < list.length && (list[first] as number) <= from) first++;
    values[i] = first < list.length ? (column[list[first] as number] as number) : Number.NaN;
  }
  return values;
}
