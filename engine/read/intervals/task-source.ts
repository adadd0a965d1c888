// Sources from which functions get the points of a tag: the files of a dataset here, or wherever another engine has them.

import type { Calculation } from '../../aggregates/calculation.ts';
import type { AggregateRules } from '../../aggregates/input/aggregate-rules.ts';
import type { Slicer } from '../../io/slicer.ts';
import type { PointChunk, ReadGap } from '../../reads.ts';
import type { Instant, TagDefinition } from '../../types.ts';

/** Which points functions need: those of a range, and some on both sides of it. */
export interface NeededPoints {
  readonly start: Instant;
  readonly end: Instant;
  readonly rules: AggregateRules;
  /** Usable points before the range. */
  readonly usableBefore: 1 | 2;
  /** Whether the point behind the range has to be usable. */
  readonly needsUsableBehind: boolean;
  readonly slicer: Slicer;
  /** True: what was read is enough. */
  readonly isAborted: () => boolean;
  /** Takes whole parts of the points as digests; absent where each point is needed. */
  readonly calculation?: Calculation | undefined;
}

/** Takes a part of the points, in time order. */
export type TakePoints = (chunk: PointChunk) => Promise<void> | undefined;

export interface TaskSource {
  readonly definition: TagDefinition;
  /** Gives all that is needed; resolves with what could not be read of it. */
  read(needed: NeededPoints, take: TakePoints): Promise<readonly ReadGap[]>;
}

/** The tags that a request asks for. */
export interface TaskSources {
  readonly sources: readonly TaskSource[];
  /** Definition of the i-th, under the name that it was asked for. */
  definitionOf(index: number): TagDefinition;
}

/** Finds them. Rejects with TAG_NOT_FOUND. */
export type FindSources = () => Promise<TaskSources>;

/** Whoever computes: its clock, and the length of slices. */
export type SliceOwner = ConstructorParameters<typeof Slicer>[0];
