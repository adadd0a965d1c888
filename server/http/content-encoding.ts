// Undoes the Content-Encoding of request bodies, off the main thread, never making more than the limit.

import zlib from 'node:zlib';
import { ProblemError } from './problem.ts';

const OUTPUT_STEP_BYTES = 65_536;

export type PackedEncoding = 'gzip' | 'deflate' | 'br';
export type BodyEncoding = 'identity' | PackedEncoding;

/** The one encoding of a body. Throws 415 for one that is not known, and for several on top of each other. */
export function parseContentEncoding(header: string | undefined): BodyEncoding {
  if (header === undefined) return 'identity';
  const name = header.trim().toLowerCase();
  if (name === '' || name === 'identity') return 'identity';
  if (name === 'gzip' || name === 'x-gzip') return 'gzip';
  if (name === 'deflate' || name === 'br') return name;
  throw new ProblemError(415, `The Content-Encoding ${JSON.stringify(header)} is not one of gzip, deflate, br.`, {
    headers: [['Accept-Encoding', 'gzip, deflate, br']],
  });
}

/** The 413 of a body above its limit. */
export function tooLarge(limitBytes: number): ProblemError {
  return new ProblemError(413, `The body is larger than ${limitBytes} bytes.`);
}

export interface UnpackOptions {
  readonly encoding: PackedEncoding;
  readonly limitBytes: number;
  /** Told of every piece that comes out; may throw to stop. */
  readonly onGrowth: (sizeBytes: number) => void;
}

/**
 * Rejects with a `ProblemError`: 413 as soon as more than the limit comes out, 400 when the bytes are not what the
 * encoding says; or with what `onGrowth` throws.
 */
export function unpackBody(packed: Uint8Array, options: UnpackOptions): Promise<Uint8Array> {
  const { encoding, limitBytes, onGrowth } = options;
  return new Promise((resolve, reject) => {
    const unpacker = createUnpacker(packed, encoding);
    const pieces: Uint8Array[] = [];
    let sizeBytes = 0;
    const stop = (error: unknown): void => {
      unpacker.removeAllListeners('data');
      unpacker.destroy();
      reject(error);
    };
    unpacker.on('data', (piece: Buffer) => {
      sizeBytes += piece.length;
      if (sizeBytes > limitBytes) return stop(tooLarge(limitBytes));
      try {
        onGrowth(piece.length);
      } catch (error) {
        return stop(error);
      }
      pieces.push(piece);
    });
    unpacker.on('error', (cause) => stop(new ProblemError(400, `The body is not valid ${encoding} data.`, { cause })));
    unpacker.on('end', () => resolve(joinPieces(pieces, sizeBytes)));
    unpacker.end(packed);
  });
}

function joinPieces(pieces: readonly Uint8Array[], sizeBytes: number): Uint8Array {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces, sizeBytes);
}

function createUnpacker(packed: Uint8Array, encoding: PackedEncoding): zlib.Gunzip | zlib.BrotliDecompress {
  const options = { chunkSize: OUTPUT_STEP_BYTES };
  if (encoding === 'gzip') return zlib.createGunzip(options);
  if (encoding === 'br') return zlib.createBrotliDecompress(options);
  return hasZlibHeader(packed) ? zlib.createInflate(options) : zlib.createInflateRaw(options);
}

/** Clients disagree on whether `deflate` has the zlib wrapping; RFC 9110 says it does, and both are sent. */
function hasZlibHeader(bytes: Uint8Array): boolean {
  const first = bytes[0] ?? 0;
  const second = bytes[1] ?? 0;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}
