// The guard alone: which heads have one meaning, and which are refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHUNKED_BODY, checkHead, MAX_HEAD_BYTES } from '../../../../server/http/guard/guard.ts';
import { RawHeaders } from '../../../../server/http/guard/raw-headers.ts';
import { ProblemError } from '../../../../server/problem.ts';

type Field = readonly [name: string, value: string];

function check(fields: readonly Field[], path = '/', query = ''): number | ProblemError {
  const headers = new RawHeaders();
  for (const [name, value] of fields) headers.add(name, value);
  return checkHead(path, query, headers);
}

const host: Field = ['host', 'a'];

test('a head with one Host passes, and the length of its body is known', () => {
  assert.equal(check([host]), 0);
  assert.equal(check([host, ['content-length', '0']]), 0);
  assert.equal(check([host, ['content-length', '17']]), 17);
  assert.equal(check([host, ['transfer-encoding', 'chunked']]), CHUNKED_BODY);
  assert.equal(check([host, ['transfer-encoding', 'Chunked']]), CHUNKED_BODY);
});

const refused: readonly (readonly [title: string, fields: readonly Field[]])[] = [
  ['no Host', []],
  ['two Hosts', [host, host]],
  ['two different lengths', [host, ['content-length', '1'], ['content-length', '2']]],
  ['the same length twice', [host, ['content-length', '1'], ['content-length', '1']]],
  ['an empty length', [host, ['content-length', '']]],
  ['a signed length', [host, ['content-length', '+1']]],
  ['a negative length', [host, ['content-length', '-1']]],
  ['a list of lengths', [host, ['content-length', '1, 1']]],
  ['a hexadecimal length', [host, ['content-length', '0x10']]],
  ['a length with a blank', [host, ['content-length', '1 0']]],
  ['a length beyond all numbers', [host, ['content-length', '99999999999999999999']]],
  ['length and encoding', [host, ['content-length', '1'], ['transfer-encoding', 'chunked']]],
  ['encoding and length', [host, ['transfer-encoding', 'chunked'], ['content-length', '1']]],
  ['an encoding that only ends in chunked', [host, ['transfer-encoding', 'xchunked']]],
  ['a list of encodings', [host, ['transfer-encoding', 'gzip, chunked']]],
  ['chunked twice', [host, ['transfer-encoding', 'chunked'], ['transfer-encoding', 'chunked']]],
  ['an empty encoding', [host, ['transfer-encoding', '']]],
  ['identity as the encoding', [host, ['transfer-encoding', 'identity']]],
  ['a name with a blank', [host, ['content-length ', '1']]],
  ['an empty name', [host, ['', '1']]],
  ['a line end in a value', [host, ['x', 'a\r\ncontent-length: 5']]],
  ['a zero byte in a value', [host, ['x', 'a\0b']]],
];

for (const [title, fields] of refused) {
  test(`${title}: 400`, () => {
    const result = check(fields);
    assert.ok(result instanceof ProblemError);
    assert.equal(result.status, 400);
  });
}

test('a target that is not a path of printable ASCII is 400', () => {
  for (const path of ['', '*', 'http://a/b', '/a b', '/ä', '/a\x7f']) {
    const result = check([host], path);
    assert.ok(result instanceof ProblemError, JSON.stringify(path));
    assert.equal(result.status, 400);
  }
  assert.ok(check([host], '/', 'a=ö') instanceof ProblemError);
});

test('a head is taken up to the limit and 431 above', () => {
  const filling = MAX_HEAD_BYTES - '/'.length - 'hosta'.length;
  assert.equal(check([host], '/', 'a'.repeat(filling)), 0);
  const result = check([host], '/', 'a'.repeat(filling + 1));
  assert.ok(result instanceof ProblemError);
  assert.equal(result.status, 431);
});
