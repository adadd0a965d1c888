// One tag: its definition, its newest point, and where its points are.

import { FIRST_USER_TAG_ID } from '../limits.ts';
import { type Instant, type TagDefinition, type TagRef, ValueType } from '../types.ts';
import type { Head } from './head-arena.ts';
import type { TagFile } from './tag-file.ts';

/** A value outside the columns: by payload a number, a bigint or a text; null for null. */
export type StoredValue = number | bigint | string | null;

/** The newest point of a tag, and the ones stored at the same time before it. Never changed, only replaced. */
export interface NewestPoint extends Instant {
  readonly value: StoredValue;
  readonly quality: number;
  /** The type it was stored with. */
  readonly type: ValueType;
  /** The point before, when it has the same time. */
  readonly tie: NewestPoint | undefined;
}

/** Ordinals that are no longer read: `from` up to, not including, `to`. */
export interface OrdinalRange {
  readonly from: number;
  readonly to: number;
}

export class Tag implements TagRef {
  readonly id: number;
  /** That of the definition: a copy, because every run of every request asks for it. */
  type: ValueType;
  #definition: TagDefinition;
  /** The definition as of durable requests: what a catalog may say. */
  durableDefinition: TagDefinition;
  /** False while the request that creates it is on its way to disk; reads do not see it then. */
  visible = false;
  deleted = false;
  /** Its deletion is on its way to disk: nobody finds it by name any more, but until then it keeps its points. */
  leaving = false;

  /** The newest point that reads may see, and that of all accepted requests: the latter decides what is late. */
  newest: NewestPoint | undefined;
  admitted: NewestPoint | undefined;
  /** The ordinal of the next point: of those that reads may see, and of all accepted ones. */
  nextOrdinal = 0;
  admittedOrdinal = 0;
  /** Points below are in tag files (or purged); from there on in spills and in the head. */
  filedOrdinal = 0;
  /** For recovery: points below were purged; undefined when the catalog that would tell is lost. */
  firstOrdinal: number | undefined = 0;
  /** Time of the oldest readable point; NaN without points. */
  oldestMs = Number.NaN;

  head: Head | undefined;
  /** The journal record of the head's newest point: blocks wait until it is synced. */
  headSequence = 0;
  /** Oldest first by number. */
  files: TagFile[] = [];
  /** Number of the next file: never one that was in use, since its file may still be there. */
  nextFile = 0;
  cuts: OrdinalRange[] = [];
  /** Waits for its head to be written as a block. */
  queued = false;
  /** The last request that the short cut through admission has looked at it for: a tag comes once in it. */
  lastRequest = 0;
  namedIn = 0;

  constructor(id: number, definition: TagDefinition) {
    this.id = id;
    this.#definition = definition;
    this.type = definition.type;
    this.durableDefinition = definition;
  }

  get name(): string {
    return this.definition.name;
  }

  get definition(): TagDefinition {
    return this.#definition;
  }

  set definition(definition: TagDefinition) {
    this.#definition = definition;
    this.type = definition.type;
  }

  get isSystem(): boolean {
    return this.id < FIRST_USER_TAG_ID;
  }
}

/** Equal as a client sees it: the same value, of whatever type it was stored with. */
export function sameValue(a: StoredValue, b: StoredValue): boolean {
  if (Object.is(a, b)) return true;
  if (a === null || b === null || typeof a === typeof b) return false;
  return String(a) === String(b);
}

/** Orders a stored point against a time. */
export function compareTime(point: Instant, ms: number, ticks: number): number {
  return point.ms - ms || point.ticks - ticks;
}

/** Retypes a definition that has no type yet. */
export function withType(definition: TagDefinition, type: ValueType): TagDefinition {
  return definition.type === ValueType.Open ? { ...definition, type } : definition;
}
