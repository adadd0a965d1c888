// A file of Parquet, row group by row group: never more of it is in memory.

import { type FileHandle, open } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import {
  type AsyncBuffer,
  type ColumnMetaData,
  type Compressors,
  type DecodedArray,
  type FileMetaData,
  parquetMetadataAsync,
  parquetScan,
  parquetSchema,
  type SchemaElement,
} from 'hyparquet';
import { checkPages } from './page-checks.ts';
import { checkFooter, checkTail, chunkOf, ParquetFault } from './parquet-checks.ts';
import { TIME_PARSERS } from './parquet-times.ts';

const READ_CODECS = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI'];
const COMPRESSORS: Compressors = {
  GZIP: (input, length) => gunzipSync(input, { maxOutputLength: Math.max(length, 1) }),
  BROTLI: (input, length) => brotliDecompressSync(input, { maxOutputLength: Math.max(length, 1) }),
};

export interface ParquetGroup {
  readonly rowCount: number;
  /** Bytes of the file that it has. */
  readonly sizeBytes: number;
  /** In the order of the schema. */
  readonly columns: readonly DecodedArray[];
}

export interface ParquetContent {
  readonly columns: readonly SchemaElement[];
  groups(): AsyncIterable<ParquetGroup>;
}

/** Calls `read` with the content of the file. Throws a `ParquetFault`. */
export async function* readParquet<T>(
  path: string,
  read: (content: ParquetContent) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const handle = await open(path);
  try {
    const file = bufferOf(handle, (await handle.stat()).size);
    checkTail(await file.slice(Math.max(file.byteLength - 8, 0), file.byteLength), file.byteLength);
    const metadata = await parquetMetadataAsync(file, { parsers: TIME_PARSERS, geoparquet: false });
    checkFooter(metadata, file.byteLength);
    const columns = flatColumns(metadata);
    yield* read({ columns, groups: () => groupsOf(file, metadata, columns) });
  } catch (error) {
    throw error instanceof ParquetFault
      ? error
      : new ParquetFault(`it cannot be read (${(error as Error).message}); want a whole file of Parquet`, {
          cause: error,
        });
  } finally {
    await handle.close();
  }
}

function bufferOf(handle: FileHandle, byteLength: number): AsyncBuffer {
  return {
    byteLength,
    async slice(start, end = byteLength) {
      const bytes = new ArrayBuffer(end - start);
      const { bytesRead } = await handle.read(new Uint8Array(bytes), 0, end - start, start);
      if (bytesRead < end - start) throw new ParquetFault('the file has become shorter; want one that stays as it is');
      return bytes;
    },
  };
}

function flatColumns(metadata: FileMetaData): readonly SchemaElement[] {
  return parquetSchema(metadata).children.map(({ element, children }) => {
    if (children.length === 0 && element.repetition_type !== 'REPEATED') return element;
    throw new ParquetFault(`column ${element.name} holds lists or structures; want columns of plain values`);
  });
}

async function* groupsOf(
  file: AsyncBuffer,
  metadata: FileMetaData,
  columns: readonly SchemaElement[],
): AsyncGenerator<ParquetGroup> {
  const names = columns.map(({ name }) => name);
  const scan = await parquetScan({
    file,
    metadata,
    columns: names,
    parsers: TIME_PARSERS,
    compressors: COMPRESSORS,
    useOffsetIndex: false,
    geoparquet: false,
  });
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowCount = Number(group.num_rows);
    if (rowCount === 0) continue;
    let sizeBytes = 0;
    for (const { meta_data: facts } of group.columns)
      sizeBytes += await checkChunk(file, facts as ColumnMetaData, rowCount);
    const rowEnd = rowStart + rowCount;
    const read: DecodedArray[] = [];
    for (const column of names) read.push(await scan.readColumn({ column, rowStart, rowEnd }));
    yield { rowCount, sizeBytes, columns: read };
    rowStart = rowEnd;
  }
}

/** Gives the size of the chunk in bytes. */
async function checkChunk(file: AsyncBuffer, facts: ColumnMetaData, rowCount: number): Promise<number> {
  if (!READ_CODECS.includes(facts.codec))
    throw new ParquetFault(`it is compressed by ${facts.codec}; want ${READ_CODECS.slice(1).join(', ')}, or none`);
  const [start, end] = chunkOf(facts);
  checkPages(await file.slice(start, end), facts, rowCount);
  return end - start;
}
