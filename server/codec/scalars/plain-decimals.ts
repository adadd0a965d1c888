// Values of plain runs (`PointRun.decimals`): whole numbers of 32 bits over a power of ten that all points of a run share.

import { MAX_PLAIN_DECIMALS, NOT_PLAIN } from '../../../engine/index.ts';

/** Ten to the decimals of a plain run. */
export const DECIMAL_POWERS = Float64Array.from({ length: MAX_PLAIN_DECIMALS + 1 }, (_, decimals) => 10 ** decimals);

/** The whole number that is nearest to `value * power`, if that is one of 32 bits; otherwise any. */
export function mantissaOf(value: number, power: number): number {
  return (value < 0 ? value * power - 0.5 : value * power + 0.5) | 0;
}

/** The fewest decimals from `fewest` on with which a mantissa gives the value, bit for bit; NOT_PLAIN when there are none. */
export function decimalsOf(value: number, fewest: number): number {
  for (let decimals = fewest; decimals <= MAX_PLAIN_DECIMALS; decimals++) {
    const power = DECIMAL_POWERS[decimals] as number;
    if (mantissaOf(value, power) / power === value) return Object.is(value, -0) ? NOT_PLAIN : decimals;
  }
  return NOT_PLAIN;
}

/** Multiplies the mantissas `[start, end)`; false, and none has changed, when one would not have 32 bits any more. */
export function scaleUp(mantissas: Int32Array, start: number, end: number, power: number): boolean {
  for (let i = start; i < end; i++) {
    const wider = (mantissas[i] as number) * power;
    if (wider !== (wider | 0)) return false;
  }
  for (let i = start; i < end; i++) mantissas[i] = Math.imul(mantissas[i] as number, power);
  return true;
}
