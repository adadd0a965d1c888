// Reads: what is asked of the points of tags, and what is answered.

import type { Instant, PointColumns, TagDefinition, ValueType } from './types.ts';

/** Which of a tag's points a read returns. Bounds are inclusive. */
export type ReadRange =
  /** The newest stored point. */
  | { readonly kind: 'newest' }
  /** The newest point at or before `end`. */
  | { readonly kind: 'at'; readonly end: Instant }
  | { readonly kind: 'range'; readonly start: Instant; readonly end: Instant };

/** Point after which a limited read of one tag continues: exactly the last one returned, also among equal times. */
export interface ReadMarker {
  readonly tagId: number;
  readonly ordinal: number;
}

export interface ReadRequest {
  readonly tags: readonly string[];
  readonly range: ReadRange;
  /** Also return, first, the point in force at the start, with its own earlier time. Range reads only. */
  readonly carryIn: boolean;
  /** Leave unknown tags out instead of failing with TAG_NOT_FOUND. */
  readonly skipMissing: boolean;
  /** Most points to return of each tag; undefined is no limit. */
  readonly limit: number | undefined;
  /** Markers of earlier answers; each applies to the tag it was given for. */
  readonly after: readonly ReadMarker[];
  /**
   * For charts: divides the range into this many equal intervals and returns at most 8 points of each: the first, the last,
   * the smallest and the largest good number, those that are not good, the first of the lowest quality, the first null.
   * Range reads only; `limit` and `after` do not apply.
   */
  readonly intervals?: number | undefined;
  /** Functions of intervals instead of points. Range reads only, with the start before the end; nothing else applies but `skipMissing`. */
  readonly aggregates?: AggregateRequest | undefined;
}

/** What becomes of an interval without a result: left out, given as null, or filled from its neighbours. */
export type AggregateFill = 'none' | 'null' | 'previous' | 'linear';

/** Functions of intervals of a range, by the rules of OPC UA Part 13. */
export interface AggregateRequest {
  /** Names of functions, as they are. */
  readonly functions: readonly string[];
  /** Beginnings of the intervals, and the end of the last: ms from the start of the range, from 0 on, ever larger. */
  readonly edges: Float64Array;
  /** Whether values hold until the next point or change evenly towards it; undefined goes by the type of the tag. */
  readonly interpolation: 'stepped' | 'sloped' | undefined;
  readonly treatUncertainAsBad: boolean;
  readonly percentGood: number;
  readonly percentBad: number;
  /** Whether the slope between the last two points goes on behind the last one. */
  readonly extrapolatesSlope: boolean;
  readonly fill: AggregateFill;
  /** Whether nobody waits for the results any more: no further points are read then, and what is given is incomplete. */
  readonly isAborted: () => boolean;
  /** For the results, which are held until they are given; nobody asks when absent. */
  readonly memory?: ReadMemory | undefined;
  /** Until when the last state of a tag is held. */
  readonly now: Instant;
}

/** Who allows a read the memory that it holds. */
export interface ReadMemory {
  /** Called before so much is held. What it throws ends the read. */
  take(sizeBytes: number): void;
  /** Called when so much less is held; what is left is not held any more once nobody reads. */
  give(sizeBytes: number): void;
}

/** What the points of an entry are when they are results. */
export interface AggregateLabel {
  readonly function: string;
  /** The state that is meant, and the text that an enumeration has for it; for functions of states. */
  readonly state?: boolean | number | string | null;
  readonly stateName?: string;
}

/** What results were made of. */
export interface AggregateSummary {
  /** Points in the range. */
  readonly points: number;
  /** Share of the range in which the value was good. */
  readonly percentGood: number;
}

/** A range of points that cannot be read because the file with them is damaged or missing. */
export interface ReadGap {
  readonly start: Instant;
  readonly end: Instant;
  /** Number of points known to be lost in it. */
  readonly points: number;
}

/** What a read of a tag comes to besides its points. */
export interface ReadOutcome {
  readonly gaps: readonly ReadGap[];
  /** Continuation of a limited read; absent when everything was returned. */
  readonly marker?: ReadMarker | undefined;
  /** Number of points in the range, for a read in intervals. */
  readonly reducedFrom?: number | undefined;
  /** For a read of functions, or of what is computed. */
  readonly summary?: ReadSummary | undefined;
}

/** The outcome of a read that has lost nothing and left nothing out. */
export const WHOLE_OUTCOME: ReadOutcome = { gaps: [] };

/** What results were made of, where that is known, and whether they are a function's or an expression's. */
export interface ReadSummary extends Partial<AggregateSummary> {
  readonly kind: 'aggregate' | 'calculated';
  readonly points: number;
}

/**
 * The points of one tag, in time order, a chunk at a time. Close it, also after an error.
 */
export interface TagCursor {
  readonly tag: TagDefinition;
  /** The function and state whose results these are. */
  readonly label?: AggregateLabel | undefined;
  /**
   * The next points of one value type, or undefined at the end. The cursor owns the columns; they are valid until the next
   * call. Only an engine that has to wait returns a promise; check before awaiting.
   */
  next(): PointChunk | undefined | Promise<PointChunk | undefined>;
  /** What is known by now; all of it once `next` has returned undefined, also when the cursor is closed then. */
  outcome(): ReadOutcome;
  close(): void;
}

export interface PointChunk {
  readonly type: ValueType;
  readonly points: PointColumns;
  /** The first point to use, and the index after the last. */
  readonly start: number;
  readonly end: number;
}

/** Origin of the points of a read that purge has removed here. */
export interface OlderPoints {
  /** `missing`: they are elsewhere, and could not be asked for. */
  readonly from: 'centre' | 'missing';
  /** The last time that purge has taken. */
  readonly until: Instant;
}

/** Cursors in the order of the requested tags; created one by one, so that a read of many tags needs little memory. */
export interface ReadResult {
  readonly tagCount: number;
  /**
   * For very many tags: computes in slices what `open` and `bounds` need; without it they compute it at once. Returns
   * undefined when there is nothing to wait for.
   */
  settle?(): Promise<void> | undefined;
  /** The cursor of the i-th tag. */
  open(index: number): TagCursor;
  /** Times of the newest points (at or before the end), smallest and largest over all tags; for `newest` and `at` reads. */
  readonly bounds: { readonly start: Instant; readonly end: Instant } | undefined;
  /** Present for reads that reach behind what purge has left. */
  readonly older?: OlderPoints | undefined;
}
