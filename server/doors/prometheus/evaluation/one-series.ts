// What a query is computed over: labels, and a value at each step.

export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly values: Float64Array;
  /** 1 where there is a value, which may be NaN; 0 where there is none. */
  readonly present: Uint8Array;
}

/** Which values are there; NaN stands for none, as points are never NaN. */
export function presenceOf(values: Float64Array): Uint8Array {
  return Uint8Array.from(values, (value) => (Number.isNaN(value) ? 0 : 1));
}
