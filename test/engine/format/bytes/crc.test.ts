// Checksums of short byte ranges, which are made by table, against those of zlib.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, crc32Between } from '../../../../engine/format/bytes/crc.ts';

const CHECK = new TextEncoder().encode('..123456789..');

test('the checksum of part of some bytes is that of zlib, for short and for long parts, from any seed', () => {
  const bytes = Uint8Array.from({ length: 1024 }, (_, i) => (Math.imul(i, 0x9e3779b1) >>> 13) & 0xff);
  for (let size = 0; size <= 300; size++) {
    for (const start of [0, 1, 2, 3, 700]) {
      const seed = Math.imul(size + start, 0x85ebca6b) >>> 0;
      const part = bytes.subarray(start, start + size);
      assert.equal(crc32Between(bytes, start, start + size), crc32(part), `${size} bytes from ${start}`);
      assert.equal(crc32Between(bytes, start, start + size, seed), crc32(part, seed), `${size} bytes, seed ${seed}`);
    }
  }
});

test('the checksum of the digits 1 to 9 is the one that CRC-32 is known by', () => {
  assert.equal(crc32Between(CHECK, 2, 11), 0xcbf43926);
});
