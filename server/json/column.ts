// One column of a body: where its entries are. Filled over and over.

import { type Token, TokenKind } from './token.ts';

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

const MAX_KEPT_PLACES = 65_536;

export class Column {
  count = 0;
  /** Where each entry begins, in an ordinary array. Behind `count` stands what was there before. */
  readonly places: number[] = [];
  /** The code of a typed array, and where its first entry begins. */
  typedCode: number = NOT_TYPED;
  typedStart = 0;

  clear(): void {
    this.count = 0;
    // Emptying it each time would make it grow anew each time.
    if (this.places.length > MAX_KEPT_PLACES) this.places.length = 0;
    this.typedCode = NOT_TYPED;
  }

  /** Takes the entries of the array that is next in a body, and steps behind it. `skipped` is overwritten. */
  fill(source: ArraySource, skipped: Token): void {
    this.clear();
    if (!source.enter()) return;
    let count = 0;
    do {
      this.places[count++] = source.position;
      source.value(skipped);
    } while (source.more(TokenKind.Array));
    this.count = count;
  }
}

/** What of a body's source is needed to step through an array. */
interface ArraySource {
  readonly position: number;
  enter(): boolean;
  more(kind: TokenKind): boolean;
  value(token: Token): void;
}
