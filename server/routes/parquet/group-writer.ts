// Row groups written column by column: one of many rows takes some 50 ms at once, for which others would wait.

import type { ColumnSource, ParquetWriter } from 'hyparquet-writer';

export class GroupWriter {
  readonly #file: ParquetWriter;
  #columns: readonly ColumnSource[] = [];
  #rowCount = 0;
  #writtenCount = 0;

  /** Nothing else writes to the file. */
  constructor(file: ParquetWriter) {
    this.#file = file;
  }

  /** The group before is written whole by now. The columns must stay as they are until this one is. */
  begin(columns: readonly ColumnSource[], rowCount: number): void {
    this.#columns = columns;
    this.#rowCount = rowCount;
    this.#writtenCount = 0;
  }

  /** Writes up to so many columns more. */
  write(columnCount: number): void {
    const end = Math.min(this.#columns.length, this.#writtenCount + columnCount);
    while (this.#writtenCount < end) {
      const column = this.#columns[this.#writtenCount++] as ColumnSource;
      void this.#file.write({ columnData: [column], rowGroupSize: this.#rowCount });
      if (this.#writtenCount === this.#columns.length) this.#join();
    }
  }

  /** The file took each column for a group of its own. */
  #join(): void {
    const { row_groups: groups } = this.#file;
    const parts = groups.splice(groups.length - this.#columns.length);
    const sum = (sizes: readonly bigint[]): bigint => sizes.reduce((total, size) => total + size, 0n);
    groups.push({
      columns: parts.flatMap(({ columns }) => columns),
      num_rows: BigInt(this.#rowCount),
      total_byte_size: sum(parts.map(({ total_byte_size: size }) => size)),
      total_compressed_size: sum(parts.map(({ total_compressed_size: size }) => size ?? 0n)),
    });
    this.#file.num_rows -= BigInt(this.#rowCount * (parts.length - 1));
  }
}
