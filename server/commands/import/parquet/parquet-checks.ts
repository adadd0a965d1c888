// What a file of Parquet says of its own lengths, checked before anything is made of them: such a number can be a lie, and the memory
// for it is asked for before that shows.

import type { ColumnMetaData, FileMetaData, RowGroup } from 'hyparquet';

/** A part of the file that does not hold together; the message says what was got, and what would be right. */
export class ParquetFault extends Error {
  override readonly name = 'ParquetFault';
}

/** What is in memory at once of a file is at most a row group. */
export const MOST_GROUP_BYTES = 256 * 1024 * 1024;
export const MOST_GROUP_CELLS = 32 * 1024 * 1024;
const MOST_FOOTER_BYTES = 64 * 1024 * 1024;
/** `PAR1`, as a little-endian number. */
const MAGIC = 0x31524150;
const TAIL_BYTES = 8;
const SMALLER_GROUPS = 'want a file with smaller row groups';

/** `tail`: the last 8 bytes of the file. Throws a `ParquetFault`. */
export function checkTail(tail: ArrayBuffer, fileBytes: number): void {
  const view = new DataView(tail);
  if (tail.byteLength < TAIL_BYTES || view.getUint32(4, true) !== MAGIC)
    throw new ParquetFault('the file ends without PAR1: it is cut; want the whole file');
  const footerBytes = view.getUint32(0, true);
  if (footerBytes > fileBytes - TAIL_BYTES || footerBytes > MOST_FOOTER_BYTES)
    throw new ParquetFault(
      `its footer says to have ${footerBytes} bytes, of ${fileBytes}; want at most ${MOST_FOOTER_BYTES}`,
    );
}

/** Throws a `ParquetFault`. */
export function checkFooter({ row_groups: groups, num_rows: rowCount }: FileMetaData, fileBytes: number): void {
  const sum = groups.reduce((rows, group) => rows + BigInt(group.num_rows), 0n);
  if (sum !== BigInt(rowCount))
    throw new ParquetFault(`its footer says to have ${rowCount} rows, and its groups ${sum}; want the same`);
  for (const [index, group] of groups.entries()) checkGroup(group, index + 1, fileBytes);
}

function checkGroup({ columns, num_rows: rowCount }: RowGroup, number: number, fileBytes: number): void {
  if (rowCount < 0n) throw new ParquetFault(`row group ${number} says to have ${rowCount} rows; want 0 or more`);
  if (rowCount * BigInt(columns.length) > MOST_GROUP_CELLS)
    throw new ParquetFault(
      `row group ${number} has ${rowCount} rows of ${columns.length} columns, more than ${MOST_GROUP_CELLS} values; ${SMALLER_GROUPS}`,
    );
  let sizeBytes = 0;
  for (const { meta_data: facts, file_path: path } of columns) {
    if (facts === undefined || path !== undefined)
      throw new ParquetFault(`a column of row group ${number} is in another file; want one file`);
    const [start, end] = chunkOf(facts);
    if (start < 0 || end < start || end > fileBytes)
      throw new ParquetFault(
        `column ${facts.path_in_schema.join('.')} of row group ${number} says to be at bytes ${start} to ${end}, of ${fileBytes}; want bytes of the file`,
      );
    sizeBytes += Math.max(Number(facts.total_uncompressed_size), 0);
  }
  if (sizeBytes > MOST_GROUP_BYTES)
    throw new ParquetFault(
      `row group ${number} has ${sizeBytes} bytes, more than ${MOST_GROUP_BYTES}; ${SMALLER_GROUPS}`,
    );
}

/** Offsets of the first byte and behind the last one. */
export function chunkOf(facts: ColumnMetaData): readonly [start: number, end: number] {
  const data = Number(facts.data_page_offset);
  const dictionary = Number(facts.dictionary_page_offset ?? 0n);
  const start = dictionary > 0 && dictionary < data ? dictionary : data;
  return [start, start + Number(facts.total_compressed_size)];
}
