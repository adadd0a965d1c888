// Following a dataset: all that it accepts, tag by tag and by ordinals, for a copy elsewhere.

import type { DatasetDefinition, PointColumns, TagDefinition, ValueType } from './types.ts';

/** Ordinals that are not read any more: `[from, to)`. */
export interface DeletedOrdinals {
  readonly from: number;
  readonly to: number;
}

/** A tag as a copy needs it: also system tags, and those that hold the late points of others. */
export interface FollowedTag {
  readonly id: number;
  readonly definition: TagDefinition;
  readonly isSystem: boolean;
  /** The id of the tag whose late points it holds, as they came; undefined for all others. */
  readonly lateOf: number | undefined;
  readonly deleted: readonly DeletedOrdinals[];
  /** The ordinal after its newest point. */
  readonly nextOrdinal: number;
}

/** What has changed since it was asked for last: tags, by id. */
export interface FollowedChanges {
  /** Tags with new points. */
  readonly points: ReadonlySet<number>;
  /** Tags that were created, changed, cut or deleted. */
  readonly tags: ReadonlySet<number>;
  readonly rules: boolean;
}

/** How a copy is doing. */
export interface FollowedState {
  /** Tags that have something to be sent. */
  readonly waitingTags: number;
  /** Since the start. */
  readonly failures: number;
}

/** Most that one call gives. */
export interface PointsWanted {
  readonly points: number;
  /** Characters of texts: at least one point is given all the same. */
  readonly characters: number;
}

/** Points that were appended to columns: those behind `start`, of one type and with consecutive ordinals. */
export interface FollowedPoints {
  readonly type: ValueType;
  readonly start: number;
  readonly count: number;
  readonly firstOrdinal: number;
  /** Ordinal to go on from: behind deleted and lost points, too. */
  readonly nextOrdinal: number;
}

export interface Following {
  /** Identity of the dataset: 32 hexadecimal digits, new for each dataset that is created. */
  readonly identity: string;
  /** False once it was stopped, or the dataset was deleted. */
  readonly isOn: boolean;
  readonly definition: DatasetDefinition;
  /** The id of the next tag that is created: ids of deleted tags are below, too. */
  readonly nextTagId: number;
  /** The tags that there are, by id. Tags that come or go while it is used may be left out or given. */
  tags(): Iterable<FollowedTag>;
  /** Undefined: there is no such tag, any more. */
  tag(id: number): FollowedTag | undefined;
  takeChanges(): FollowedChanges;
  /** Resolves when something has changed since the changes were taken, or when it is off. */
  changed(): Promise<void>;
  /**
   * Appends stored points from an ordinal on, also those that corrections or purge hide, as far as they are still there. Calls
   * for one tag in order are cheap. Throws DATASET_NOT_FOUND when it is off.
   */
  readPoints(id: number, from: number, wanted: PointsWanted, target: PointColumns): FollowedPoints;
  /** Whether all that was accepted up to a time of the system's clock (ms) is copied; purge waits for that. */
  noteCopied(untilMs: number): void;
  /** How the copy is doing: becomes points of system tags. */
  noteState(state: FollowedState): void;
  stop(): void;
}
