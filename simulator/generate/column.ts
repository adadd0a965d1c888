// Points of one tag within one slice of a step, as columns.

export interface Column {
  count: number;
  /** Milliseconds since 1970, ascending. */
  timesMs: Float64Array;
  /** NaN stands for null (or text). */
  values: Float64Array;
  /** Every value is a whole number of 10^-decimals. */
  decimals: number;
  /** `ramp`: between two points the value moves in a line, otherwise it is held. */
  between: 'held' | 'ramp';
}

export function newColumn(capacity: number): Column {
  return {
    count: 0,
    timesMs: new Float64Array(capacity),
    values: new Float64Array(capacity),
    decimals: 0,
    between: 'held',
  };
}

export function clearColumn(column: Column, between: 'held' | 'ramp', decimals: number): void {
  column.count = 0;
  column.decimals = decimals;
  column.between = between;
}
