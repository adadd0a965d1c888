// Every cap and tunable of the engine, its unit in its name, and why it is what it is.

/** Largest dataset folder name: file systems take 255 bytes, and temporary names need some room. */
export const MAX_FOLDER_NAME_BYTES = 240;
export const MAX_TAG_NAME_BYTES = 1024;
/** Prefix by which a system tag always answers; refused for user tags. */
export const SYSTEM_PREFIX = '$System.';
/** An error names so many unknown tags: more than anybody reads, and to look for all would take long. */
export const MOST_NAMED = 100;
/** Ids below are system tags, so that they need no catalog entry. */
export const FIRST_USER_TAG_ID = 64;

export interface EngineTunables {
  /** Points of a full block: more make blocks hardly smaller, and heads larger. */
  readonly blockPoints: number;
  /** Memory of all heads of a dataset that makes it spill. */
  readonly headLimitBytes: number;
  /** A journal file is closed above this size. */
  readonly journalFileBytes: number;
  /** Journals that are not retired: bounds replay. */
  readonly journalLimitBytes: number;
  /** Retired journals are kept so long, and at most so many bytes of them: a copy may be under way. */
  readonly retiredJournalMs: number;
  readonly retiredJournalBytes: number;
  /** More spills than this move into tag files. */
  readonly maxSpills: number;
  /** So does a spill older than this. */
  readonly spillAgeMs: number;
  /** A tag file is sealed at this size, or when it spans this time: what purge removes at once. */
  readonly tagFileBytes: number;
  readonly tagFileSpanMs: number;
  /** Writes are refused while less is free on the disk. */
  readonly diskReserveBytes: number;
  /** Time between syncs at durability `interval`. */
  readonly syncIntervalMs: number;
  /** Work of one slice on the main thread. */
  readonly sliceMs: number;
  /** Requests on more tags than this, or with more points, are worked on over several turns: fewer take some milliseconds. */
  readonly longRequestTags: number;
  readonly longRequestPoints: number;
  /** Most points of one tag that a long request is taken in by at a time. */
  readonly runPoints: number;
  /** A point further ahead than this of the later of now and the dataset's newest is counted as ahead. */
  readonly aheadMs: number;
  /** Points further ahead than this are refused; undefined refuses none. */
  readonly maxAheadMs: number | undefined;
  /** Data writes do not re-create a dataset deleted less than this ago. */
  readonly deletedMemoryMs: number;
  /** History of system tags. */
  readonly systemTagDays: number;
  /** Time between records of the system tags; 0 records none. */
  readonly systemTagIntervalMs: number;
  readonly purgeIntervalMs: number;
  /** A HOLD file older than this no longer holds. */
  readonly holdMs: number;
  /** Time without a sign of life that makes the server post status 64. */
  readonly heartbeatMs: number;
  /** Block index entries kept in memory for all tag files of a dataset. */
  readonly indexCacheEntries: number;
  /** Blocks of which a dataset keeps in memory what reduced reads ask: a few hundred bytes each. */
  readonly summaryCacheBlocks: number;
  /** Blocks kept in memory, still encoded, for reads that come again; of all datasets together. */
  readonly blockCacheBytes: number;
  /** Purge rules of datasets that a tag or data write creates. */
  readonly defaultPurgeAgeDays: number;
  readonly defaultPurgeSizeGb: number;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export const DEFAULT_TUNABLES: EngineTunables = {
  blockPoints: 3072,
  headLimitBytes: 256 * 2 ** 20,
  journalFileBytes: 64 * 2 ** 20,
  journalLimitBytes: 512 * 2 ** 20,
  retiredJournalMs: HOUR_MS,
  retiredJournalBytes: 4e9,
  maxSpills: 8,
  spillAgeMs: DAY_MS,
  tagFileBytes: 16 * 2 ** 20,
  tagFileSpanMs: 366 * DAY_MS,
  diskReserveBytes: 256e6,
  syncIntervalMs: 1000,
  sliceMs: 4,
  longRequestTags: 8192,
  longRequestPoints: 65_536,
  runPoints: 16_384,
  aheadMs: DAY_MS,
  maxAheadMs: undefined,
  deletedMemoryMs: 600_000,
  systemTagDays: 30,
  systemTagIntervalMs: 5000,
  purgeIntervalMs: 60_000,
  holdMs: DAY_MS,
  heartbeatMs: 10_000,
  indexCacheEntries: 200_000,
  summaryCacheBlocks: 65_536,
  blockCacheBytes: 32 * 2 ** 20,
  defaultPurgeAgeDays: 0,
  defaultPurgeSizeGb: 0,
};
