// Which tags a body has named, against a set, over more bodies than there are marks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NamedTags } from '../../../../server/codec/names/named-tags.ts';

test('a tag is named in the body that named it and in no other, whatever its id', () => {
  const named = new NamedTags();
  const ids = [0, 1, 1023, 1024, 70_000, 16_777_215, 16_777_216, 2 ** 40];
  for (let body = 0; body < 600; body++) {
    named.begin();
    const expected = new Set<number>();
    for (const [i, id] of ids.entries()) {
      assert.equal(named.has(id), false);
      if ((body * 7 + i * 3) % 5 === 0) continue;
      named.add(id);
      named.add(id);
      expected.add(id);
    }
    for (const id of ids) assert.equal(named.has(id), expected.has(id), `${id} in body ${body}`);
  }
});
