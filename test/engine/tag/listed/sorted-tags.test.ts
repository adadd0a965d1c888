// The sorted list of tags: one for all who ask, made again when names have changed, given up when nobody waits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SortedTags } from '../../../../engine/tag/listed/sorted-tags.ts';
import { Tag } from '../../../../engine/tag/tag.ts';
import { TagNames } from '../../../../engine/tag/tag-names.ts';
import { ValueType } from '../../../../engine/types.ts';

const TAGS = 5000;
const stays = (): boolean => false;

class Plant {
  readonly names = new TagNames();
  readonly sorted = new SortedTags(this.names);
  /** Turns that the lists have taken. */
  turns = 0;
  readonly pauses = {
    pause: (): Promise<void> => {
      this.turns++;
      return Promise.resolve();
    },
  };

  add(name: string): Tag {
    const tag = new Tag(1000 + this.names.size, { name, type: ValueType.Double });
    tag.visible = true;
    this.names.add(name, tag);
    return tag;
  }

  list(isAborted: () => boolean = stays): ReturnType<SortedTags['list']> {
    return this.sorted.list(isAborted, this.pauses);
  }
}

function plantOf(count: number): Plant {
  const plant = new Plant();
  for (let i = 0; i < count; i++) plant.add(`T${(i * 7919) % count}`);
  return plant;
}

test('all who ask get one list, in the order of names, until names change', async () => {
  const plant = plantOf(TAGS);
  const lists = await Promise.all(Array.from({ length: 50 }, () => plant.list()));
  const { turns } = plant;
  const want = Array.from({ length: TAGS }, (_, i) => `T${i}`).sort();
  for (const list of lists)
    assert.deepEqual(
      Array.from(list, ({ name }) => name),
      want,
    );
  await plant.list();
  assert.equal(plant.turns, turns);
  plant.add('A');
  const names = Array.from(await plant.list(), ({ name }) => name);
  assert.deepEqual(names, ['A', ...want]);
  assert.ok(plant.turns <= 3 * turns, `${plant.turns} turns`);
});

test('a tag that comes while the list is made is in the list of who asks behind it', async () => {
  const plant = plantOf(TAGS);
  const first = plant.list();
  plant.add('A');
  const second = plant.list();
  await first;
  assert.equal((await second).names.at(0), 'A');
});

test('tags that have gone, or are not stored yet, are passed over', async () => {
  const plant = plantOf(3);
  const pending = plant.add('A');
  pending.visible = false;
  const list = await plant.list();
  (plant.names.find('T1') as Tag).deleted = true;
  assert.deepEqual(
    Array.from(list, ({ name }) => name),
    ['T0', 'T2'],
  );
  assert.deepEqual([list.names.at(0), list.names.at(1), list.names.at(2)], [undefined, 'T0', undefined]);
  pending.visible = true;
  assert.deepEqual(
    Array.from(list.from('A'), ({ name }) => name),
    ['A', 'T0', 'T2'],
  );
  assert.deepEqual(
    Array.from(list.from('T1x'), ({ name }) => name),
    ['T2'],
  );
});

test('a list that nobody waits for any more is given up, and made when it is asked for again', async () => {
  const plant = plantOf(TAGS);
  let isGone = false;
  const left = plant.list(() => isGone);
  await Promise.resolve();
  isGone = true;
  await left;
  const { turns } = plant;
  assert.ok(turns < 10, `${turns} turns`);
  assert.equal((await plant.list()).names.length, TAGS);
  assert.ok(plant.turns > 10 * turns);
});
