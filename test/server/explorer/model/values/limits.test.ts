// The limits of a tag: which fields they are, what lies beyond them, and how a form keeps them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinLimits, limitsFault, splitLimits } from '../../../../../server/explorer/model/values/limit-fields.ts';
import { beyondText, limitBeyond, nearLimits, tagLimits } from '../../../../../server/explorer/model/values/limits.ts';

const fields = { Area: 'Filling', HighHigh: '90', low: '20,5', 'High limit': '80', 'Lo-Lo': '10' };
const tag = { n: 'A', t: 'System.Double', fl: fields };

test('fields with the names of limits are limits, in the order of their kinds and in any usual spelling', () => {
  assert.deepEqual(tagLimits(tag), [
    { kind: 'low-low', value: 10 },
    { kind: 'low', value: 20.5 },
    { kind: 'high', value: 80 },
    { kind: 'high-high', value: 90 },
  ]);
  assert.deepEqual(tagLimits({ n: 'A', fl: { High: 'above all', Highway: '3', Limit: '4' } }), []);
});

test('texts and states have none, nor has a line of counts; averages have those of the tag', () => {
  assert.deepEqual(tagLimits({ ...tag, t: 'System.String' }), []);
  assert.deepEqual(tagLimits({ ...tag, t: 'System.Boolean' }), []);
  assert.deepEqual(tagLimits({ ...tag, aggregate: 'count of 30 s' }), []);
  assert.equal(tagLimits({ ...tag, aggregate: 'average of 30 s' }).length, 4);
});

test('a value is beyond the outermost limit that it has passed; at a limit it is not beyond', () => {
  const limits = tagLimits(tag);
  const kinds = [5, 10, 20.5, 50, 80, 80.1, 91, Number.NaN].map((value) => limitBeyond(limits, value)?.kind);
  const inside = undefined;
  assert.deepEqual(kinds, ['low-low', 'low', inside, inside, inside, 'high', 'high-high', inside]);
  assert.deepEqual(
    limits.map((limit) => beyondText(limit)),
    ['below LL 10', 'below L 20.5', 'above H 80', 'above HH 90'],
  );
});

test('an axis shows the limits that its points come near to', () => {
  const near = (min: number, max: number): number[] => nearLimits(tagLimits(tag), min, max).map(({ value }) => value);
  assert.deepEqual(near(49, 51), []);
  assert.deepEqual(near(50, 70), [80, 90]);
  assert.deepEqual(near(85, 85), [80, 90]);
});

test('a form has limits apart from other fields, and gives them back as fields', () => {
  const { limits, others } = splitLimits({ ...fields, High: 'not a number' });
  assert.deepEqual(limits, { 'low-low': '10', low: '20,5', high: '80', 'high-high': '90' });
  assert.deepEqual(others, [
    ['Area', 'Filling'],
    ['High', 'not a number'],
  ]);
  assert.deepEqual(joinLimits([['Area', 'Filling']], { ...limits, low: ' ', high: ' 81 ' }), [
    ['Area', 'Filling'],
    ['LowLow', '10'],
    ['High', '81'],
    ['HighHigh', '90'],
  ]);
});

test('what is no number, or out of order, is said', () => {
  const none = { 'low-low': '', low: '', high: '', 'high-high': '' };
  assert.equal(limitsFault(none), undefined);
  assert.equal(limitsFault({ ...none, low: '5', 'high-high': '5' }), undefined);
  assert.equal(limitsFault({ ...none, high: 'much' }), 'The limit High is a number, such as 62.5.');
  assert.equal(limitsFault({ ...none, low: '80', 'high-high': '20' }), 'The limit HighHigh must not lie below Low.');
});
