// Cells of equal length over a range, none of which has points of two intervals: what points come to is found cell by cell.

import type { Instant } from '../../engine/index.ts';

/** Cells that a range has at least, where it has the points for it: a cell with a point that is not good is read as it is. */
const WANTED_CELLS = 1024;
/** Points of a cell on the average: fewer are hardly dearer than what is told of them. */
const LEAST_POINTS = 50;

export interface Grid {
  /** The start of the range, or a time before it. */
  readonly origin: Instant;
  /** Each edge between two intervals is a multiple of it behind the origin. */
  readonly stepMs: number;
  readonly stepCount: number;
  /** Cells of a step; the last of them may be shorter. */
  readonly parts: number;
}

/** From an instant up to another, which is not part of it. */
export interface GridSpan {
  readonly start: Instant;
  readonly end: Instant;
}

/**
 * @param edges of intervals, ms from the start of the range
 * @returns undefined where edges lie between ms, or so irregularly that there would be too few points in a cell
 */
export function gridOf(start: Instant, edges: Float64Array, pointCount: number): Grid | undefined {
  const inner = edges.subarray(1, -1);
  const endMs = edges.at(-1) as number;
  if (!inner.every(Number.isInteger)) return undefined;
  const stepMs = stepOf(inner, endMs);
  const beforeMs = stepMs * Math.ceil((inner[0] ?? 0) / stepMs) - (inner[0] ?? 0);
  const stepCount = Math.ceil((endMs + beforeMs) / stepMs);
  const mostCells = pointCount / LEAST_POINTS;
  if (stepCount > mostCells) return undefined;
  const parts = Math.max(1, Math.floor(Math.min(WANTED_CELLS, mostCells) / stepCount));
  return { origin: { ms: start.ms - beforeMs, ticks: start.ticks }, stepMs, stepCount, parts };
}

/** The range in spans of some cells each, cut where steps begin. */
export function spansOf(
  { origin, stepMs, stepCount, parts }: Grid,
  { start, end }: GridSpan,
  cells: number,
): GridSpan[] {
  const size = Math.max(1, Math.floor(cells / parts));
  const cuts: Instant[] = [];
  for (let step = size; step < stepCount; step += size)
    cuts.push({ ms: origin.ms + step * stepMs, ticks: origin.ticks });
  const starts = [start, ...cuts];
  return starts.map((from, i) => ({ start: from, end: starts[i + 1] ?? end }));
}

/** The longest step that all inner edges are apart. */
function stepOf(inner: Float64Array, endMs: number): number {
  const first = inner[0];
  if (first === undefined) return Math.ceil(endMs);
  let step = 0;
  for (let i = 1; i < inner.length; i++) step = greatestDivisor((inner[i] as number) - (inner[i - 1] as number), step);
  return step > 0 ? step : Math.max(first, Math.ceil(endMs - first));
}

function greatestDivisor(a: number, b: number): number {
  let [large, small] = [a, b];
  while (small > 0) [large, small] = [small, large % small];
  return large;
}
