// CRC-32 (the one of zlib, polynomial 0xEDB88320) over bytes; every checksum on disk is one of these.

import { crc32 as zlibCrc32 } from 'node:zlib';

/** The CRC-32 of `bytes`, an unsigned 32-bit number. `seed` is the CRC of the bytes before them, to go on from. */
export function crc32(bytes: Uint8Array, seed = 0): number {
  return zlibCrc32(bytes, seed);
}

const POLYNOMIAL = 0xedb88320;

/** Of each byte: what it adds to a checksum. The highest bytes of the entries are all different. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});
const BYTE_BY_HIGH = Uint8Array.from({ length: 256 }, (_, high) => TABLE.findIndex((value) => value >>> 24 === high));

/** The seed with which `bytes` have that CRC: there is exactly one. */
export function crc32Seed(bytes: Uint8Array, crc: number): number {
  let state = ~crc;
  for (let i = bytes.length - 1; i >= 0; i--) {
    const byte = BYTE_BY_HIGH[state >>> 24] as number;
    state = ((state ^ (TABLE[byte] as number)) << 8) | (byte ^ (bytes[i] as number));
  }
  return ~state >>> 0;
}
