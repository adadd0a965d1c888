// What a tag takes from one step to the next, and from one cycle to the next: with it (and the seed) the rest of its
// history can be generated.

export interface TagCarry {
  /** Time of the last point in milliseconds since 1970; -Infinity when there is none. */
  lastTimeMs: number;
  /** The last value, as JSON or as a number; `undefined` when there is none. */
  last: string | number | undefined;
  /** The last value that was a number: where a ramp starts. 0 when there is none. */
  lastNumber: number;
  /** What `integrate` goes on from: the last number, before rounding where that was an integral. */
  total: number;
}

export function newCarry(): TagCarry {
  return { lastTimeMs: -Infinity, last: undefined, lastNumber: 0, total: 0 };
}
