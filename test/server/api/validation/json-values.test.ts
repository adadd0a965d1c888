// Bodies that are not points are read a few values at a time: with the result of JSON.parse, and refused at the first
// thing of which there is too much.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  MAX_DEPTH,
  MAX_ENTRIES,
  MAX_MEMBERS,
  MAX_TEXT_BYTES,
  MAX_VALUES,
} from '../../../../server/api/validation/body-limits.ts';
import { parseJsonBody } from '../../../../server/api/validation/json-body.ts';
import { JsonValues } from '../../../../server/api/validation/json-values.ts';
import { ProblemError } from '../../../../server/problem.ts';

function parse(text: string): unknown {
  return parseJsonBody(Buffer.from(text));
}

function refusal(text: string): { status: number; path: string | undefined; message: string } {
  try {
    parse(text);
  } catch (error) {
    assert.ok(error instanceof ProblemError, String(error));
    return { status: error.status, path: error.errors[0]?.path, message: error.message };
  }
  return assert.fail('it was taken');
}

function members(count: number): string {
  return `{${Array.from({ length: count }, (_, i) => `"${i}":1`).join(',')}}`;
}

test('every value is what JSON.parse makes of it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), undefined, indent);
      assert.deepStrictEqual(parse(text), JSON.parse(text));
    }),
    { numRuns: 1000 },
  );
  for (const text of [
    '-0',
    '1e300',
    '0.1',
    '123456789012345678901234567890',
    '"\\ud800\\u0041\\n"',
    ' [ ] ',
    '{"a":{},"a":2}',
  ]) {
    assert.deepStrictEqual(parse(text), JSON.parse(text), text);
  }
});

test('a key __proto__ is a member like others', () => {
  const value = parse('{"__proto__":{"x":1}}') as object;
  assert.deepEqual(Object.keys(value), ['__proto__']);
  assert.equal((value as { x?: number }).x, undefined);
});

test('what JSON.parse refuses is a 400 with the place', () => {
  for (const text of ['{"a":}', '[1,]', '[1 2]', '{"a" 1}', 'nul', '"a', '01', '{} {}', '[1', "{'a':1}", '"\u0001"']) {
    assert.throws(() => JSON.parse(text), SyntaxError, text);
    const { status, message } = refusal(text);
    assert.equal(status, 400, text);
    assert.match(message, /^The body is not JSON: got .* at byte \d+; want /, text);
  }
});

test('texts are read some at a time, however few they are', () => {
  const text = JSON.stringify(Array.from({ length: 20 }, () => 'x'.repeat(MAX_TEXT_BYTES - 2)));
  const values = new JsonValues(Buffer.from(text));
  let steps = 1;
  while (!values.step()) steps++;
  assert.ok(steps >= 10, `read in ${steps} steps`);
  assert.deepEqual(values.value, JSON.parse(text));
});

test('an object has up to a thousand members, and one more is told with its place', () => {
  assert.equal(Object.keys(parse(members(MAX_MEMBERS)) as object).length, MAX_MEMBERS);
  assert.deepEqual(refusal(`[{"n":"T"},{"n":"U","u":${members(MAX_MEMBERS + 1)}}]`), {
    status: 413,
    path: '/1/u',
    message: `The body at /1/u: Got an object of more than ${MAX_MEMBERS} members, more than is taken in one request.`,
  });
  assert.equal(refusal(`{${'"a":1,'.repeat(MAX_MEMBERS)}"a":1}`).status, 413);
});

test('an array has up to half a million entries, and one more is told with its place', () => {
  const entries = '0,'.repeat(MAX_ENTRIES - 1);
  assert.equal((parse(`{"tagname":[${entries}0]}`) as { tagname: unknown[] }).tagname.length, MAX_ENTRIES);
  assert.deepEqual(
    [refusal(`{"tagname":[${entries}0,0]}`).status, refusal(`{"tagname":[${entries}0,0]}`).path],
    [413, '/tagname'],
  );
});

test('a text has up to 64 KiB, also as a key', () => {
  const text = 'x'.repeat(MAX_TEXT_BYTES);
  assert.equal(parse(`"${text}"`), text);
  assert.deepEqual([refusal(`[1,{"d":"${text}x"}]`).status, refusal(`[1,{"d":"${text}x"}]`).path], [413, '/1/d']);
  assert.deepEqual([refusal(`[1,"${text}x"]`).path, refusal(`[1,{"${text}x":1}]`).path], ['/1', '/1']);
});

test('a body has up to two million values', () => {
  const row = `[${'0,'.repeat(399_999)}0]`;
  assert.equal(refusal(`[${Array.from({ length: 5 }, () => row).join(',')}]`).status, 413);
  assert.ok(5 * 400_001 > MAX_VALUES);
});

test('a body that is nested too deep is refused where it is, however long it goes on', () => {
  const values = new JsonValues(Buffer.alloc(16 * 2 ** 20, '['));
  assert.throws(() => values.step(), /nested more than 32 levels/);
  assert.ok(parse(`${'['.repeat(MAX_DEPTH)}${']'.repeat(MAX_DEPTH)}`));
});

test('a step reads a few values, whatever they are', () => {
  for (const filling of ['0,', '{},', '[],', '{"a":0},', '"x",']) {
    const count = 100_000;
    const values = new JsonValues(Buffer.from(`[${filling.repeat(count)}0]`));
    let steps = 1;
    while (!values.step()) steps++;
    assert.ok(steps >= count / 256, `${filling} ${steps}`);
    assert.equal((values.value as unknown[]).length, count + 1);
  }
});
