// Splits a plain run of a journal record into the shorter runs of a head; their words are copied unchanged.

import { ByteReader, VARINT_BYTES } from '../format/bytes/byte-cursors.ts';
import { WordReader, wordBytesOf } from '../format/record/plain-words.ts';

/** A plain run in words: the location of its columns in a journal record. */
export interface RecordedRun {
  readonly count: number;
  readonly coding: number;
  readonly columnsStart: number;
  readonly columnsEnd: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

const NO_BYTES = new DataView(new ArrayBuffer(0));

/** Steps through a run, part by part. */
export class RunSplitter {
  readonly #words = new WordReader();
  #view: DataView = NO_BYTES;
  #wordBytes = 0;
  #firstMs = 0;
  #left = 0;
  /** Time and mantissa of the part's first point, and the words of the points after it. */
  timeMs = 0;
  mantissa = 0;
  wordsStart = 0;
  wordsEnd = 0;
  /** Time of the part's last point. */
  lastMs = 0;

  /** Starts with a run of a record. */
  begin(bytes: Uint8Array, { count, coding, columnsStart, columnsEnd, firstMs }: RecordedRun): void {
    const reader = new ByteReader(bytes, columnsStart, columnsEnd);
    const mantissa = reader.zigzag();
    this.#words.begin(mantissa, reader.offset);
    this.#view = reader.view;
    this.#wordBytes = wordBytesOf(coding);
    this.#firstMs = firstMs;
    this.#left = count;
  }

  /** Time of the first point of the next part. */
  get nextMs(): number {
    return this.#firstMs + this.#words.offset;
  }

  /** Takes the next part: at most `most` points and `roomBytes` bytes of columns; returns its number of points, at least 1. */
  take(roomBytes: number, most: number): number {
    const words = this.#words;
    const room = 1 + Math.floor((roomBytes - VARINT_BYTES) / this.#wordBytes);
    const count = Math.max(1, Math.min(this.#left, most, room));
    this.timeMs = this.#firstMs + words.offset;
    this.mantissa = words.mantissa;
    this.wordsStart = words.at;
    words.skip(this.#view, this.#wordBytes, count - 1);
    this.wordsEnd = words.at;
    this.lastMs = this.#firstMs + words.offset;
    this.#left -= count;
    if (this.#left > 0) words.skip(this.#view, this.#wordBytes, 1);
    return count;
  }

  /** Drops its references to memory. */
  end(): void {
    this.#view = NO_BYTES;
  }
}
