// The files of the Explorer page as its build left them: read once, each with its packed forms beside it.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AnswerEncoding } from '../../http/compression/accept-encoding.ts';

export interface PageFile {
  readonly mediaType: string;
  readonly etag: string;
  readonly plain: Uint8Array;
  readonly packed: ReadonlyMap<AnswerEncoding, Uint8Array>;
}

/** By name; the page itself is `index.html`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const BUILT_FOLDER = fileURLToPath(new URL('../../explorer/dist', import.meta.url));

const MEDIA_TYPES = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
]);

const PACKED_ENDINGS: readonly (readonly [AnswerEncoding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

/** Undefined when the page is not built. */
export function readPageFiles(folder = BUILT_FOLDER): PageFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const files = new Map<string, PageFile>();
  for (const name of readdirSync(folder)) {
    const mediaType = MEDIA_TYPES.get(extname(name));
    if (mediaType !== undefined) files.set(name, readPageFile(join(folder, name), mediaType));
  }
  return files;
}

function readPageFile(path: string, mediaType: string): PageFile {
  const plain = readFileSync(path);
  const packed = PACKED_ENDINGS.filter(([, ending]) => existsSync(path + ending)).map(
    ([encoding, ending]) => [encoding, readFileSync(path + ending)] as const,
  );
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { mediaType, etag, plain, packed: new Map(packed) };
}
