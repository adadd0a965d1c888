// Payloads that are packed into the body of another, as libraries of Sparkplug do it: with DEFLATE, or with the algorithm
// that a metric beside the body names.

import { gunzipSync, inflateSync } from 'node:zlib';
import { PayloadFault } from '../mapping/faults.ts';

/** The identity of a payload that holds a packed one. */
export const PACKED_UUID = 'SPBV1.0_COMPRESSED';
/** The metric that names the algorithm. */
export const ALGORITHM = 'algorithm';
/** Above this a body is not unpacked: it is done in one go, and a few bytes may become any number of them. */
const MOST_BYTES = 2 * 1_048_576;

const CHUNK_BYTES = 65_536;

const UNPACKERS = new Map([
  ['DEFLATE', inflateSync],
  ['GZIP', gunzipSync],
]);

/** Throws a `PayloadFault` for what cannot be unpacked. */
export function unpackBody(body: Uint8Array | undefined, algorithm: unknown = 'DEFLATE'): Uint8Array {
  const unpack = UNPACKERS.get(String(algorithm).toUpperCase());
  if (unpack === undefined)
    throw new PayloadFault(`it is packed with '${String(algorithm).slice(0, 40)}'; want DEFLATE or GZIP`);
  if (body === undefined) throw new PayloadFault('the payload is said to be packed, and has no body');
  try {
    return unpack(body, { maxOutputLength: MOST_BYTES, chunkSize: CHUNK_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new PayloadFault(`it unpacks to more than ${MOST_BYTES} bytes`);
    throw new PayloadFault(`its body cannot be unpacked: ${(error as Error).message}`);
  }
}
