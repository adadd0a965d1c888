// One column of a body: where its entries are. Reused for all columns.

/** What msgpackr calls the arrays that an extension of its own holds, by the code in front of their bytes. */
export const TypedCode = {
  Int8: 0,
  Uint8: 1,
  Uint8Clamped: 2,
  Int16: 3,
  Uint16: 4,
  Int32: 5,
  Uint32: 6,
  Float32: 7,
  Float64: 8,
  BigInt64: 9,
  BigUint64: 10,
} as const;

/** Bytes of an entry, by code. */
export const TYPED_BYTES: readonly number[] = [1, 1, 1, 2, 2, 4, 4, 4, 8, 8, 8];

/** Code of an array whose entries are values of the body. */
export const NOT_TYPED = -1;

/** Result of looking for a column: none is next; it is known and was stepped over; or `skipOn` has to skip it. */
export type ColumnOutcome = 'none' | 'known' | 'begun';

export class Column {
  count = 0;
  /** Offset of the first entry. */
  start = 0;
  /** Offset of the next entry, while they are read one after the other. */
  next = 0;
  /** The code of a typed array. */
  typedCode: number = NOT_TYPED;

  clear(): void {
    this.count = 0;
    this.start = 0;
    this.next = 0;
    this.typedCode = NOT_TYPED;
  }
}
