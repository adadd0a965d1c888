// The value axis of a band: its range, and where a state axis has its texts.

import type { Extent } from './series.ts';

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
