// The line of a sparkline, in a box of 100 by 100. Pure.

import type { TimeWindow } from '../time/time-range.ts';
import { type Extent, type Series, toNumber } from '../trend/series.ts';
import { axisRange } from '../trend/value-scale.ts';

export interface Spark {
  /** For the attribute `d` of a path; empty without a number. */
  readonly path: string;
  /** Height of a value in the box, from its top. */
  y(value: number): number;
}

const SIZE = 100;

/** A null is a gap; the last value holds until then. `isStepped`: each holds until the next. */
export function sparkOf(
  { timesMs, values }: Series,
  { startMs, endMs }: TimeWindow,
  extent: Extent | undefined,
  isStepped: boolean,
): Spark {
  const [min, max] = axisRange([extent]);
  const x = (timeMs: number): string => round(((Math.max(startMs, timeMs) - startMs) / (endMs - startMs)) * SIZE);
  const y = (value: number): number => SIZE - ((value - min) / (max - min)) * SIZE;
  let path = '';
  let last: number | undefined;
  for (let index = 0; index < timesMs.length; index++) {
    const timeMs = timesMs[index] as number;
    if (timeMs > endMs) break;
    const value = toNumber(values[index] ?? null);
    if (last !== undefined && (isStepped || Number.isNaN(value))) path += `L${x(timeMs)} ${round(y(last))}`;
    if (!Number.isNaN(value)) path += `${last === undefined ? 'M' : 'L'}${x(timeMs)} ${round(y(value))}`;
    last = Number.isNaN(value) ? undefined : value;
  }
  if (last !== undefined) path += `L${SIZE} ${round(y(last))}`;
  return { path, y };
}

function round(value: number): string {
  return String(Number(value.toFixed(2)));
}
