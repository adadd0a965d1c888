// Chunks of both sizes: each has memory of its own, and what is given back is used again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CHUNK_BYTES,
  CHUNK_HEADER_BYTES,
  chunkBytes,
  FIRST_CHUNK_BYTES,
  HeadChunks,
} from '../../../engine/head/head-chunks.ts';
import { chooseSeed, SeededRandom } from '../../support/seeded-random.ts';

const STEPS = 20_000;
const MOST_CHUNKS = 5000;

test('small and large chunks keep what is written to them until they are given back', (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const random = new SeededRandom(seed);
  const chunks = new HeadChunks();
  const held: { chunk: number; fill: number }[] = [];
  const check = ({ chunk, fill }: { chunk: number; fill: number }): void => {
    const offset = chunks.offsetOf(chunk);
    const room = chunks.slabOf(chunk).bytes.subarray(offset + CHUNK_HEADER_BYTES, offset + chunkBytes(chunk));
    assert.equal(room.length, chunkBytes(chunk) - CHUNK_HEADER_BYTES);
    assert.ok(room.every((byte) => byte === fill));
    assert.equal(chunks.slabOf(chunk).times[(offset >> 3) + 1], fill);
  };
  for (let step = 0; step < STEPS; step++) {
    if (held.length === MOST_CHUNKS || (held.length > 0 && random.chance(0.4))) {
      const [given] = held.splice(random.below(held.length), 1) as [(typeof held)[0]];
      check(given);
      chunks.release(given.chunk);
    } else {
      const fill = random.below(256);
      const isSmall = random.chance(0.5);
      const chunk = isSmall ? chunks.takeSmall(fill) : chunks.take(fill);
      assert.equal(chunkBytes(chunk), isSmall ? FIRST_CHUNK_BYTES : CHUNK_BYTES);
      const offset = chunks.offsetOf(chunk);
      chunks.slabOf(chunk).bytes.fill(fill, offset + CHUNK_HEADER_BYTES, offset + chunkBytes(chunk));
      held.push({ chunk, fill });
    }
  }
  assert.equal(
    chunks.usedBytes,
    held.reduce((sum, { chunk }) => sum + chunkBytes(chunk), 0),
  );
  for (const one of held) {
    check(one);
    chunks.release(one.chunk);
  }
  assert.equal(chunks.usedBytes, 0);
});

test('a chain is followed from a small chunk to a large one', () => {
  const chunks = new HeadChunks();
  const first = chunks.takeSmall(1);
  const second = chunks.take(2);
  chunks.close(first, 10, second);
  assert.equal(chunks.nextOf(first), second);
  assert.equal(chunks.pointsOf(first), 10);
});
