// Decodes the runs of a journal record into columns.

import { corrupt } from '../../errors.ts';
import type { PointColumns, ValueType } from '../../types.ts';
import type { ByteReader } from '../bytes/byte-cursors.ts';
import { decodeType } from './definition-codec.ts';
import { PLAIN } from './plain-words.ts';
import {
  HAS_NULLS,
  HAS_QUALITIES,
  HAS_STAMPED,
  HAS_TICKS,
  NEXT_ID,
  RunContext,
  type RunHead,
  SAME_CODING,
  SAME_COUNT,
  SAME_ORDINAL,
} from './run-coding.ts';
import { decodeColumns, decodePlainColumns } from './run-columns.ts';

const STATES = HAS_TICKS | HAS_NULLS | HAS_QUALITIES;

/** A run, and the location of its columns. */
export interface DecodedRun extends RunHead {
  readonly coding: number;
  columnsStart: number;
  /** 0 when the run is not plain. */
  columnsEnd: number;
  firstMs: number;
  lastMs: number;
}

/** Reads the runs of one record; throws CORRUPT for everything that `RunEncoder` does not write. */
export class RunDecoder {
  readonly #reader: ByteReader;
  readonly #last = new RunContext();

  constructor(reader: ByteReader) {
    this.#reader = reader;
  }

  /** Decodes the next run; its points fill `target` from index 0 on. */
  run(target: PointColumns): DecodedRun {
    const reader = this.#reader;
    const last = this.#last;
    const flags = reader.u8();
    const head = this.#head(flags);
    target.clear();
    target.reserve(head.count);
    target.count = head.count;
    last.timeMs += reader.zigzag();
    target.timesMs[0] = last.timeMs;
    head.firstMs = last.timeMs;
    head.columnsStart = reader.offset;
    if (last.coding >= PLAIN && (flags & STATES) === 0) {
      decodePlainColumns(reader, last.coding, target, 0, head.count);
      head.columnsEnd = reader.offset;
    } else decodeColumns(reader, flags, last.coding, target, 0, head.count);
    head.lastMs = target.timesMs[head.count - 1] as number;
    return head;
  }

  #head(flags: number): DecodedRun {
    const reader = this.#reader;
    const last = this.#last;
    last.tagId = flags & NEXT_ID ? last.tagId + 1 : reader.varint();
    if (!(flags & SAME_COUNT)) last.count = reader.varint();
    if (!(flags & SAME_ORDINAL)) last.ordinal = reader.varint();
    if (!(flags & SAME_CODING)) {
      last.type = decodeType(reader);
      last.coding = reader.u8();
    }
    const stamped = flags & HAS_STAMPED ? reader.varint() : 0;
    // Each point takes at least one byte, which bounds the memory that a damaged count can make us reserve.
    if (last.count === 0 || last.count > reader.remaining)
      throw corrupt(`a run of ${last.count} points runs past the end`, { offset: reader.offset });
    return {
      tagId: last.tagId,
      firstOrdinal: last.ordinal,
      count: last.count,
      type: last.type as ValueType,
      stamped,
      coding: last.coding,
      columnsStart: 0,
      columnsEnd: 0,
      firstMs: 0,
      lastMs: 0,
    };
  }
}
