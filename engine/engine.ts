// What a storage engine is to the server: one interface, so that another implementation can serve the same server.

import type {
  DatasetDefinition,
  DatasetInfo,
  Instant,
  PointBatch,
  PointWatch,
  PointWatcher,
  ReadRequest,
  ReadResult,
  StatusPoint,
  TagChange,
  TagDefinition,
  TagLookup,
  WriteReceipt,
} from './types.ts';

/** Figures about one dataset for metrics and the system tags. */
export interface DatasetStats {
  readonly name: string;
  readonly tagCount: number;
  readonly pointsWritten: number;
  readonly pointsIgnored: number;
  readonly pointsRepeated: number;
  /** Left out by the caller as faulty. */
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
  /** Time that these syncs took, together. */
  readonly syncSeconds: number;
  readonly tagFileCount: number;
  readonly requestCount: number;
  /** Damaged blocks met by reads since the start. */
  readonly damagedBlocks: number;
  /** Set when writes are refused, and why. */
  readonly refusing: 'DISK_FULL' | 'POISONED' | undefined;
  /** What the last purge wanted and could not do, in words. */
  readonly purgeUnmet: string | undefined;
  /** Set while the dataset takes no writes because what its start has rebuilt could not be saved yet. */
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
  /** Folders in the data folder whose name is no dataset's. */
  readonly unknownFolders: number;
}

/** What a cut took away. */
export interface PointDeletionReceipt {
  readonly removed: number;
}

/**
 * A storage engine. Every promise of a changing operation resolves when the change is as durable as the level in
 * force says, and rejects with an `EngineError` when it is not stored (or, after `POISONED`, possibly stored whole).
 *
 * Throws `DATASET_NOT_FOUND`, `UNAVAILABLE`, `TAG_NOT_FOUND`, `BAD_NAME`, `DISK_FULL`, `POISONED`, `CLOSED` wherever they apply.
 */
export interface Engine {
  /**
   * Brings up to date, in slices, what is found only by looking at every tag: call it before `datasets()` or `stats()` where
   * others are served. Several callers wait in a row, so that what they do next shares the event loop.
   */
  lookAtTags(): Promise<void>;
  /** Sorted by name; also those that could not be opened. */
  datasets(): DatasetInfo[];
  dataset(name: string): DatasetInfo;
  /** Whether there is one, also when it could not be opened. */
  hasDataset(name: string): boolean;
  /** `existing`: it was there with the same definition. Throws `DATASET_EXISTS` when there with another one. */
  createDataset(definition: DatasetDefinition): Promise<'created' | 'existing'>;
  updateDataset(definition: DatasetDefinition): Promise<'created' | 'updated'>;
  /** Also one that could not be opened. */
  deleteDataset(name: string): Promise<void>;

  /** Sorted by name; `contains` filters by a case-insensitive part of the name. */
  tags(dataset: string, contains?: string): Promise<{ user: TagDefinition[]; system: TagDefinition[] }>;
  /**
   * By name: the user tag, else the system tag; `$System.<name>` is always the system tag. Some system tags answer to
   * another name as well, and then show it (docs/operations.md).
   */
  tag(dataset: string, name: string): TagDefinition;
  /** Creates and changes tags, all or none. Creates the dataset when missing. An empty list does nothing. */
  defineTags(dataset: string, changes: readonly TagChange[]): Promise<void>;
  /** All or none: `TAG_NOT_FOUND` names the first 100 unknown ones in `details.names`; system tags are `BAD_REQUEST`. */
  deleteTags(dataset: string, names: readonly string[]): Promise<void>;

  /** For the parser of a write; an empty lookup when the dataset does not exist. Use it before anything is awaited. */
  lookup(dataset: string): TagLookup;
  /**
   * Stores the points of one request, whole or not at all. The batch is the engine's until the promise settles.
   * Creates the dataset (unless deleted a short while ago: `DATASET_DELETED`) and unknown tags, but nothing when the batch has no points.
   */
  append(dataset: string, batch: PointBatch): Promise<WriteReceipt>;
  /** Removes the named tags' points from a time on, and keeps a record of it. */
  deletePoints(dataset: string, tags: readonly string[], start: Instant): Promise<PointDeletionReceipt>;

  /** Statuses of the dataset's collector, in order; kept as points of the system tag `Status`. */
  postStatus(dataset: string, statuses: readonly StatusPoint[]): Promise<WriteReceipt>;

  read(dataset: string, request: ReadRequest): ReadResult;
  /** Tells of all points, of user and system tags, from now on: each once, in order, when it has become readable. */
  watch(dataset: string, watcher: PointWatcher): PointWatch;

  /** Applies the purge rules now; resolves when files are gone. Runs by itself every minute, too. */
  purge(): Promise<void>;
  stats(): EngineStats;
  /** Refuses new work, finishes what was accepted, writes heads to disk and syncs. */
  close(): Promise<void>;
}
