// A tag's newest points, which it keeps in parts, come back as they were put.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewestPoint } from '../../../engine/tag/newest-point.ts';
import { Tag } from '../../../engine/tag/tag.ts';
import { ValueType } from '../../../engine/types.ts';

const PLAIN: NewestPoint = { ms: 1000, ticks: 0, value: 1.5, quality: 192, type: ValueType.Double, tie: undefined };
const POINTS: Readonly<Record<string, NewestPoint>> = {
  plain: PLAIN,
  'with ticks': { ...PLAIN, ticks: 7 },
  'of bad quality': { ...PLAIN, quality: 0 },
  null: { ...PLAIN, value: null },
  'of an earlier type': { ...PLAIN, value: 'on', type: ValueType.String },
  tied: { ...PLAIN, tie: { ...PLAIN, value: 3 } },
};

function newTag(): Tag {
  return new Tag(100, { name: 'T', type: ValueType.Double });
}

for (const [kind, point] of Object.entries(POINTS)) {
  test(`a newest point comes back, whatever was there before: ${kind}`, () => {
    const tag = newTag();
    assert.equal(tag.hasPoints, false);
    for (const before of [undefined, ...Object.values(POINTS)]) {
      tag.newest = before;
      tag.accepted = before;
      tag.newest = point;
      assert.deepEqual(tag.newest, point);
      assert.deepEqual(tag.accepted, before);
      assert.equal(tag.hasPoints, true);
      assert.equal(tag.acceptedMs, before ? before.ms : Number.NEGATIVE_INFINITY);
      tag.nextOrdinal = 5;
      tag.settle();
      assert.deepEqual(tag.accepted, point);
      assert.equal(tag.acceptedOrdinal, 5);
    }
    tag.newest = undefined;
    assert.equal(tag.newest, undefined);
    assert.equal(tag.hasPoints, false);
  });

  test(`a newest point keeps the type it was stored with when the tag gets another one: ${kind}`, () => {
    const tag = newTag();
    tag.newest = point;
    tag.accepted = PLAIN;
    tag.definition = { name: 'T', type: ValueType.Single };
    assert.deepEqual(tag.newest, point);
    assert.deepEqual(tag.accepted, PLAIN);
    tag.definition = { name: 'T', type: ValueType.Double };
    assert.deepEqual(tag.newest, point);
  });

  test(`a tag with other deleted ranges has the same newest point, and leaves the tag as it is: ${kind}`, () => {
    const tag = newTag();
    tag.newest = point;
    tag.visible = true;
    const shadow = tag.withDeleted([{ from: 1, to: 2 }]);
    assert.deepEqual(shadow.newest, point);
    assert.equal(shadow.visible, true);
    assert.deepEqual(shadow.deletedRanges, [{ from: 1, to: 2 }]);
    assert.deepEqual(tag.deletedRanges, []);
  });
}

test('the states of a tag are distinct', () => {
  const names = ['visible', 'deleted', 'leaving', 'queued'] as const;
  const tag = newTag();
  const statesOf = (): boolean[] => names.map((name) => tag[name]);
  assert.deepEqual(statesOf(), [false, false, false, false]);
  for (const [i, name] of names.entries()) {
    tag[name] = true;
    assert.deepEqual(
      statesOf(),
      names.map((_, at) => at === i),
    );
    tag[name] = false;
  }
  assert.deepEqual(statesOf(), [false, false, false, false]);
});
