// Cursors that stay where they were put: their times, and what a line has there. Pure.

import { valueKind } from '../values/value-kind.ts';
import { isGood } from '../values/value-text.ts';
import { firstAfter, type Series, toNumber } from './series.ts';

export const MOST_PINS = 9;

/** With the time, in order; without the pin that is there already, give or take the tolerance. */
export function withPin(pinsMs: readonly number[], timeMs: number, toleranceMs: number): readonly number[] {
  const others = pinsMs.filter((pinMs) => Math.abs(pinMs - timeMs) > toleranceMs);
  if (others.length < pinsMs.length) return others;
  return [...pinsMs, timeMs].sort((a, b) => a - b);
}

/** Value on the straight line between two good points; undefined where the line is none, or a point is. */
export function interpolatedAt(series: Series, timeMs: number): number | undefined {
  if (valueKind(series.tag) !== 'line' || series.tag.aggregate !== undefined) return undefined;
  const after = firstAfter(series.timesMs, timeMs);
  const [before, next] = [goodPoint(series, after - 1), goodPoint(series, after)];
  if (before === undefined || next === undefined) return undefined;
  return before.value + ((next.value - before.value) * (timeMs - before.timeMs)) / (next.timeMs - before.timeMs);
}

function goodPoint({ timesMs, values, qualities }: Series, index: number) {
  const timeMs = timesMs[index];
  const value = toNumber(values[index] ?? null);
  if (timeMs === undefined || Number.isNaN(value) || !isGood(qualities[index] as number)) return undefined;
  return { timeMs, value };
}
