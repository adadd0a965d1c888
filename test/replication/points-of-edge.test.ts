// An edge's points in time, for copies that know them by their times only.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DeletedOrdinals, type Following, type PointColumns, ValueType } from '../../engine/index.ts';
import { PointsOfEdge } from '../../replication/job/points-of-edge.ts';
import type { TagDocument } from '../../replication/sink.ts';

const TAG = 70;
const MANY = 20_000;

/** An edge with one tag, whose points have their ordinals as times; those below one are purged. */
function edgeWith(firstOrdinal: number): { readonly points: PointsOfEdge; readonly reads: number[] } {
  const reads: number[] = [];
  const following: Pick<Following, 'tag' | 'readPoints'> = {
    tag: (id) =>
      id === TAG
        ? { id, definition: { name: 'A', type: 0 }, isSystem: false, lateOf: undefined, deleted: [], nextOrdinal: 1e9 }
        : undefined,
    readPoints: (_id, from, _wanted, target: PointColumns) => {
      reads.push(from);
      const first = Math.max(from, firstOrdinal);
      const start = target.count;
      target.timesMs[start] = first;
      target.ticks[start] = 0;
      target.count++;
      return { type: ValueType.Double, start, count: 1, firstOrdinal: first, nextOrdinal: first + 1 };
    },
  };
  return { points: new PointsOfEdge(following as Following), reads };
}

function cutTag(deleted: readonly DeletedOrdinals[], id = TAG): TagDocument {
  const definition = { name: 'A', type: ValueType.Double };
  return { id, revision: 1, isDeleted: false, definition, isSystem: false, lateOf: undefined, deleted };
}

test('the last point before an ordinal is that before all removed ones between', () => {
  const ranges = [
    { from: 2, to: 4 },
    { from: 4, to: 7 },
    { from: 9, to: 12 },
  ];
  const { points } = edgeWith(0);
  const before = (ordinal: number): unknown => points.timeBefore(cutTag(ranges), ordinal);
  assert.deepEqual(
    [0, 1, 2, 4, 6, 7, 8, 9, 10, 12, 13].map(before),
    [null, 0, 1, 1, 1, 1, 7, 8, 8, 8, 12].map((ms) => (ms === null ? null : { ms, ticks: 0 })),
  );
  assert.equal(points.timeBefore(cutTag([{ from: 0, to: 5 }]), 5), null);
  assert.equal(points.timeBefore(cutTag(ranges, TAG + 1), 9), null, 'a tag that is gone has no points');
});

test('what purge has taken is not known', () => {
  const { points } = edgeWith(5);
  assert.equal(points.timeBefore(cutTag([]), 5), undefined);
  assert.deepEqual(points.timeBefore(cutTag([]), 6), { ms: 5, ticks: 0 });
});

test('one of very many removals costs one read, and a look at few of the others', () => {
  const { points, reads } = edgeWith(0);
  let looks = 0;
  const ranges = Array.from({ length: MANY }, (_, i) => ({
    get from() {
      looks++;
      return 3 * i + 1;
    },
    to: 3 * i + 3,
  }));
  assert.deepEqual(points.timeBefore(cutTag(ranges), 3 * MANY - 2), { ms: 3 * MANY - 3, ticks: 0 });
  assert.deepEqual([reads.length, looks < 50], [1, true]);
});
