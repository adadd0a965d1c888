// Query strings: escapes, plus signs, repeated names.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseQuery } from '../../../../server/http/routing/query.ts';
import { ProblemError } from '../../../../server/problem.ts';
import { chooseSeed } from '../../../support/seeded-random.ts';

const entries = (query: string) => [...parseQuery(query)];

test('repeated names keep all values in order', () => {
  assert.deepEqual(entries('tagname=b&x=1&tagname=a&tagname=b'), [
    ['tagname', ['b', 'a', 'b']],
    ['x', ['1']],
  ]);
});

test('a plus is a blank, except in the values of times and zones', () => {
  assert.deepEqual(entries('tagname=a+b%2Bc'), [['tagname', ['a b+c']]]);
  for (const name of ['start', 'end', 'relativeStart', 'relativeEnd', 'unixStart', 'unixEnd', 'tz']) {
    assert.deepEqual(entries(`${name}=2024-01-01T08:00:00+02:00`), [[name, ['2024-01-01T08:00:00+02:00']]]);
    assert.deepEqual(entries(`${name}=%2B2h+x`), [[name, ['+2h+x']]]);
  }
  assert.deepEqual(entries('%73tart=1+2'), [['start', ['1+2']]]);
});

test('empty items are left out, and a name without value has the empty one', () => {
  assert.deepEqual(entries(''), []);
  assert.deepEqual(entries('&&a&b=&=c&'), [
    ['a', ['']],
    ['b', ['']],
    ['', ['c']],
  ]);
});

test('only the first equals sign divides', () => {
  assert.deepEqual(entries('a=b=c%3Dd'), [['a', ['b=c=d']]]);
});

test('what is not percent-encoded UTF-8 is 400', () => {
  for (const query of ['a=%', 'a=%4', 'a=%zz', 'a=%ff', 'a=%c3', 'a=%ed%a0%80', '%ff=a', 'start=%C0%80']) {
    assert.throws(
      () => parseQuery(query),
      (error) => error instanceof ProblemError && error.status === 400,
      query,
    );
  }
});

test('names of prototypes are names like any other', () => {
  assert.deepEqual(entries('__proto__=1&constructor=2'), [
    ['__proto__', ['1']],
    ['constructor', ['2']],
  ]);
});

test('what was encoded comes back', () => {
  const seed = chooseSeed() | 0;
  console.log(`# SEED=${seed >>> 0}`);
  const text = fc.string({ unit: 'grapheme' }).filter((value) => value.isWellFormed());
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text)), (pairs) => {
      const query = pairs.map(([name, value]) => `x${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
      const expected = new Map<string, string[]>();
      for (const [name, value] of pairs) expected.set(`x${name}`, [...(expected.get(`x${name}`) ?? []), value]);
      assert.deepEqual([...parseQuery(query)], [...expected]);
    }),
    { seed, numRuns: 300 },
  );
});
