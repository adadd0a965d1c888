// One tag: its definition, its newest point, and where its points are stored.

import { byOrdinal, type TagFile } from '../files/tag-file.ts';
import type { Head } from '../head/head.ts';
import { FIRST_USER_TAG_ID } from '../limits.ts';
import { type Instant, type TagDefinition, type TagRef, ValueType } from '../types.ts';
import { type DeletedRanges, type OrdinalRange, withRanges } from './deleted-ranges.ts';
import { ownerOfLate } from './late-tag.ts';
import type { NewestPoint, StoredValue } from './newest-point.ts';
import {
  ACCEPTED,
  ACCEPTED_ORDINAL,
  FLUSHED_ORDINAL,
  NEWEST,
  NEXT_ORDINAL,
  OLDEST_MS,
  plainPointAt,
  putPoint,
  takeRow,
} from './tag-rows.ts';

/** The state of a tag that a catalog records. */
export interface StoredTag {
  readonly nextOrdinal: number;
  readonly flushedOrdinal: number;
  readonly purgedOrdinal: number;
  readonly purgedTime: Instant | undefined;
  readonly oldestMs: number;
  /** Their points are no longer read. */
  readonly deletedRanges: DeletedRanges;
}

/** Shared by all tags without files, which are most. */
const NO_FILES: readonly TagFile[] = Object.freeze([]);
const NONE_DELETED: DeletedRanges = Object.freeze([]);

/** Flags of a tag's state. */
const VISIBLE = 1;
const DELETED = 2;
const LEAVING = 4;
const QUEUED = 8;
const LATE = 16;

/** There may be a million tags: numbers are fields of the tag, and it owns as few other objects as possible. */
export class Tag implements TagRef {
  readonly id: number;
  /** The type of the definition; a copy, because every run of every request reads it. */
  type: ValueType;
  /** A copy for the same reason. */
  name: string;
  /** Undefined where it is nothing but name and type, as nearly all are. */
  #definition: TagDefinition | undefined;
  /** Undefined where it is the same. */
  #durableDefinition: TagDefinition | undefined;
  #state = 0;

  /** Its row, with its newest points if they are plain: the one that reads may see, and the one of all accepted requests. */
  readonly rows: Float64Array;
  readonly row: number;
  /** The newest points, if they are not plain. */
  #newest: NewestPoint | undefined;
  #accepted: NewestPoint | undefined;
  /** For recovery: points below were purged; undefined when the catalog is lost. */
  firstOrdinal: number | undefined = 0;

  /**
   * Points below were purged by a cutoff that is no longer in force, late ones also by the one that is: they stay hidden,
   * whichever files still hold them.
   */
  purgedOrdinal = 0;
  /**
   * The time of the point of that ordinal, which may be purged or removed since: late points and points of corrections before
   * it stay hidden. Undefined when none was purged so, of late tags, and until it is asked for where an earlier version has
   * not kept it.
   */
  purgedTime: Instant | undefined;

  head: Head | undefined;
  /** Sequence number of the journal record of the head's newest point: it is synced before blocks are written. */
  headSequence = 0;
  #files = NO_FILES;
  #nextFile = 0;
  #deletedRanges = NONE_DELETED;
  /** The last batch that used the tag on the fast path: a tag may occur once in a batch. */
  lastBatch = 0;

  constructor(id: number, definition: TagDefinition) {
    this.id = id;
    this.name = definition.name;
    this.#definition = isBare(definition) ? undefined : definition;
    if (ownerOfLate(definition.name) !== undefined) this.#state = LATE;
    this.type = definition.type;
    const { numbers, at } = takeRow();
    this.rows = numbers;
    this.row = at;
  }

  get definition(): TagDefinition {
    return this.#definition ?? { name: this.name, type: this.type };
  }

  set definition(definition: TagDefinition) {
    this.#durableDefinition ??= this.definition;
    this.#definition = definition;
    this.name = definition.name;
    if (definition.type === this.type) return;
    const { newest, accepted } = this; // points keep the type that they were stored with
    this.type = definition.type;
    this.newest = newest;
    this.accepted = accepted;
  }

  /** The definition as of durable requests: the one for the catalog. */
  get durableDefinition(): TagDefinition {
    return this.#durableDefinition ?? this.definition;
  }

  set durableDefinition(definition: TagDefinition) {
    this.#durableDefinition = definition;
  }

  /** In the order of ordinals; the last one is appended to. */
  get files(): readonly TagFile[] {
    return this.#files;
  }

  /** The number of the next file: never one that was in use, since its file may still be there. */
  get nextFile(): number {
    return this.#nextFile;
  }

  /** Ordinals that were deleted with their points. */
  get deletedRanges(): DeletedRanges {
    return this.#deletedRanges;
  }

  get isSystem(): boolean {
    return this.id < FIRST_USER_TAG_ID;
  }

  /** Whether it has the late points of another tag: as they came, in no order of time. It has no newest point. */
  get isLate(): boolean {
    return (this.#state & LATE) !== 0;
  }

  /** False while the request that creates it is pending; reads do not see the tag then. */
  get visible(): boolean {
    return (this.#state & VISIBLE) !== 0;
  }

  set visible(is: boolean) {
    this.#set(VISIBLE, is);
  }

  get deleted(): boolean {
    return (this.#state & DELETED) !== 0;
  }

  set deleted(is: boolean) {
    this.#set(DELETED, is);
  }

  /** True while its deletion is pending: it is not found by name, but keeps its points until then. */
  get leaving(): boolean {
    return (this.#state & LEAVING) !== 0;
  }

  set leaving(is: boolean) {
    this.#set(LEAVING, is);
  }

  /** True while it is queued for its head to be flushed as blocks. */
  get queued(): boolean {
    return (this.#state & QUEUED) !== 0;
  }

  set queued(is: boolean) {
    this.#set(QUEUED, is);
  }

  /** The ordinal after the newest point that reads may see. */
  get nextOrdinal(): number {
    return this.rows[this.row + NEXT_ORDINAL] as number;
  }

  set nextOrdinal(ordinal: number) {
    this.rows[this.row + NEXT_ORDINAL] = ordinal;
  }

  /** The ordinal after the newest accepted point. */
  get acceptedOrdinal(): number {
    return this.rows[this.row + ACCEPTED_ORDINAL] as number;
  }

  set acceptedOrdinal(ordinal: number) {
    this.rows[this.row + ACCEPTED_ORDINAL] = ordinal;
  }

  /** Points below are in tag files (or purged); the others are in spills and in the head. */
  get flushedOrdinal(): number {
    return this.rows[this.row + FLUSHED_ORDINAL] as number;
  }

  set flushedOrdinal(ordinal: number) {
    this.rows[this.row + FLUSHED_ORDINAL] = ordinal;
  }

  /** Time of the oldest readable point; NaN without points. */
  get oldestMs(): number {
    return this.rows[this.row + OLDEST_MS] as number;
  }

  set oldestMs(ms: number) {
    this.rows[this.row + OLDEST_MS] = ms;
  }

  get hasPoints(): boolean {
    return !Number.isNaN(this.rows[this.row + NEWEST]) || this.#newest !== undefined;
  }

  /** The newest point that reads may see. */
  get newest(): NewestPoint | undefined {
    return plainPointAt(this.rows, this.row + NEWEST, this.type) ?? this.#newest;
  }

  set newest(point: NewestPoint | undefined) {
    this.#newest = putPoint(this.rows, this.row + NEWEST, this.type, point);
  }

  /** The newest point of all accepted requests: it decides what is late. */
  get accepted(): NewestPoint | undefined {
    return plainPointAt(this.rows, this.row + ACCEPTED, this.type) ?? this.#accepted;
  }

  set accepted(point: NewestPoint | undefined) {
    this.#accepted = putPoint(this.rows, this.row + ACCEPTED, this.type, point);
  }

  /** Time of the newest accepted point; -Infinity without any. */
  get acceptedMs(): number {
    const ms = this.rows[this.row + ACCEPTED] as number;
    if (!Number.isNaN(ms)) return ms;
    return this.#accepted ? this.#accepted.ms : Number.NEGATIVE_INFINITY;
  }

  /** Returns the number for a new file. */
  takeFileNumber(): number {
    return this.#nextFile++;
  }

  /** Reserves a number that a file on disk has. */
  noteFileNumber(number: number): void {
    this.#nextFile = Math.max(this.#nextFile, number + 1);
  }

  /** Adds a file after all others, unless the tag has it. */
  addFile(file: TagFile): void {
    if (!this.#files.includes(file)) this.#files = [...this.#files, file];
    this.noteFileNumber(file.number);
  }

  /** Adds a file directly after another. */
  addFileBehind(other: TagFile, file: TagFile): void {
    this.#files = this.#files.toSpliced(this.#files.indexOf(other) + 1, 0, file);
  }

  dropFile(file: TagFile): void {
    this.keepFiles((other) => other !== file);
  }

  keepFiles(isKept: (file: TagFile) => boolean): void {
    this.#files = this.#files.filter(isKept);
  }

  /** Replaces the files that are known to be missing. */
  replaceMissingFiles(lost: readonly TagFile[]): void {
    this.#files = [...this.#files.filter((file) => !file.missing), ...lost];
  }

  sortFiles(): void {
    if (this.#files.length > 1) this.#files = this.#files.toSorted(byOrdinal);
  }

  /** Hides the points of a range; `newest` is the newest of the remaining points. */
  deleteRange(range: OrdinalRange, newest: NewestPoint | undefined): void {
    this.#deletedRanges = withRanges(this.#deletedRanges, [range]);
    this.newest = newest;
    if (!newest) this.oldestMs = Number.NaN;
  }

  /** Sets the state that a catalog records, except files. */
  restore(stored: StoredTag, newest: NewestPoint | undefined): void {
    this.visible = true;
    this.nextOrdinal = stored.nextOrdinal;
    this.flushedOrdinal = stored.flushedOrdinal;
    this.purgedOrdinal = stored.purgedOrdinal;
    this.purgedTime = stored.purgedTime;
    this.oldestMs = stored.oldestMs;
    if (stored.deletedRanges.length > 0) this.#deletedRanges = withRanges(NONE_DELETED, stored.deletedRanges);
    this.newest = newest;
    this.settle();
  }

  /** Sets the accepted state to the one that reads see; nothing may be pending. */
  settle(): void {
    const { rows, row } = this;
    rows[row + ACCEPTED] = rows[row + NEWEST] as number;
    rows[row + ACCEPTED + 1] = rows[row + NEWEST + 1] as number;
    this.#accepted = this.#newest;
    this.acceptedOrdinal = this.nextOrdinal;
  }

  /** A copy of the tag with further deleted ranges, only to search the remaining points. */
  withDeleted(further: Iterable<OrdinalRange>): Tag {
    const shadow = Object.assign(new Tag(this.id, this.definition), this);
    shadow.#durableDefinition = this.#durableDefinition;
    shadow.#state = this.#state;
    shadow.#newest = this.#newest;
    shadow.#accepted = this.#accepted;
    shadow.#files = this.#files;
    shadow.#deletedRanges = withRanges(this.#deletedRanges, further);
    return shadow;
  }

  #set(bit: number, is: boolean): void {
    this.#state = is ? this.#state | bit : this.#state & ~bit;
  }
}

/** Whether a definition has nothing but a name and a type. */
function isBare({ description, format, units, fields, former }: TagDefinition): boolean {
  const parts = [description, format, units, fields, former];
  return parts.every((part) => part === undefined);
}

/** Whether the times of its points may step back: behind a deleted range, and of late points. */
export function mayStepBack(tag: Tag): boolean {
  return tag.isLate || tag.deletedRanges.length > 0;
}

/** Equal as a client sees it: the same value, of whatever type it was stored with. */
export function sameValue(a: StoredValue, b: StoredValue): boolean {
  if (Object.is(a, b)) return true;
  if (a === null || b === null || typeof a === typeof b) return false;
  return String(a) === String(b);
}

/** Compares a stored point's time with a time. */
export function compareTime(point: Instant, ms: number, ticks: number): number {
  return point.ms - ms || point.ticks - ticks;
}

/** Sets the type of a definition that has none yet. */
export function withType(definition: TagDefinition, type: ValueType): TagDefinition {
  return definition.type === ValueType.Open ? { ...definition, type } : definition;
}
