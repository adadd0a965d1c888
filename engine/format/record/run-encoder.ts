// Writes the points of a request into its journal record, run by run. Benchmark: bench ingest.

import type { PointColumns } from '../../types.ts';
import { payloadOf } from '../../value-types.ts';
import { type ByteWriter, putVarint, putZigzag, VARINT_BYTES } from '../bytes/byte-cursors.ts';
import { decimalsOf, MAX_WORD_BYTES, PLAIN, plainCoding, putWords, wordBytesOf, wordSize } from './plain-words.ts';
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
import { chooseCoding, encodeColumns, pointFlagsOf } from './run-columns.ts';

/** Upper bound of a run's header with its first time and mantissa. */
const HEAD_BYTES = 3 + 6 * VARINT_BYTES;

/** Writes consecutive runs; create a new one for each record. */
export class RunEncoder {
  readonly #out: ByteWriter;
  readonly #last = new RunContext();
  /** Offset of the last run's columns in the record: after its first time. */
  columnsStart = 0;
  /** The point flags `HAS_…` of the last run that was not plain. */
  pointFlags = 0;

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
    const flags = pointFlagsOf(points, start, end);
    this.pointFlags = flags;
    this.#writeHead(flags | this.#sharedFlags(head, coding), head, coding);
    this.#writeFirstTime(points.timesMs[start] as number);
    encodeColumns(this.#out, flags, coding, points, points.numbers, start, end);
    this.#note(head, coding, points.timesMs[start] as number);
  }

  /**
   * A plain run whose values have `decimals` decimals. Returns false, having written nothing, when its times do not ascend.
   */
  plainRun(head: RunHead, points: PointColumns, start: number, decimals: number): boolean {
    const out = this.#out;
    const { count } = head;
    const end = start + count;
    const coding = count === 1 ? this.#codingOfOne(decimals) : this.#codingOfSome(decimals, points, start, end);
    if (coding === 0) return false;
    out.reserve(HEAD_BYTES + MAX_WORD_BYTES * count);
    const { bytes, view } = out;
    const firstMs = points.baseMs + (points.offsets[start] as number);
    let at = this.#putHead(bytes, out.length, this.#sharedFlags(head, coding), head, coding);
    at = putZigzag(bytes, at, firstMs - this.#last.timeMs);
    this.columnsStart = at;
    at = putZigzag(bytes, at, points.mantissas[start] as number);
    out.length = count === 1 ? at : putWords(view, at, wordBytesOf(coding), points, start, end);
    this.#note(head, coding, firstMs);
    return true;
  }

  /** The coding of a run of one point: it has no words, so the size of the previous run's words is kept, which takes no bytes. */
  #codingOfOne(decimals: number): number {
    const { coding } = this.#last;
    return coding >= PLAIN && decimalsOf(coding) === decimals ? coding : plainCoding(decimals, 1);
  }

  #codingOfSome(decimals: number, points: PointColumns, start: number, end: number): number {
    const size = wordSize(points, start, end);
    return size === 0 ? 0 : plainCoding(decimals, size);
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
    out.reserve(HEAD_BYTES);
    out.length = this.#putHead(out.bytes, out.length, flags, head, coding);
  }

  /** Writes a run's header at an offset with `HEAD_BYTES` of room; returns the offset after it. */
  #putHead(bytes: Uint8Array, byteOffset: number, flags: number, head: RunHead, coding: number): number {
    let at = byteOffset;
    bytes[at++] = flags;
    if (!(flags & NEXT_ID)) at = putVarint(bytes, at, head.tagId);
    if (!(flags & SAME_COUNT)) at = putVarint(bytes, at, head.count);
    if (!(flags & SAME_ORDINAL)) at = putVarint(bytes, at, head.firstOrdinal);
    if (!(flags & SAME_CODING)) {
      bytes[at++] = head.type;
      bytes[at++] = coding;
    }
    return flags & HAS_STAMPED ? putVarint(bytes, at, head.stamped) : at;
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
