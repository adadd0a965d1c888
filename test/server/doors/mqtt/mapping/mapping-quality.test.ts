// Qualities and values that are none, in JSON and plain payloads: by the table of all doors, and never good by mistake.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTopic } from '../../../../../server/doors/mqtt/config/topic-entries.ts';
import { finish } from '../../../../../server/doors/mqtt/mapping/steps.ts';
import { mapMessage } from '../../../../../server/doors/mqtt/mapping/topic-mapping.ts';

type Entry = Parameters<typeof readTopic>[0];

/** What a payload comes to: fields with value and quality, and the time where the payload has one. */
function mapped(payload: object, text: string): unknown[][] {
  const entry = { topic: 't', dataset: 'd', tag: '{field}', payload: { format: 'json', ...payload } } as Entry;
  const plain = { ...entry, tag: 'tag' };
  const mapping = readTopic(entry.payload?.format === 'plain' ? plain : entry, '', (path, fault) =>
    assert.fail(path + fault),
  );
  assert.ok(mapping);
  const points = finish(mapMessage(mapping, { topic: 't', payload: Buffer.from(text), arrivalMs: 0 }, ['t']));
  return points.map(({ tag, text: point }) => {
    const { t, v, q } = JSON.parse(point);
    return t === undefined ? [tag, v, q] : [tag, v, q, t];
  });
}

/** The quality that a value of the member `q` comes to. */
function quality(written: string, more: object = {}): unknown {
  return mapped({ value: 'v', quality: 'q', ...more }, `{"v":1,"q":${written}}`)[0]?.[2];
}

test('a quality goes by the mapping first, then by the table; what neither knows is bad', () => {
  const qualities = { qualities: { fine: 192, '500': 64 } };
  const told = [
    '"fine"',
    '"Fine"',
    '500',
    '"Good"',
    '"Bad_Stale"',
    '-2147483136',
    '1073742080',
    '216',
    '1000',
    'false',
  ];
  assert.deepEqual(
    told.map((written) => quality(written, qualities)),
    [192, 0, 64, 192, 24, 0, 64, 216, 0, 0],
  );
  assert.equal(quality('500'), 24);
  assert.equal(quality('null'), undefined);
  assert.equal(quality('[192]'), 0);
});

test('a status of OPC UA is a code or an object; 0 is good where it is one', () => {
  for (const [written, wanted] of [
    ['{"Code":0}', 192],
    ['{}', 192],
    ['{"Code":2150891520,"Symbol":"BadNoCommunication?"}', 0],
    ['{"Code":2150694912,"Symbol":"BadNoCommunication"}', 24],
    ['{"Symbol":"UncertainLastUsableValue"}', 68],
    ['{"Code":"x"}', 0],
    ['{"Code":{}}', 0],
    ['{"code":0}', 0],
  ] as const)
    assert.equal(quality(written), wanted, written);
  assert.equal(quality('0'), 0);
  const codes = { qualityCodes: 'opc-ua' };
  assert.deepEqual(
    ['0', '1024', '2150694912', '1083179008', '"Good"', '"?"'].map((written) => quality(written, codes)),
    [192, 192, 24, 68, 192, 0],
  );
});

const T = '2026-11-28T00:04:05.1234567Z';

test('values of OPC UA among the members have their own times and qualities, beside plain ones', () => {
  const payload = {
    Temp: { Value: 20.5, SourceTimestamp: T, StatusCode: 0 },
    Bad: { StatusCode: { Code: 2150694912, Symbol: 'BadNoCommunication' }, ServerTimestamp: T },
    Typed: { Value: { Type: 11, Body: 7 }, SourceTimestamp: T, SourcePicoseconds: 10 },
    New: { UaType: 11, Value: 8 },
    NaN: { Value: 'NaN', SourceTimestamp: T },
    Plain: 5,
    Structure: { Value: { a: 1 }, SourceTimestamp: T },
    Other: { Value: 1, Unit: 'bar' },
  };
  const found = mapped(
    { items: 'Messages', each: 'Payload', time: 'Timestamp' },
    JSON.stringify({
      MessageType: 'ua-data',
      Messages: [{ Timestamp: 1000, Payload: payload }, { Payload: { B: 1 } }],
    }),
  );
  const itemTime = '1970-01-01T00:16:40.000Z';
  assert.deepEqual(found, [
    ['Temp', 20.5, 192, T],
    ['Bad', null, 24, T],
    ['Typed', 7, undefined, T],
    ['New', 8, undefined, itemTime],
    ['NaN', null, 0, T],
    ['Plain', 5, undefined, itemTime],
    ['B', 1, undefined],
  ]);
});

test('a value of OPC UA may be at a path, and what the item says of quality holds where it says nothing', () => {
  const places = { value: 'a', quality: 'q' };
  assert.deepEqual(mapped(places, `{"q":"Bad","a":{"Value":1,"SourceTimestamp":"${T}"}}`), [['', 1, 0, T]]);
  assert.deepEqual(mapped(places, `{"q":"Bad","a":{"Value":1,"StatusCode":0}}`), [['', 1, 192]]);
});

test('words for no value are null with bad quality, in plain payloads and in JSON', () => {
  const words = ['unavailable', 'Unknown', ' nan\n', 'NaN', '-inf', 'Infinity', 'n/a', 'undefined'];
  for (const word of words)
    for (const type of ['auto', 'number', 'boolean'])
      assert.deepEqual(mapped({ format: 'plain', type }, word), [['tag', null, 0]], `${type} ${word}`);
  assert.deepEqual(mapped({ format: 'plain', type: 'text' }, 'unknown'), [['tag', 'unknown', undefined]]);
  assert.deepEqual(mapped({ format: 'plain' }, 'known'), [['tag', 'known', undefined]]);
  assert.deepEqual(mapped({ each: '', quality: 'q' }, '{"a":"NaN","b":"off","q":24}'), [
    ['a', null, 24],
    ['b', 'off', 24],
    ['q', 24, 24],
  ]);
});

test('the words for no value can be others, or none', () => {
  assert.deepEqual(mapped({ format: 'plain', noValue: [] }, 'unknown'), [['tag', 'unknown', undefined]]);
  assert.deepEqual(mapped({ format: 'plain', type: 'text', noValue: ['---'] }, '---'), [['tag', null, 0]]);
  assert.deepEqual(mapped({ value: 'v', noValue: ['lost'] }, '{"v":"LOST"}'), [['', null, 0]]);
  assert.deepEqual(mapped({ value: 'v', noValue: ['lost'] }, '{"v":"nan"}'), [['', 'nan', undefined]]);
});

test('a zero keeps its sign', () => {
  assert.ok(Object.is(mapped({ value: 'v' }, '{"v":-0}')[0]?.[1], -0));
  assert.ok(Object.is(mapped({ value: 'v' }, '{"v":-0.0}')[0]?.[1], -0));
  assert.ok(Object.is(mapped({ format: 'plain' }, '-0')[0]?.[1], -0));
});
