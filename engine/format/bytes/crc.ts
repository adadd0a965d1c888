// CRC-32 (the one of zlib, polynomial 0xEDB88320) over bytes; every checksum on disk is one of these.

import { crc32 as zlibCrc32 } from 'node:zlib';

/** Up to this many bytes the tables below are faster than a view and a native call. */
const FEW_BYTES = 128;

/** The CRC-32 of `bytes`, an unsigned 32-bit number. `seed` is the CRC of the bytes before them, to continue from. */
export function crc32(bytes: Uint8Array, seed = 0): number {
  return zlibCrc32(bytes, seed);
}

/** CRC of `bytes[start, end)`. */
export function crc32Between(bytes: Uint8Array, start: number, end: number, seed = 0): number {
  return end - start > FEW_BYTES ? zlibCrc32(bytes.subarray(start, end), seed) : crc32OfFew(bytes, start, end, seed);
}

const POLYNOMIAL = 0xedb88320;

/** The contribution of each byte to a checksum. The highest bytes of the entries are all different. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});
/** The contribution of a byte that one, two or three bytes follow: four bytes are processed at a time. */
const SECOND_TABLE = TABLE.map(addZeroByte);
const THIRD_TABLE = SECOND_TABLE.map(addZeroByte);
const FOURTH_TABLE = THIRD_TABLE.map(addZeroByte);

function addZeroByte(value: number): number {
  return (TABLE[value & 0xff] as number) ^ (value >>> 8);
}

/** Slicing by 4 (Kounavis, Berry). */
function crc32OfFew(bytes: Uint8Array, start: number, end: number, seed: number): number {
  const table = TABLE;
  const second = SECOND_TABLE;
  const third = THIRD_TABLE;
  const fourth = FOURTH_TABLE;
  let state = ~seed;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    state =
      (fourth[(state ^ (bytes[at] as number)) & 0xff] as number) ^
      (third[((state >>> 8) ^ (bytes[at + 1] as number)) & 0xff] as number) ^
      (second[((state >>> 16) ^ (bytes[at + 2] as number)) & 0xff] as number) ^
      (table[(state >>> 24) ^ (bytes[at + 3] as number)] as number);
  }
  for (; at < end; at++) state = (table[(state ^ (bytes[at] as number)) & 0xff] as number) ^ (state >>> 8);
  return ~state >>> 0;
}

const BYTE_BY_HIGH = Uint8Array.from({ length: 256 }, (_, high) => TABLE.findIndex((value) => value >>> 24 === high));

/** The seed with which `bytes` have this CRC: there is exactly one. */
export function crc32Seed(bytes: Uint8Array, crc: number): number {
  let state = ~crc;
  for (let i = bytes.length - 1; i >= 0; i--) {
    const byte = BYTE_BY_HIGH[state >>> 24] as number;
    state = ((state ^ (TABLE[byte] as number)) << 8) | (byte ^ (bytes[i] as number));
  }
  return ~state >>> 0;
}
