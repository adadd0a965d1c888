// The sink of an address: `parquet:///folder` for a disk, `s3://bucket/prefix` for a bucket.

import { isAbsolute } from 'node:path';
import type { Sink } from '../sink.ts';
import { ParquetSink } from './parquet-sink.ts';
import { DiskStore } from './stores/disk-store.ts';
import type { ObjectStore } from './stores/object-store.ts';
import { type S3Options, S3Store } from './stores/s3-store.ts';

const DISK = 'parquet://';
const BUCKET = /^s3:\/\/([A-Za-z0-9][A-Za-z0-9._-]*)(?:\/([^?#]*))?$/;

/** The options are for S3 only. Does not connect yet. Throws an error that says what is wrong with the address. */
export function openParquetSink(target: string, options: S3Options = {}): Sink {
  return new ParquetSink(storeOf(target, options));
}

function storeOf(target: string, options: S3Options): ObjectStore {
  if (target.startsWith(DISK)) return new DiskStore(folderIn(target));
  const [, bucket, prefix = ''] = BUCKET.exec(target) ?? [];
  if (bucket === undefined)
    throw wrong(
      target,
      's3://bucket/prefix, with keys and endpoint in the environment (AWS_ACCESS_KEY_ID, AWS_ENDPOINT_URL)',
    );
  return new S3Store(bucket, prefix.replace(/^\/+|\/+$/g, ''), options);
}

/** The path is taken as it stands: `%` has no meaning in it. */
function folderIn(target: string): string {
  const folder = target.slice(DISK.length);
  if (!isAbsolute(folder)) throw wrong(target, 'an absolute folder, such as parquet:///data/copies');
  return folder.length > 1 ? folder.replace(/\/+$/, '') || '/' : folder;
}

/** Without what stands before an @: it may be a secret. */
function wrong(target: string, wanted: string): Error {
  return new Error(`got '${target.replace(/\/\/.*@/, '//…@')}'; want ${wanted}.`);
}
