// `flat` and `ramp`: points at random spacings around a value, or on the way to one. The hot loop of the generator;
// `bench/simulator/generate.ts` shows its cost.

import type { TagType } from '../config/tag-types.ts';
import type { Column } from './column.ts';
import { POWERS_OF_TEN, roundToSingle } from './numbers.ts';
import { drawUnit, type RandomStream } from './seeds.ts';

export interface CurveEntry {
  readonly kind: 'flat' | 'ramp';
  readonly intervalMs: number;
  readonly target: number;
  readonly noise: number;
  readonly decimals: number;
}

const MIN_SPACING_MS = 1000;

/** One entry being generated over its step. */
export interface CurveCursor {
  readonly entry: CurveEntry;
  readonly type: TagType;
  readonly stepStartMs: number;
  readonly stepEndMs: number;
  readonly from: number;
  /** Time of the next point; `stepEndMs` or later when there is none. */
  nextMs: number;
}

export function startCurve(
  entry: CurveEntry,
  type: TagType,
  stepStartMs: number,
  stepEndMs: number,
  lastNumber: number,
): CurveCursor {
  const from = entry.kind === 'ramp' ? lastNumber : entry.target;
  return { entry, type, stepStartMs, stepEndMs, from, nextMs: stepStartMs };
}

/** Shortest possible distance of two points of an entry, in milliseconds. */
function leastSpacingMs(intervalMs: number): number {
  return Math.max(MIN_SPACING_MS, intervalMs / 2);
}

/** Appends the points before `untilMs` to the column. */
export function fillCurve(cursor: CurveCursor, untilMs: number, column: Column, stream: RandomStream): void {
  const { entry, stepStartMs, stepEndMs, from } = cursor;
  const { target, noise } = entry;
  const { timesMs, values } = column;
  const leastMs = leastSpacingMs(entry.intervalMs);
  const freedomMs = 2 * (entry.intervalMs - leastMs);
  const isShort = stepEndMs - stepStartMs < entry.intervalMs;
  const slope = (target - from) / (stepEndMs - stepStartMs);
  const scale = POWERS_OF_TEN[entry.decimals] ?? 1;
  const least = cursor.type.kind === 'integer' ? cursor.type.min : -Infinity;
  const most = cursor.type.kind === 'integer' ? cursor.type.max : Infinity;
  const limitMs = Math.min(untilMs, stepEndMs);
  let timeMs = cursor.nextMs;
  let count = column.count;
  while (timeMs < limitMs) {
    const nextMs = isShort ? stepEndMs : timeMs + Math.round(leastMs + drawUnit(stream) * freedomMs);
    // The last point stands at the target: the ramp has arrived by the end of its step.
    const base = nextMs >= stepEndMs ? target : from + slope * (timeMs - stepStartMs);
    const drawn = noise === 0 ? base : base + (2 * drawUnit(stream) - 1) * noise;
    const value = (Math.round(drawn * scale) + 0) / scale;
    timesMs[count] = timeMs;
    values[count] = Math.max(least, Math.min(value, most));
    count++;
    timeMs = nextMs;
  }
  if (cursor.type.kind === 'single') {
    for (let i = column.count; i < count; i++) values[i] = roundToSingle(values[i] ?? 0);
  }
  column.count = count;
  cursor.nextMs = timeMs;
}
