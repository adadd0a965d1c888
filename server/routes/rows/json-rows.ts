// Rows as objects of JSON: one array of them, or a line for each.

import { type PreparedCell, prepare, RowWriter } from './row-writer.ts';

export class JsonRows extends RowWriter {
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

/** Each line stands for itself: who reads it needs one line in memory. */
export class JsonLines extends JsonRows {
  override begin(): void {
    // Lines have no frame.
  }

  override beginRow(): void {
    this.out.ascii('{');
  }

  override endRow(): void {
    this.out.ascii('}\n');
  }

  override end(): void {
    // The last line has its end already.
  }
}
