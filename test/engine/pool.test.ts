// What is kept: objects for reuse, and entries of a cache, both within their bounds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LruCache } from '../../engine/lru-cache.ts';
import { Pool } from '../../engine/points/pool.ts';

test('a pool hands out what was released, and keeps no more than its bound', () => {
  let made = 0;
  const pool = new Pool(2, () => ({ number: ++made }));
  const taken = [pool.take(), pool.take(), pool.take()];
  assert.deepEqual(
    taken.map(({ number }) => number),
    [1, 2, 3],
  );
  for (const one of taken) pool.release(one);
  assert.deepEqual([pool.take(), pool.takeSpare()].map((one) => one?.number).sort(), [1, 2]);
  assert.equal(pool.takeSpare(), undefined);
  assert.equal(pool.take().number, 4);
});

test('a cache evicts what was used longest ago until it costs what it may', () => {
  const evicted: string[] = [];
  const cache = new LruCache<string, number>(10, (key) => evicted.push(key));
  for (const [index, key] of ['a', 'b', 'c'].entries()) cache.put(key, index, 3);
  assert.equal(cache.get('a'), 0);
  assert.equal(cache.peek('b'), 1);
  cache.put('d', 3, 4);
  assert.deepEqual(evicted, ['b']);
  assert.equal(cache.cost, 10);
  cache.put('d', 4, 8);
  assert.deepEqual(evicted, ['b', 'c', 'a']);
  assert.deepEqual([cache.cost, cache.get('d')], [8, 4]);
});

test('the entry put last stays, whatever it costs, and deleting one is no eviction', () => {
  const evicted: string[] = [];
  const cache = new LruCache<string, number>(10, (key) => evicted.push(key));
  cache.put('small', 1, 1);
  cache.put('huge', 2, 1000);
  assert.deepEqual([evicted, cache.get('huge'), cache.cost], [['small'], 2, 1000]);
  cache.delete('huge');
  assert.deepEqual([evicted, cache.get('huge'), cache.cost], [['small'], undefined, 0]);
});
