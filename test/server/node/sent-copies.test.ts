import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyToSend, smallCopy } from '../../../server/node/sent-copies.ts';

const CHUNK_BYTES = 64 * 1024;

function chunkOf(byte: number, length = CHUNK_BYTES): Uint8Array {
  return new Uint8Array(length).fill(byte);
}

test('a copy keeps its bytes until they are sent; its memory is used again from then on', () => {
  const first = copyToSend(chunkOf(1));
  const second = copyToSend(chunkOf(2));
  assert.notEqual(first.bytes.buffer, second.bytes.buffer);
  assert.ok(first.bytes.every((byte) => byte === 1));
  assert.ok(second.bytes.every((byte) => byte === 2));
  first.sent();
  const third = copyToSend(chunkOf(3, 10));
  assert.equal(third.bytes.buffer, first.bytes.buffer);
  assert.deepEqual([...third.bytes], Array(10).fill(3));
});

test('memory that an error left with the kernel is not used again, nor is that of a very long chunk', () => {
  const broken = copyToSend(chunkOf(1));
  broken.sent(new Error('reset'));
  const long = copyToSend(chunkOf(2, 1_000_000));
  long.sent();
  assert.equal(long.bytes.length, 1_000_000);
  const next = copyToSend(chunkOf(3));
  assert.ok(next.bytes.buffer !== broken.bytes.buffer && next.bytes.buffer !== long.bytes.buffer);
});

test('only few bytes are copied into memory of others', () => {
  assert.deepEqual([...(smallCopy(chunkOf(7, 3)) ?? [])], [7, 7, 7]);
  assert.equal(smallCopy(chunkOf(7)), undefined);
});
