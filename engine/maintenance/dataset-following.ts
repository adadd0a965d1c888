// Follows a dataset for a copy elsewhere: what has changed, and the stored points of a tag by their ordinals.

import type { Dataset } from '../dataset/dataset.ts';
import { EngineError } from '../errors.ts';
import { ChangeNotes } from '../following/change-notes.ts';
import type {
  FollowedChanges,
  FollowedPoints,
  FollowedState,
  FollowedTag,
  Following,
  PointsWanted,
} from '../following.ts';
import { type Head, headParts } from '../head/head.ts';
import type { Random } from '../io/random.ts';
import { appendColumns } from '../points/point-copies.ts';
import { StoredTagCursor } from '../read/tag-cursor.ts';
import type { PointChunk } from '../reads.ts';
import { storeRules } from '../retention/retention-cutoff.ts';
import type { DeletedRanges } from '../tag/deleted-ranges.ts';
import { ownerOfLate } from '../tag/late-tag.ts';
import type { Tag } from '../tag/tag.ts';
import { type DatasetDefinition, FIRST_INSTANT, LAST_INSTANT, PointColumns, ValueType } from '../types.ts';
import { payloadOf } from '../value-types.ts';

/** The dataset has an identity from then on. Rejects as `storeRules` does. */
export async function followDataset(dataset: Dataset, identity: 'kept' | 'new'): Promise<Following> {
  const { identity: before } = dataset;
  if (before === undefined || identity === 'new') await dataset.maintain(() => giveIdentity(dataset, before));
  return new DatasetFollowing(dataset, dataset.identity as string);
}

/** Unless another call has changed it meanwhile. */
async function giveIdentity(dataset: Dataset, before: string | undefined): Promise<void> {
  if (dataset.identity !== before) return;
  dataset.identity = newIdentity(dataset.context.random);
  try {
    await storeRules(dataset, dataset.definition);
  } catch (error) {
    dataset.identity = before;
    throw error;
  }
}

function newIdentity(random: Random): string {
  return Array.from({ length: 4 }, () => random.uint32().toString(16).padStart(8, '0')).join('');
}

/** A cursor that stays open, for the next call about its tag. */
interface OpenCursor {
  readonly tag: Tag;
  /** What of the tag was deleted when it was opened: it gives points that were deleted later. */
  readonly deleted: DeletedRanges;
  readonly cursor: StoredTagCursor;
  /** Points of its last chunk that were not given yet. */
  chunk: PointChunk | undefined;
  /** The ordinal after the last one that was given. */
  next: number;
  /** It gives no points from this ordinal on: that of the next one in memory, or after the newest, when it was opened. */
  readonly end: number;
}

class DatasetFollowing implements Following {
  readonly identity: string;
  readonly #dataset: Dataset;
  readonly #notes: ChangeNotes;
  #open: OpenCursor | undefined;

  constructor(dataset: Dataset, identity: string) {
    this.#dataset = dataset;
    this.identity = identity;
    this.#notes = new ChangeNotes(dataset.context.clock.nowMs());
    dataset.audience.followers.add(this.#notes);
  }

  get isOn(): boolean {
    return !this.#dataset.deleted && this.#dataset.audience.followers.has(this.#notes);
  }

  get definition(): DatasetDefinition {
    return this.#dataset.definition;
  }

  get nextTagId(): number {
    return this.#dataset.tags.nextId;
  }

  *tags(): Generator<FollowedTag> {
    for (const tag of this.#dataset.tags.byId.values(this.#dataset.tags.nextId)) if (tag.visible) yield describe(tag);
  }

  tag(id: number): FollowedTag | undefined {
    const tag = this.#dataset.tags.byId.get(id);
    return tag?.visible ? describe(tag) : undefined;
  }

  takeChanges(): FollowedChanges {
    return this.#notes.take();
  }

  changed(): Promise<void> {
    return this.isOn ? this.#notes.changed() : Promise.resolve();
  }

  readPoints(id: number, from: number, wanted: PointsWanted, target: PointColumns): FollowedPoints {
    const {
      deleted,
      name,
      tags,
      memory: { arena },
    } = this.#dataset;
    if (deleted) throw new EngineError('DATASET_NOT_FOUND', `Dataset '${name}' was deleted.`, { name });
    const tag = tags.byId.get(id);
    if (tag === undefined || from >= tag.nextOrdinal) return nothing(target, from);
    const part = tag.deletedRanges.length > 0 ? undefined : partWith(tag.head, from);
    if (part === undefined) return this.#readStored(tag, from, wanted, target);
    const count = Math.min(wanted.points, part.nextOrdinal - from);
    const isText = payloadOf(part.type) === 'text';
    const copied = isText ? new PointColumns(count) : target;
    const start = copied.count;
    arena.copy(part, from - part.firstOrdinal, count, copied);
    if (!isText) return given(part.type, start, count, from);
    return given(part.type, target.count, appendTexts(copied, 0, count, target, wanted.characters), from);
  }

  noteCopied(untilMs: number): void {
    this.#notes.copiedUntilMs = untilMs;
  }

  noteState(state: FollowedState): void {
    this.#notes.state = state;
  }

  stop(): void {
    this.#closeCursor();
    this.#dataset.audience.followers.delete(this.#notes);
    this.#notes.announce();
  }

  /** Points of files, and of tags with deleted points. */
  #readStored(tag: Tag, from: number, wanted: PointsWanted, target: PointColumns): FollowedPoints {
    let open = this.#open;
    if (open?.tag !== tag || open.next !== from || open.deleted !== tag.deletedRanges) {
      this.#closeCursor();
      open = openAt(this.#dataset, tag, from);
      this.#open = open;
    }
    open.chunk ??= open.cursor.next();
    if (open.chunk === undefined || open.cursor.ordinalOf(open.chunk.start) >= open.end) {
      this.#closeCursor();
      return { ...nothing(target, from), nextOrdinal: open.end };
    }
    const points = give(open, wanted, target);
    // What comes later is not in it; and it keeps files open.
    if (open.chunk === undefined && open.next >= open.end) this.#closeCursor();
    return points;
  }

  #closeCursor(): void {
    this.#open?.cursor.close();
    this.#open = undefined;
  }
}

function openAt(dataset: Dataset, tag: Tag, from: number): OpenCursor {
  // Points in memory are read there: copying them all for each look into a file costs as much as the look.
  const inFilesOnly = tag.deletedRanges.length === 0;
  const range = { start: FIRST_INSTANT, end: LAST_INSTANT, firstOrdinal: from, inFilesOnly, limit: undefined };
  const cursor = new StoredTagCursor(dataset, tag, range);
  const inMemory = inFilesOnly
    ? headParts(tag.head).find((part) => part.count > 0 && part.firstOrdinal > from)
    : undefined;
  const end = inMemory?.firstOrdinal ?? tag.nextOrdinal;
  return { tag, deleted: tag.deletedRanges, cursor, chunk: undefined, next: from, end };
}

/** Gives the first points of the cursor's chunk whose ordinals follow on each other. */
function give(open: OpenCursor, wanted: PointsWanted, target: PointColumns): FollowedPoints {
  const { cursor } = open;
  const chunk = open.chunk as PointChunk;
  const { points, start, end, type } = chunk;
  const first = cursor.ordinalOf(start);
  let to = start + 1;
  const most = Math.min(end, start + wanted.points, start + open.end - first);
  while (to < most && cursor.ordinalOf(to) === first + to - start) to++;
  const at = target.count;
  let count = to - start;
  if (payloadOf(type) === 'text') count = appendTexts(points, start, to, target, wanted.characters);
  else appendColumns(points, start, to, target);
  open.chunk = start + count < end ? { ...chunk, start: start + count } : undefined;
  open.next = first + count;
  return given(type, at, count, first);
}

/** Copies points with their texts until these are too long; returns how many, one at least. */
function appendTexts(
  points: PointColumns,
  start: number,
  end: number,
  target: PointColumns,
  characters: number,
): number {
  let left = characters;
  let i = start;
  for (; i < end && (left > 0 || i === start); i++) {
    appendColumns(points, i, i + 1, target);
    if (points.nulls[i]) continue;
    const text = points.texts.at(points.numbers[i] as number);
    target.numbers[target.count - 1] = target.texts.push(text);
    left -= text.length;
  }
  return i - start;
}

/** The part of a head that has the point of an ordinal, if it is in memory. */
function partWith(head: Head | undefined, ordinal: number): Head | undefined {
  return headParts(head).find((part) => part.firstOrdinal <= ordinal && ordinal < part.nextOrdinal);
}

function describe(tag: Tag): FollowedTag {
  const { id, durableDefinition, isSystem, deletedRanges, nextOrdinal } = tag;
  const lateOf = tag.isLate ? ownerOfLate(durableDefinition.name) : undefined;
  return { id, definition: durableDefinition, isSystem, lateOf, deleted: deletedRanges, nextOrdinal };
}

function given(type: ValueType, start: number, count: number, firstOrdinal: number): FollowedPoints {
  return { type, start, count, firstOrdinal, nextOrdinal: firstOrdinal + count };
}

function nothing(target: PointColumns, from: number): FollowedPoints {
  return given(ValueType.Open, target.count, 0, from);
}
