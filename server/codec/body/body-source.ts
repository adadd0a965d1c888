// What the reader of a body needs of its format: to step through arrays and objects, and to take values as tokens.

import type { TagLookup, TagRef } from '../../../engine/index.ts';
import type { NamedTags } from '../names/named-tags.ts';
import type { Column, ColumnOutcome } from '../scalars/column.ts';
import type { Token, TokenKind, TokenSource } from '../scalars/token.ts';
import type { BatchBuilder } from './batch-builder.ts';

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
  /** Reads any value; arrays and objects are stepped over whole, and must not be long. */
  value(token: Token): void;
  /** The array or object that is next, which may be long, is to be stepped over by `skipOn`. */
  beginSkip(): void;
  /** Steps over it up to its end or to `stopAt`; true behind its end. */
  skipOn(stopAt: number): boolean;
  /** Elements of the array, or members of the object, that was stepped over. */
  readonly skippedEntries: number;
  /** Nothing may follow. */
  expectEnd(): void;
  /** Where we are; only to go back to, inside the same array or object. */
  readonly position: number;
  goTo(position: number): void;
  /** Looks whether the value that is next is a column; of one that is begun the entries are not counted. */
  openColumn(column: Column): ColumnOutcome;
  /** Reads the next entry of a column. Leaves the position anywhere. */
  entry(column: Column, token: Token): void;
  /**
   * A short cut: adds the next `count` points of columns, if all are of the usual kind; false, and nothing has moved, when
   * they are not.
   */
  fastEntries(columns: PointEntries, count: number, builder: BatchBuilder): boolean;
  /**
   * A short cut: adds the members that are next in an object of points by tag, at most `most`, which begin before
   * `stopAt`, as far as they are those that `lookup` expects, have points of the usual shape, and are not in `named`; puts
   * them there. Returns their number, being behind the last of them; after 0 nothing has moved.
   */
  fastRuns(lookup: TagLookup, builder: BatchBuilder, named: NamedTags, most: number, stopAt: number): number;
  /**
   * A short cut: the tag that the key of the member that is next names, if it is the one that `lookup` expects, and steps
   * behind the key; undefined, and nothing has moved, when it is another.
   */
  fastKey(lookup: TagLookup): TagRef | undefined;
  /**
   * A short cut: steps into the array that is next, and adds the points of the usual shape that it begins with. Returns
   * their number, being behind the last of them; after 0 nothing has moved.
   */
  fastArray(builder: BatchBuilder): number;
  /**
   * A short cut: adds the points of the usual shape that are next in an array, and stops behind the last of them.
   * Returns their number; after 0 nothing has moved.
   */
  fastPoints(builder: BatchBuilder): number;
  /** A short cut: begins to add the points of the columns that are next, and adds as many as take about `stepBytes`. */
  fastColumns(builder: BatchBuilder, stepBytes: number): ShortCut;
  /** Goes on with columns that are `begun`. */
  fastColumnsOn(builder: BatchBuilder, stepBytes: number): ShortCut;
}

/** What came of a short cut: nothing, and nothing has moved; all, and we are behind it; or it is to go on. */
export type ShortCut = 'none' | 'done' | 'begun';

/** The columns of points, and the quality of all of them where it has no column. */
export interface PointEntries {
  readonly times: Column;
  readonly values: Column;
  readonly qualities: Column | undefined;
  readonly quality: Token;
}
