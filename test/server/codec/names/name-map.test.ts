// A map by names in parts holds what a plain map holds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NameMap } from '../../../../server/codec/names/name-map.ts';

test('a map by names holds the last value of each, names that end alike and the empty one too', () => {
  const [map, plain] = [new NameMap<number>(), new Map<string, number>()];
  const names = [
    '',
    'ü',
    ...Array.from({ length: 5000 }, (_, i) => (i % 2 === 0 ? `Plant/Tag ${i}` : `${i}/same end`)),
  ];
  for (const [value, name] of [...names, ...names.slice(0, 100)].entries()) {
    map.set(name, value);
    plain.set(name, value);
  }
  assert.equal(map.size, plain.size);
  for (const name of [...names, 'none']) assert.equal(map.get(name), plain.get(name), name);
  map.clear();
  assert.equal(map.size, 0);
  assert.equal(map.get('ü'), undefined);
});
