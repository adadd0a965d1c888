// The bytes of a source as lines of text, whatever it is packed in: as they are, unpacked, or made of a file of Parquet.

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { loadPart } from '../../process/optional-part.ts';
import { CsvFault } from './recognise/csv-records.ts';

export interface ByteSource {
  /** `-` is standard input. */
  readonly path: string;
  readonly stop: AbortSignal;
  /** Called with the bytes read of the file, slice by slice. */
  readonly onRead: (bytes: number) => void;
}

const SLICE_BYTES = 256 * 1024;
const GZIP = Buffer.from([0x1f, 0x8b]);
const ZIP = Buffer.from('PK\x03\x04', 'latin1');
const PARQUET = Buffer.from('PAR1');

/** Throws a `CsvFault` for what is no text and nothing that text can be made of. */
export async function* readSlices(source: ByteSource): AsyncGenerator<Uint8Array> {
  if (source.path === '-') return yield* plainSlices(source, process.stdin);
  const start = await firstBytes(source.path);
  if (startsWith(start, PARQUET)) return yield* parquetSlices(source);
  if (startsWith(start, GZIP)) return yield* unpackedSlices(source);
  if (startsWith(start, ZIP))
    throw new CsvFault(
      1,
      'the file is a workbook or a zip archive; want text, such as CSV UTF-8 saved from the workbook',
    );
  yield* plainSlices(source, createReadStream(source.path, { highWaterMark: SLICE_BYTES }));
}

async function* plainSlices(
  { stop, onRead }: ByteSource,
  stream: AsyncIterable<Buffer | string>,
): AsyncGenerator<Uint8Array> {
  for await (const slice of stream as AsyncIterable<Buffer>) {
    stop.throwIfAborted();
    onRead(slice.length);
    yield slice;
  }
}

/** Unpacked as it is read, so that however much a file unpacks to, no more of it is in memory than of any other. */
async function* unpackedSlices(source: ByteSource): AsyncGenerator<Uint8Array> {
  const file = createReadStream(source.path, { highWaterMark: SLICE_BYTES });
  const unpacked = createGunzip({ chunkSize: SLICE_BYTES });
  file.on('data', (bytes) => source.onRead(bytes.length));
  file.on('error', (error) => unpacked.destroy(error));
  try {
    for await (const slice of file.pipe(unpacked) as AsyncIterable<Buffer>) {
      source.stop.throwIfAborted();
      yield slice;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code?.startsWith('Z_') !== true) throw error;
    throw new CsvFault(1, `the file cannot be unpacked (${(error as Error).message}); want a whole file of gzip`);
  } finally {
    file.destroy();
  }
}

async function* parquetSlices({ path, stop, onRead }: ByteSource): AsyncGenerator<Uint8Array> {
  const [{ parquetLines }, { ParquetFault }] = await loadPart('A file of Parquet', () =>
    Promise.all([import('./parquet/parquet-lines.ts'), import('./parquet/parquet-checks.ts')]),
  );
  try {
    for await (const { bytes, readBytes } of parquetLines(path)) {
      stop.throwIfAborted();
      onRead(readBytes);
      yield bytes;
    }
  } catch (error) {
    throw error instanceof ParquetFault ? new CsvFault(1, `the file is Parquet, and ${error.message}`) : error;
  }
}

async function firstBytes(path: string): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(PARQUET.length), 0, PARQUET.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function startsWith(bytes: Buffer, mark: Buffer): boolean {
  return bytes.subarray(0, mark.length).equals(mark);
}
