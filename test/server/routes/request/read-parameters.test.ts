import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from '../../../../server/http/routing/query.ts';
import { ProblemError } from '../../../../server/problem.ts';
import { formatMarker, parseMarker } from '../../../../server/routes/request/read-marker.ts';
import {
  type ReadParameters,
  resolveReadForm,
  toReadForm,
  toReadFormOfBody,
} from '../../../../server/routes/request/read-parameters.ts';

const NOW = { ms: Date.UTC(2024, 0, 1), ticks: 0 };

function ofQuery(query: string, boundary: 'inside' | 'carry' = 'inside'): ReadParameters {
  return resolveReadForm(toReadForm(parseQuery(query)), NOW, { boundary });
}

function ofBody(body: Record<string, unknown>): ReadParameters {
  return resolveReadForm(toReadFormOfBody(body), NOW, { boundary: 'inside' });
}

function assertRefused(query: string, pattern: RegExp): void {
  assert.throws(
    () => ofQuery(query),
    (error) => error instanceof ProblemError && error.status === 400 && pattern.test(error.message),
    query,
  );
}

test('tags keep their order and their repeats', () => {
  assert.deepEqual(ofQuery('tagname=b&tagname=a&tagname=b').request.tags, ['b', 'a', 'b']);
});

test('unknown parameters are ignored', () => {
  assert.deepEqual(ofQuery('tagname=a&_=123&foo'), ofQuery('tagname=a'));
});

test('an empty parameter is a wrong one, not an absent one', () => {
  for (const name of ['start', 'unixEnd', 'relativeStart', 'limit', 'boundary', 'exact', 'missing', 'after']) {
    assertRefused(`tagname=a&${name}=`, new RegExp(`'${name}' is ''; want`));
  }
});

test('a parameter that is meant once is refused when given twice', () => {
  assertRefused('tagname=a&start=2024-01-01&start=2024-01-02', /'start' was given 2 times/);
  assertRefused('tagname=a&limit=1&limit=2', /'limit' was given 2 times/);
});

test('limit is a whole number from 1', () => {
  assert.equal(ofQuery('tagname=a&limit=5').request.limit, 5);
  assert.equal(ofQuery('tagname=a').request.limit, undefined);
  for (const text of ['0', '-1', '1.5', 'x', '1e3', '99999999999']) assertRefused(`limit=${text}`, /'limit' is/);
});

test('boundary, missing and exact take their words only', () => {
  assertRefused('boundary=outside', /want inside or carry/);
  assertRefused('missing=ignore', /want fail or skip/);
  assertRefused('exact=text', /want number or string/);
  assert.equal(ofQuery('exact=string').exactAsText, true);
  assert.equal(ofQuery('missing=skip').request.skipMissing, true);
});

test('carry-in is for ranges only, and by default where the style says so', () => {
  assert.equal(ofQuery('start=2024-01-01&boundary=carry').request.carryIn, true);
  assert.equal(ofQuery('boundary=carry').request.carryIn, false);
  assert.equal(ofQuery('start=2024-01-01', 'carry').request.carryIn, true);
  assert.equal(ofQuery('start=2024-01-01&boundary=inside', 'carry').request.carryIn, false);
});

test('markers go around, and nothing else passes for one', () => {
  const marker = { tagId: 4_294_967_295, ordinal: Number.MAX_SAFE_INTEGER };
  assert.deepEqual(parseMarker(formatMarker(marker)), marker);
  assert.deepEqual(ofQuery(`after=${formatMarker(marker)}`).request.after, [marker]);
  for (const text of ['abc', '', `${formatMarker(marker)}=`, `${formatMarker(marker)}AA`, 'MS4']) {
    assert.equal(parseMarker(text), undefined, text);
  }
  assert.equal(parseMarker(formatMarker({ ...marker, ordinal: 2 ** 53 })), undefined);
  assertRefused('after=abc', /want a marker 'next'/);
});

test('a body gives what the query gives', () => {
  const query = ofQuery('tagname=a&unixStart=0.5&relativeEnd=-1h&limit=3&missing=skip&boundary=carry&exact=string');
  const body = {
    tagname: ['a'],
    unixStart: 0.5,
    relativeEnd: '-1h',
    limit: 3,
    missing: 'skip',
    boundary: 'carry',
    exact: 'string',
  };
  assert.deepEqual(ofBody(body), query);
});

test('numbers of a body keep their digits as UNIX times', () => {
  const range = (unixEnd: unknown): unknown => ofBody({ tagname: [], unixEnd }).request.range;
  assert.deepEqual(range(1704067200.123), { kind: 'at', end: { ms: 1_704_067_200_123, ticks: 0 } });
  assert.deepEqual(range(1e-7), { kind: 'at', end: { ms: 0, ticks: 1 } });
  assert.deepEqual(range(-1e-7), { kind: 'at', end: { ms: -1, ticks: 9999 } });
  assert.throws(() => range(1e300), ProblemError);
});
