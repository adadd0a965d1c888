// Copying and replacing files so that they are on stable storage afterwards, with the checksums of what was copied.

import { closeSync, fsyncSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { makeFolders, syncFolderSync } from '../../../disk/folders.ts';
import { replaceFileSync, writeAllSync, writeSyncedSync } from '../../../disk/whole-files.ts';

const CHUNK_BYTES = 2 ** 20;
const OWNER_AND_GROUP = 0o640;
const OWNER_AND_GROUP_FOLDER = 0o750;

const chunk = Buffer.alloc(CHUNK_BYTES);

/** A source that ends before it should: it was truncated or replaced meanwhile. */
export class ShortFile extends Error {}

export interface ByteRange {
  readonly from: number;
  readonly to: number;
  /** Checksum of the bytes before `from`. */
  readonly crc: number;
}

/**
 * Copies a byte range of a file to the same range of another, which then ends there, and syncs it.
 * Returns the checksum of everything up to the range's end. Throws `ShortFile`, or the system's error.
 */
export function copyRange(source: string, target: string, range: ByteRange): number {
  makeFolder(dirname(target));
  const reading = openSync(source, 'r');
  try {
    const writing = openSync(target, range.from === 0 ? 'w' : 'r+', OWNER_AND_GROUP);
    try {
      const crc = pump(reading, range, (bytes, position) => writeAllSync(writing, bytes, position));
      ftruncateSync(writing, range.to);
      fsyncSync(writing);
      return crc;
    } finally {
      closeSync(writing);
    }
  } finally {
    closeSync(reading);
  }
}

/** The checksum of a file's first bytes. Throws `ShortFile`, or the system's error. */
export function checksumOf(path: string, bytes: number): number {
  const reading = openSync(path, 'r');
  try {
    return pump(reading, { from: 0, to: bytes, crc: 0 }, () => undefined);
  } finally {
    closeSync(reading);
  }
}

/** Up to so many bytes of a file before `end`, and as many at its beginning. */
export function readEnds(path: string, end: number, bytes: number): Buffer {
  const length = Math.min(bytes, end);
  const ends = Buffer.alloc(2 * length);
  const reading = openSync(path, 'r');
  try {
    const read = readSync(reading, ends, 0, length, 0) + readSync(reading, ends, length, length, end - length);
    return ends.subarray(0, read);
  } finally {
    closeSync(reading);
  }
}

/** Replaces a file; durable when it returns. */
export function replaceSynced(path: string, bytes: Uint8Array): void {
  replaceFileSync(path, bytes, OWNER_AND_GROUP);
}

/** Writes a file that nobody reads yet, and syncs its bytes. */
export function writeSynced(path: string, bytes: Uint8Array): void {
  writeSyncedSync(path, bytes, OWNER_AND_GROUP);
}

/** Made with its parents; not synced. */
export function makeFolder(path: string): void {
  makeFolders(path, OWNER_AND_GROUP_FOLDER);
}

/** Makes the names of files durable, and of every folder on the way to them; paths are inside `folder`. */
export function syncFoldersOf(folder: string, files: readonly { readonly path: string }[]): void {
  const folders = new Set<string>([dirname(folder), folder]);
  for (const { path } of files) {
    for (let part = dirname(path); part !== '.'; part = dirname(part)) folders.add(`${folder}/${part}`);
  }
  for (const path of folders) syncFolderSync(path);
}

function pump(reading: number, { from, to, crc }: ByteRange, take: (bytes: Buffer, position: number) => void): number {
  let sum = crc;
  for (let position = from; position < to; ) {
    const read = readSync(reading, chunk, 0, Math.min(CHUNK_BYTES, to - position), position);
    if (read === 0) throw new ShortFile(`it has ${position} bytes; want ${to}`);
    const bytes = chunk.subarray(0, read);
    take(bytes, position);
    sum = crc32(bytes, sum);
    position += read;
  }
  return sum;
}
