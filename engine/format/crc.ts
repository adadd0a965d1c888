// CRC-32 (the one of zlib, polynomial 0xEDB88320) over bytes; every checksum on disk is one of these.

import { crc32 as zlibCrc32 } from 'node:zlib';

/** The CRC-32 of `bytes`, an unsigned 32-bit number. `seed` is the CRC of the bytes before them, to go on from. */
export function crc32(bytes: Uint8Array, seed = 0): number {
  return zlibCrc32(bytes, seed);
}
