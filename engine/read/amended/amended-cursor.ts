// Reads a tag with corrections in force or with late points: the stored points that no correction hides, merged with those that
// corrections give and with late ones. Stored points of a time come first, and late ones last; a late point that is equal to
// another one is left out.

import type { Amendment } from '../../corrections/amendment.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import { appendColumns } from '../../points/point-copies.ts';
import { firstAfter } from '../../points/time-search.ts';
import type { PointChunk, ReadMarker, ReadOutcome, TagCursor } from '../../reads.ts';
import type { NewestPoint } from '../../tag/newest-point.ts';
import { keyAt, keyOf, newestFrom, newestOf, pushPoint } from '../../tag/stored-value.ts';
import type { Tag } from '../../tag/tag.ts';
import { compareInstants, type Instant, PointColumns, type TagDefinition, ValueType } from '../../types.ts';
import { payloadOf } from '../../value-types.ts';
import type { BlockSource } from '../block-sources.ts';
import { type LatePoint, LateStream } from '../late/late-stream.ts';
import { type CursorRange, type PointMark, StoredTagCursor, type TakesUnread } from '../tag-cursor.ts';
import type { LocatedPoint } from '../visible-range.ts';
import type { Overlay } from './overlay.ts';

export interface AmendedRead {
  readonly dataset: Dataset;
  readonly tag: Tag;
  readonly range: CursorRange;
  readonly overlay: Overlay;
  /** The first of the amendment's points that is read, and the first late point. */
  readonly firstAmended: number;
  readonly firstLate: PointMark;
}

/** Points that are ready, with their ordinals. */
interface MergedChunk extends PointChunk {
  readonly ordinals: readonly number[];
}

interface Filling {
  readonly type: ValueType;
  readonly points: PointColumns;
  readonly ordinals: number[];
}

const NO_POINTS = new PointColumns(0);
const NO_CHUNK: PointChunk = { type: ValueType.Open, points: NO_POINTS, start: 0, end: 0 };
/** Stored chunks of a turn: all of their points may be hidden. */
const STEPS_OF_TURN = 4;
/** Most points of a merged chunk. */
const CHUNK_POINTS = 4096;

export class AmendedCursor implements TagCursor {
  readonly tag: TagDefinition;
  #marker: ReadMarker | undefined;
  readonly #tagId: number;
  readonly #dataset: Dataset;
  readonly #amendment: Amendment;
  readonly #late: LateStream | undefined;
  readonly #stored: StoredTagCursor;
  /** The next of the amendment's points, and the one behind the range. */
  #next: number;
  readonly #end: number;
  #ready: (PointChunk | MergedChunk)[] = [];
  #filling: Filling | undefined;
  /** What is left of a stored chunk. */
  #merging: PointChunk | undefined;
  /** The points of the time of the last late one that was looked for. */
  #ofTime: { readonly time: Instant; readonly keys: Set<string> } | undefined;
  /** The newest of the points before those in `#filling`, with others of its time; where there are late points. */
  #given: NewestPoint | undefined;
  #left: number;
  /** Points before it are only looked at, for late ones that are equal to them; undefined once it is reached. */
  #from: PointMark | undefined;
  #isDone = false;

  constructor({ dataset, tag, range, overlay, firstAmended, firstLate }: AmendedRead, takesUnread?: TakesUnread) {
    const { amendment, late } = overlay;
    this.tag = tag.definition;
    this.#tagId = tag.id;
    this.#dataset = dataset;
    this.#amendment = amendment;
    this.#late = late && new LateStream(dataset, late, firstLate, range.end);
    this.#next = firstAmended;
    this.#end = amendment.firstAfter(range.end);
    this.#left = range.limit ?? Number.POSITIVE_INFINITY;
    this.#from = range.from;
    const takes = takesUnread && ((source: BlockSource) => !this.#touches(source) && takesUnread(source));
    this.#stored = new StoredTagCursor(dataset, tag, { ...range, limit: undefined }, takes);
  }

  /** An empty chunk when others should have a turn. */
  next(): PointChunk | undefined {
    this.#late?.beginTurn();
    let steps = 0;
    for (;;) {
      while (this.#ready.length === 0 && !this.#isDone) {
        if (this.#late?.prepare() === false || this.#late?.isSpent || steps++ === STEPS_OF_TURN) return NO_CHUNK;
        this.#step();
      }
      const ready = this.#ready.shift();
      if (ready === undefined) return undefined;
      const chunk = this.#behindFrom(ready);
      if (chunk !== undefined) return this.#limited(chunk);
    }
  }

  outcome(): ReadOutcome {
    const { gaps } = this.#stored.outcome();
    const lost = this.#late?.gaps ?? [];
    const all = lost.length === 0 ? gaps : [...gaps, ...lost].sort((a, b) => compareInstants(a.start, b.start));
    return { gaps: all, marker: this.#marker };
  }

  /** The last point, with its ordinal; for the few points of one time. */
  last(): LocatedPoint | undefined {
    let last: LocatedPoint | undefined;
    for (let chunk = this.next(); chunk !== undefined; chunk = this.next()) {
      const { points, start, end, type } = chunk;
      if (start < end)
        last = {
          ...timeOf(points, end - 1),
          ordinal: this.#ordinalIn(chunk, end - 1),
          point: newestFrom(points, end - 1, type, undefined),
        };
    }
    return last;
  }

  close(): void {
    this.#isDone = true;
    this.#ready = [];
    this.#stored.close();
    this.#late?.close();
  }

  noteUnreadable(source: BlockSource): void {
    this.#stored.noteUnreadable(source);
  }

  /** Whether a block's points have to be looked at, or points come before it. */
  #touches({ entry }: BlockSource): boolean {
    const last = { ms: entry.lastMs, ticks: entry.lastTicks };
    if (this.#comesBefore(last, 'or at')) return true;
    return this.#amendment.touches({ ms: entry.firstMs, ticks: entry.firstTicks }, last);
  }

  /** The time of the next point that is no stored one. */
  get #extra(): Instant | undefined {
    const amended = this.#next < this.#end ? this.#amendment.points[this.#next] : undefined;
    const late = this.#late?.next;
    return amended === undefined || (late && compareInstants(late, amended) < 0) ? late : amended;
  }

  #comesBefore(time: Instant, orAt?: 'or at'): boolean {
    const extra = this.#extra;
    if (extra === undefined) return false;
    const order = compareInstants(extra, time);
    return orAt === undefined ? order < 0 : order <= 0;
  }

  #step(): void {
    const chunk = this.#merging ?? this.#stored.next();
    if (chunk === undefined) {
      while (this.#extra !== undefined && this.#ready.length === 0 && !this.#late?.isSpent) this.#takeExtra();
      if (this.#extra !== undefined) return;
      this.#handOver();
      this.#isDone = true;
    } else if (chunk.start === chunk.end || !(this.#merging || this.#isAmended(chunk))) this.#give(chunk);
    else {
      this.#merging = this.#merge(chunk);
      if (!this.#merging) this.#handOver();
    }
  }

  #isAmended({ points, start, end }: PointChunk): boolean {
    const last = timeOf(points, end - 1);
    return this.#comesBefore(last, 'or at') || this.#amendment.touches(timeOf(points, start), last);
  }

  /** What is left of the chunk when others should have a turn. */
  #merge(chunk: PointChunk): PointChunk | undefined {
    const { type, points, start, end } = chunk;
    for (let i = start; i < end; ) {
      if (this.#late?.isSpent) return { ...chunk, start: i };
      const extra = this.#extra;
      const until = extra ? firstAfter(points, i, end, extra) : end;
      this.#takeStored(points, i, until, type);
      i = until;
      while (i < end && this.#comesBefore(timeOf(points, i)) && !this.#late?.isSpent) this.#takeExtra();
    }
    return undefined;
  }

  /** Takes stored points `[start, end)` but those that are hidden. */
  #takeStored(points: PointColumns, start: number, end: number, type: ValueType): void {
    if (start === end) return;
    const isWhole =
      payloadOf(type) !== 'text' && !this.#amendment.touches(timeOf(points, start), timeOf(points, end - 1));
    if (isWhole) return this.#takeAll(points, start, end, type);
    for (let i = start; i < end; i++) {
      const ordinal = this.#stored.ordinalOf(i);
      if (this.#amendment.hiddenRangeOf(timeOf(points, i), ordinal) === undefined) this.#take(points, i, type, ordinal);
    }
  }

  #takeExtra(): void {
    const amended = this.#next < this.#end ? this.#amendment.points[this.#next] : undefined;
    const late = this.#late?.next;
    if (amended && !(late && compareInstants(late, amended) < 0)) {
      this.#next++;
      this.#take(amended.points, amended.index, amended.type, amended.ordinal);
    } else if (late && this.#late) {
      if (!this.#isHidden(late) && !this.#isGiven(late)) {
        this.#dataset.counters.read++;
        this.#take(late.points, late.index, late.type, late.ordinal);
      }
      this.#late.advance();
    }
  }

  #isHidden(late: LatePoint): boolean {
    return this.#amendment.hiddenRangeOf(late, late.ordinal) !== undefined;
  }

  /** Whether a point of the same time, value and quality is among those before it; if not, it is from now on. */
  #isGiven(late: LatePoint): boolean {
    if (!this.#ofTime || compareInstants(this.#ofTime.time, late) !== 0)
      this.#ofTime = { time: { ms: late.ms, ticks: late.ticks }, keys: this.#keysOf(late) };
    const { keys } = this.#ofTime;
    const key = keyAt(late.points, late.index, late.type);
    if (keys.has(key)) return true;
    keys.add(key);
    return false;
  }

  /** Keys of the points of a time that come before its late ones. */
  #keysOf(time: Instant): Set<string> {
    const keys = new Set<string>();
    const { type, points } = this.#filling ?? { type: ValueType.Open, points: NO_POINTS };
    for (let i = points.count - 1; i >= 0 && compareInstants(timeOf(points, i), time) === 0; i--)
      keys.add(keyAt(points, i, type));
    for (let point = this.#given; point && compareInstants(point, time) === 0; point = point.tie)
      keys.add(keyOf(point.value, point.quality));
    return keys;
  }

  #take(points: PointColumns, i: number, type: ValueType, ordinal: number): void {
    const { points: target, ordinals } = this.#room(type);
    if (payloadOf(type) === 'text') pushPoint(target, newestFrom(points, i, type, undefined));
    else appendColumns(points, i, i + 1, target);
    ordinals.push(ordinal);
  }

  #takeAll(points: PointColumns, start: number, end: number, type: ValueType): void {
    for (let from = start; from < end; ) {
      const { points: target, ordinals } = this.#room(type);
      const to = Math.min(end, from + CHUNK_POINTS - target.count);
      appendColumns(points, from, to, target);
      for (let i = from; i < to; i++) ordinals.push(this.#stored.ordinalOf(i));
      from = to;
    }
  }

  /** Columns with room for points of a type. */
  #room(type: ValueType): Filling {
    const isFull = this.#filling && this.#filling.points.count >= CHUNK_POINTS;
    if (isFull || this.#filling?.type !== type) this.#handOver();
    this.#filling ??= { type, points: new PointColumns(64), ordinals: [] };
    return this.#filling;
  }

  #handOver(): void {
    if (!this.#filling) return;
    const { type, points, ordinals } = this.#filling;
    this.#filling = undefined;
    this.#give({ type, points, start: 0, end: points.count, ordinals });
  }

  #give(chunk: PointChunk | MergedChunk): void {
    const { points, start, end, type } = chunk;
    if (this.#late) this.#given = newestOf(points, start, end, type, this.#given);
    this.#ready.push(chunk);
  }

  /** Undefined when all of the chunk's points are before the mark. */
  #behindFrom(chunk: PointChunk | MergedChunk): PointChunk | MergedChunk | undefined {
    const from = this.#from;
    let { start } = chunk;
    if (from === undefined || start === chunk.end) return chunk;
    const isBefore = (i: number): boolean =>
      compareInstants(timeOf(chunk.points, i), from) === 0 && this.#ordinalIn(chunk, i) < from.ordinal;
    while (start < chunk.end && isBefore(start)) start++;
    if (start === chunk.end) return undefined;
    this.#from = undefined;
    return { ...chunk, start };
  }

  #ordinalIn(chunk: PointChunk | MergedChunk, i: number): number {
    return 'ordinals' in chunk ? (chunk.ordinals[i] as number) : this.#stored.ordinalOf(i);
  }

  /** Applies the limit; if it drops points, sets the marker to continue with. */
  #limited(chunk: PointChunk | MergedChunk): PointChunk | undefined {
    const count = chunk.end - chunk.start;
    const given = Math.min(count, this.#left);
    this.#left -= given;
    if (given === count) return chunk;
    const end = chunk.start + given;
    const ordinal = this.#ordinalIn(chunk, end);
    this.#isDone = true;
    this.#ready = [];
    this.#marker = { tagId: this.#tagId, ordinal };
    return given > 0 ? { ...chunk, end } : undefined;
  }
}

function timeOf(points: PointColumns, i: number): Instant {
  return { ms: points.timesMs[i] as number, ticks: points.ticks[i] as number };
}
