// How the parser of a body asks its source for a fast path: what comes next, where it goes, and what came of it.

import type { TagLookup, TagRef } from '../../../engine/index.ts';
import type { NamedTags } from '../names/named-tags.ts';
import type { Column } from '../scalars/column.ts';
import type { Token } from '../scalars/token.ts';
import type { BatchBuilder } from './batch-builder.ts';

/** What comes next in the body, and is asked for. */
export const FastStep = {
  /**
   * A member of an object of points by tag. Taken are as many members, `maxMembers` at most, beginning before `stopAt`, as
   * have the tags that `lookup` expects, none of them in `named` (they are added to it); otherwise the key of the first.
   */
  Members: 0,
  /** The points of a tag whose run has begun: the elements that an array begins with, or columns. */
  Points: 1,
  /** Goes on with columns, in pieces. */
  PausedColumns: 2,
  /** An element of an array of points. Taken are as many as have the common form. */
  Elements: 3,
  /** The next `entryCount` points of `columns`; all of them or none. */
  Entries: 4,
} as const;
export type FastStep = (typeof FastStep)[keyof typeof FastStep];

/** What came of a step, unless it is the number of members or points that were added, the position being after the last. */
export const FastOutcome = {
  /** The source has no fast path for what comes; the position has not moved. */
  NotTaken: 0,
  /** The position is after the key of the member; its tag is in `tag`. */
  Key: -1,
  /** All columns are read; the position is after them. */
  ColumnsRead: -2,
  /** The piece has ended within columns; `PausedColumns` goes on with them. */
  ColumnsPaused: -3,
} as const;

/** The columns of points, and the quality of all of them where it has no column. */
export interface PointEntries {
  readonly times: Column;
  readonly values: Column;
  readonly qualities: Column | undefined;
  readonly quality: Token;
}

/** The parameters of `BodySource.tryFast`. One object for all steps of a body: tens of thousands would be made otherwise. */
export interface FastRequest {
  readonly builder: BatchBuilder;
  readonly named: NamedTags;
  lookup: TagLookup;
  /** Longest text value; UTF-8 bytes. */
  maxTextBytes: number;
  maxMembers: number;
  /** The piece ends at the first point or tag that begins at or after this offset. */
  stopAt: number;
  columns: PointEntries | undefined;
  entryCount: number;
  /** Set by a step whose outcome is `Key`. */
  tag: TagRef | undefined;
}
