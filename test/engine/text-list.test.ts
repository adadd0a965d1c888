// Texts by their numbers, over the ends of pages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextList } from '../../engine/text-list.ts';

const COUNT = 10_000;

function numbered(): TextList {
  const texts = new TextList();
  for (let i = 0; i < COUNT; i++) assert.equal(texts.push(`text ${i}`), i);
  return texts;
}

test('texts are found by their numbers, over the ends of pages, and in order', () => {
  const texts = numbered();
  assert.equal(texts.length, COUNT);
  for (const i of [0, 4095, 4096, 8191, 8192, COUNT - 1]) assert.equal(texts.at(i), `text ${i}`);
  assert.deepEqual(
    [...texts],
    Array.from({ length: COUNT }, (_, i) => `text ${i}`),
  );
});

test('a number that stands for no text has none', () => {
  assert.equal(new TextList().at(0), undefined);
  assert.equal(numbered().at(-1), undefined);
  assert.equal(numbered().at(COUNT), undefined);
});

test('a copy goes its own way', () => {
  const texts = numbered();
  const copy = texts.copy();
  texts.push('of the first');
  copy.push('of the copy');
  assert.deepEqual([texts.at(COUNT), copy.at(COUNT)], ['of the first', 'of the copy']);
  assert.equal(copy.at(COUNT - 1), texts.at(COUNT - 1));
});

test('a text that came a short while before is found, over the ends of pages never', () => {
  const texts = numbered();
  for (const back of [1, 8]) assert.equal(texts.recent(`text ${COUNT - back}`), COUNT - back);
  assert.equal(texts.recent(`text ${COUNT - 9}`), undefined);
  assert.equal(new TextList().recent(''), undefined);
  const atPageStart = new TextList();
  for (let i = 0; i <= 4096; i++) atPageStart.push(`text ${i}`);
  assert.equal(atPageStart.recent('text 4096'), 4096);
  assert.equal(atPageStart.recent('text 4095'), undefined);
});

test('of long texts only the last is found: comparing many that begin alike takes long', () => {
  const texts = new TextList();
  const [long, other] = ['a'.repeat(65), `${'a'.repeat(64)}b`];
  assert.equal(texts.push(long), 0);
  assert.equal(texts.recent(long), 0);
  texts.push(other);
  assert.equal(texts.recent(other), 1);
  assert.equal(texts.recent(long), undefined);
  assert.equal(texts.recent(`${'a'.repeat(63)}bb`), undefined, 'another with the same end');
  assert.equal(texts.recent(`${other}b`), undefined, 'a longer one with the same end');
});
