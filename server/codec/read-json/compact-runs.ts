// The fast path for members in compact JSON, as most clients repeat them: tags in the order of the previous body, each with
// an array of plain points of the common form (compact-points.ts) or short columns of them (plain-columns.ts), and nothing
// but commas between them. It makes a request of many tags with one point each cost little more than reading its bytes
// (`bench/server/json.ts`). Everything else is left to the slower paths, which give the same points.

import { NOT_PLAIN, type TagRef, ValueType } from '../../../engine/index.ts';
import type { BatchBuilder } from '../body/batch-builder.ts';
import type { FastRequest } from '../body/fast-path.ts';
import { asciiDouble, asciiHalf, MARGIN_BYTES } from './compact-bytes.ts';
import type { CompactPoints } from './compact-points.ts';
import type { PlainColumns } from './plain-columns.ts';

const QUOTE = 0x22;
const COLON = 0x3a;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
/** What follows the closing quote of the name. */
const HEAD_DOUBLE = asciiDouble(':[{"t":"');
const HEAD_BYTES = 8;
/** The end of a member and the beginning of the next. */
const NEXT_MEMBER = asciiHalf(',"');
const NONE = -1;

export class CompactRuns {
  /** Offset after the last member that was added. */
  position = 0;
  /** A tag that was found, but whose points are left to a slower path; the offsets of its key and after its colon. */
  tag: TagRef | undefined;
  keyStart = NONE;
  keyEnd = NONE;
  /** Points at the start of its array that were read but not added, their decimals, and the offset after them. */
  #heldCount = 0;
  #heldDecimals = 0;
  #heldEnd = 0;
  readonly #points: CompactPoints;
  readonly #columns: PlainColumns;

  constructor(points: CompactPoints, columns: PlainColumns) {
    this.#points = points;
    this.#columns = columns;
  }

  /** Forgets the tag that was found. */
  forget(): void {
    this.tag = undefined;
    this.keyStart = NONE;
    this.#heldCount = 0;
  }

  /** Adds those points, the run of the tag having been begun; returns their number. */
  addHeld(builder: BatchBuilder): number {
    const count = this.#heldCount;
    if (count === 0) return 0;
    this.#heldCount = 0;
    this.position = this.#heldEnd;
    builder.points.count += count;
    builder.decimals = this.#heldDecimals;
    if (builder.type === ValueType.Open) builder.type = ValueType.Double;
    return count;
  }

  /** Adds members, the first of which begins at `start`; returns how many. */
  add(bytes: Buffer, view: DataView, start: number, request: FastRequest): number {
    const { lookup, builder, named, maxMembers, stopAt } = request;
    const lastStart = Math.min(bytes.length - MARGIN_BYTES, stopAt);
    let key = start;
    let added = 0;
    while (added < maxMembers && key <= lastStart) {
      const tag = lookup.findFollowing(view, key + 1);
      if (tag === undefined) break;
      const end = key + 1 + lookup.foundBytes;
      if (bytes[end] !== QUOTE || bytes[end + 1] !== COLON) break;
      if (named.has(tag.id) || !this.#addRun(bytes, view, end + 1, tag, builder)) {
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

  /** Adds the points after the colon; false, and none added, when not all of them have the common form. */
  #addRun(bytes: Buffer, view: DataView, colon: number, tag: TagRef, builder: BatchBuilder): boolean {
    if (colon > bytes.length - MARGIN_BYTES) return false;
    if (bytes[colon + 1] === OPEN_BRACE) return this.#addColumns(bytes, view, colon + 1, tag, builder);
    if (view.getFloat64(colon, true) !== HEAD_DOUBLE) return false;
    builder.reserve();
    const { points } = builder;
    const first = points.count;
    builder.beginPoints(tag.type);
    if (builder.decimals === NOT_PLAIN) return false;
    const count = this.#points.addFrom(bytes, view, colon + HEAD_BYTES, builder);
    const { position } = this.#points;
    if (count === 0 || bytes[position] !== CLOSE_BRACKET) {
      this.#heldCount = count;
      this.#heldDecimals = builder.decimals;
      this.#heldEnd = position;
      points.count = first;
      return false;
    }
    builder.addRun(tag, first);
    this.position = position + 1;
    return true;
  }
  #addColumns(bytes: Buffer, view: DataView, start: number, tag: TagRef, builder: BatchBuilder): boolean {
    builder.reserve();
    const first = builder.points.count;
    builder.beginPoints(tag.type);
    const end = this.#columns.addWhole(bytes, view, start, builder);
    if (end === NONE) return false;
    builder.addRun(tag, first);
    this.position = end;
    return true;
  }
}
