// The pages of a column, walked by their headers before they are read: how many values and bytes each says to have.

import type { ColumnMetaData, DataReader } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { MOST_GROUP_BYTES, ParquetFault } from './parquet-checks.ts';

/** Throws a `ParquetFault` where the pages do not have what the footer says of them. `chunk`: the bytes of the column. */
export function checkPages(chunk: ArrayBuffer, facts: ColumnMetaData, rowCount: number): void {
  const name = facts.path_in_schema.join('.');
  const reader: DataReader = { view: new DataView(chunk), offset: 0 };
  let values = 0;
  let sizeBytes = 0;
  while (values < rowCount && reader.offset < chunk.byteLength) {
    const header = parquetHeader(reader);
    const { compressed_page_size: packed, uncompressed_page_size: plain } = header;
    const data = header.data_page_header ?? header.data_page_header_v2;
    const count = data?.num_values ?? header.dictionary_page_header?.num_values ?? 0;
    if (!(packed >= 0 && plain >= 0) || reader.offset + packed > chunk.byteLength)
      throw new ParquetFault(`a page of column ${name} says to have ${packed} bytes; want those that are there`);
    if (data !== undefined) values += count;
    if (!(count >= 0) || count > rowCount || values > rowCount)
      throw new ParquetFault(`a page of column ${name} says to have ${count} values; want at most ${rowCount}`);
    sizeBytes += plain;
    if (sizeBytes > MOST_GROUP_BYTES)
      throw new ParquetFault(
        `the pages of column ${name} say to have ${sizeBytes} bytes; want at most ${MOST_GROUP_BYTES}`,
      );
    reader.offset += packed;
  }
  if (values !== rowCount)
    throw new ParquetFault(`column ${name} has ${values} values; want ${rowCount}, as its row group says`);
}
