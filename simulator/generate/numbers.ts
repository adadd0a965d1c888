// Rounding and drawing of values. A generated value is a whole number of 10^-decimals, so that it has few digits and packs
// well; bounds and targets keep the decimals they were written with.

import type { NumberRange } from '../config/entries.ts';
import type { TagType } from '../config/tag-types.ts';
import { drawFineUnit, type RandomStream } from './seeds.ts';

export const POWERS_OF_TEN = Float64Array.from({ length: 16 }, (_, power) => 10 ** power);

/** Digits that a System.Single gives back as they were written. */
const SINGLE_DIGITS = 6;

/** Uniform between the bounds, both inclusive; fixed when they are equal. */
export function drawRange(range: NumberRange, stream: RandomStream): number {
  if (range.low === range.high) return range.low;
  const scale = POWERS_OF_TEN[range.decimals] ?? 1;
  const low = Math.round(range.low * scale);
  const high = Math.round(range.high * scale);
  const unit = drawFineUnit(stream);
  if (!Number.isSafeInteger(low) || !Number.isSafeInteger(high)) return range.low + unit * (range.high - range.low);
  return (low + Math.floor(unit * (high - low + 1))) / scale;
}

/** A number as a tag of that type stores it. */
export function fitToType(value: number, type: TagType): number {
  if (type.kind === 'single') return roundToSingle(value);
  if (type.kind !== 'integer') return value;
  return Math.min(type.max, Math.max(type.min, Math.round(value))) + 0;
}

export function roundToSingle(value: number): number {
  return Number(value.toPrecision(SINGLE_DIGITS));
}
