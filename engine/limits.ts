// Every cap and tunable of the engine, its unit in its name, and why it is what it is.

/** Largest dataset folder name: file systems allow 255 bytes, and temporary names add a prefix. */
export const MAX_FOLDER_NAME_BYTES = 240;
export const MAX_TAG_NAME_BYTES = 1024;
/** Former names that a tag keeps; of more the first ones are forgotten, once they lead to it no longer. */
export const MAX_FORMER_NAMES = 100;
/** Prefix that always names a system tag; refused for user tags. */
export const SYSTEM_PREFIX = '$System.';
/** Most unknown tags that an error lists: enough for a reader, and looking up all of them would take long. */
export const MOST_NAMED = 100;
/** Results of one read of functions: they are held in memory, 9 to 17 bytes each, those of one tag at a time. */
export const MAX_AGGREGATE_RESULTS = 1_000_000;
/** Different values that functions of states tell of, for one tag. */
export const MAX_STATES = 256;
/** Values of a tag that percentiles are found of: 16 bytes each while they are put in order. More are sampled at random. */
export const MAX_PERCENTILE_VALUES = 1_000_000;
/** How far from the ends of a range the next usable point is looked for. */
export const MAX_SEARCHED_POINTS = 1_000_000;
/** Different texts of a tag that a read of functions keeps, and their characters. */
export const MAX_KEPT_TEXTS = 262_144;
export const MAX_KEPT_CHARACTERS = 8 * 2 ** 20;
/** Points of one correction: some 10 ms of work to write them down. */
export const MAX_CORRECTION_POINTS = 10_000;
/** Points of all corrections of a dataset that can be undone; held in memory, some 50 bytes a point and 500 a correction. */
export const MAX_CORRECTED_POINTS = 500_000;
export const MAX_CORRECTIONS = 100_000;
/** UTF-16 units of the text of an annotation. */
export const MAX_ANNOTATION_TEXT = 4000;
/** Annotations of one dataset, and what they take in its file: all of them are in memory. */
export const MAX_ANNOTATIONS = 20_000;
export const MAX_ANNOTATION_BYTES = 8 * 2 ** 20;
/** Ids below are system tags, with fixed ids that need no catalog entry. */
export const FIRST_USER_TAG_ID = 64;

export interface EngineTunables {
  /** Points of a full block: longer blocks are hardly smaller per point, and heads would be larger. */
  readonly blockPoints: number;
  /** The heads of a dataset spill when they take more memory than this. */
  readonly headLimitBytes: number;
  /** A journal file is closed above this size. */
  readonly journalFileBytes: number;
  /** Most bytes of journals that are not retired: bounds replay. */
  readonly journalLimitBytes: number;
  /** How long retired journals are kept, and at most how many bytes of them: a copy may be under way. */
  readonly retiredFileMs: number;
  readonly retiredFileBytes: number;
  /** With more spills than this, their points move into tag files. */
  readonly maxSpills: number;
  /** Age at which the points of a spill are written to tag files, too. */
  readonly spillAgeMs: number;
  /** A tag file is sealed at this size or time span: the unit in which purge removes points. */
  readonly tagFileBytes: number;
  readonly tagFileSpanMs: number;
  /** Writes are refused while less is free on the disk. */
  readonly diskReserveBytes: number;
  /** Time between syncs at durability `interval`. */
  readonly syncIntervalMs: number;
  /** Work of one slice on the main thread. */
  readonly sliceMs: number;
  /** Points are appended in batches of at most so many tags, points and characters of texts: some ms of work each. */
  readonly batchTags: number;
  readonly batchPoints: number;
  readonly batchChars: number;
  /** Definitions and deletions of more tags than this take several turns of the event loop. */
  readonly longRequestTags: number;
  /** Journal records longer than this are written from where they are: copying them would hold the event loop. */
  readonly copiedRecordBytes: number;
  /** Points more than this after the later of now and the dataset's newest point are counted as `ahead`. */
  readonly aheadMs: number;
  /** Points more than this ahead are refused; undefined refuses none. */
  readonly maxAheadMs: number | undefined;
  /** Data writes do not re-create a dataset deleted less than this ago. */
  readonly deletedMemoryMs: number;
  /** Retention of system tags. */
  readonly systemTagDays: number;
  /** How long purge waits for a copy that is behind. */
  readonly copyWaitMs: number;
  /** Time between records of the system tags; 0 records none. */
  readonly systemTagIntervalMs: number;
  readonly purgeIntervalMs: number;
  /** A HOLD file older than this has no effect. */
  readonly holdMs: number;
  /** The server posts status 64 after this long without a sign of life of the collector. */
  readonly heartbeatMs: number;
  /** Block index entries kept in memory for all tag files of a dataset. */
  readonly indexCacheEntries: number;
  /** Block summaries that a dataset keeps in memory for reduced reads, and digests for aggregates: some 500 bytes each. */
  readonly summaryCacheBlocks: number;
  /** Memory for encoded blocks that were read recently; all datasets together. */
  readonly blockCacheBytes: number;
  /** Purge rules of datasets that a tag or data write creates. */
  readonly defaultPurgeAgeDays: number;
  readonly defaultPurgeSizeGb: number;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export const DEFAULT_TUNABLES: EngineTunables = {
  blockPoints: 4096,
  headLimitBytes: 256 * 2 ** 20,
  journalFileBytes: 64 * 2 ** 20,
  journalLimitBytes: 512 * 2 ** 20,
  retiredFileMs: HOUR_MS,
  retiredFileBytes: 4e9,
  maxSpills: 8,
  spillAgeMs: DAY_MS,
  tagFileBytes: 16 * 2 ** 20,
  tagFileSpanMs: 366 * DAY_MS,
  diskReserveBytes: 256e6,
  syncIntervalMs: 1000,
  sliceMs: 4,
  batchTags: 4096,
  batchPoints: 32_768,
  batchChars: 2 ** 20,
  longRequestTags: 8192,
  copiedRecordBytes: 2 ** 20,
  aheadMs: DAY_MS,
  maxAheadMs: undefined,
  deletedMemoryMs: 600_000,
  systemTagDays: 30,
  copyWaitMs: 7 * DAY_MS,
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
