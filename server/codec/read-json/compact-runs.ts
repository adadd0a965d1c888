// The short cut through the members of a body as most clients repeat them: tags in the order of the body before, each with
// an array of plain points of the usual shape (compact-points.ts), and nothing between them but commas. A request of many tags
// with a point each costs little more than its bytes like that. Whatever else it meets it leaves alone, for the next way
// through the body, which gives the same (`bench/server/json.ts`).

import { NOT_PLAIN, type TagLookup, type TagRef, ValueType } from '../../../engine/index.ts';
import type { BatchBuilder } from '../body/batch-builder.ts';
import type { NamedTags } from '../names/named-tags.ts';
import { asciiDouble, asciiHalf, MARGIN_BYTES } from './compact-bytes.ts';
import type { CompactPoints } from './compact-points.ts';

// An import is looked up at every use; a constant of the module itself is compiled in.
const marginBytes = MARGIN_BYTES;

const QUOTE = 0x22;
const COLON = 0x3a;
const CLOSE_BRACKET = 0x5d;
/** Behind the name's quote. */
const HEAD_DOUBLE = asciiDouble(':[{"t":"');
const HEAD_BYTES = 8;
/** The end of a member and the beginning of the next. */
const NEXT_MEMBER = asciiHalf(',"');
const NONE = -1;

/** Where runs are looked up and put, and how far. */
export interface WantedRuns {
  readonly lookup: TagLookup;
  readonly builder: BatchBuilder;
  /** Tags that are for others. */
  readonly named: NamedTags;
  readonly most: number;
  /** No member that begins behind it. */
  readonly stopAt: number;
}

export class CompactRuns {
  /** Behind the last member that was added. */
  position = 0;
  /** The tag that was found, but whose points are for others; the place of its key, and the one behind its colon. */
  tag: TagRef | undefined;
  keyStart = NONE;
  keyEnd = NONE;
  /** Points that its array begins with, read but not counted, and how many decimals they have; what is behind them. */
  private heldCount = 0;
  private heldDecimals = 0;
  private heldEnd = 0;
  private readonly points: CompactPoints;

  constructor(points: CompactPoints) {
    this.points = points;
  }

  /** Forgets the tag that was found. */
  forget(): void {
    this.tag = undefined;
    this.keyStart = NONE;
    this.heldCount = 0;
  }

  /** Adds the points that were read of the array of the tag that was found, whose run has been begun; their number. */
  addHeld(builder: BatchBuilder): number {
    const count = this.heldCount;
    if (count === 0) return 0;
    this.heldCount = 0;
    this.position = this.heldEnd;
    builder.points.count += count;
    builder.decimals = this.heldDecimals;
    if (builder.type === ValueType.Open) builder.type = ValueType.Double;
    return count;
  }

  /** Adds the members that are next, the first of which begins at `start`; returns how many. */
  add(bytes: Buffer, view: DataView, start: number, wanted: WantedRuns): number {
    const { lookup, builder, named, most, stopAt } = wanted;
    const lastStart = Math.min(bytes.length - marginBytes, stopAt);
    let key = start;
    let added = 0;
    while (added < most && key <= lastStart) {
      const tag = lookup.findFollowing(view, key + 1);
      if (tag === undefined) break;
      const end = key + 1 + lookup.foundBytes;
      if (bytes[end] !== QUOTE || bytes[end + 1] !== COLON) break;
      if (named.has(tag.id) || !this.addRun(bytes, view, end + 1, tag, builder)) {
        this.tag = tag;
        this.keyStart = key;
        this.keyEnd = end + 2;
        break;
      }
      named.add(tag.id);
      added++;
      if (view.getInt16(this.position, true) !== NEXT_MEMBER) break;
      key = this.position + 1;
    }
    return added;
  }

  /** Adds the points of the array behind the colon at a place; false, having added none, when there are others behind. */
  private addRun(bytes: Buffer, view: DataView, colon: number, tag: TagRef, builder: BatchBuilder): boolean {
    if (colon > bytes.length - marginBytes || view.getFloat64(colon, true) !== HEAD_DOUBLE) return false;
    builder.reserve();
    const { points } = builder;
    const first = points.count;
    builder.beginPoints(tag.type);
    if (builder.decimals === NOT_PLAIN) return false;
    const count = this.points.addFrom(bytes, view, colon + HEAD_BYTES, builder);
    const { position } = this.points;
    if (count === 0 || bytes[position] !== CLOSE_BRACKET) {
      this.heldCount = count;
      this.heldDecimals = builder.decimals;
      this.heldEnd = position;
      points.count = first;
      return false;
    }
    builder.addRun(tag, first);
    this.position = position + 1;
    return true;
  }
}
