// Requests as the parsers give them: plain points as whole numbers. Drivers of the engine that have doubles make them so.

import { integerBounds } from '../../engine/index.ts';
import { MAX_PLAIN_DECIMALS, NOT_PLAIN, type PointBatch, type PointColumns, ValueType } from '../../engine/types.ts';

const MAX_INT32 = 2 ** 31 - 1;
/** In the general columns of plain points: whoever reads them sees that they are not for them. */
const GARBAGE = 12_345;

/** Whether values of a type may be plain. */
function mayBePlain(type: ValueType): boolean {
  return type === ValueType.Double || (type !== ValueType.Boolean && integerBounds(type) !== undefined);
}

/** The same request; runs whose points can be plain are. */
export function asPlain(batch: PointBatch): PointBatch {
  const { points, runs } = batch;
  points.baseMs = runs.length > 0 ? (points.timesMs[runs[0]?.start ?? 0] as number) : 0;
  return {
    ...batch,
    runs: runs.map((run) => {
      if (run.count === 0 || !mayBePlain(run.type)) return run;
      return { ...run, decimals: makePlain(points, run.start, run.start + run.count) };
    }),
  };
}

/** Makes points `[start, end)` plain; returns their decimals, or `NOT_PLAIN`, having changed nothing. */
export function makePlain(points: PointColumns, start: number, end: number): number {
  if (points.baseMs === 0) points.baseMs = points.timesMs[start] as number;
  for (let i = start; i < end; i++) if (!isPlainPoint(points, i)) return NOT_PLAIN;
  for (let decimals = 0; decimals <= MAX_PLAIN_DECIMALS; decimals++) {
    if (!areDecimals(points, start, end, decimals)) continue;
    for (let i = start; i < end; i++) putPlain(points, i, decimals);
    return decimals;
  }
  return NOT_PLAIN;
}

function isPlainPoint({ baseMs, timesMs, ticks, nulls, qualities, numbers }: PointColumns, i: number): boolean {
  if (ticks[i] !== 0 || nulls[i] !== 0 || qualities[i] !== 192 || Object.is(numbers[i], -0)) return false;
  return Math.abs((timesMs[i] as number) - baseMs) <= MAX_INT32;
}

function areDecimals({ numbers }: PointColumns, start: number, end: number, decimals: number): boolean {
  for (let i = start; i < end; i++) {
    const value = numbers[i] as number;
    const mantissa = Math.round(value * 10 ** decimals);
    if (!(Math.abs(mantissa) <= MAX_INT32) || mantissa / 10 ** decimals !== value) return false;
  }
  return true;
}

function putPlain(points: PointColumns, i: number, decimals: number): void {
  points.offsets[i] = (points.timesMs[i] as number) - points.baseMs;
  points.mantissas[i] = Math.round((points.numbers[i] as number) * 10 ** decimals);
  points.timesMs[i] = GARBAGE;
  points.ticks[i] = GARBAGE % 10_000;
  points.numbers[i] = GARBAGE;
  points.nulls[i] = 1;
  points.qualities[i] = GARBAGE;
}
