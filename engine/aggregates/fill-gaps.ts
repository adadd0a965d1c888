// What stands in intervals that have no result.

import { UNCERTAIN_QUALITY } from './input/aggregate-rules.ts';
import type { ResultColumn } from './result-column.ts';

/** Gives the result before to intervals without one; there is none before the first. */
export function fillFromPrevious({ values, qualities }: ResultColumn): void {
  for (let i = 1; i < values.length; i++) {
    if (Number.isFinite(values[i] as number) || !Number.isFinite(values[i - 1] as number)) continue;
    values[i] = values[i - 1] as number;
    qualities[i] = UNCERTAIN_QUALITY;
  }
}

/** Puts intervals without a result on the line between the results around them; there is none at the ends. */
export function fillOnLine({ values, qualities }: ResultColumn, edges: Float64Array): void {
  let before = -1;
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i] as number)) continue;
    if (before >= 0 && i - before > 1) {
      const [from, to] = [edges[before] as number, edges[i] as number];
      const [low, high] = [values[before] as number, values[i] as number];
      for (let k = before + 1; k < i; k++) {
        values[k] = low + ((high - low) * ((edges[k] as number) - from)) / (to - from);
        qualities[k] = UNCERTAIN_QUALITY;
      }
    }
    before = i;
  }
}
