// Sinks of rows: the page of an answer, and a count.

import { formatInstant } from '../../../codec/scalars/timestamp.ts';
import type { OutputBytes } from '../../../codec/write-json/output-bytes.ts';
import type { Property } from '../model/entity-sets.ts';
import type { Cell, Row } from '../query/cells.ts';

export interface RowSink {
  /** Number of rows that may still come; the first ones of them are passed over. Infinity: all. */
  readonly room: number;
  /** Whether rows are only counted: `pass` takes many of them at once. */
  readonly isCounting: boolean;
  /** The row may be changed and given again. */
  put(row: Readonly<Row>): void;
  pass(count: number): void;
}

export class RowCount implements RowSink {
  readonly room = Number.POSITIVE_INFINITY;
  readonly isCounting = true;
  count = 0;

  put(): void {
    this.count++;
  }

  pass(count: number): void {
    this.count += count;
  }
}

/** Rows as the members of a list. */
export class RowPage implements RowSink {
  readonly isCounting = false;
  rowCount = 0;
  readonly #out: OutputBytes;
  readonly #names: readonly (readonly [name: string, heading: string])[];
  #skip: number;
  #left: number;

  /** @param slice rows to be passed over, and how many of those behind them are written */
  constructor(
    out: OutputBytes,
    selected: readonly Property[],
    slice: { readonly skip: number; readonly most: number },
  ) {
    this.#out = out;
    this.#names = selected.map(({ name }, i) => [name, `${i === 0 ? '' : ','}${JSON.stringify(name)}:`]);
    this.#skip = slice.skip;
    this.#left = slice.most;
  }

  get room(): number {
    return this.#left === 0 ? 0 : this.#skip + this.#left;
  }

  pass(count: number): void {
    this.#skip -= count;
  }

  put(row: Readonly<Row>): void {
    if (this.#skip > 0) this.#skip--;
    else if (this.#left > 0) this.#write(row);
  }

  #write(row: Readonly<Row>): void {
    this.#left--;
    this.#out.utf8(`${this.rowCount++ === 0 ? '' : ','}${this.formatRow(row)}`);
  }

  /** Members alone, without brackets around them, are for an entity by itself. */
  formatRow(row: Readonly<Row>): string {
    let text = '{';
    for (const [name, heading] of this.#names) text += heading + formatCell(row[name] ?? null);
    return `${text}}`;
  }
}

function formatCell(cell: Cell): string {
  if (cell === null) return 'null';
  switch (typeof cell) {
    case 'number':
      return Number.isFinite(cell) ? String(cell) : `"${String(cell).replace('Infinity', 'INF')}"`;
    case 'object':
      return `"${formatInstant(cell)}"`;
    default:
      return JSON.stringify(cell);
  }
}
