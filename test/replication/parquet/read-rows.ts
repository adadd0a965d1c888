// Files of Parquet as a reader of a copy takes them: one row for each tag and ordinal.

import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parquetReadObjects } from 'hyparquet';

export interface Row {
  readonly tag: bigint;
  readonly name: string;
  /** Microseconds since 1970. */
  readonly time: bigint;
  readonly time_100ns: number;
  readonly ordinal: bigint;
  readonly type: number;
  readonly value_double: number | null;
  readonly value_int64: bigint | null;
  readonly value_text: string | null;
  readonly quality: number;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** By their paths, with `/`. */
export type Files = ReadonlyMap<string, Uint8Array>;

export function filesIn(folder: string): Files {
  const files = new Map<string, Uint8Array>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile())
      files.set(
        path
          .slice(folder.length + 1)
          .split(sep)
          .join('/'),
        readFileSync(path),
      );
  }
  return files;
}

export function pointFiles(files: Files): string[] {
  return [...files.keys()].filter((path) => path.endsWith('.parquet')).sort();
}

/** All rows as they stand in a file. */
export async function rowsOf(file: Uint8Array): Promise<Row[]> {
  const bytes = new Uint8Array(file).buffer;
  const parsers = {
    // A time would lose its microseconds as a Date.
    timestampFromMicroseconds: (microseconds: bigint) => microseconds,
    // The reader's own decoder leaves out a byte order mark at the beginning of a text.
    stringFromBytes: (text: Uint8Array | undefined) => (text === undefined ? undefined : decoder.decode(text)),
  };
  return (await parquetReadObjects({ file: bytes, parsers })) as unknown as Row[];
}

/** The points of a copy, in the order of tags and ordinals. */
export async function readPoints(files: Files): Promise<Row[]> {
  const found = new Map<string, Row>();
  for (const path of pointFiles(files))
    for (const row of await rowsOf(files.get(path) as Uint8Array)) found.set(`${row.tag} ${row.ordinal}`, row);
  return [...found.values()].sort((a, b) => Number(a.tag - b.tag) || Number(a.ordinal - b.ordinal));
}
