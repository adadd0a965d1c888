// Compresses whole answers, off the main thread, and says which answers are worth it.

import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { HeaderList } from '../contract/http-server.ts';
import type { AnswerEncoding } from './accept-encoding.ts';

const gzip = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gzip);
const deflate = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.deflate);
const brotliCompress = promisify<Uint8Array, zlib.BrotliOptions, Buffer>(zlib.brotliCompress);

/** Below this the headers weigh as much as what is saved. */
const MIN_BYTES = 1024;
/** Historian answers are repetitive text: the low levels already take most of it, at several times the speed. */
const ZLIB_LEVEL = 3;
const BROTLI_QUALITY = 3;

const compressibleType =
  /^(?:text\/(?!event-stream)|application\/(?:.*\+)?(?:json|xml)|application\/(?:javascript|msgpack)|image\/svg\+xml)/i;

/** True for a type that compresses, unless the answer is encoded already. */
export function isCompressible(headers: HeaderList): boolean {
  let isText = false;
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (lower === 'content-encoding') return false;
    if (lower === 'content-type') isText = compressibleType.test(value);
  }
  return isText;
}

/** True when a body of this length is worth compressing. */
export function isWorthCompressing(sizeBytes: number): boolean {
  return sizeBytes >= MIN_BYTES;
}

/** The body in the encoding chosen. */
export function compressBody(body: Uint8Array, encoding: AnswerEncoding): Promise<Uint8Array> {
  if (encoding === 'gzip') return gzip(body, { level: ZLIB_LEVEL });
  if (encoding === 'deflate') return deflate(body, { level: ZLIB_LEVEL });
  return brotliCompress(body, {
    params: {
      [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [zlib.constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}
