// The cache of verified blocks: bounded, the one used longest ago goes first, and a hit is what was put in.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BlockCache, type VerifiedBlock } from '../../../engine/files/block-cache.ts';
import type { BlockHeader } from '../../../engine/format/block/block-header.ts';

const KIB = 1024;

function blockOf(sizeBytes: number): VerifiedBlock {
  return { bytes: new Uint8Array(sizeBytes), header: {} as BlockHeader };
}

test('a block is found by its file and offset, and by no other', () => {
  const cache = new BlockCache(100 * KIB);
  const [a, b] = [{}, {}];
  const block = blockOf(KIB);
  cache.put(a, 64, block);
  assert.equal(cache.get(a, 64), block);
  assert.equal(cache.get(a, 65), undefined);
  assert.equal(cache.get(b, 64), undefined);
});

test('the bytes held stay below the bound, and the block used longest ago goes first', () => {
  const cache = new BlockCache(100 * KIB);
  const file = {};
  for (let i = 0; i < 200; i++) {
    cache.put(file, i, blockOf(5 * KIB));
    assert.ok(cache.usedBytes <= 100 * KIB, `${cache.usedBytes} bytes after ${i + 1} blocks`);
    assert.ok(i < 1 || cache.get(file, 0) !== undefined, 'the block asked for every time is there');
  }
  assert.ok(cache.get(file, 199) !== undefined);
  assert.equal(cache.get(file, 1), undefined);
});

test('a block put in again replaces the one before and is counted once', () => {
  const cache = new BlockCache(100 * KIB);
  const file = {};
  cache.put(file, 0, blockOf(KIB));
  const usedBytes = cache.usedBytes;
  const block = blockOf(KIB);
  cache.put(file, 0, block);
  assert.equal(cache.usedBytes, usedBytes);
  assert.equal(cache.get(file, 0), block);
});

test('a block that would push many others out is not kept, and a cache of no bytes keeps none', () => {
  const cache = new BlockCache(100 * KIB);
  cache.put(cache, 0, blockOf(50 * KIB));
  assert.equal(cache.usedBytes, 0);
  const none = new BlockCache(0);
  none.put(none, 0, blockOf(1));
  assert.equal(none.get(none, 0), undefined);
});
