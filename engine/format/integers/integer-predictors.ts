// Predictors of integer columns: the difference of each value from its prediction by the values before. A predictor converts
// values to residuals and back; a packer (integer-packers.ts) then writes the residuals. All arithmetic is exact, because
// values are below 2^50 in magnitude.

import { corrupt } from '../../errors.ts';
import type { ByteReader, ByteWriter } from '../bytes/byte-cursors.ts';
import { zigzagBytes } from '../bytes/number-sizes.ts';
import type { ResidualMeasure } from './residual-measure.ts';

/** The number is the code on disk, so it never changes. */
export const Predictor = {
  /** No prediction: the residuals are the values. */
  Raw: 0,
  /** Predicts the previous value. */
  Delta: 1,
  /** Predicts the previous value plus the last step. */
  DeltaOfDelta: 2,
  /** A straight line: the first value and i times the rounded mean step. */
  Grid: 3,
  /** A moving average that moves by an eighth of the difference; for noise around a drifting level. */
  Average: 4,
} as const;
export type Predictor = (typeof Predictor)[keyof typeof Predictor];

export const PREDICTORS: readonly Predictor[] = [
  Predictor.Raw,
  Predictor.Delta,
  Predictor.DeltaOfDelta,
  Predictor.Grid,
  Predictor.Average,
];

/** The greatest distance of the moving average from the first value. */
export const AVERAGE_LIMIT: number = 2 ** 26;

/** Number of values that a predictor stores as parameters, before the residuals of all others. */
export function leadCount(predictor: Predictor): number {
  if (predictor === Predictor.Raw) return 0;
  return predictor === Predictor.DeltaOfDelta ? 2 : 1;
}

/** The rounded mean step of `values[start, end)`. */
export function meanStep(values: Float64Array, start: number, end: number): number {
  if (end - start < 2) return 0;
  return Math.round(((values[end - 1] as number) - (values[start] as number)) / (end - start - 1));
}

/**
 * Fills `residuals` from index 0 on with the residuals of `values[start, end)` under `predictor`, and measures them (not the
 * frames). There must be more values than `leadCount`. Returns whether the predictor can hold the values.
 */
export function predict(
  predictor: Predictor,
  values: Float64Array,
  start: number,
  end: number,
  step: number,
  residuals: Float64Array,
  measure: ResidualMeasure,
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
  values: Float64Array,
  start: number,
  end: number,
  residuals: Float64Array,
  measure: ResidualMeasure,
): void {
  let min = values[start] as number;
  let max = min;
  for (let i = start; i < end; i++) {
    const residual = values[i] as number;
    residuals[i - start] = residual;
    if (residual < min) min = residual;
    else if (residual > max) max = residual;
  }
  record(measure, end - start, min, max);
}

function predictDelta(
  values: Float64Array,
  start: number,
  end: number,
  residuals: Float64Array,
  measure: ResidualMeasure,
): void {
  let before = values[start] as number;
  let min = Infinity;
  let max = -Infinity;
  let at = 0;
  for (let i = start + 1; i < end; i++) {
    const value = values[i] as number;
    const residual = value - before;
    residuals[at++] = residual;
    before = value;
    if (residual < min) min = residual;
    if (residual > max) max = residual;
  }
  record(measure, at, min, max);
}

function predictDeltaOfDelta(
  values: Float64Array,
  start: number,
  end: number,
  residuals: Float64Array,
  measure: ResidualMeasure,
): void {
  let before = values[start + 1] as number;
  let step = before - (values[start] as number);
  let min = Infinity;
  let max = -Infinity;
  let at = 0;
  for (let i = start + 2; i < end; i++) {
    const value = values[i] as number;
    const nextStep = value - before;
    const residual = nextStep - step;
    residuals[at++] = residual;
    step = nextStep;
    before = value;
    if (residual < min) min = residual;
    if (residual > max) max = residual;
  }
  record(measure, at, min, max);
}

function predictGrid(
  values: Float64Array,
  start: number,
  end: number,
  step: number,
  residuals: Float64Array,
  measure: ResidualMeasure,
): void {
  let line = values[start] as number;
  let min = Infinity;
  let max = -Infinity;
  let at = 0;
  for (let i = start + 1; i < end; i++) {
    line += step;
    const residual = (values[i] as number) - line;
    residuals[at++] = residual;
    if (residual < min) min = residual;
    if (residual > max) max = residual;
  }
  record(measure, at, min, max);
}

/** 32-bit arithmetic: false when a value is 2^26 or more from the first. `level` is 8 times the average. */
function predictAverage(
  values: Float64Array,
  start: number,
  end: number,
  residuals: Float64Array,
  measure: ResidualMeasure,
): boolean {
  const first = values[start] as number;
  let level = 0;
  let min = 0x7fff_ffff;
  let max = -0x8000_0000;
  let at = 0;
  for (let i = start + 1; i < end; i++) {
    const distance = (values[i] as number) - first;
    if (Math.abs(distance) >= AVERAGE_LIMIT) return false;
    const residual = (distance | 0) - ((level + 4) >> 3);
    residuals[at++] = residual;
    level = (level + residual) | 0;
    if (residual < min) min = residual;
    if (residual > max) max = residual;
  }
  record(measure, at, min, max);
  return true;
}

function record(measure: ResidualMeasure, count: number, min: number, max: number): void {
  measure.count = count;
  measure.min = min;
  measure.max = max;
}

/** Appends the parameters that `restore` needs besides the residuals. */
export function writeLead(
  out: ByteWriter,
  predictor: Predictor,
  values: Float64Array,
  start: number,
  step: number,
): void {
  if (predictor === Predictor.Raw) return;
  out.zigzag(values[start] as number);
  if (predictor === Predictor.DeltaOfDelta) out.zigzag((values[start + 1] as number) - (values[start] as number));
  if (predictor === Predictor.Grid) out.zigzag(step);
}

/** Bytes that `writeLead` takes. */
export function leadBytes(predictor: Predictor, values: Float64Array, start: number, step: number): number {
  if (predictor === Predictor.Raw) return 0;
  const first = zigzagBytes(values[start] as number);
  if (predictor === Predictor.DeltaOfDelta)
    return first + zigzagBytes((values[start + 1] as number) - (values[start] as number));
  return predictor === Predictor.Grid ? first + zigzagBytes(step) : first;
}

interface Lead {
  first: number;
  /** First difference (delta of delta) or mean step (grid); else 0. */
  step: number;
}

export function readLead(reader: ByteReader, predictor: Predictor): Lead {
  if (predictor === Predictor.Raw) return { first: 0, step: 0 };
  const first = reader.zigzag();
  if (predictor === Predictor.DeltaOfDelta || predictor === Predictor.Grid) return { first, step: reader.zigzag() };
  return { first, step: 0 };
}

/** Converts the residuals in `target[start + leadCount, end)` to the values of `target[start, end)`, in place. */
export function restore(predictor: Predictor, lead: Lead, target: Float64Array, start: number, end: number): void {
  switch (predictor) {
    case Predictor.Raw:
      return;
    case Predictor.Delta:
      return restoreDelta(lead.first, target, start, end);
    case Predictor.DeltaOfDelta:
      return restoreDeltaOfDelta(lead, target, start, end);
    case Predictor.Grid:
      return restoreGrid(lead, target, start, end);
    case Predictor.Average:
      return restoreAverage(lead.first, target, start, end);
    default:
      throw corrupt(`got predictor ${predictor as number}; want 0 to 4`);
  }
}

function restoreDelta(first: number, target: Float64Array, start: number, end: number): void {
  let value = first;
  target[start] = value;
  for (let i = start + 1; i < end; i++) {
    value += target[i] as number;
    target[i] = value;
  }
}

function restoreDeltaOfDelta(lead: Lead, target: Float64Array, start: number, end: number): void {
  let step = lead.step;
  let value = lead.first + step;
  target[start] = lead.first;
  target[start + 1] = value;
  for (let i = start + 2; i < end; i++) {
    step += target[i] as number;
    value += step;
    target[i] = value;
  }
}

function restoreGrid(lead: Lead, target: Float64Array, start: number, end: number): void {
  const step = lead.step;
  let line = lead.first;
  target[start] = line;
  for (let i = start + 1; i < end; i++) {
    line += step;
    target[i] = (target[i] as number) + line;
  }
}

function restoreAverage(first: number, target: Float64Array, start: number, end: number): void {
  let level = 0;
  target[start] = first;
  for (let i = start + 1; i < end; i++) {
    const residual = (target[i] as number) | 0;
    target[i] = first + (((level + 4) >> 3) + residual);
    level = (level + residual) | 0;
  }
}
