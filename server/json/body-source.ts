// What the reader of a body needs of its format: to step through arrays and objects, and to take values as tokens.

import type { TagLookup, TagRef } from '../../engine/index.ts';
import type { BatchBuilder } from './batch-builder.ts';
import type { Column } from './column.ts';
import type { NamedTags } from './named-tags.ts';
import type { Token, TokenKind, TokenSource } from './token.ts';

/** All methods throw a 400 `ProblemError` where the bytes are not what the format allows. */
export interface BodySource extends TokenSource {
  readonly bytes: Uint8Array;
  /** Over the same bytes. */
  readonly view: DataView;
  /** Begins a new body; its bytes must not change while it is read. */
  load(bytes: Uint8Array): void;
  /** Forgets the body, so that its memory can go. */
  unload(): void;
  /** `Array` or `Object` when such a one is next, `Absent` for everything else. Call it before `enter`. */
  kind(): TokenKind;
  /** Whether the array or object that is next holds nothing. */
  isEmpty(): boolean;
  /** Steps into the array or object that is next; false when it is empty, and already behind us. */
  enter(): boolean;
  /** Behind an element or member: steps to the next one of the array or object; false when that has ended. */
  more(kind: TokenKind): boolean;
  /** Reads the key of a member. */
  key(token: Token): void;
  /** Reads any value; arrays and objects are stepped over whole. */
  value(token: Token): void;
  /** Nothing may follow. */
  expectEnd(): void;
  /** Where we are; only to go back to, inside the same array or object. */
  readonly position: number;
  goTo(position: number): void;
  /** Finds the entries of the array that is next, and steps behind it; false, and nothing has moved, when none is next. */
  column(column: Column): boolean;
  /** Reads entry `i` of a column. Leaves the position anywhere. */
  entry(column: Column, i: number, token: Token): void;
  /**
   * A short cut: adds the members that are next in an object of points by tag, at most `most`, which begin before
   * `stopAt`, as far as they are those that `lookup` expects, have points of the usual shape, and are not in `named`; puts
   * them there. Returns their number, being behind the last of them; after 0 nothing has moved.
   */
  usualRuns(lookup: TagLookup, builder: BatchBuilder, named: NamedTags, most: number, stopAt: number): number;
  /**
   * A short cut: the tag that the key of the member that is next names, if it is the one that `lookup` expects, and steps
   * behind the key; undefined, and nothing has moved, when it is another.
   */
  usualKey(lookup: TagLookup): TagRef | undefined;
  /**
   * A short cut: steps into the array that is next, and adds the points of the usual shape that it begins with. Returns
   * their number, being behind the last of them; after 0 nothing has moved.
   */
  usualArray(builder: BatchBuilder): number;
  /**
   * A short cut: adds the points of the usual shape that are next in an array, and stops behind the last of them.
   * Returns their number; after 0 nothing has moved.
   */
  usualPoints(builder: BatchBuilder): number;
  /** A short cut: adds the points of the columns that are next; false, and nothing has moved, when it cannot. */
  usualColumns(builder: BatchBuilder): boolean;
}
