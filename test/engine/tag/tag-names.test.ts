// Tags by the bytes of their names.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGE_NAMES } from '../../../engine/tag/name-page.ts';
import { Tag } from '../../../engine/tag/tag.ts';
import { TagNames } from '../../../engine/tag/tag-names.ts';
import { ValueType } from '../../../engine/types.ts';
import { chooseSeed, SeededRandom } from '../../support/seeded-random.ts';

function namesOf(...names: string[]): TagNames {
  const tags = new TagNames();
  for (const [i, name] of names.entries()) tags.add(name, new Tag(i, { name, type: ValueType.Double }));
  return tags;
}

/** What a parser asks: the expected tag, and where its name ends. */
function following(tags: TagNames, text: string): [string, number] | undefined {
  const bytes = Buffer.from(text);
  const tag = tags.findFollowing(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0);
  return tag && [tag.name, tags.foundBytes];
}

test('names are found by their bytes, in any order, also after some of them are deleted', (context) => {
  const seed = chooseSeed();
  context.diagnostic(`SEED=${seed}`);
  const random = new SeededRandom(seed);
  const names = Array.from({ length: 2000 }, (_, i) => (i % 7 === 0 ? `Tür ${i}` : `Area${i % 10}.Tag${i}`));
  const tags = namesOf(...names);
  const gone = new Set(names.filter(() => random.chance(0.2)));
  for (const name of gone) tags.delete(name);
  for (let i = 0; i < 5000; i++) {
    const name = random.pick(names);
    const bytes = Buffer.from(`  ${name} `);
    assert.equal(tags.findBytes(bytes, 2, bytes.length - 1)?.name, gone.has(name) ? undefined : name);
    assert.equal(tags.find(name)?.name, gone.has(name) ? undefined : name);
  }
  assert.equal(tags.size, names.length - gone.size);
});

test('the tag that followed the last time is the one that is expected', () => {
  const tags = namesOf('A', 'Pump.Speed', 'Pump.Spe');
  for (const name of ['A', 'Pump.Speed', 'Pump.Spe', 'A']) tags.find(name);
  assert.deepEqual(following(tags, 'Pump.Speed":'), ['Pump.Speed', 10]);
  assert.equal(following(tags, 'Pump.Stop":'), undefined, 'another is next');
  assert.deepEqual(following(tags, 'Pump.Speed":'), ['Pump.Spe', 8], 'the caller looks for the end of the name');
  assert.equal(following(tags, ''), undefined, 'the bytes end before the name does');
  assert.deepEqual(following(tags, 'A'), ['A', 1]);
});

test('a deleted tag is not expected, nor one that JSON would write in another form', () => {
  const tags = namesOf('A', 'B', 'C":1,"D', 'E\\');
  for (const name of ['A', 'B', 'A', 'C":1,"D', 'A', 'E\\', 'A']) tags.find(name);
  assert.equal(following(tags, 'E\\":'), undefined);
  tags.find('C":1,"D');
  tags.find('A');
  for (const name of ['C":1,"D', 'A']) tags.find(name);
  assert.equal(following(tags, 'C":1,"D":'), undefined);
  for (const name of ['A', 'B', 'A']) tags.find(name);
  assert.deepEqual(following(tags, 'B'), ['B', 1]);
  tags.find('A');
  tags.delete('B');
  assert.equal(following(tags, 'B'), undefined);
});

test('names are found at every moment while the table grows, deleted ones are not, and used again they are the new tag', () => {
  const tags = new TagNames();
  const names = Array.from({ length: 700 }, (_, i) => `Area ${i % 3}/Tag ${i}`);
  for (const [i, name] of names.entries()) {
    tags.add(name, new Tag(i, { name, type: ValueType.Double }));
    if (i % 5 === 4) tags.delete(names[i - 2] as string);
    if (i % 10 === 9) tags.add(names[i - 2] as string, new Tag(1000 + i, { name, type: ValueType.Double }));
    for (let known = 0; known <= i; known++) {
      const goneAt = known + 2;
      const isGone = goneAt % 5 === 4 && goneAt <= i;
      const wanted = isGone && goneAt % 10 === 9 ? 1000 + goneAt : known;
      const found = tags.find(names[known] as string)?.id;
      assert.equal(found, isGone && goneAt % 10 !== 9 ? undefined : wanted, `${names[known]} after ${i + 1}`);
    }
    assert.equal(tags.find(`Area ${i % 3}/Tag ${i + 1}`), undefined);
  }
});

test('names of several pages are found, followed from page to page, deleted and used again', () => {
  const tags = new TagNames();
  const count = 2 * PAGE_NAMES + 3;
  const nameOf = (i: number): string => `Area${i % 10}.Tag${i}`;
  for (let i = 0; i < count; i++) tags.add(nameOf(i), new Tag(i, { name: nameOf(i), type: ValueType.Double }));
  assert.equal(tags.size, count);
  for (let i = 0; i < count; i += 7) assert.equal(tags.find(nameOf(i))?.id, i);
  for (const edge of [PAGE_NAMES, 2 * PAGE_NAMES]) {
    for (const i of [edge - 1, edge]) assert.equal(tags.find(nameOf(i))?.id, i);
    tags.find(nameOf(edge - 1));
    assert.deepEqual(following(tags, nameOf(edge)), [nameOf(edge), nameOf(edge).length]);
    tags.delete(nameOf(edge));
    assert.equal(tags.find(nameOf(edge)), undefined);
    tags.add(nameOf(edge), new Tag(edge + count, { name: nameOf(edge), type: ValueType.Double }));
    assert.equal(tags.find(nameOf(edge))?.id, edge + count);
  }
  assert.equal([...tags].length, count);
});
