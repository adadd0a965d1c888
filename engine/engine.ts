// What a storage engine is to the server: one interface, so that another implementation can serve the same server.

import type { Annotation, AnnotationCheck, AnnotationContent, AnnotationEdit } from './annotations.ts';
import type { CorrectionFilter, CorrectionInfo, CorrectionReceipt, CorrectionRequest } from './corrections.ts';
import type { Following } from './following.ts';
import type { ReadRequest, ReadResult } from './reads.ts';
import type { StatisticsRequest, StatisticsResult } from './statistics.ts';
import type {
  DatasetDefinition,
  DatasetInfo,
  Instant,
  LateRule,
  PointBatch,
  Readiness,
  StatusPoint,
  TagChange,
  TagDefinition,
  TagList,
  TagLookup,
  TagRename,
  WriteReceipt,
} from './types.ts';
import type { CorrectionWatcher, PointWatch, PointWatcher } from './watches.ts';

/** Figures about one dataset for metrics and the system tags. */
export interface DatasetStats {
  readonly name: string;
  readonly tagCount: number;
  readonly pointsWritten: number;
  readonly pointsIgnored: number;
  readonly pointsRepeated: number;
  /** Points that the caller left out as faulty. */
  readonly pointsRejected: number;
  readonly pointsAhead: number;
  readonly pointsExpired: number;
  readonly pointsRead: number;
  /** Bytes of the folder, allocated on disk. */
  readonly sizeBytes: number;
  readonly headBytes: number;
  /** Bytes in journals that are not retired. */
  readonly journalBytes: number;
  readonly spillCount: number;
  readonly syncCount: number;
  /** Total duration of these syncs. */
  readonly syncSeconds: number;
  readonly tagFileCount: number;
  readonly requestCount: number;
  /** Damaged blocks met by reads since the start. */
  readonly damagedBlocks: number;
  /** Why writes are refused; undefined when they are not. */
  readonly refusing: 'DISK_FULL' | 'POISONED' | undefined;
  /** What the last purge could not do, in words; undefined when it did everything. */
  readonly purgeUnmet: string | undefined;
  /** True while the dataset refuses writes because the state that recovery rebuilt is not saved yet. */
  readonly isReadOnly: boolean;
}

export interface EngineStats {
  readonly datasets: readonly DatasetStats[];
  /** Bytes written to files since the start, by kind. */
  readonly bytesWritten: {
    readonly journal: number;
    readonly spill: number;
    readonly tags: number;
    readonly catalog: number;
  };
  readonly freeBytes: number;
  /** Names of datasets that could not be opened. */
  readonly unavailable: readonly string[];
  /** Folders in the data folder whose names are not dataset names. */
  readonly unknownFolders: number;
}

/** What a deletion of points removed. */
export interface PointDeletionReceipt {
  readonly removed: number;
}

/** Reads of times that purge has taken here, from where they still are. */
export interface OlderReads {
  /** `local` is what is here; undefined: nothing is known of the dataset there. */
  read(dataset: string, request: ReadRequest, until: Instant, local: () => ReadResult): ReadResult | undefined;
  /** Undefined where it cannot be had. */
  statistics(dataset: string, request: StatisticsRequest): StatisticsResult | undefined;
  close(): Promise<void>;
}

/**
 * A storage engine. Every promise of a changing operation resolves when the change is as durable as the level in
 * force says, and rejects with an `EngineError` when it is not stored (or, after `POISONED`, possibly stored whole).
 *
 * Throws `DATASET_NOT_FOUND`, `UNAVAILABLE`, `TAG_NOT_FOUND`, `BAD_NAME`, `DISK_FULL`, `POISONED`, `CLOSED` wherever they apply.
 */
export interface Engine {
  /**
   * Brings figures that need a look at every tag up to date, in slices. Call it before `datasets()` or `stats()` when other
   * requests are being served. Concurrent callers are served one after another, so that they share the event loop.
   */
  lookAtTags(): Promise<void>;
  /** Looks at no dataset that is in order: quick, however many there are. */
  readiness(): Readiness;
  /** Sorted by name; also those that could not be opened. */
  datasets(): DatasetInfo[];
  dataset(name: string): DatasetInfo;
  /** Whether the dataset exists, even if it could not be opened. */
  hasDataset(name: string): boolean;
  /** `existing`: it exists with the same definition. Throws `DATASET_EXISTS` when it exists with another one. */
  createDataset(definition: DatasetDefinition): Promise<'created' | 'existing'>;
  updateDataset(definition: DatasetDefinition): Promise<'created' | 'updated'>;
  /** Also deletes a dataset that could not be opened. */
  deleteDataset(name: string): Promise<void>;
  /** Lets writes make a dataset again that was deleted a short while ago; does nothing for any other name. */
  forgetDeletion(name: string): Promise<void>;

  /**
   * Sorted by name. `isAborted`: whether nobody waits for the list any more; what it is made of is of no use then.
   */
  tags(dataset: string, isAborted?: () => boolean): Promise<TagList>;
  /**
   * By name: the user tag, else the system tag; `$System.<name>` is always the system tag. Some system tags answer to
   * another name as well, and then show it (docs/operations.md).
   */
  tag(dataset: string, name: string): TagDefinition;
  /**
   * Creates and changes tags, all or none. Creates the dataset when missing, with the rule for late points if one is given.
   * An empty list does nothing.
   */
  defineTags(dataset: string, changes: readonly TagChange[], late?: LateRule): Promise<void>;
  /**
   * Gives a user tag another name; it stays the same tag. Reads by a former name find it for as long as that is kept, and what is
   * written under it is the tag's, too, or `TAG_RENAMED`. Rejects as `engine/maintenance/tag-renaming.ts` lists.
   */
  renameTag(dataset: string, rename: TagRename): Promise<void>;
  /** All or none: `TAG_NOT_FOUND` names the first 100 unknown ones in `details.names`; system tags are `BAD_REQUEST`. */
  deleteTags(dataset: string, names: readonly string[]): Promise<void>;

  /** For the parser of a write; an empty lookup when the dataset does not exist. Valid until the next await only. */
  lookup(dataset: string): TagLookup;
  /**
   * Stores the points of one request, all of it once resolved; in several batches where there are very many, each whole or not at
   * all. A fault of the request stores nothing. What stops writing in its middle has the counts of the batches that are stored
   * in `details.stored`; all of it may be sent again. The batch is the engine's until the promise settles.
   * Creates the dataset (unless deleted a short while ago: `DATASET_DELETED`) and unknown tags, but nothing when the batch has no points.
   * `late` is the rule of a dataset that it creates.
   */
  append(dataset: string, batch: PointBatch, late?: LateRule): Promise<WriteReceipt>;
  /** Removes the named tags' points from a time on, and keeps a record of it. */
  deletePoints(dataset: string, tags: readonly string[], start: Instant): Promise<PointDeletionReceipt>;

  /**
   * Corrects points of the past: reads see the correction, what is stored stays. Rejects with `BAD_REQUEST` when the range has
   * no points, and for what else `engine/maintenance/corrections/correct-points.ts` lists.
   */
  correct(dataset: string, request: CorrectionRequest): Promise<CorrectionReceipt>;
  /** Rejects with `CORRECTION_NOT_FOUND`; with `CONFLICT` when it was undone before, or cannot be. */
  undoCorrection(dataset: string, id: number, by: string, reason: string): Promise<CorrectionInfo>;
  /** Throws `CORRECTION_NOT_FOUND`. */
  correction(dataset: string, id: number): CorrectionInfo;
  corrections(dataset: string, filter: CorrectionFilter): CorrectionInfo[];

  /** Statuses of the dataset's collector, in order; kept as points of the system tag `Status`. */
  postStatus(dataset: string, statuses: readonly StatusPoint[]): Promise<WriteReceipt>;

  /** By start, then id; the list stays as it is when annotations change. */
  annotations(dataset: string): readonly Annotation[];
  /** Throws ANNOTATION_NOT_FOUND. */
  annotation(dataset: string, id: number): Annotation;
  /** `by` is who makes it, if that is known. Throws TOO_MANY_ANNOTATIONS. */
  createAnnotation(dataset: string, content: AnnotationContent, by: string | undefined): Promise<Annotation>;
  /** Throws ANNOTATION_NOT_FOUND, TOO_MANY_ANNOTATIONS, and what the check throws. */
  changeAnnotation(dataset: string, id: number, edit: AnnotationEdit): Promise<Annotation>;
  /** What was deleted. Throws ANNOTATION_NOT_FOUND, and what the check throws. */
  deleteAnnotation(dataset: string, id: number, check: AnnotationCheck): Promise<Annotation>;

  read(dataset: string, request: ReadRequest): ReadResult;
  /** What there is to know of the points of tags in a range, without the points. */
  statistics(dataset: string, request: StatisticsRequest): StatisticsResult;
  /**
   * Reports every point of user and system tags from now on: each once, in order, as soon as it is readable; and ranges of the
   * past that have changed.
   */
  watch(dataset: string, watcher: PointWatcher, onCorrected?: CorrectionWatcher): PointWatch;

  /**
   * Follows all that the dataset accepts from now on; what is there already can be read. Gives the dataset an identity where it
   * has none, or with `new` another one. An engine that holds copies rejects with BAD_REQUEST.
   */
  follow(dataset: string, identity?: 'kept' | 'new'): Promise<Following>;

  /** Applies the purge rules now; resolves when the files are removed. Also runs every minute by itself. */
  purge(): Promise<void>;
  stats(): EngineStats;
  /** To be called when `close` comes soon: maintenance that the next start may as well do is given up. All else goes on. */
  announceClose(): void;
  /** Refuses new work, finishes what was accepted, writes heads to disk and syncs. */
  close(): Promise<void>;
}
