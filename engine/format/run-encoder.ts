// Writes the points of a request into its journal record, run by run. Benchmark: bench ingest.

import type { PointColumns } from '../types.ts';
import { payloadOf } from '../value-types.ts';
import { type ByteWriter, putVarint, putZigzag, VARINT_BYTES } from './byte-cursors.ts';
import {
  BIGINT,
  HAS_STAMPED,
  MAX_DECIMALS,
  NEXT_ID,
  RunContext,
  type RunHead,
  SAME_CODING,
  SAME_COUNT,
  SAME_ORDINAL,
  TEXT,
} from './run-coding.ts';
import {
  arePlainStates,
  chooseCoding,
  encodeColumns,
  encodePlainNumbers,
  encodePlainSteps,
  likelyCoding,
  NO_DECIMAL,
  plainMantissa,
  stateFlags,
} from './run-columns.ts';

/** More than the head, time and value of a run of one point take. */
const POINT_BYTES = 1 + 5 * VARINT_BYTES;

// An import is looked up at every use; a constant of the module itself is compiled in.
const maxDecimals = MAX_DECIMALS;
const noDecimal = NO_DECIMAL;
const nextId = NEXT_ID;
const sameCount = SAME_COUNT;
const sameOrdinal = SAME_ORDINAL;
const sameCoding = SAME_CODING;

/** Writes runs one behind the other; make a new one for each record. */
export class RunEncoder {
  readonly #out: ByteWriter;
  readonly #last = new RunContext();
  /** Where in the record the columns of the last run are: behind its first time. */
  columnsStart = 0;

  constructor(out: ByteWriter) {
    this.#out = out;
  }

  /** The coding of the last run's values. */
  get coding(): number {
    return this.#last.coding;
  }

  /** The run's points are `points[start, start + head.count)`, in time order. */
  run(head: RunHead, points: PointColumns, start: number): void {
    const end = start + head.count;
    const coding = this.#codingOf(head, points, start);
    const flags = stateFlags(points, start, end);
    this.#writeHead(flags | this.#sharedFlags(head, coding), head, coding);
    this.#writeFirstTime(points.timesMs[start] as number);
    encodeColumns(this.#out, flags, coding, points, points.numbers, start, end);
    this.#note(head, coding, points.timesMs[start] as number);
  }

  /**
   * The short cut for good numbers of whole milliseconds and ascending time, which most runs are: written as `run` may
   * write them, in two passes when they are decimals. Says false, having written nothing, when the run is none such.
   */
  plainRun(head: RunHead, points: PointColumns, start: number): boolean {
    if (head.count === 1 && this.#plainPoint(head, points, start)) return true;
    if (payloadOf(head.type) !== 'number') return false;
    const { numbers } = points;
    const end = start + head.count;
    const { length } = this.#out;
    let coding = likelyCoding(numbers[start] as number, this.#last.coding);
    if (!this.#writePlainTimes(head, coding, points, start)) return false;
    if (!encodePlainNumbers(this.#out, coding, numbers, start, end)) {
      this.#out.length = length;
      coding = chooseCoding(numbers, this.#last.coding, start, end);
      this.#writePlainTimes(head, coding, points, start);
      encodePlainNumbers(this.#out, coding, numbers, start, end);
    }
    this.#note(head, coding, points.timesMs[start] as number);
    return true;
  }

  /**
   * One point of the type and coding of the run before, in one go: such a run costs more for its head than for its point.
   * To change to the coding of fewest digits, as others may, would take more bytes than it saves.
   */
  #plainPoint(head: RunHead, points: PointColumns, start: number): boolean {
    const last = this.#last;
    const { coding } = last;
    const { tagId, firstOrdinal } = head;
    if (coding > maxDecimals || head.type !== last.type || head.stamped > 0) return false;
    if (!arePlainStates(points, start)) return false;
    const mantissa = plainMantissa(points.numbers[start] as number, coding);
    if (mantissa === noDecimal) return false;
    const out = this.#out;
    out.reserve(POINT_BYTES);
    const { bytes, length } = out;
    const firstMs = points.timesMs[start] as number;
    const isNext = tagId === last.tagId + 1;
    const isSameCount = last.count === 1;
    const isSameOrdinal = firstOrdinal === last.ordinal;
    bytes[length] =
      sameCoding | (isNext ? nextId : 0) | (isSameCount ? sameCount : 0) | (isSameOrdinal ? sameOrdinal : 0);
    let at = length + 1;
    if (!isNext) at = putVarint(bytes, at, tagId);
    if (!isSameCount) bytes[at++] = 1;
    if (!isSameOrdinal) at = putVarint(bytes, at, firstOrdinal);
    at = putZigzag(bytes, at, firstMs - last.timeMs);
    this.columnsStart = at;
    out.length = putZigzag(bytes, at, mantissa);
    last.tagId = tagId;
    last.count = 1;
    last.ordinal = firstOrdinal;
    last.timeMs = firstMs;
    return true;
  }

  #writePlainTimes(head: RunHead, coding: number, points: PointColumns, start: number): boolean {
    const { length } = this.#out;
    this.#writeHead(this.#sharedFlags(head, coding), head, coding);
    this.#writeFirstTime(points.timesMs[start] as number);
    if (encodePlainSteps(this.#out, points, start, start + head.count)) return true;
    this.#out.length = length;
    return false;
  }

  #codingOf(head: RunHead, points: PointColumns, start: number): number {
    switch (payloadOf(head.type)) {
      case 'bigint':
        return BIGINT;
      case 'text':
        return TEXT;
      case 'number':
        return chooseCoding(points.numbers, this.#last.coding, start, start + head.count);
    }
  }

  #sharedFlags(head: RunHead, coding: number): number {
    const last = this.#last;
    let flags = 0;
    if (head.tagId === last.tagId + 1) flags |= NEXT_ID;
    if (head.count === last.count) flags |= SAME_COUNT;
    if (head.firstOrdinal === last.ordinal) flags |= SAME_ORDINAL;
    if (head.type === last.type && coding === last.coding) flags |= SAME_CODING;
    if (head.stamped > 0) flags |= HAS_STAMPED;
    return flags;
  }

  #writeHead(flags: number, head: RunHead, coding: number): void {
    const out = this.#out;
    out.u8(flags);
    if (!(flags & NEXT_ID)) out.varint(head.tagId);
    if (!(flags & SAME_COUNT)) out.varint(head.count);
    if (!(flags & SAME_ORDINAL)) out.varint(head.firstOrdinal);
    if (!(flags & SAME_CODING)) {
      out.u8(head.type);
      out.u8(coding);
    }
    if (flags & HAS_STAMPED) out.varint(head.stamped);
  }

  #writeFirstTime(firstMs: number): void {
    this.#out.zigzag(firstMs - this.#last.timeMs);
    this.columnsStart = this.#out.length;
  }

  #note(head: RunHead, coding: number, firstMs: number): void {
    const last = this.#last;
    last.tagId = head.tagId;
    last.count = head.count;
    last.ordinal = head.firstOrdinal;
    last.type = head.type;
    last.coding = coding;
    last.timeMs = firstMs;
  }
}
