// The words of the engine: value types, points in columns, writes and definitions; reads.ts, watches.ts and annotations.ts go on.
// Nothing here does I/O or knows how a thing is stored.

import { TextList } from './text-list.ts';

/** Data types of a tag. The number is the code in journals and blocks, so it never changes. */
export const ValueType = {
  /** No value seen yet; only nulls are stored under it. */
  Open: 0,
  Boolean: 1,
  SByte: 2,
  Byte: 3,
  Int16: 4,
  UInt16: 5,
  Int32: 6,
  UInt32: 7,
  Int64: 8,
  UInt64: 9,
  Single: 10,
  Double: 11,
  Decimal: 12,
  String: 13,
  DateTime: 14,
} as const;
export type ValueType = (typeof ValueType)[keyof typeof ValueType];

/**
 * How the values of a type are stored in `PointColumns`:
 * - `number`: in `numbers` (Boolean as 0 and 1, Single already rounded to single precision);
 * - `bigint`: in `bigints` (Int64; UInt64 as its two's complement bits; DateTime as 100 ns ticks since 0001-01-01 UTC);
 * - `text`: in `numbers`, as an index into `texts` (String; Decimal as its digits).
 */
export type Payload = 'number' | 'bigint' | 'text';

/** Quality of an ordinary good value; values from 192 up are good. */
export const GOOD_QUALITY = 192;

/** Ticks of 100 ns in a millisecond. */
export const TICKS_PER_MS = 10_000;

/** An exact point in time: whole milliseconds since 1970-01-01 UTC, and 0 to 9,999 ticks of 100 ns below. */
export interface Instant {
  readonly ms: number;
  readonly ticks: number;
}

/** 0001-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z, in ms. */
export const MIN_TIME_MS = -62_135_596_800_000;
export const MAX_TIME_MS = 253_402_300_799_999;

export const FIRST_INSTANT: Instant = { ms: MIN_TIME_MS, ticks: 0 };
export const LAST_INSTANT: Instant = { ms: MAX_TIME_MS, ticks: TICKS_PER_MS - 1 };

/** Orders two instants: negative, zero or positive. */
export function compareInstants(a: Instant, b: Instant): number {
  return a.ms - b.ms || a.ticks - b.ticks;
}

/** One tick later; the last time of all stays as it is. */
export function oneTickAfter({ ms, ticks }: Instant): Instant {
  if (ticks + 1 < TICKS_PER_MS) return { ms, ticks: ticks + 1 };
  return ms < MAX_TIME_MS ? { ms: ms + 1, ticks: 0 } : LAST_INSTANT;
}

/** One tick earlier, of the first time of all too. */
export function oneTickBefore({ ms, ticks }: Instant): Instant {
  return ticks > 0 ? { ms, ticks: ticks - 1 } : { ms: ms - 1, ticks: TICKS_PER_MS - 1 };
}

/**
 * In place of the ticks of a point without a time of its own, whose `timesMs` is when it arrived: appending gives it its time.
 * Only points that `PointRun.stamped` counts have it.
 */
export const SERVER_TIME = 0xffff;

/** Bytes of a point in all columns. */
const COLUMN_BYTES = 31;

/**
 * Points as columns of equal length; entry i of each column belongs to point i.
 * `numbers` and `bigints` are two views of the same memory: a point uses one of them, by its type's payload.
 *
 * Points of a plain run (`PointRun.decimals`) are in `offsets` and `mantissas` alone, until `spread` fills in the others.
 */
export class PointColumns {
  /** Points in use; the rest of the columns is spare room. */
  count = 0;
  capacity: number;
  /** Whole ms since 1970, rounded down. */
  timesMs: Float64Array;
  /** Ticks of 100 ns below the millisecond, 0 to 9,999; in a request `SERVER_TIME`, too. */
  ticks: Uint16Array;
  numbers: Float64Array;
  bigints: BigInt64Array;
  /** 1 where the value is null; the payload is then 0. */
  nulls: Uint8Array;
  qualities: Int32Array;
  /** Texts that `numbers` points into, for the text payload. */
  texts = new TextList();
  /** Plain points: the base of `offsets`; ms since 1970. */
  baseMs = 0;
  /** Plain points: whole ms since `baseMs`. */
  offsets: Int32Array;
  /** Plain points: value times 10^decimals of its run, a whole number. */
  mantissas: Int32Array;

  constructor(capacity: number) {
    this.capacity = capacity;
    // One piece of memory: a large one the system gives cleared, as it is used; of smaller ones some are cleared in one go.
    const memory = new ArrayBuffer(capacity * COLUMN_BYTES);
    this.timesMs = new Float64Array(memory, 0, capacity);
    this.numbers = new Float64Array(memory, 8 * capacity, capacity);
    this.bigints = new BigInt64Array(memory, 8 * capacity, capacity);
    this.qualities = new Int32Array(memory, 16 * capacity, capacity);
    this.offsets = new Int32Array(memory, 20 * capacity, capacity);
    this.mantissas = new Int32Array(memory, 24 * capacity, capacity);
    this.ticks = new Uint16Array(memory, 28 * capacity, capacity);
    this.nulls = new Uint8Array(memory, 30 * capacity, capacity);
  }

  /** Bytes of the columns, without the texts. */
  get sizeBytes(): number {
    return this.capacity * COLUMN_BYTES;
  }

  /** Grows the columns to `capacity` points, keeping their contents. The arrays are replaced: fetch them again afterwards. */
  reserve(capacity: number): void {
    if (capacity <= this.capacity) return;
    const grown = new PointColumns(Math.max(capacity, this.capacity * 2));
    grown.timesMs.set(this.timesMs);
    grown.ticks.set(this.ticks);
    grown.bigints.set(this.bigints); // bit for bit: a copy as doubles may alter NaN patterns
    grown.nulls.set(this.nulls);
    grown.qualities.set(this.qualities);
    grown.offsets.set(this.offsets);
    grown.mantissas.set(this.mantissas);
    this.capacity = grown.capacity;
    this.timesMs = grown.timesMs;
    this.ticks = grown.ticks;
    this.numbers = grown.numbers;
    this.bigints = grown.bigints;
    this.nulls = grown.nulls;
    this.qualities = grown.qualities;
    this.offsets = grown.offsets;
    this.mantissas = grown.mantissas;
  }

  /** Fills the general columns of plain points `[start, end)`, whose mantissas have `decimals` decimals. */
  spread(start: number, end: number, decimals: number): void {
    const { baseMs, offsets, mantissas, timesMs, numbers } = this;
    const power = 10 ** decimals;
    for (let i = start; i < end; i++) {
      timesMs[i] = baseMs + (offsets[i] as number);
      numbers[i] = (mantissas[i] as number) / power;
    }
    this.ticks.fill(0, start, end);
    this.nulls.fill(0, start, end);
    this.qualities.fill(GOOD_QUALITY, start, end);
  }

  /** Empties the columns; the memory stays. */
  clear(): void {
    this.count = 0;
    if (this.texts.length > 0) this.texts = new TextList();
  }
}

/** A tag as a parser needs to see it while it reads a body. */
export interface TagRef {
  /** Unique among all tags that the dataset has or ever had; assigned in ascending order. */
  readonly id: number;
  readonly name: string;
  readonly type: ValueType;
}

/** Looks tags up by name while a body is read; bound to one dataset. */
export interface TagLookup {
  /** By the raw UTF-8 bytes of a name, without decoding it. */
  findBytes(bytes: Uint8Array, start: number, end: number): TagRef | undefined;
  /**
   * The tag that followed the tag found last when that one was found before, if the text at `start` begins with its name.
   * Never a tag with a quote or a backslash in its name, because JSON may write those in several ways.
   */
  findFollowing(view: DataView, start: number): TagRef | undefined;
  /** Bytes of the name that was found last by its bytes. */
  readonly foundBytes: number;
  /** Counts the tags that came or went: while it stays as it is, every name finds the same tag, or none. */
  readonly changes: number;
  find(name: string): TagRef | undefined;
}

/** Most decimals of a plain run: an int32 has no more digits after its first. */
export const MAX_PLAIN_DECIMALS = 9;
/** Value of `decimals` for a run that is not plain. */
export const NOT_PLAIN = -1;

/** The points of one tag in a request: `count` points from `start` on, in the order they were sent. */
export interface PointRun {
  readonly name: string;
  /** The tag that was found by name; undefined creates the tag, and appending may set it then. */
  tag: TagRef | undefined;
  /** The type the values were read as: the tag's own, or for an unknown or open tag that of its first value. */
  readonly type: ValueType;
  readonly start: number;
  readonly count: number;
  /** Points that the caller left out because they were faulty (lenient writes). */
  readonly rejected: number;
  /** Points sent without a time (`SERVER_TIME`): appending gives them one, and they do not count as newest for purge. */
  readonly stamped: number;
  /**
   * Plain run: how many decimals `mantissas` have, 0 to 9. Its points are good numbers at whole ms, none of them -0, of a type
   * with the payload `number` other than Boolean and Single. Absent or `NOT_PLAIN`: the points are in the general columns.
   */
  readonly decimals?: number;
}

/** One write request: the points of all its runs in one set of columns. A tag occurs in one run at most. */
export interface PointBatch {
  readonly points: PointColumns;
  readonly runs: readonly PointRun[];
  /** Faulty points that the caller left out, including those of tags that are not in `runs`; 0 when absent. */
  readonly rejected?: number;
}

/** Counts of what became of the points of a request. */
export interface WriteCounts {
  written: number;
  /** Earlier than the tag's newest point, and dropped. */
  ignored: number;
  /** Already stored. */
  repeated: number;
  rejected: number;
  /** Older than the purge rules keep, and not stored, except the newest of such points, which purge keeps for each tag. */
  expired: number;
  /** Stored, though more than a day ahead of the later of now and the dataset's newest point. */
  ahead: number;
}

export interface WriteReceipt extends WriteCounts {
  /** By tag name, in the order of the request. */
  readonly tags: ReadonlyMap<string, WriteCounts>;
  /** Counts of each tag as an iteration, for very many tags; valid until the batch is reused. */
  eachTag(): Iterable<readonly [name: string, counts: WriteCounts]>;
}

/** A tag's definition. Fields that were never set are absent; `type` is `Open` until the first value. */
export interface TagDefinition {
  readonly name: string;
  readonly description?: string;
  readonly format?: string;
  /** Unit of measure, or the texts of an enumeration, by int32 key. */
  readonly units?: ReadonlyMap<number, string>;
  readonly fields?: ReadonlyMap<string, string>;
  readonly type: ValueType;
  /** Absent when the tag was never renamed. */
  readonly former?: FormerNames;
}

/** The names that a tag had before. */
export interface FormerNames {
  /** How often the tag was renamed. */
  readonly count: number;
  /** In the order in which they were given up; of very many the last ones. None of them is the present name. */
  readonly names: readonly FormerName[];
}

export interface FormerName {
  readonly name: string;
  /** When it was given up; ms since 1970. */
  readonly renamedMs: number;
  /** Until when the name still leads to the tag, ms since 1970; undefined: for good. */
  readonly untilMs: number | undefined;
  /** Whether what is written under the name becomes the tag's; otherwise it is refused. */
  readonly forwards: boolean;
}

/** A tag gets another name. */
export interface TagRename {
  readonly from: string;
  readonly to: string;
  readonly forwards: boolean;
  /** How long the former name leads to the tag; undefined: for good. */
  readonly keepMs: number | undefined;
}

/** A change to a tag, or a new tag: fields present replace, absent ones stay; `units` and `fields` replace as a whole. */
export interface TagChange {
  readonly name: string;
  readonly description?: string;
  readonly format?: string;
  readonly units?: ReadonlyMap<number, string>;
  readonly fields?: ReadonlyMap<string, string>;
  readonly type?: ValueType;
}

export type LateRule = 'ignore' | 'accept';

export interface DatasetDefinition {
  readonly name: string;
  /** Days; 0 is no limit. */
  readonly purgeAgeDays: number;
  /** Gigabytes (10^9 bytes); 0 is no limit. */
  readonly purgeSizeGb: number;
  /** Whether points earlier than their tag's newest are stored; absent: ignored, or in a change unchanged. */
  readonly late?: LateRule;
  /** How much earlier than its tag's newest a late point may be, ms; 0 is no limit. Absent in a change: unchanged. */
  readonly lateToleranceMs?: number;
  /** How far before now a late point may be, days. Like `lateToleranceMs`. */
  readonly lateAgeDays?: number;
}

/** The fields of a dataset that can be changed. */
export type DatasetRules = Omit<DatasetDefinition, 'name'>;

export interface DatasetInfo extends DatasetDefinition {
  /** Bytes allocated on disk by the whole folder, in gigabytes (10^9). */
  readonly sizeGb: number;
  /** Number of user tags. */
  readonly tagCount: number;
  /** Age of the oldest readable user point in days; 0 when empty. */
  readonly ageDays: number;
  /** Absent when all is well. `unavailable`: it could not be opened, and its figures are unknown. */
  readonly state?: 'read-only' | 'unavailable';
  /** Why, in words, with `state`. */
  readonly reason?: string;
}

/** Whether the datasets are in order. */
export interface Readiness {
  readonly datasetCount: number;
  /** Datasets that are not in order, sorted by name. */
  readonly impaired: readonly ImpairedDataset[];
}

export interface ImpairedDataset {
  readonly name: string;
  readonly state: NonNullable<DatasetInfo['state']>;
  /** Why, in words. */
  readonly reason: string;
}

/** Names of tags in order, by place; undefined where the tag is gone by now. An array of names is one. */
export interface NameSequence {
  readonly length: number;
  at(index: number): string | undefined;
}

/** Tags in the order of their names, each as it is when it is asked for. Shared by all who ask. */
export interface TagSequence extends Iterable<TagDefinition> {
  readonly names: NameSequence;
  /** Definitions whose names are not before a text. */
  from(name: string): Iterable<TagDefinition>;
}

export interface TagList {
  readonly user: TagSequence;
  readonly system: readonly TagDefinition[];
}

/** One status of a dataset's collector. */
export interface StatusPoint {
  /** Undefined: the time of receipt. */
  readonly time: Instant | undefined;
  readonly quality: number;
}

export type Durability = 'group' | 'interval' | 'os';

/** An event inside the engine that operators should know of. The engine itself never logs. */
export interface EngineEvent {
  readonly level: 'info' | 'warn' | 'error';
  /** What happened, e.g. `journal.tail-cut`. A closed list is in docs/operations.md. */
  readonly event: string;
  readonly message: string;
  readonly dataset?: string;
  /** Path inside the data folder. */
  readonly path?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}
export type EngineListener = (event: EngineEvent) => void;
