// Watches: what becomes readable and what changes, told as it happens.

import type { ReadMarker } from './reads.ts';
import type { Instant, PointColumns, TagDefinition, ValueType } from './types.ts';

/** Points of one tag that have become readable together: `count` from `start` on, with consecutive ordinals. */
export interface StoredRun extends ReadMarker {
  readonly tag: TagDefinition;
  readonly isSystem: boolean;
  readonly type: ValueType;
  /** Valid during the call only. */
  readonly points: PointColumns;
  readonly start: number;
  readonly count: number;
}

/** Called while writes wait: must be quick and must not throw. */
export type PointWatcher = (run: StoredRun) => void;

/**
 * A range of a tag's points that has changed: by a correction or its undoing, by late points, by a removal of points, or because
 * the tag was deleted. Both ends belong to it.
 */
export interface CorrectedRange {
  readonly tagId: number;
  readonly isSystem: boolean;
  readonly tag: TagDefinition;
  readonly start: Instant;
  readonly end: Instant;
}

/** Called once reads see the change: must be quick and must not throw. */
export type CorrectionWatcher = (range: CorrectedRange) => void;

/** A watch on the points of a dataset. */
export interface PointWatch {
  /** The tag and the ordinal of its next point; undefined when there is no such tag. */
  position(tag: string): ReadMarker | undefined;
  /** The name of a user tag; undefined when there is none with this id. */
  nameOf(tagId: number): string | undefined;
  /** False once it was stopped or its dataset was deleted. */
  readonly isOn: boolean;
  stop(): void;
}
