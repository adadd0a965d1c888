// What a copy of datasets can be written to. All that is given to a sink may be given again, in full or in part: writing it
// twice must come to the same.

import type {
  DatasetRules,
  DeletedOrdinals,
  Instant,
  PointColumns,
  TagDefinition,
  ValueType,
} from '../engine/index.ts';

/** A dataset as its copy knows it. */
export interface CopiedDataset {
  /** `<site>.<dataset>`, or the name of the dataset where no site is named. */
  readonly name: string;
  /** 32 hexadecimal digits: another dataset of the same name has another one. */
  readonly identity: string;
}

/** The name of a dataset at a centre; a site that is empty is none. */
export function copyName(site: string, dataset: string): string {
  return site === '' ? dataset : `${site}.${dataset}`;
}

/** The state of a dataset; a larger revision replaces a smaller one. */
export interface DatasetDocument {
  /** Ms of the edge's clock, and larger than that of any document of the dataset before. */
  readonly revision: number;
  /** The edge that writes it: 32 hexadecimal digits. */
  readonly edge: string;
  /** Address at which that edge takes writes, for people. */
  readonly edgeAddress: string;
  readonly isDeleted: boolean;
  readonly rules: DatasetRules;
  /** All that was accepted before is in the copy, ms of the edge's clock; null while the first points are on their way. */
  readonly copiedUntilMs: number | null;
  /** Clock of the edge when it wrote this, ms. */
  readonly writtenMs: number;
}

/** What the edge tells of its points, for a sink that knows points by their times and cannot go by ordinals. */
export interface KeptPoints {
  /**
   * The time of the last of a tag's points below an ordinal that was not deleted. Null: there is none. Undefined where purge has
   * taken it.
   */
  timeBefore(tag: TagDocument, ordinal: number): Instant | null | undefined;
  /**
   * The latest time of the points of a tag of late points, with ordinals below one, that removals have left of their owner's.
   * Undefined: there are none. It looks at all of them.
   */
  latestLate(lateId: number, ownerId: number, below: number): Promise<Instant | undefined>;
}

/** The state of a tag; a larger revision replaces a smaller one. */
export interface TagDocument {
  readonly id: number;
  readonly revision: number;
  /** With its points; its id is never used again. */
  readonly isDeleted: boolean;
  /** Definition; the name of a tag that holds the late points of another is one that only the engine knows. */
  readonly definition: TagDefinition;
  readonly isSystem: boolean;
  /** The id of the tag whose late points it holds. */
  readonly lateOf: number | undefined;
  /** Points with these ordinals are not read any more, whether they are in the copy or not. */
  readonly deleted: readonly DeletedOrdinals[];
}

/** Points of one tag and type with consecutive ordinals: `count` from `start` on in the batch's columns. */
export interface BatchRun {
  readonly tag: TagDocument;
  /** Name of the tag that its readers know: for late points, that of the tag that they are late for. */
  readonly name: string;
  readonly type: ValueType;
  readonly start: number;
  readonly count: number;
  readonly firstOrdinal: number;
}

/** Points of a dataset, of any number of tags; a tag may have several runs, in the order of ordinals. */
export interface Batch {
  readonly points: PointColumns;
  readonly runs: readonly BatchRun[];
}

/** What a sink has of a dataset when a job begins. */
export interface CopyState {
  /** The largest revision of any document of the dataset; 0 without one. */
  readonly revision: number;
  /** By tag id, the ordinal after the largest one that it has, or 0: for tags with documents or points. */
  readonly ordinals: ReadonlyMap<number, number>;
}

/** Another edge, or an earlier dataset of the same name, at the sink. */
export interface OtherCopy extends CopiedDataset {
  readonly edge: string;
  readonly isDeleted: boolean;
}

/** How often a sink likes to be written to. */
export interface SinkPace {
  /** Between rounds while there is always something new, ms. */
  readonly lingerMs: number;
  /** After this time a dataset's document is put again, so that readers know how old the copy is, ms. */
  readonly heartbeatMs: number;
}

export interface Sink {
  readonly pace: SinkPace;
  /** Name in messages, without secrets, e.g. `clickhouse://10.0.0.5/varve`. */
  readonly name: string;
  /** Connects, and makes what is missing. Called again after a failure. */
  open(): Promise<void>;
  /** All datasets there, also deleted ones. */
  datasets(): Promise<readonly OtherCopy[]>;
  /** What is there of a dataset. It may be slow for very many tags. */
  stateOf(dataset: CopiedDataset): Promise<CopyState>;
  /** Resolves once it would survive what the sink promises to survive; so do the others. */
  putDataset(dataset: CopiedDataset, document: DatasetDocument): Promise<void>;
  putTags(dataset: CopiedDataset, documents: readonly TagDocument[], kept: KeptPoints): Promise<void>;
  /** Their documents were put before. The batch is the caller's again once it has resolved. */
  putPoints(dataset: CopiedDataset, batch: Batch): Promise<void>;
  close(): Promise<void>;
}

/** A failure that goes away by itself, or with the other end: it is tried again. All other errors stop the copy of the dataset. */
export class PassingFailure extends Error {}
