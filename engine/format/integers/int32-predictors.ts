// The predictors of integer-predictors.ts for 32-bit integers: the same residuals, in loops without doubles. Values are
// below 2^28 in magnitude, so that every residual fits 32 bits.

import type { ByteWriter } from '../bytes/byte-cursors.ts';
import { zigzagBytes } from '../bytes/number-sizes.ts';
import { AVERAGE_LIMIT, Predictor } from './integer-predictors.ts';

/** The predictors accept magnitudes below this. */
export const INT32_LIMIT: number = 2 ** 28;

// A module constant is inlined; an import is looked up at every use.
const averageLimit = AVERAGE_LIMIT;

/** Number of residuals, the smallest and the largest of them. */
export class Int32Measure {
  count = 0;
  min = 0;
  max = 0;
}

/** The rounded mean step (as an integer of V8, never -0) of `values[start, end)`. */
export function meanInt32Step(values: Int32Array, start: number, end: number): number {
  if (end - start < 2) return 0;
  return Math.round(((values[end - 1] as number) - (values[start] as number)) / (end - start - 1)) | 0;
}

/**
 * Fills `residuals` from index 0 on with the residuals of `values[start, end)` under `predictor`, three values or more, and
 * measures them. Returns whether the predictor can hold the values.
 */
export function predictInt32s(
  predictor: Predictor,
  values: Int32Array,
  start: number,
  end: number,
  step: number,
  residuals: Int32Array,
  measure: Int32Measure,
): boolean {
  switch (predictor) {
    case Predictor.Raw:
      predictRaw(values, start, end, residuals, measure);
      return true;
    case Predictor.Delta:
      predictDelta(values, start, end, residuals, measure);
      return true;
    case Predictor.DeltaOfDelta:
      predictDeltaOfDelta(values, start, end, residuals, measure);
      return true;
    case Predictor.Grid:
      predictGrid(values, start, end, step, residuals, measure);
      return true;
    case Predictor.Average:
      return predictAverage(values, start, end, residuals, measure);
  }
}

// One pass each, which also finds the smallest and largest residual. Measured by bench/engine/codecs.ts.

function predictRaw(
  values: Int32Array,
  start: number,
  end: number,
  residuals: Int32Array,
  measure: Int32Measure,
): void {
  let min = values[start] as number;
  let max = min;
  for (let i = start; i < end; i++) {
    const residual = values[i] as number;
    residuals[i - start] = residual;
    if (residual < min) min = residual;
    if (residual > max) max = residual;
  }
  record(measure, end - start, min, max);
}

function predictDelta(
  values: Int32Array,
  start: number,
  end: number,
  residuals: Int32Array,
  measure: Int32Measure,
): void {
  let before = values[start] as number;
  let min = 0x7fff_ffff;
  let max = -0x8000_0000;
  let at = 0;
  for (let i = start + 1; i < end; i++) {
    const value = values[i] as number;
    const residual = (value - before) | 0;
    residuals[at++] = residual;
    before = value;
    if (residual < min) min = residual;
    if (residual > max) max = residual;
  }
  record(measure, at, min, max);
}

function predictDeltaOfDelta(
  values: Int32Array,
  start: number,
  end: number,
  residuals: Int32Array,
  measure: Int32Measure,
): void {
  let before = values[start + 1] as number;
  let step = (before - (values[start] as number)) | 0;
  let min = 0x7fff_ffff;
  let max = -0x8000_0000;
  let at = 0;
  for (let i = start + 2; i < end; i++) {
    const value = values[i] as number;
    const nextStep = (value - before) | 0;
    const residual = (nextStep - step) | 0;
    residuals[at++] = residual;
    step = nextStep;
    before = value;
    if (residual < min) min = residual;
    if (residual > max) max = residual;
  }
  record(measure, at, min, max);
}

function predictGrid(
  values: Int32Array,
  start: number,
  end: number,
  step: number,
  residuals: Int32Array,
  measure: Int32Measure,
): void {
  let line = values[start] as number;
  let min = 0x7fff_ffff;
  let max = -0x8000_0000;
  let at = 0;
  for (let i = start + 1; i < end; i++) {
    line = (line + step) | 0;
    const residual = ((values[i] as number) - line) | 0;
    residuals[at++] = residual;
    if (residual < min) min = residual;
    if (residual > max) max = residual;
  }
  record(measure, at, min, max);
}

/** False when a value is 2^26 or more from the first. `level` is 8 times the average. */
function predictAverage(
  values: Int32Array,
  start: number,
  end: number,
  residuals: Int32Array,
  measure: Int32Measure,
): boolean {
  const first = values[start] as number;
  const limit = averageLimit;
  let level = 0;
  let min = 0x7fff_ffff;
  let max = -0x8000_0000;
  let at = 0;
  for (let i = start + 1; i < end; i++) {
    const distance = ((values[i] as number) - first) | 0;
    if (distance >= limit || distance <= -limit) return false;
    const residual = (distance - ((level + 4) >> 3)) | 0;
    residuals[at++] = residual;
    level = (level + residual) | 0;
    if (residual < min) min = residual;
    if (residual > max) max = residual;
  }
  record(measure, at, min, max);
  return true;
}

function record(measure: Int32Measure, count: number, min: number, max: number): void {
  measure.count = count;
  measure.min = min;
  measure.max = max;
}

/** Appends the parameters before the residuals; `base` is added to the values. */
export function writeInt32Lead(
  out: ByteWriter,
  predictor: Predictor,
  values: Int32Array,
  start: number,
  step: number,
  base: number,
): void {
  if (predictor === Predictor.Raw) return;
  out.zigzag(base + (values[start] as number));
  if (predictor === Predictor.DeltaOfDelta) out.zigzag((values[start + 1] as number) - (values[start] as number));
  if (predictor === Predictor.Grid) out.zigzag(step);
}

/** Bytes that `writeInt32Lead` takes. */
export function int32LeadBytes(
  predictor: Predictor,
  values: Int32Array,
  start: number,
  step: number,
  base: number,
): number {
  if (predictor === Predictor.Raw) return 0;
  const first = zigzagBytes(base + (values[start] as number));
  if (predictor === Predictor.DeltaOfDelta)
    return first + zigzagBytes((values[start + 1] as number) - (values[start] as number));
  return predictor === Predictor.Grid ? first + zigzagBytes(step) : first;
}
