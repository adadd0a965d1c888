import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValueType } from '../../../../engine/index.ts';
import { datasetBodySchema, toDatasetDefinition } from '../../../../server/api/schemas/dataset.ts';
import { readBodySchema } from '../../../../server/api/schemas/read.ts';
import { tagBodySchema, toTagChange } from '../../../../server/api/schemas/tag.ts';
import { MAX_TAG_CHARS } from '../../../../server/api/validation/body-limits.ts';
import { parseJsonBody } from '../../../../server/api/validation/json-body.ts';
import type { JsonSchema } from '../../../../server/api/validation/json-schema.ts';
import {
  requireObject,
  requireObjects,
  requireSameName,
  requireTexts,
} from '../../../../server/api/validation/validate.ts';
import { ProblemError } from '../../../../server/problem.ts';

function parse(text: string): unknown {
  return parseJsonBody(new TextEncoder().encode(text));
}

function faultsOf(run: () => unknown): readonly { path: string; message: string }[] {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ProblemError, String(error));
    assert.equal(error.status, 400);
    return error.errors;
  }
  assert.fail('no fault was found');
}

function assertFault(schema: JsonSchema, text: string, path: string, message: RegExp): void {
  const faults = faultsOf(() => requireObject(schema, parse(text)));
  const found = faults.find((fault) => fault.path === path && message.test(fault.message));
  assert.ok(found, `${text}: ${JSON.stringify(faults)}`);
}

test('a dataset body gives a definition; s, c and a are ignored', () => {
  const body = requireObject(datasetBodySchema, parse('{"n":"P","pa":1,"ps":2,"s":"x","c":null,"a":[1]}'));
  assert.deepEqual(toDatasetDefinition(body), { name: 'P', purgeAgeDays: 1, purgeSizeGb: 2 });
});

test('ldt and lda are whole numbers from 0; null and absent say nothing', () => {
  const rules = { name: 'P', purgeAgeDays: 1, purgeSizeGb: 2 };
  const read = (late: string) =>
    toDatasetDefinition(requireObject(datasetBodySchema, parse(`{"n":"P","pa":1,"ps":2${late}}`)));
  assert.deepEqual(read(',"ldt":0,"lda":365'), { ...rules, lateToleranceMs: 0, lateAgeDays: 365 });
  assert.deepEqual(read(',"ldt":null'), rules);
  assert.equal(read(',"ldt":9007199254740991').lateToleranceMs, Number.MAX_SAFE_INTEGER);
  for (const [value, message] of [
    ['-1', /^Got -1; want 0 to 9007199254740991\.$/],
    ['1.5', /^Got 1.5; want integer\.$/],
    ['"5"', /^Got text '5'; want integer\.$/],
    ['true', /want integer/],
  ] as const) {
    assertFault(datasetBodySchema, `{"n":"P","pa":1,"ps":2,"ldt":${value}}`, '/ldt', message);
    assertFault(datasetBodySchema, `{"n":"P","pa":1,"ps":2,"lda":${value}}`, '/lda', message);
  }
});

test('late is ignore or accept; null and absent say nothing', () => {
  const rules = { name: 'P', purgeAgeDays: 1, purgeSizeGb: 2 };
  const read = (late: string) =>
    toDatasetDefinition(requireObject(datasetBodySchema, parse(`{"n":"P","pa":1,"ps":2${late}}`)));
  for (const late of ['ignore', 'accept']) assert.deepEqual(read(`,"late":"${late}"`), { ...rules, late });
  assert.deepEqual(read(',"late":null'), rules);
  for (const value of ['"Accept"', '""', 'true', '1', '[]'])
    assertFault(datasetBodySchema, `{"n":"P","pa":1,"ps":2,"late":${value}}`, '/late', /want .*ignore.*accept/);
});

test('every fault of a dataset body has its pointer, what was found and what is allowed', () => {
  assertFault(datasetBodySchema, '{"n":"P","pa":-1,"ps":2}', '/pa', /^Got -1; want 0 to 2147483647\.$/);
  assertFault(datasetBodySchema, '{"n":"P","pa":2147483648,"ps":2}', '/pa', /want 0 to 2147483647/);
  assertFault(datasetBodySchema, '{"n":"P","pa":1.5,"ps":2}', '/pa', /^Got 1.5; want integer\.$/);
  assertFault(datasetBodySchema, '{"n":"P","pa":"1","ps":2}', '/pa', /^Got text '1'; want integer\.$/);
  assertFault(datasetBodySchema, '{"n":"P","pa":1}', '', /^'ps' is missing\.$/);
  assertFault(datasetBodySchema, '{"n":"P","pa":null,"ps":1}', '', /^'pa' is missing\.$/);
  assertFault(datasetBodySchema, '{"n":5,"pa":1,"ps":1}', '/n', /^Got 5; want string\.$/);
  assertFault(datasetBodySchema, '[]', '', /^Got an array; want object\.$/);
  assertFault(
    datasetBodySchema,
    '{"n":"P","pa":1,"ps":1,"pA":1}',
    '/pA',
    /Unknown key; allowed are n, pa, ps, late, ldt, lda, s, c, a, state, reason\. Did you mean 'pa'\?/,
  );
  assertFault(datasetBodySchema, '{"n":"P","pa":1,"ps":1,"x/~y":1}', '/x~1~0y', /Unknown key/);
  assert.equal(faultsOf(() => requireObject(datasetBodySchema, parse('{"pa":"x","q":1}'))).length, 4);
});

test('a tag body gives a change with the fields that are present', () => {
  const body = '{"n":"T","d":"","f":null,"u":{"-1":"°C","0":"x"},"fl":{"__proto__":"p"},"t":"System.Integer"}';
  const change = toTagChange(requireObject(tagBodySchema, parse(body)));
  assert.equal(change.name, 'T');
  assert.equal(change.description, '');
  assert.equal('format' in change, false);
  assert.deepEqual(
    change.units,
    new Map([
      [0, 'x'],
      [-1, '°C'],
    ]),
  );
  assert.deepEqual([...(change.fields ?? [])], [['__proto__', 'p']]);
  assert.equal(change.type, ValueType.Int32);
  assert.equal(({} as Record<string, unknown>).p, undefined);
});

test('empty u and fl are present, to clear', () => {
  const change = toTagChange(requireObject(tagBodySchema, parse('{"n":"T","u":{},"fl":{}}')));
  assert.equal(change.units?.size, 0);
  assert.equal(change.fields?.size, 0);
});

test('the faults of a tag body', () => {
  assertFault(tagBodySchema, '{"n":"T","u":"°C"}', '/u', /^Got text '°C'; want object\.$/);
  assertFault(tagBodySchema, '{"n":"T","u":{"x":"a"}}', '/u/x', /^Got the key 'x'; want a whole number of int32\.$/);
  for (const key of ['01', '+1', '1.0', '2147483648', '-2147483649', '-0', '', ' 1']) {
    assertFault(tagBodySchema, JSON.stringify({ n: 'T', u: { [key]: 'a' } }), `/u/${key}`, /int32/);
  }
  assertFault(tagBodySchema, '{"n":"T","u":{"1":2}}', '/u/1', /^Got 2; want string\.$/);
  assertFault(tagBodySchema, '{"n":"T","fl":{"a/b":null}}', '/fl/a~1b', /^Got null; want string\.$/);
  assertFault(
    tagBodySchema,
    '{"n":"T","t":"System.Foo"}',
    '/t',
    /^Got text 'System.Foo'; want one of System.Boolean, .*System.Integer\.$/,
  );
  assertFault(tagBodySchema, '{"n":"T","t":""}', '/t', /want one of/);
  assertFault(tagBodySchema, '{"n":"T","q":null}', '/q', /Unknown key/);
  assertFault(tagBodySchema, '{"d":"x"}', '', /^'n' is missing\.$/);
});

test('the names of tags are checked', () => {
  assertFault(tagBodySchema, '{"n":""}', '/n', /must not be empty/);
  assertFault(tagBodySchema, '{"n":".."}', '/n', /cannot be called/);
  assertFault(tagBodySchema, '{"n":"a\\u0007"}', '/n', /control characters/);
  assertFault(tagBodySchema, '{"n":"\\ud800"}', '/n', /surrogates/);
  assertFault(tagBodySchema, '{"n":"$System.State"}', '/n', /system tags/);
  assertFault(tagBodySchema, JSON.stringify({ n: 'é'.repeat(513) }), '/n', /1026 bytes/);
});

test('int32 keys reach their ends', () => {
  const change = toTagChange(requireObject(tagBodySchema, parse('{"n":"T","u":{"2147483647":"a","-2147483648":"b"}}')));
  assert.equal(change.units?.get(2_147_483_647), 'a');
  assert.equal(change.units?.get(-2_147_483_648), 'b');
});

test('a list is checked item by item, up to 100 faults', async () => {
  const items = Array.from({ length: 500 }, (_, i) => ({ n: 'T', bad: i }));
  await assert.rejects(requireObjects(tagBodySchema, items), (error) => {
    assert.ok(error instanceof ProblemError);
    assert.equal(error.errors.length, 100);
    assert.equal(error.errors[99]?.path, '/99/bad');
    return true;
  });
  await assert.rejects(requireObjects(tagBodySchema, [{ n: 'T' }, 5]), /The body at \/1: Got 5; want object/);
});

test('a list of names holds texts only', () => {
  assert.deepEqual(requireTexts(['a', 'b']), ['a', 'b']);
  assert.deepEqual(
    faultsOf(() => requireTexts(['a', 1])),
    [{ path: '/1', message: 'Got 1; want a name as text.' }],
  );
  assert.deepEqual(
    faultsOf(() => requireTexts({})),
    [{ path: '', message: 'Got an object; want an array.' }],
  );
});

test('the name in a body must be the one in the path', () => {
  requireSameName('a', 'a');
  assert.equal(faultsOf(() => requireSameName('a', 'b'))[0]?.path, '/n');
});

test('a read body is checked, with null as absent', () => {
  requireObject(readBodySchema, parse('{"tagname":["a"],"start":null,"unixEnd":1.5,"limit":1,"after":[]}'));
  assertFault(readBodySchema, '{"tagname":"a"}', '/tagname', /want array/);
  assertFault(readBodySchema, '{"tagname":["a"],"limit":0}', '/limit', /Got 0; want 1 to 1000000000/);
  assertFault(readBodySchema, '{"tagname":["a"],"strat":"x"}', '/strat', /Did you mean 'start'\?/);
  assertFault(readBodySchema, '{"tagname":["a"],"boundary":"out"}', '/boundary', /want one of inside, carry/);
});

test('a repeated key: the last one wins', () => {
  assert.equal(
    toDatasetDefinition(requireObject(datasetBodySchema, parse('{"n":"a","pa":1,"ps":1,"n":"b"}'))).name,
    'b',
  );
});

test('what is no JSON is refused with the reason', () => {
  assert.match(faultsOf(() => parse('{"a":'))[0]?.message ?? '', /The body is not JSON/);
  assert.match(faultsOf(() => parse('  '))[0]?.message ?? '', /The body is empty/);
  assert.match(faultsOf(() => parseJsonBody(new Uint8Array([0x22, 0xff, 0x22])))[0]?.message ?? '', /not UTF-8/);
});

test('nesting is bounded before it is parsed, and brackets in texts do not count', () => {
  assert.match(faultsOf(() => parse('['.repeat(1_000_000)))[0]?.message ?? '', /more than 32 levels/);
  const text = `\\"${'['.repeat(100)}`;
  assert.deepEqual(parse(`["${text}"]`), [`"${'['.repeat(100)}`]);
  assert.ok(parse(`${'['.repeat(32)}${']'.repeat(32)}`));
});

test('of a body with very many faults the first is told, for less than a second of processor time', () => {
  const keys = Array.from({ length: 1000 }, (_, i) => `"E${i}":[]`).join(',');
  const manyKeys = Array.from({ length: 400 }, (_, i) => `"k${i}":{${keys}}`).join(',');
  const numbers = Array.from({ length: 200_000 }, () => '5').join(',');
  const bodies: readonly (readonly [JsonSchema, string])[] = [
    [tagBodySchema, `{"n":"T",${manyKeys}}`],
    [tagBodySchema, `{"n":"T","u":{${keys}},"fl":{${keys}},"x":{}}`],
    [readBodySchema, `{"tagname":[${numbers}]}`],
  ];
  for (const [schema, text] of bodies) {
    const value = parse(text);
    const before = process.cpuUsage();
    assert.equal(faultsOf(() => requireObject(schema, value)).length, 1);
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 1_000_000, `${user + system} us`);
  }
});

test('of a value with many faults a hundred are told', () => {
  const keys = Array.from({ length: 900 }, (_, i) => `"E${i}":1`).join(',');
  assert.equal(faultsOf(() => requireObject(tagBodySchema, parse(`{"n":"T",${keys}}`))).length, 100);
});

test('a key of any length has a short pointer', () => {
  const [fault] = faultsOf(() => requireObject(tagBodySchema, parse(`{"n":"T","${'k'.repeat(60_000)}":1}`)));
  assert.equal(fault?.path.length, 1026);
});

test('a tag has a mebi of characters of texts at most, whatever they are; more is told with its place', () => {
  const half = 'x'.repeat(MAX_TAG_CHARS / 2);
  const change = toTagChange({ n: 'T', d: half, fl: { '': half } });
  assert.equal(change.description, half);
  for (const more of [{ f: 'x' }, { u: { 1: 'x' } }, { fl: { x: half } }]) {
    assert.throws(
      () => toTagChange({ n: 'T', d: half, fl: { '': half }, ...more }, '/3'),
      (error) => error instanceof ProblemError && error.status === 413 && error.errors[0]?.path === '/3',
    );
  }
});
