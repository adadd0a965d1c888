// Sparkplug B with payloads made by the library of the Eclipse project: births, data by alias, deaths, sequence, rebirth.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MqttClient } from 'mqtt';
import { ValueType } from '../../../../../engine/index.ts';
import { finish } from '../../../../../server/doors/mqtt/mapping/steps.ts';
import { decodeSparkplug, encodeRebirth } from '../../../../../server/doors/mqtt/sparkplug/sparkplug-payload.ts';
import { Broker, skipWithoutBroker } from '../support/broker.ts';
import { connectClient, publishAll } from '../support/client.ts';
import { SourceEngine } from '../support/source-engine.ts';
import { bdSeq, encode, library, type Metric, Node, T, textsOf } from '../support/sparkplug-node.ts';

test('every type of value comes out as it was put in', () => {
  const metrics = [
    { name: 'i8', type: 'Int8', value: -5 },
    { name: 'i16', type: 'Int16', value: -300 },
    { name: 'i32', type: 'Int32', value: -70_000 },
    { name: 'i64', type: 'Int64', value: -5 },
    { name: 'u8', type: 'UInt8', value: 200 },
    { name: 'u16', type: 'UInt16', value: 60_000 },
    { name: 'u32', type: 'UInt32', value: 4_000_000_000 },
    { name: 'u64', type: 'UInt64', value: 9_007_199_254_740_991 },
    { name: 'f', type: 'Float', value: 0.5 },
    { name: 'd', type: 'Double', value: -1.25e-7 },
    { name: 'b', type: 'Boolean', value: true },
    { name: 's', type: 'String', value: 'äöü "x"' },
    { name: 't', type: 'DateTime', value: T },
    { name: 'nan', type: 'Double', value: Number.NaN },
    { name: 'null', type: 'Double', value: null },
    { name: 'zero', type: 'Double', value: -0 },
    { name: 'single zero', type: 'Float', value: -0 },
  ] as Metric[];
  const outcome = new Node().send('NBIRTH', { timestamp: T, seq: 0, metrics });
  const values = outcome.points.map(({ tag, text }) => [tag, JSON.parse(text).v, JSON.parse(text).q]);
  assert.deepEqual(values, [
    ['n/i8', -5, undefined],
    ['n/i16', -300, undefined],
    ['n/i32', -70_000, undefined],
    ['n/i64', -5, undefined],
    ['n/u8', 200, undefined],
    ['n/u16', 60_000, undefined],
    ['n/u32', 4_000_000_000, undefined],
    ['n/u64', 9_007_199_254_740_991, undefined],
    ['n/f', 0.5, undefined],
    ['n/d', -1.25e-7, undefined],
    ['n/b', true, undefined],
    ['n/s', 'äöü "x"', undefined],
    ['n/t', '2026-06-01T00:00:00.000Z', undefined],
    ['n/nan', null, 0],
    ['n/null', null, undefined],
    ['n/zero', -0, undefined],
    ['n/single zero', -0, undefined],
  ]);
  assert.deepEqual(outcome.definitions.map(({ change }) => change.type).slice(0, 5), [
    ValueType.SByte,
    ValueType.Int16,
    ValueType.Int32,
    ValueType.Int64,
    ValueType.Byte,
  ]);
});

test('a birth defines tags with unit and description; templates and data sets are left out, with the reason', () => {
  const properties = { engUnit: { type: 'String', value: '°C' }, Quality: { type: 'Int32', value: 64 } };
  const metadata = { description: 'of the water' };
  const metrics = [
    { name: 'temp', type: 'Double', value: 1, properties, metadata },
    { name: 'table', type: 'DataSet', value: { numOfColumns: 1, columns: ['a'], types: ['Int32'], rows: [[1]] } },
    { name: 'Node Control/Rebirth', type: 'Boolean', value: false },
  ] as unknown as Metric[];
  const outcome = new Node().send('NBIRTH', { timestamp: T, seq: 0, metrics });
  assert.deepEqual(outcome.definitions, [
    {
      dataset: 'g',
      change: { name: 'n/temp', type: ValueType.Double, description: 'of the water', units: new Map([[1, '°C']]) },
    },
  ]);
  assert.deepEqual(textsOf(outcome), ['n/temp {"t":"2026-06-01T00:00:00.000Z","v":1,"q":64}']);
  assert.equal(outcome.leftOut, 1);
  assert.match(outcome.leftOutReason ?? '', /table has the data type 16/);
});

test('the quality of a metric is that of the table, whatever type it has', () => {
  const of = (type: string, value: unknown): Metric => {
    const properties = { Quality: { type, value } };
    return { name: `${type} ${value}`, type: 'Double', value: 1, properties } as unknown as Metric;
  };
  const metrics = [
    of('Int32', 192),
    of('Int32', 500),
    of('Int32', -2147483136),
    of('UInt32', 2147484164),
    of('Int64', 1073742080),
    of('Int64', -2147483132),
    of('String', 'Bad_Stale'),
    of('Boolean', true),
    of('Int32', 1000),
    { ...of('Int32', 192), name: 'NaN', value: Number.NaN },
    { ...of('Int32', 500), name: 'stale NaN', value: Number.NaN },
  ] as Metric[];
  const outcome = new Node().send('NBIRTH', { timestamp: T, seq: 0, metrics });
  assert.deepEqual(
    outcome.points.map(({ text }) => JSON.parse(text).q),
    [192, 24, 0, 24, 64, 24, 24, 192, 0, 0, 24],
  );
});

test('data go to the metric of their alias; on a gap of the sequence the node is asked for its birth, once in a while', () => {
  const node = new Node();
  assert.equal(node.birth().rebirth, undefined);
  assert.deepEqual(textsOf(node.data(1, 2)), ['n/x {"t":"2026-06-01T00:00:01.001Z","v":2}']);
  assert.equal(node.data(2, 3).rebirth, undefined);
  assert.equal(node.data(2, 3, {}, true).rebirth, undefined, 'the broker has sent it again');
  const gap = node.data(4, 4);
  assert.equal(gap.points.length, 1, 'what it says is stored all the same');
  assert.equal(gap.rebirth?.topic, 'spBv1.0/g/NCMD/n');
  assert.equal(node.data(6, 5).rebirth, undefined, 'asked a moment ago');
  node.arrivalMs += 11_000;
  assert.ok(node.data(9, 5).rebirth);
  assert.equal(node.host.figures.gaps, 3);
  node.birth();
  for (let i = 1; i <= 300; i++) assert.equal(node.data(i % 256, i).rebirth, undefined);
  assert.equal(node.host.figures.gaps, 3);
});

test('data of a node or an alias that no birth has declared are told, and the node is asked for its birth', () => {
  const unknown = new Node();
  const first = unknown.data(3, 1);
  assert.deepEqual([first.points.length, first.leftOut, first.rebirth?.topic], [0, 1, 'spBv1.0/g/NCMD/n']);
  const node = new Node();
  node.birth();
  const alias = node.data(1, 1, { alias: 99 });
  assert.match(alias.leftOutReason ?? '', /alias 99/);
  assert.ok(alias.rebirth);
});

test('a death marks the tags when the host hears of it, unless it is about an earlier birth', () => {
  const node = new Node();
  node.arrivalMs = T + 60_000;
  node.birth(0, 5);
  node.data(1, 2);
  node.arrivalMs = T + 70_000;
  assert.deepEqual(node.send('NDEATH', { timestamp: T, metrics: [bdSeq(4)] }).signs, []);
  const death = node.send('NDEATH', { timestamp: T, metrics: [bdSeq(5)] });
  assert.deepEqual(textsOf(death), ['n/x {"v":null,"q":24} from 2026-06-01T00:01:10.000Z on']);
  assert.deepEqual(death.signs, [{ dataset: 'g', who: 'g/n', isAlive: false }]);
  assert.ok(node.data(2, 3).rebirth, 'it is not alive');
  assert.deepEqual(node.birth(0, 6).signs, [{ dataset: 'g', who: 'g/n', isAlive: true }]);
});

test('the death of a device marks its tags and no others', () => {
  const node = new Node();
  node.birth();
  const metric = { name: 'y', alias: 8, type: 'Int32', value: 1, timestamp: T } as Metric;
  node.send('DBIRTH', { timestamp: T, seq: 1, metrics: [metric] }, { device: 'd' });
  const data = node.send(
    'DDATA',
    { timestamp: T + 5, seq: 2, metrics: [{ ...metric, name: undefined, value: 2 } as unknown as Metric] },
    { device: 'd' },
  );
  assert.deepEqual(
    data.points.map(({ tag }) => tag),
    ['n/d/y'],
  );
  const death = node.send('DDEATH', { timestamp: T + 9, seq: 3 }, { device: 'd' });
  assert.deepEqual(
    death.points.map(({ tag }) => tag),
    ['n/d/y'],
  );
  assert.deepEqual(death.signs, [{ dataset: 'g', who: 'g/n/d', isAlive: false }]);
  assert.equal(node.data(4, 1).rebirth, undefined);
});

test('the rebirth command is one that the library reads', () => {
  const payload = library.decodePayload(encodeRebirth(T));
  assert.equal(Number(payload.timestamp), T);
  const [metric] = payload.metrics ?? [];
  assert.deepEqual([metric?.name, metric?.type, metric?.value], ['Node Control/Rebirth', 'Boolean', true]);
});

test('any bytes are either a payload or a payload fault, and take no long time', () => {
  const whole = encode({
    timestamp: T,
    seq: 1,
    metrics: [bdSeq(1), { name: 'x', type: 'String', value: 'y' } as Metric],
  });
  let faults = 0;
  for (let at = 0; at < whole.length; at++) {
    for (const value of [0, 1, 0x7f, 0x80, 0xff]) {
      const bytes = Uint8Array.from(whole);
      bytes[at] = value;
      for (const tried of [bytes, bytes.subarray(0, at)]) {
        try {
          finish(decodeSparkplug(tried));
        } catch (error) {
          assert.equal((error as Error).constructor.name, 'PayloadFault');
          faults++;
        }
      }
    }
  }
  assert.ok(faults > whole.length);
});

/** An edge node with a broker: publishes, and answers to the request for its birth. */
async function edgeNode(client: MqttClient): Promise<{ births: () => number }> {
  let births = 0;
  await client.subscribeAsync('spBv1.0/g/NCMD/n');
  client.on('message', (_topic, bytes) => {
    const [metric] = library.decodePayload(bytes).metrics ?? [];
    if (metric?.name !== 'Node Control/Rebirth') return;
    births++;
    const metrics = [bdSeq(1), { name: 'x', alias: 7, type: 'Double', value: 100, timestamp: T + 50_000 }] as Metric[];
    client.publish('spBv1.0/g/NBIRTH/n', Buffer.from(encode({ timestamp: T + 50_000, seq: 0, metrics })), { qos: 1 });
  });
  return { births: () => births };
}

test('over a broker: values and deaths without a time of their own follow the newest value, in their order', {
  skip: skipWithoutBroker,
}, async (context) => {
  const broker = await Broker.forTest(context);
  const topics = [{ topic: 'spBv1.0/+/+/+/#', dataset: '{group}', payload: { format: 'sparkplug' } }];
  const server = await SourceEngine.start(context, { url: broker.url, topics });
  const client = await connectClient(context, broker.url);
  const ahead = Date.now() + 60_000;
  const untimed = (seq: number, value: number, metrics: readonly Metric[]): Uint8Array =>
    encode({ seq, metrics: [...metrics, { name: 'x', type: 'Double', value } as Metric] });
  const timed = { name: 'x', type: 'Double', value: 7, timestamp: ahead } as Metric;
  await publishAll(client, [
    ['spBv1.0/g/NBIRTH/n', untimed(0, 1, [bdSeq(1)])],
    ...[0, 1, 0].map((value, i): [string, Uint8Array] => ['spBv1.0/g/NDATA/n', untimed(i + 1, value, [])]),
    ['spBv1.0/g/NDATA/n', encode({ seq: 4, metrics: [timed] })],
    ...[0, 1].map((value, i): [string, Uint8Array] => ['spBv1.0/g/NDATA/n', untimed(i + 5, value, [])]),
    ['spBv1.0/g/NDEATH/n', encode({ metrics: [bdSeq(1)] })],
  ]);
  await server.until('all', ({ counts }) => counts.acknowledged === 8);
  const points = await server.points('g', 'g/n/x');
  assert.deepEqual(
    points.map(({ value }) => value),
    [1, 0, 1, 0, 7, 0, 1, null],
  );
  assert.deepEqual(
    points.slice(-4).map(({ ms, quality }) => [ms, quality]),
    [192, 192, 192, 24].map((quality) => [ahead, quality]),
  );
});

test('over a broker: a gap leads to a birth, a death to the status 24, the next birth to 192', {
  skip: skipWithoutBroker,
}, async (context) => {
  const broker = await Broker.forTest(context);
  const topics = [{ topic: 'spBv1.0/+/+/+/#', dataset: '{group}', payload: { format: 'sparkplug' } }];
  const server = await SourceEngine.start(context, { url: broker.url, sparkplugReorderMs: 100, topics });
  const client = await connectClient(context, broker.url);
  const node = await edgeNode(client);
  const properties = { engUnit: { type: 'String', value: 'bar' } };
  const birth = [bdSeq(1), { name: 'x', alias: 7, type: 'Double', value: 1, timestamp: T, properties }] as Metric[];
  const data = (seq: number): [string, Uint8Array] => {
    const metrics = [{ alias: 7, type: 'Double', value: seq, timestamp: T + seq }] as Metric[];
    return ['spBv1.0/g/NDATA/n', encode({ timestamp: T + seq, seq, metrics })];
  };
  await publishAll(client, [
    ['spBv1.0/g/NBIRTH/n', encode({ timestamp: T, seq: 0, metrics: birth })],
    data(1),
    data(2),
    data(5),
  ]);
  await server.until('the second birth', ({ counts }) => counts.births === 2 && counts.acknowledged === 5);
  assert.equal(node.births(), 1);
  assert.deepEqual(
    (await server.points('g', 'g/n/x')).map(({ value }) => value),
    [1, 1, 2, 5, 100],
  );
  assert.deepEqual(server.tag('g', 'g/n/x').units, new Map([[1, 'bar']]));
  await publishAll(client, [['spBv1.0/g/NDEATH/n', encode({ metrics: [bdSeq(1)] })]]);
  await server.until('the death', ({ counts }) => counts.deaths === 1 && counts.acknowledged === 6);
  assert.equal((await server.points('g', 'g/n/x')).at(-1)?.quality, 24);
  const status = async (): Promise<number | undefined> => (await server.points('g', '$System.Status')).at(-1)?.quality;
  for (let i = 0; i < 1000 && (await status()) !== 24; i++) await new Promise((next) => setTimeout(next, 10));
  assert.equal(await status(), 24);
  await publishAll(client, [['spBv1.0/g/NBIRTH/n', encode({ timestamp: T + 90_000, seq: 0, metrics: [bdSeq(2)] })]]);
  for (let i = 0; i < 1000 && (await status()) !== 192; i++) await new Promise((next) => setTimeout(next, 10));
  assert.equal(await status(), 192);
});
