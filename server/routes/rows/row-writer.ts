// Writes rows cell by cell: what all kinds of rows have in common.

import type { PointChunk } from '../../../engine/index.ts';
import { ColumnWriter } from '../../codec/write-json/column-writer.ts';
import type { OutputBytes } from '../../codec/write-json/output-bytes.ts';
import type { ValueStyle } from '../../codec/write-json/value-style.ts';
import type { RowTimes } from './row-times.ts';

// No state of an answer is in the writer, so that one serves all answers.
const values = new ColumnWriter();

/** A text of a cell or of a heading that is written again and again. */
export interface PreparedCell {
  readonly bytes: Uint8Array;
}

/** How values and times of rows are written. */
export interface CellStyle {
  readonly values: ValueStyle;
  readonly times: RowTimes;
}

const QUOTE = 0x22;

export abstract class RowWriter {
  protected readonly out: OutputBytes;
  protected readonly times: RowTimes;
  readonly #values: ValueStyle;

  constructor(out: OutputBytes, { values, times }: CellStyle) {
    this.out = out;
    this.times = times;
    this.#values = values;
  }

  /** What the column of times is called. */
  get timeName(): string {
    return this.times.heading;
  }

  /** `columns`: all that a row may have. */
  abstract begin(columns: readonly string[]): void;
  abstract beginRow(): void;
  /** The name of a column, with what stands between it and the cell before. */
  abstract heading(name: string, isFirst: boolean): PreparedCell;
  abstract text(text: string): PreparedCell;
  /** What stands where there is nothing. */
  abstract readonly empty: PreparedCell;
  abstract endRow(): void;
  abstract end(): void;

  /** Digits as they are. */
  number(digits: string): PreparedCell {
    return prepare(digits);
  }

  put({ bytes }: PreparedCell): void {
    this.out.raw(bytes);
  }

  time(ms: number, ticks: number): void {
    this.out.byte(QUOTE);
    this.times.write(this.out, ms, ticks);
    this.out.byte(QUOTE);
  }

  value(chunk: PointChunk, at: number): void {
    values.writeValues(this.out, one(chunk, at), this.#values, 'first');
  }

  quality(chunk: PointChunk, at: number): void {
    values.writeQualities(this.out, one(chunk, at), 'first');
  }
}

export function prepare(text: string): PreparedCell {
  return { bytes: Buffer.from(text) };
}

function one({ type, points }: PointChunk, at: number): PointChunk {
  return { type, points, start: at, end: at + 1 };
}
