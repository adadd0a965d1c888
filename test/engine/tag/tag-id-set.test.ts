// A set of tag ids against a plain one, with ids over the ends of pages and above 32 bits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TagIdSet } from '../../../engine/tag/tag-id-set.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

test('a set of tag ids holds what a plain set holds', () => {
  const random = new SeededRandom(20261122);
  const [ids, plain] = [new TagIdSet(), new Set<number>()];
  for (let i = 0; i < 20_000; i++) {
    const id = random.pick([0, 4096, 2 ** 20, 2 ** 40]) + random.below(5000);
    assert.equal(ids.has(id), plain.has(id), `${id}`);
    assert.equal(ids.add(id), !plain.has(id), `${id}`);
    plain.add(id);
    assert.ok(ids.has(id), `${id}`);
  }
  const inOrder = (all: Iterable<number>): number[] => [...all].sort((a, b) => a - b);
  assert.deepEqual(inOrder(ids), inOrder(plain));
});

test('ids that were added in order come in order', () => {
  const ids = new TagIdSet();
  for (const id of [64, 65, 4095, 4096, 9000]) ids.add(id);
  assert.deepEqual([...ids], [64, 65, 4095, 4096, 9000]);
});
