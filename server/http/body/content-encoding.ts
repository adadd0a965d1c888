// The Content-Encoding of request bodies, and the answers to those that are not taken.

import { ProblemError } from '../../problem.ts';

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
