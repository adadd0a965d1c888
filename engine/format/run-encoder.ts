// Writes the points of a request into its journal record, run by run. Benchmark: bench ingest.

import type { PointColumns } from '../types.ts';
import { payloadOf } from '../value-types.ts';
import type { ByteWriter } from './byte-cursors.ts';
import {
  BIGINT,
  HAS_STAMPED,
  NEXT_ID,
  RunContext,
  type RunHead,
  SAME_CODING,
  SAME_COUNT,
  SAME_ORDINAL,
  TEXT,
} from './run-coding.ts';
import {
  chooseCoding,
  encodeColumns,
  encodePlainNumbers,
  encodePlainSteps,
  likelyCoding,
  stateFlags,
} from './run-columns.ts';

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
