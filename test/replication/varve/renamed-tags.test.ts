// A tag that the edge renames is renamed in its copy, with all of its points; so is one whose name another tag takes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SteppedCopy } from './stepped-copy.ts';

/** Former names are the edge's to keep. */
function withoutFormer(answers: string): string {
  return answers.replaceAll(/,"former":\[[^\]]*\]/g, '');
}

async function assertAlike(stepped: SteppedCopy, what: string): Promise<void> {
  await stepped.settle();
  const [edge, copy] = await stepped.everything();
  assert.equal(withoutFormer(copy), withoutFormer(edge), what);
}

test('history and later points are under the new name, and nothing is there twice', async (context) => {
  const stepped = await SteppedCopy.start(context);
  await stepped.write(0, 1, 2, 3);
  await assertAlike(stepped, 'before');
  await stepped.rename('A', 'B');
  await assertAlike(stepped, 'renamed');
  assert.deepEqual(await stepped.tagsThere(), ['B']);
  await stepped.write(4, 5);
  await assertAlike(stepped, 'another tag under the former name');
  assert.deepEqual(await stepped.tagsThere(), ['A', 'B']);
});

test('tags that change their names with each other keep their points', async (context) => {
  const stepped = await SteppedCopy.start(context);
  await stepped.write(0, 1, 2);
  await stepped.rename('A', 'B');
  await stepped.write(3, 4);
  await assertAlike(stepped, 'two tags');
  await stepped.rename('A', 'C');
  await stepped.rename('B', 'A');
  await stepped.rename('C', 'B');
  await assertAlike(stepped, 'changed');
  await stepped.write(10);
  await assertAlike(stepped, 'written on');
});

test('a tag that is renamed to the name of a deleted one takes its place', async (context) => {
  const stepped = await SteppedCopy.start(context);
  await stepped.write(0, 1);
  await stepped.rename('A', 'B');
  await stepped.write(5);
  await assertAlike(stepped, 'two tags');
  await stepped.deleteTag();
  await stepped.rename('B', 'A');
  await assertAlike(stepped, 'one left');
  assert.deepEqual(await stepped.tagsThere(), ['A']);
});
