// One value of a body as it was found: its kind and where its bytes are. Reused, never allocated per value.

import { NOT_TYPED } from './column.ts';
import type { TimeReader } from './timestamp.ts';

export const TokenKind = {
  /** The key did not occur. */
  Absent: 0,
  Null: 1,
  False: 2,
  True: 3,
  Number: 4,
  Text: 5,
  Array: 6,
  Object: 7,
  /** A time stamp of msgpack's own. */
  Instant: 8,
  /** Bytes and extensions of msgpack. */
  Bytes: 9,
} as const;
export type TokenKind = (typeof TokenKind)[keyof typeof TokenKind];

export class Token {
  kind: TokenKind = TokenKind.Absent;
  /** The value's bytes in the body; of a text without its quotes. */
  start = 0;
  end = 0;
  /** The nearest double of a number. */
  number = Number.NaN;
  /** Whether `number` is exactly what was written, and of magnitude up to 2^53. */
  isExact = false;
  /** Whether a text holds escapes. */
  isEscaped = false;
  /** The code of the typed array whose entry this is, or NOT_TYPED. */
  typedCode: number = NOT_TYPED;
}

/** The body that tokens point into. */
export interface TokenSource {
  /** The text of a text token. */
  text(token: Token): string;
  /** A number as JSON writes it, digit by digit. */
  literal(token: Token): string;
  /** Reads a token as a point's time; false when it is not one. Allowed kinds: text, and what the format has besides. */
  time(token: Token, reader: TimeReader): boolean;
}
