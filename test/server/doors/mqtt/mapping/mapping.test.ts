// From payloads to values: times in every unit, exact numbers, paths, and what is refused.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readTopic } from '../../../../../server/doors/mqtt/config/topic-entries.ts';
import { jsonValue, valueText } from '../../../../../server/doors/mqtt/mapping/exact-json.ts';
import { PayloadFault } from '../../../../../server/doors/mqtt/mapping/faults.ts';
import { noValueWords } from '../../../../../server/doors/mqtt/mapping/no-value.ts';
import { parsePath, valueAt } from '../../../../../server/doors/mqtt/mapping/payload-path.ts';
import { timeText } from '../../../../../server/doors/mqtt/mapping/payload-time.ts';
import { type PlainType, plainValue } from '../../../../../server/doors/mqtt/mapping/plain-values.ts';
import { finish } from '../../../../../server/doors/mqtt/mapping/steps.ts';
import { mapMessage } from '../../../../../server/doors/mqtt/mapping/topic-mapping.ts';
import { TopicPattern } from '../../../../../server/doors/mqtt/mapping/topic-pattern.ts';

function exact(text: string): unknown {
  return finish(jsonValue(Buffer.from(text)));
}

test('times are read in every unit, exact to 100 ns', () => {
  assert.equal(timeText(1_760_000_000, undefined), '2025-10-09T08:53:20.000Z');
  assert.equal(timeText(1_760_000_000_123, undefined), '2025-10-09T08:53:20.123Z');
  assert.equal(timeText(exact('1760000000.1234567'), 's'), '2025-10-09T08:53:20.1234567Z');
  assert.equal(timeText(exact('1760000000123456789'), 'ns'), '2025-10-09T08:53:20.1234567Z');
  assert.equal(timeText(exact('1760000000123456'), 'us'), '2025-10-09T08:53:20.1234560Z');
  assert.equal(timeText('1760000000', 's'), '2025-10-09T08:53:20.000Z');
  assert.equal(timeText(1.76e9, 's'), '2025-10-09T08:53:20.000Z');
  assert.equal(timeText(-1, 'ms'), '1969-12-31T23:59:59.999Z');
  assert.equal(timeText('2026-01-01T10:00:00+02:00', undefined), '2026-01-01T08:00:00.000Z');
  for (const wrong of ['soon', {}, true, null, 1e30, -1e15, '99999999999999999999'])
    assert.throws(() => timeText(wrong, 's'), PayloadFault, String(wrong));
});

test('numbers keep their digits', () => {
  const texts = ['9007199254740993', '0.1234567890123456789', '-12345678901234567890', '1.50', '1e3', '12'];
  const values = exact(`{"a":[${texts}],"b":"9007199254740993","c":"x\\"12345678901234567890"}`) as {
    a: unknown[];
    b: unknown;
    c: unknown;
  };
  assert.deepEqual(values.a.map(valueText), [
    '9007199254740993',
    '0.1234567890123456789',
    '-12345678901234567890',
    '1.5',
    '1000',
    '12',
  ]);
  assert.equal(valueText(values.b), '"9007199254740993"');
  assert.equal(valueText(values.c), '"x\\"12345678901234567890"');
  for (const wrong of ['[12345678901234567890.]', '[00000000000000000001]', '{"a":1234567890123456', '']) {
    assert.throws(() => exact(wrong), PayloadFault, wrong);
  }
});

test('a number of few digits in front of the point keeps those behind it, and a time its ticks', () => {
  const texts = [
    '999.99999999999999',
    '1234.1234567890123',
    '9007199254740.993',
    '-1.234567890123456e5',
    '123456789012.5000',
  ];
  assert.deepEqual((exact(`[${texts}]`) as unknown[]).map(valueText), texts);
  const timeOf = (text: string): string => timeText(exact(text), undefined);
  assert.equal(timeOf('1764216000000.1234'), '2025-11-27T04:00:00.0001234Z');
  assert.equal(timeOf('1764216000000.123400000000000000000000'), '2025-11-27T04:00:00.0001234Z');
  assert.equal(timeOf('1.7642160001234567E9'), '2025-11-27T04:00:00.1234567Z');
  assert.equal(timeOf('17642160001234567e-7'), '2025-11-27T04:00:00.1234567Z');
  assert.equal(timeOf('1000000000000000e-30'), '1970-01-01T00:00:00.000Z');
  assert.throws(() => timeOf('1.000000000000000e300'), PayloadFault);
});

/** The points of a JSON payload; of a fault its text. */
function mapped(payload: object, text: string): [tag: string, text: string][] | string {
  const entry = { topic: 't', dataset: 'd', tag: '{field}', payload: { format: 'json', ...payload } };
  const mapping = readTopic(entry as Parameters<typeof readTopic>[0], '', (path, fault) => assert.fail(path + fault));
  assert.ok(mapping);
  try {
    const message = { topic: 't', payload: Buffer.from(text), arrivalMs: 0 };
    return finish(mapMessage(mapping, message, ['t'])).map((point) => [point.tag, point.text]);
  } catch (error) {
    assert.ok(error instanceof PayloadFault, String(error));
    return error.message;
  }
}

test('a long number is a name, and a quality or what is said of it, by its digits alone', () => {
  const named = { items: '', value: 'v', name: 'id' };
  assert.deepEqual(mapped(named, '[{"id":1234567890123456,"v":1.5},{"id":7,"v":2}]'), [
    ['1234567890123456', `{"v":1.5}`],
    ['7', `{"v":2}`],
  ]);
  assert.match(String(mapped(named, '[{"id":1e999,"v":1.5}]')), /there is no name/);
  const judged = { value: 'v', quality: 'q', name: 'n', qualities: { '1234567890123456': 0 } };
  assert.deepEqual(mapped(judged, '{"n":"a","v":1,"q":1234567890123456}'), [['a', `{"v":1,"q":0}`]]);
  assert.deepEqual(mapped(judged, '{"n":"a","v":1,"q":192.000000000000000}'), [['a', `{"v":1,"q":192}`]]);
  for (const quality of ['1234567890123457', '[1234567890123457]', '{"toString":1}'])
    assert.deepEqual(mapped(judged, `{"n":"a","v":1,"q":${quality}}`), [['a', `{"v":1,"q":0}`]], quality);
  assert.match(String(mapped({ each: '' }, '{1234567890123456:1}')), /^the payload is not JSON/);
});

test('a megabyte is read in short steps, whatever is in it', async () => {
  const program = fileURLToPath(new URL('../support/longest-steps.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program], { timeout: 300_000 });
  const longest = JSON.parse(stdout) as [string, number][];
  assert.equal(longest.length, 10);
  for (const [start, ms] of longest) assert.ok(ms < 50, `${ms} ms for ${start}`);
});

test('items and members are mapped in steps, and digits of numbers are no member of anything', () => {
  const entry = { topic: 't', dataset: 'd', tag: '{field}', payload: { format: 'json', each: '' } } as const;
  const mapping = readTopic(entry, '', (path, fault) => assert.fail(path + fault));
  assert.ok(mapping);
  const members = Array.from({ length: 9000 }, (_, i) => `"${i}":${i}`);
  const steps = mapMessage(mapping, { topic: 't', payload: Buffer.from(`{${members}}`), arrivalMs: 0 }, ['t']);
  let stepCount = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) stepCount++;
  assert.equal(step.value.length, 9000);
  assert.ok(stepCount > 9000, `${stepCount} steps`);
  assert.match(String(mapped({ value: 'a.literal' }, '{"a":1234567890123456789}')), /none of the values/);
});

test('a number that no double holds is one wrong value, whatever its other digits, and one of the others is stored', () => {
  const huge = `1${'0'.repeat(400)}`;
  assert.deepEqual(mapped({ values: { a: 'a', b: 'b' } }, `{"a":${huge},"b":2}`), [
    ['a', `{"v":${huge}}`],
    ['b', `{"v":2}`],
  ]);
  const named = { items: '', value: 'v', name: 'id' };
  assert.deepEqual(mapped(named, '[{"id":0.00000000000000000,"v":1}]'), [['0.00000000000000000', `{"v":1}`]]);
});

test('what is too much for a payload is said in its terms', () => {
  const many = Array.from({ length: 20_001 }, (_, i) => `"${i}":1`);
  const each = { each: '' };
  assert.match(
    String(mapped(each, `{${many}}`)),
    /^the payload: Got an object of more than 20000 members, more than is taken in one message/,
  );
  assert.match(String(mapped(each, `{"a":${'['.repeat(70)}`)), /^the payload is nested more than 64 levels deep/);
  assert.match(String(mapped(each, '')), /^the payload is empty; want JSON/);
  const image = `"image":"${'x'.repeat(200_000)}"`;
  assert.equal(mapped({ value: 'v' }, `{${image},"v":1}`).length, 1);
});

test('plain payloads are numbers, truths, null or text, as their type says', () => {
  const plain = (text: string, type: PlainType): string | undefined =>
    plainValue(Buffer.from(text), type, noValueWords());
  assert.deepEqual(
    ['1.5', ' 7\n', 'true', 'null', 'a "b"', '-1e-3', '01'].map((text) => plain(text, 'auto')),
    ['1.5', '7', 'true', 'null', '"a \\"b\\""', '-1e-3', '"01"'],
  );
  assert.equal(plain('12', 'text'), '"12"');
  assert.deepEqual(
    ['1', 'ON', 'False'].map((text) => plain(text, 'boolean')),
    ['true', 'true', 'false'],
  );
  for (const [text, type] of [
    ['', 'auto'],
    ['one', 'number'],
    ['2', 'boolean'],
  ] as const)
    assert.throws(() => plain(text, type), PayloadFault);
  assert.throws(() => plainValue(Uint8Array.of(0xc3), 'text', noValueWords()), PayloadFault);
});

test('a path finds own members and elements, and nothing else', () => {
  const payload = JSON.parse('{"a":{"b.c":[1,{"d":2}]},"__proto__":3}');
  assert.equal(valueAt(payload, parsePath('/a/b.c/1/d')), 2);
  assert.equal(valueAt(payload, parsePath('__proto__')), 3);
  for (const text of ['a.b', 'toString', 'a.constructor.name', '/a/b.c/length', '/a/b.c/2'])
    assert.equal(valueAt(payload, parsePath(text)), undefined, text);
});

test('patterns match as filters of MQTT do', () => {
  const cases: readonly (readonly [filter: string, matching: readonly string[], others: readonly string[]])[] = [
    ['a/+/c', ['a/b/c', 'a//c'], ['a/c', 'a/b/c/d', '/a/b/c']],
    ['a/#', ['a', 'a/b', 'a/b/c', 'a/'], ['b', '/a']],
    ['#', ['a', 'a/b', '/'], ['$SYS/x']],
    ['+/x', ['a/x', '/x'], ['$SYS/x', 'x']],
    ['$SYS/#', ['$SYS/x'], ['a']],
    ['{line}/{cell}', ['1/2'], ['1', '1/2/3']],
  ];
  for (const [filter, matching, others] of cases) {
    const pattern = new TopicPattern(filter);
    for (const topic of matching) assert.ok(pattern.matches(topic.split('/')), `${filter} ${topic}`);
    for (const topic of others) assert.ok(!pattern.matches(topic.split('/')), `${filter} ${topic}`);
  }
  assert.equal(new TopicPattern('{line}/{cell}/#').filter, '+/+/#');
});
