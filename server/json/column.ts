// One column of a body: where its entries are. Filled over and over.

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

/** Of an array whose entries are values of the body. */
export const NOT_TYPED = -1;

export class Column {
  count = 0;
  /** Where each entry begins, in an ordinary array. */
  readonly places: number[] = [];
  /** The code of a typed array, and where its first entry begins. */
  typedCode: number = NOT_TYPED;
  typedStart = 0;

  clear(): void {
    this.count = 0;
    this.places.length = 0;
    this.typedCode = NOT_TYPED;
  }
}
