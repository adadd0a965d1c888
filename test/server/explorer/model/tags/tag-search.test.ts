// What a search for tags finds, and in which order.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TagDefinition } from '../../../../../server/explorer/model/tags/tag.ts';
import { globMatches, searchTags } from '../../../../../server/explorer/model/tags/tag-search.ts';
import { unitOf } from '../../../../../server/explorer/model/values/value-kind.ts';

const tags = (...names: string[]) => names.map((name) => ({ name, label: name }));

test('a search finds every word anywhere in the name, in any case', () => {
  const all = tags('Tank.Level', 'Tank.Temperature', 'Boiler.Level');
  assert.deepEqual(
    searchTags(all, 'level TANK').map(({ name }) => name),
    ['Tank.Level'],
  );
  assert.equal(searchTags(all, '  ').length, 3);
});

const plant: readonly TagDefinition[] = [
  { n: 'TK001.Level', u: { 1: '%' }, fl: { Area: 'Filling', Owner: 'North hall' } },
  { n: 'TK002.Level', u: { 1: '%' }, fl: { area: 'Cooling' } },
  { n: 'TK002.Pressure', t: 'System.Double', d: 'Level of the bar', u: { 1: 'bar' }, fl: { Area: 'Filling' } },
  { n: 'Site/TK0100.State', t: 'System.Int32', u: { 0: 'bar', 1: 'On' } },
];
const listed = plant.map((tag) => {
  return { name: tag.n, label: tag.n, description: tag.d, unit: unitOf(tag)?.text, tag };
});
const found = (text: string): string[] => searchTags(listed, text).map(({ name }) => name);

test('with a star or a question mark a name is meant as a whole, or from one of its dots and slashes on', () => {
  assert.deepEqual(found('TK00?.Level'), ['TK001.Level', 'TK002.Level']);
  assert.deepEqual(found('lev*'), ['TK001.Level', 'TK002.Level']);
  assert.deepEqual(found('tk*state'), ['Site/TK0100.State']);
  assert.deepEqual(found('*K002*'), ['TK002.Level', 'TK002.Pressure']);
  assert.deepEqual(found('K00?.Level'), []);
});

test('fields, unit and type are asked for by name, whatever the case', () => {
  assert.deepEqual(found('Area=Filling'), ['TK001.Level', 'TK002.Pressure']);
  assert.deepEqual(found('area=*ling level'), ['TK001.Level', 'TK002.Level', 'TK002.Pressure']);
  assert.deepEqual(found('owner="north h"'), ['TK001.Level']);
  assert.deepEqual(found('unit=bar'), ['TK002.Pressure'], 'a text of a state is no unit');
  assert.deepEqual(found('type=int*'), ['Site/TK0100.State']);
  assert.deepEqual(found('Area=Filling TK002'), ['TK002.Pressure']);
  assert.deepEqual(found('Area=Packing'), []);
});

test('a word that is a unit finds it; names come before descriptions and units', () => {
  assert.deepEqual(found('bar'), ['TK002.Pressure']);
  assert.deepEqual(found('%'), ['TK001.Level', 'TK002.Level']);
  assert.deepEqual(found('level'), ['TK001.Level', 'TK002.Level', 'TK002.Pressure']);
});

test('patterns go back as often as they need', () => {
  for (const [pattern, text, isFound] of [
    ['*', '', true],
    ['?', '', false],
    ['a*b*c', 'axbxbxc', true],
    ['a*b*c', 'axbxbx', false],
    ['**a?', 'aaab', true],
    ['abc', 'abc', true],
    ['abc', 'abcd', false],
  ] as const)
    assert.equal(globMatches(pattern, text), isFound, `${pattern} ${text}`);
});
