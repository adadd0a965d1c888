// The choice of an answer's encoding.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseEncoding } from '../../../../server/http/compression/accept-encoding.ts';

const cases: readonly (readonly [header: string | undefined, expected: string | undefined])[] = [
  [undefined, undefined],
  ['', undefined],
  ['gzip', 'gzip'],
  ['GZip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0, br;q=0.8', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['gzip;q=0', undefined],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['br;q=0, *', 'gzip'],
  ['identity', undefined],
  ['identity;q=0.9, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['zstd', undefined],
  ['gzip;q=2', undefined],
  ['gzip;q=x', undefined],
  ['deflate ; q=0.7', 'deflate'],
  [',,;q=1,', undefined],
];

for (const [header, expected] of cases) {
  test(`${JSON.stringify(header)} gives ${expected ?? 'no encoding'}`, () =>
    assert.equal(chooseEncoding(header), expected));
}

test('only what is offered is chosen', () => {
  assert.equal(chooseEncoding('br, gzip;q=0.1', ['gzip']), 'gzip');
  assert.equal(chooseEncoding('br', ['gzip']), undefined);
});
