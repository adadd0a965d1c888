// Headers of answers: what could break out of its line is refused, and what is worked out once is worked out for each list.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkHeaderList, rememberingLast } from '../../../../server/http/contract/header-list.ts';
import type { HeaderList } from '../../../../server/http/contract/http-server.ts';

test('a header that could break out of its line is refused, each time, whatever was sent before', () => {
  const good: HeaderList = [['Historian-Written', '1']];
  const bad: HeaderList = [['Location', '/a\r\nSet-Cookie: a=b']];
  for (const headers of [good, good, bad, bad, [['Bad name', '1']] as const, good, bad]) {
    if (headers === good) assert.doesNotThrow(() => checkHeaderList(headers));
    else assert.throws(() => checkHeaderList(headers), /holds what a header cannot carry/);
  }
});

test('what is remembered is that of the same object alone, and nothing is remembered of a failure', () => {
  let calls = 0;
  const sizeOf = rememberingLast((list: readonly number[]) => {
    calls++;
    if (list.length === 0) throw new RangeError('empty');
    return list.length;
  });
  const [one, alike, two] = [[1], [1], [1, 2]];
  assert.deepEqual([one, one, alike, two, two, one].map(sizeOf), [1, 1, 1, 2, 2, 1]);
  assert.equal(calls, 4);
  for (let i = 0; i < 2; i++) assert.throws(() => sizeOf([]), RangeError);
  assert.equal(sizeOf(one), 1);
  assert.equal(calls, 6);
});
