// Writes rows cell by cell, as JSON objects or as lines of CSV (RFC 4180): the one place that knows how a cell looks in each.

import { type PointChunk, payloadOf, ValueType } from '../../../engine/index.ts';
import { ColumnWriter } from '../../codec/write-json/column-writer.ts';
import type { OutputBytes } from '../../codec/write-json/output-bytes.ts';
import type { ValueStyle } from '../../codec/write-json/value-style.ts';

export type RowMedia = 'json' | 'csv';

const QUOTE = 0x22;
/** White space at an end as well: some who read CSV leave it out otherwise. */
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

// No state of an answer is in the writer, so that one serves all answers.
const values = new ColumnWriter();

/** A text of a cell or of a heading that is written again and again. */
export interface PreparedCell {
  readonly bytes: Uint8Array;
}

export abstract class RowWriter {
  protected readonly out: OutputBytes;
  protected readonly style: ValueStyle;

  constructor(out: OutputBytes, style: ValueStyle) {
    this.out = out;
    this.style = style;
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

  time(chunk: PointChunk, at: number): void {
    values.writeTimes(this.out, one(chunk, at), 'text', 'first');
  }

  value(chunk: PointChunk, at: number): void {
    values.writeValues(this.out, one(chunk, at), this.style, 'first');
  }

  quality(chunk: PointChunk, at: number): void {
    values.writeQualities(this.out, one(chunk, at), 'first');
  }
}

class JsonRows extends RowWriter {
  readonly empty = prepare('null');
  #rowCount = 0;

  begin(): void {
    this.out.ascii('[');
  }

  beginRow(): void {
    this.out.ascii(this.#rowCount++ === 0 ? '{' : ',{');
  }

  heading(name: string, isFirst: boolean): PreparedCell {
    return prepare(`${isFirst ? '' : ','}${JSON.stringify(name)}:`);
  }

  text(text: string): PreparedCell {
    return prepare(JSON.stringify(text));
  }

  endRow(): void {
    this.out.ascii('}');
  }

  end(): void {
    this.out.ascii(']');
  }
}

class CsvRows extends RowWriter {
  readonly empty = prepare('');

  begin(columns: readonly string[]): void {
    this.out.utf8(`${columns.map(csvText).join(',')}\r\n`);
  }

  beginRow(): void {
    // A line has no beginning of its own.
  }

  heading(_name: string, isFirst: boolean): PreparedCell {
    return prepare(isFirst ? '' : ',');
  }

  text(text: string): PreparedCell {
    return prepare(csvText(text));
  }

  override time(chunk: PointChunk, at: number): void {
    const start = this.out.length;
    super.time(chunk, at);
    this.#takeQuotes(start);
  }

  /** Nothing for null, which an empty text in quotes is not. */
  override value(chunk: PointChunk, at: number): void {
    const { points, type } = chunk;
    if (points.nulls[at] !== 0) return;
    if (type === ValueType.String) {
      const text = points.texts.at(points.numbers[at] as number);
      this.out.utf8(text === '' ? '""' : csvText(text));
      return;
    }
    const start = this.out.length;
    super.value(chunk, at);
    if (payloadOf(type) !== 'number') this.#takeQuotes(start);
  }

  endRow(): void {
    this.out.ascii('\r\n');
  }

  end(): void {
    // The last line has its end already.
  }

  /** Takes the quotes off a JSON text that needs none in CSV. */
  #takeQuotes(start: number): void {
    const { out } = this;
    if (out.bytes[start] !== QUOTE || out.bytes[out.length - 1] !== QUOTE) return;
    out.bytes.copyWithin(start, start + 1, out.length - 1);
    out.length -= 2;
  }
}

export function createRowWriter(media: RowMedia, out: OutputBytes, style: ValueStyle): RowWriter {
  return media === 'csv' ? new CsvRows(out, style) : new JsonRows(out, style);
}

/** By `split`: of very many quotes `replaceAll` makes a text of very many pieces, which takes three times as long. */
function csvText(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.split('"').join('""')}"` : text;
}

function prepare(text: string): PreparedCell {
  return { bytes: Buffer.from(text) };
}

function one({ type, points }: PointChunk, at: number): PointChunk {
  return { type, points, start: at, end: at + 1 };
}
