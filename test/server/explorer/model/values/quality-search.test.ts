import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitQuality } from '../../../../../server/explorer/model/values/quality-search.ts';

/** Which of these qualities a search wants. */
function wanted(text: string): (number | undefined)[] {
  const { wants } = splitQuality(text);
  return [192, 216, 64, 80, 24, 0, undefined].filter((quality) => wants?.(quality) ?? true);
}

test('a search asks for qualities in words, their beginnings, or numbers', () => {
  assert.deepEqual(wanted('quality=bad'), [24, 0]);
  assert.deepEqual(wanted('Quality=UNC'), [64, 80]);
  assert.deepEqual(wanted('quality=good'), [192, 216]);
  assert.deepEqual(wanted('quality=24'), [24]);
  assert.deepEqual(wanted('quality=none'), [undefined]);
  assert.deepEqual(wanted('quality=bad quality=64'), [64, 24, 0], 'any of several');
  assert.deepEqual(wanted('quality=nonsense'), []);
  assert.equal(wanted('quality=').length, 7, 'nothing is left out while it is typed');
});

test('the rest of the search stays as it is', () => {
  assert.equal(splitQuality('tank quality=bad Area="North hall"').rest, 'tank  Area="North hall"');
  assert.equal(splitQuality('quality=bad').rest, '');
  assert.deepEqual(splitQuality('water quality'), { rest: 'water quality', wants: undefined });
  assert.equal(splitQuality('MyQuality=bad').wants, undefined, 'a field of another name');
});
