// What is remembered of the runs that came lately, and the map by tags.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentRuns } from '../../../server/live/recent-runs.ts';
import { TagMap } from '../../../server/live/tag-map.ts';

function ordinals(recent: RecentRuns, from: number, to: number): number[] {
  return [...recent.between(from, to)].map(({ ordinal }) => ordinal);
}

test('runs are given from any place that is remembered, over the ends of pieces, and forgotten ones are none', () => {
  const recent = new RecentRuns();
  assert.equal(recent.countSince(0), 0);
  assert.equal(recent.countSince(1), undefined, 'never reached');
  const count = 700_000;
  for (let ordinal = 0; ordinal < count; ordinal++) {
    assert.equal(recent.sequence, ordinal);
    recent.add({ tagId: 1, name: 'A', isSystem: false, ordinal });
    assert.equal(recent.countSince(Math.max(0, ordinal - 200_000)), Math.min(ordinal + 1, 200_001));
  }
  assert.equal(recent.countSince(0), undefined);
  const from = count - 10_000;
  assert.deepEqual(
    ordinals(recent, from, count),
    Array.from({ length: 10_000 }, (_, i) => from + i),
  );
  assert.deepEqual(ordinals(recent, from, from + 3), [from, from + 1, from + 2]);
  assert.deepEqual(ordinals(recent, count, count), []);
});

test('a map by tags holds what it was given, of ids above 32 bits too', () => {
  const map = new TagMap<number>();
  const ids = [0, 1, 4095, 4096, 9999, 2 ** 40, 2 ** 40 + 1];
  for (const id of ids) map.set(id, id + 0.5);
  map.set(4096, 7);
  assert.deepEqual(
    ids.map((id) => map.get(id)),
    [0.5, 1.5, 4095.5, 7, 9999.5, 2 ** 40 + 0.5, 2 ** 40 + 1.5],
  );
  assert.equal(map.get(2), undefined);
  assert.equal(map.has(2), false);
  assert.equal(map.has(9999), true);
  assert.deepEqual(new Set([...map].map(([id]) => id)), new Set(ids));
});
