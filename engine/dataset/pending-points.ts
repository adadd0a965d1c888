// Points that are accepted and on their way to disk, as later requests see them.

import type { Tag } from '../tag/tag.ts';
import type { PointColumns, ValueType } from '../types.ts';

/** The points of one tag that a request adds: `count` from `start` on, with consecutive ordinals. */
export interface PendingRun {
  /** Undefined: nothing of the run is accepted. */
  readonly tag: Tag | undefined;
  readonly type: ValueType;
  readonly start: number;
  readonly count: number;
  readonly firstOrdinal: number;
}

/** What one request adds. */
export interface PendingPoints {
  readonly runs: readonly PendingRun[];
  /** The points with all general columns filled in. */
  readonly generalPoints: PointColumns;
  runsOf(tag: Tag): readonly PendingRun[];
}
