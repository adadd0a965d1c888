// The value axis of a band: its range, and where a state axis has its texts.

import type { PointValue } from '../values/value-text.ts';
import { type Extent, firstAfter, type Series, toNumber } from './series.ts';

const PADDING = 0.08;

/** A range with some air around it; flat series get one around their value. */
export function axisRange(extents: readonly (Extent | undefined)[]): readonly [number, number] {
  const known = extents.filter((extent) => extent !== undefined);
  if (known.length === 0) return [0, 1];
  const min = Math.min(...known.map((extent) => extent.min));
  const max = Math.max(...known.map((extent) => extent.max));
  if (max - min > Math.abs(max) * 1e-9) return [min - (max - min) * PADDING, max + (max - min) * PADDING];
  const half = Math.abs(max) > 0 ? Math.abs(max) * 0.05 : 1;
  return [min - half, max + half];
}

/** States have half a step of air, so that the lowest and highest line lie inside. */
export function stateRange(states: Iterable<number>, extent: Extent | undefined): readonly [number, number] {
  const all = [...states];
  if (extent !== undefined) all.push(extent.min, extent.max);
  if (all.length === 0) return [-0.5, 1.5];
  const [min, max] = [Math.min(...all), Math.max(...all)];
  const air = Math.max(0.35, (max - min) * 0.12);
  return [min - air, max + air];
}

/** Distance of values that are far off, in ranges of the others. */
const FAR_OFF = 3;
const FAR_OFF_SHARE = 0.005;
const LEAST_POINTS = 10;

/** The range of a window without the few points that lie far off, which would leave nothing of the others to see. */
export function usualExtent(series: Series, startMs: number, endMs: number): Extent | undefined {
  const from = Math.max(0, firstAfter(series.timesMs, startMs) - 1);
  const values = series.values
    .slice(from, firstAfter(series.timesMs, endMs))
    .map((value: PointValue) => toNumber(value))
    .filter((value) => !Number.isNaN(value))
    .sort((a, b) => a - b);
  const [min, max] = [values[0], values.at(-1)];
  if (min === undefined || max === undefined) return undefined;
  if (values.length < LEAST_POINTS) return { min, max };
  const few = Math.max(1, Math.floor(values.length * FAR_OFF_SHARE));
  const low = values[few] as number;
  const high = values[values.length - 1 - few] as number;
  const reach = FAR_OFF * (high - low);
  return { min: low - min > reach ? low : min, max: max - high > reach ? high : max };
}
