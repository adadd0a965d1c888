import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  favouriteRows,
  MOST_FAVOURITES,
  parseFavourites,
  toggledFavourites,
} from '../../../../../server/explorer/model/tags/favourites.ts';

const ref = (name: string, dataset = 'Plant') => ({ dataset, name });

test('a second press takes the star off, and only in that dataset', () => {
  const both = toggledFavourites(toggledFavourites([], ref('A')) ?? [], ref('A', 'Other')) ?? [];
  assert.deepEqual(both, [ref('A'), ref('A', 'Other')]);
  assert.deepEqual(toggledFavourites(both, ref('A')), [ref('A', 'Other')]);
});

test('a full dataset takes no more, but gives up what it has', () => {
  const full = Array.from({ length: MOST_FAVOURITES }, (_, index) => ref(`T${index}`));
  assert.equal(toggledFavourites(full, ref('more')), undefined);
  assert.equal(toggledFavourites(full, ref('more', 'Other'))?.length, MOST_FAVOURITES + 1);
  assert.equal(toggledFavourites(full, ref('T7'))?.length, MOST_FAVOURITES - 1);
});

test('what a browser has kept and is not understood is left out', () => {
  assert.deepEqual(parseFavourites('[{"dataset":"Plant","name":"A"},{"dataset":1,"name":"B"},null,"C"]'), [ref('A')]);
  for (const text of [null, '', '{', '{"dataset":"Plant","name":"A"}']) assert.deepEqual(parseFavourites(text), []);
});

test('favourites are a branch in the order of their names, closed or open', () => {
  const rows = favouriteRows([ref('T10'), ref('T9')], true, (name) => `${name}!`);
  assert.deepEqual(
    rows.map(({ label, level, tagName }) => [label, level, tagName]),
    [
      ['Favourites', 1, undefined],
      ['T9!', 2, 'T9'],
      ['T10!', 2, 'T10'],
    ],
  );
  assert.equal(favouriteRows([ref('T9')], false, String).length, 1);
  assert.deepEqual(favouriteRows([], true, String), []);
});
