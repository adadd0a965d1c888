// Rows as lines of CSV (RFC 4180).

import { type PointChunk, payloadOf, ValueType } from '../../../engine/index.ts';
import type { OutputBytes } from '../../codec/write-json/output-bytes.ts';
import { type CsvStyle, csvText } from '../request/csv-style.ts';
import { type CellStyle, type PreparedCell, prepare, RowWriter } from './row-writer.ts';

const QUOTE = 0x22;
const POINT = 0x2e;
const COMMA = 0x2c;

export class CsvRows extends RowWriter {
  readonly empty = prepare('');
  readonly #csv: CsvStyle;

  constructor(out: OutputBytes, style: CellStyle, csv: CsvStyle) {
    super(out, style);
    this.#csv = csv;
  }

  begin(columns: readonly string[]): void {
    this.out.utf8(`${columns.map((name) => csvText(name, this.#csv)).join(this.#csv.separator)}\r\n`);
  }

  beginRow(): void {
    // A line has no beginning of its own.
  }

  heading(_name: string, isFirst: boolean): PreparedCell {
    return prepare(isFirst ? '' : this.#csv.separator);
  }

  text(text: string): PreparedCell {
    return prepare(csvText(text, this.#csv));
  }

  override time(ms: number, ticks: number): void {
    this.times.write(this.out, ms, ticks);
  }

  /** Nothing for null, which an empty text in quotes is not. */
  override value(chunk: PointChunk, at: number): void {
    const { points, type } = chunk;
    if (points.nulls[at] !== 0) return;
    if (type === ValueType.String) {
      const text = points.texts.at(points.numbers[at] as number);
      this.out.utf8(text === '' ? '""' : csvText(text, this.#csv));
      return;
    }
    const start = this.out.length;
    super.value(chunk, at);
    if (payloadOf(type) !== 'number') this.#takeQuotes(start);
    if (this.#csv.decimal === ',' && hasFraction(type)) this.#putComma(start);
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

  #putComma(start: number): void {
    const { bytes, length } = this.out;
    for (let i = start; i < length; i++) if (bytes[i] === POINT) bytes[i] = COMMA;
  }
}

function hasFraction(type: ValueType): boolean {
  return type === ValueType.Double || type === ValueType.Single || type === ValueType.Decimal;
}
