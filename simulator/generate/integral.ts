// `integrate`: the running total of another tag's points over time. A value counts for as long as it is held; between two
// points of one ramp the trapezoid counts; null adds nothing. Every tag has a point at the start of each step, so the
// total is settled at each step's end and nothing but the total goes from step to step.

import type { IntegrateUnit } from '../config/entries.ts';
import type { TagType } from '../config/tag-types.ts';
import type { TagCarry } from './carry.ts';
import type { Column } from './column.ts';
import { fitToType, POWERS_OF_TEN } from './numbers.ts';

const UNIT_MS: Readonly<Record<IntegrateUnit, number>> = { second: 1000, minute: 60_000, hour: 3_600_000 };

export interface IntegralEntry {
  readonly kind: 'integrate';
  readonly unit: IntegrateUnit;
  readonly onEntry: 'continue' | 'reset';
  readonly decimals: number;
}

/** One integral being generated over its step. */
export interface IntegralCursor {
  readonly entry: IntegralEntry;
  readonly type: TagType;
  /** The source's last point that was added up; NaN for null, and before the first. */
  heldTimeMs: number;
  heldValue: number;
}

export function startIntegral(
  entry: IntegralEntry,
  type: TagType,
  stepStartMs: number,
  carry: TagCarry,
): IntegralCursor {
  if (entry.onEntry === 'reset') carry.total = 0;
  return { entry, type, heldTimeMs: stepStartMs, heldValue: Number.NaN };
}

/** Appends one point for each of the source's points in the slice. */
export function fillIntegral(cursor: IntegralCursor, source: Column, carry: TagCarry, column: Column): void {
  const unitMs = UNIT_MS[cursor.entry.unit];
  const scale = POWERS_OF_TEN[cursor.entry.decimals] ?? 1;
  for (let i = 0; i < source.count; i++) {
    const timeMs = source.timesMs[i] ?? 0;
    const value = source.values[i] ?? Number.NaN;
    if (!Number.isNaN(cursor.heldValue)) {
      const height = source.between === 'ramp' ? (cursor.heldValue + value) / 2 : cursor.heldValue;
      carry.total += (height * (timeMs - cursor.heldTimeMs)) / unitMs;
    }
    cursor.heldTimeMs = timeMs;
    cursor.heldValue = value;
    column.timesMs[column.count] = timeMs;
    column.values[column.count] = fitToType((Math.round(carry.total * scale) + 0) / scale, cursor.type);
    column.count++;
  }
}

/** Adds what was held from the source's last point to the step's end. */
export function settleIntegral(cursor: IntegralCursor, stepEndMs: number, carry: TagCarry): void {
  if (Number.isNaN(cursor.heldValue)) return;
  carry.total += (cursor.heldValue * (stepEndMs - cursor.heldTimeMs)) / UNIT_MS[cursor.entry.unit];
}
