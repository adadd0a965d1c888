// Tag definitions as JSON.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValueType } from '../../../../engine/index.ts';
import { formatTag } from '../../../../server/codec/write-json/tag-json.ts';

test('a tag has n, d, f, u, fl and t', () => {
  const text = formatTag({
    name: 'a"b',
    description: 'd',
    format: '0.00',
    units: new Map([
      [1, 'On'],
      [-1, 'kg'],
      [0, 'Off'],
    ]),
    fields: new Map([['__proto__', 'x']]),
    type: ValueType.Int32,
  });
  assert.equal(
    text,
    '{"n":"a\\"b","d":"d","f":"0.00","u":{"1":"On","-1":"kg","0":"Off"},"fl":{"__proto__":"x"},"t":"System.Int32"}',
  );
});

test('what was never set is left out, and so is the type while it is open', () => {
  assert.equal(formatTag({ name: 'x', type: ValueType.Open }), '{"n":"x"}');
});

test('what was cleared is there, and empty', () => {
  const text = formatTag({ name: 'x', description: '', units: new Map(), fields: new Map(), type: ValueType.Double });
  assert.equal(text, '{"n":"x","d":"","u":{},"fl":{},"t":"System.Double"}');
});
