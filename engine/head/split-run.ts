// A plain run as a journal record has it, cut into pieces of a head: the words of each are copied as they are.

import { ByteReader, VARINT_BYTES } from '../format/bytes/byte-cursors.ts';
import { WordReader, wordBytesOf } from '../format/record/plain-words.ts';

/** Plain points of a run as words: where their columns are in a journal record. */
export interface RecordedRun {
  readonly count: number;
  readonly coding: number;
  readonly columnsStart: number;
  readonly columnsEnd: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

const NO_BYTES = new DataView(new ArrayBuffer(0));

/** Steps through a run from piece to piece. */
export class RunSplitter {
  readonly #words = new WordReader();
  #view: DataView = NO_BYTES;
  #wordBytes = 0;
  #firstMs = 0;
  #left = 0;
  /** Time and mantissa of the piece's first point, and the words of those behind it. */
  timeMs = 0;
  mantissa = 0;
  wordsStart = 0;
  wordsEnd = 0;
  /** Time of the piece's last point. */
  lastMs = 0;

  /** Begins a run of a record. */
  begin(bytes: Uint8Array, { count, coding, columnsStart, columnsEnd, firstMs }: RecordedRun): void {
    const reader = new ByteReader(bytes, columnsStart, columnsEnd);
    const mantissa = reader.zigzag();
    this.#words.begin(mantissa, reader.offset);
    this.#view = reader.view;
    this.#wordBytes = wordBytesOf(coding);
    this.#firstMs = firstMs;
    this.#left = count;
  }

  /** The next piece, of `most` points at most, that takes up to `roomBytes` without its head; returns its points, one or more. */
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

  /** Lets go of the memory. */
  end(): void {
    this.#view = NO_BYTES;
  }
}
