// Tags by their ids: the same as a plain map, in the order of ids, whatever order and size they have.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tag } from '../../../engine/tag/tag.ts';
import { TagsById } from '../../../engine/tag/tags-by-id.ts';
import { ValueType } from '../../../engine/types.ts';
import { chooseSeed, SeededRandom } from '../../support/seeded-random.ts';

const STEPS = 2000;
/** Ids of a dataset are dense; a damaged file may bring any. */
const ID_LIMITS = [50, 5000, 2 ** 31 + 5, Number.MAX_SAFE_INTEGER];

test('tags are found by id and come in the order of ids, after random additions and deletions', (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const random = new SeededRandom(seed);
  const tags = new TagsById();
  const expected = new Map<number, Tag>();
  for (let step = 0; step < STEPS; step++) {
    const id = random.chance(0.1) ? Math.floor(random.unit() * random.pick(ID_LIMITS)) : random.below(3000);
    if (random.chance(0.3)) {
      tags.delete(id);
      expected.delete(id);
    } else {
      const tag = new Tag(id, { name: `T${id}`, type: ValueType.Double });
      tags.add(tag);
      expected.set(id, tag);
    }
    assert.equal(tags.get(id), expected.get(id));
    assert.equal(tags.has(id), expected.has(id));
  }
  const inOrder = [...expected.values()].sort((a, b) => a.id - b.id);
  assert.ok([...tags.values()].every((tag, i) => tag === inOrder[i]));
  assert.equal([...tags.values()].length, inOrder.length);
});

test('who goes over the tags up to an id meets those that were there, but for those that went meanwhile', () => {
  const tags = new TagsById();
  const add = (id: number): void => tags.add(new Tag(id, { name: `T${id}`, type: ValueType.Double }));
  for (let id = 0; id < 3000; id++) add(id);
  const met: number[] = [];
  for (const { id } of tags.values(3000)) {
    met.push(id);
    if (id === 1500) {
      for (let next = 3000; next < 9000; next++) add(next);
      tags.delete(2000);
    }
  }
  assert.deepEqual(
    met,
    Array.from({ length: 3000 }, (_, id) => id).filter((id) => id !== 2000),
  );
});
