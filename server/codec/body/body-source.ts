// What the reader of a body needs of its format: to step through arrays and objects, and to take values as tokens.

import type { Column, ColumnOutcome } from '../scalars/column.ts';
import type { Token, TokenKind, TokenSource } from '../scalars/token.ts';
import { FastOutcome, type FastRequest, type FastStep } from './fast-path.ts';

/** The bytes of a body in one format. All methods throw a 400 `ProblemError` where the bytes are not what the format allows. */
export interface BodySource extends TokenSource {
  readonly bytes: Uint8Array;
  /** Over the same bytes, and the spare ones behind them if the source reads these. */
  readonly view: DataView;
  /** Begins a new body, with so many spare bytes behind it; all of them must not change while it is read. */
  load(bytes: Uint8Array, spareBytes: number): void;
  /** Forgets the body, so that its memory can go. */
  unload(): void;
  /** `Array` or `Object` when one is next, `Absent` for everything else. Call it before `enter`. */
  kind(): TokenKind;
  /** Whether the array or object that is next holds nothing. */
  isEmpty(): boolean;
  /** Steps into the array or object that is next; false when it is empty, the position being after it then. */
  enter(): boolean;
  /** After an element or member: steps to the next one of the array or object; false when that has ended. */
  more(kind: TokenKind): boolean;
  /** Reads the key of a member. */
  key(token: Token): void;
  /** Reads any value; skips arrays and objects as a whole, which must not be long. */
  value(token: Token): void;
  /** Begins to skip the array or object that is next, which may be long; `skipOn` does it. */
  beginSkip(): void;
  /** Skips it up to its end or to `stopAt`; true when the end was reached. */
  skipOn(stopAt: number): boolean;
  /** Elements of the array, or members of the object, that was skipped last. */
  readonly skippedEntries: number;
  /** Throws when anything follows. */
  expectEnd(): void;
  /** The current offset; only to go back to, inside the same array or object. */
  readonly position: number;
  goTo(position: number): void;
  /** Tells whether the value that is next is a column; the entries of one that is `begun` are not counted yet. */
  openColumn(column: Column): ColumnOutcome;
  /** Reads the next entry of a column. The position is undefined afterwards. */
  entry(column: Column, token: Token): void;
  /**
   * Takes what comes next by a fast path, if the source has one for it. Returns how many members or points were added, or a
   * `FastOutcome`. A fast path gives what the other methods would give.
   */
  tryFast?(step: FastStep, request: FastRequest): number;
}

/** Asks a source for its fast path, if it has one; returns a `FastOutcome`, or how many members or points it has added. */
export function tryFast(source: BodySource, step: FastStep, request: FastRequest): number {
  return source.tryFast === undefined ? FastOutcome.NotTaken : source.tryFast(step, request);
}
