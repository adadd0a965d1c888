// The filters of a query let others have turns, however many there are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TagDefinition } from '../../../../engine/index.ts';
import { filtered, toFilterTests } from '../../../../server/doors/grafana/filters.ts';
import { turnsOf } from '../turns-taken.ts';

const isAborted = (): boolean => false;
const tagsOf = (count: number): TagDefinition[] =>
  Array.from({ length: count }, (_, i) => ({ name: `Tag ${i}` }) as TagDefinition);
const filtersOf = (operator: string, values: readonly string[]) =>
  values.map((value) => ({ key: 'tag', operator, value }));

test('many filters are made with a turn for each pattern', async () => {
  const filters = filtersOf(
    '=~',
    Array.from({ length: 100 }, (_, i) => `.*${i}.*`),
  );
  assert.ok((await turnsOf(() => toFilterTests(filters, isAborted))) >= 90);
});

test('many tags and filters are compared in several turns', async () => {
  const values = Array.from({ length: 1000 }, (_, i) => `Other ${i}`);
  const tests = await toFilterTests(filtersOf('!=', values), isAborted);
  let left: string[] = [];
  const turns = await turnsOf(async () => {
    left = await filtered(tagsOf(2000), tests, isAborted);
  });
  assert.equal(left.length, 2000);
  assert.ok(turns >= 3, `${turns} turns`);
});

test('long patterns are matched with a turn for each', async () => {
  const tests = await toFilterTests(filtersOf('!~', ['.*a.{300}', '.*b.{300}']), isAborted);
  assert.ok((await turnsOf(() => filtered(tagsOf(20), tests, isAborted))) >= 30);
});

test('tags are left by all filters of the key tag', async () => {
  const filters = [
    ...filtersOf('=~', ['Tag [0-5]']),
    ...filtersOf('!=', ['Tag 3']),
    ...filtersOf('!~', ['.*4']),
    { key: 'other', operator: '=', value: 'x' },
  ];
  const tests = await toFilterTests(filters, isAborted);
  assert.deepEqual(await filtered(tagsOf(8), tests, isAborted), ['Tag 0', 'Tag 1', 'Tag 2', 'Tag 5']);
});
