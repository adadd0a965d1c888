// How values are put in answers, JSON and msgpack alike.

export interface ValueStyle {
  /** Int64, UInt64 and Decimal as numbers, or as texts for clients whose numbers are doubles. */
  readonly exact: 'number' | 'string';
  /** Booleans as true and false, or as 1 and 0. */
  readonly booleans: 'literal' | 'digit';
  /** A null value as `"v":null`, or no `v` at all. */
  readonly nulls: 'null' | 'omit';
}

export const DEFAULT_STYLE: ValueStyle = { exact: 'number', booleans: 'literal', nulls: 'null' };
