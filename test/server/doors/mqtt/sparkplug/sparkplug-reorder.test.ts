// Messages of Sparkplug that overtake each other: they are taken in the order of their numbers, or given up waiting for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Acknowledgements } from '../../../../../server/doors/mqtt/acknowledgements.ts';
import type { BrokerLink, IncomingMessage } from '../../../../../server/doors/mqtt/broker-link.ts';
import { MOST_HELD } from '../../../../../server/doors/mqtt/sparkplug/held-messages.ts';
import type { SparkplugOutcome } from '../../../../../server/doors/mqtt/sparkplug/sparkplug-host.ts';
import { Broker, skipWithoutBroker } from '../support/broker.ts';
import { connectClient, publishAll } from '../support/client.ts';
import { SourceEngine } from '../support/source-engine.ts';
import { bdSeq, encode, type Metric, Node, type Payload, T, textsOf } from '../support/sparkplug-node.ts';

const LIMIT_MS = 5000;

/** Values of the points, and `rebirth` where the node is asked for its birth. */
function valuesOf(outcomes: Iterable<SparkplugOutcome>): unknown[] {
  return [...outcomes].flatMap(({ points, rebirth }) => [
    ...points.map(({ text }) => JSON.parse(text).v),
    ...(rebirth === undefined ? [] : ['rebirth']),
  ]);
}

test('a message that has overtaken others waits for them, and nobody is asked for a birth', () => {
  const node = new Node(LIMIT_MS);
  node.birth();
  for (const seq of [3, 2]) assert.deepEqual([node.data(seq, seq).isHeld, valuesOf(node.held())], [true, []]);
  assert.deepEqual(valuesOf([node.data(1, 1), ...node.held(), node.data(4, 4), ...node.held()]), [1, 2, 3, 4]);
  assert.equal(node.host.figures.gaps, 0);
});

test('data of a device that have overtaken its birth go to its tags', () => {
  const node = new Node(LIMIT_MS);
  node.birth();
  const metric = { alias: 3, type: 'Double', value: 2, timestamp: T } as Metric;
  const data = node.send('DDATA', { timestamp: T, seq: 2, metrics: [metric] }, { device: 'd' });
  assert.deepEqual([data.isHeld, data.leftOut], [true, 0]);
  node.send('DBIRTH', { timestamp: T, seq: 1, metrics: [{ ...metric, name: 'y', value: 1 }] }, { device: 'd' });
  assert.deepEqual([...node.held()].flatMap(textsOf), ['n/d/y {"t":"2026-06-01T00:00:00.000Z","v":2}']);
});

test('what does not come in time is given up: the rest is taken, the birth asked for, and what comes then is stored', () => {
  const node = new Node(LIMIT_MS);
  node.birth();
  node.data(3, 3);
  node.arrivalMs = T + LIMIT_MS - 1;
  assert.deepEqual([valuesOf(node.held()), node.host.held.waitMs(node.arrivalMs)], [[], 1]);
  node.arrivalMs = T + LIMIT_MS;
  assert.deepEqual(valuesOf(node.held()), [3, 'rebirth']);
  assert.equal(node.host.held.waitMs(node.arrivalMs), undefined);
  assert.deepEqual(valuesOf([node.data(1, 1), node.data(4, 4), node.data(2, 2), node.data(5, 5)]), [1, 4, 2, 5]);
  assert.equal(node.host.figures.gaps, 1);
});

test('a clock that is set back makes none wait for longer, and 0 ms hold nothing', () => {
  const node = new Node(LIMIT_MS);
  node.birth();
  node.data(2, 2);
  node.arrivalMs = T - 60_000;
  assert.deepEqual(valuesOf(node.held()), [2, 'rebirth']);
  const none = new Node(0);
  none.birth();
  assert.deepEqual(valuesOf([none.data(2, 2)]), [2, 'rebirth']);
});

test('a number that has been leaves the order as it is, and what the broker sends again does not wait', () => {
  const node = new Node(LIMIT_MS);
  node.birth();
  node.data(1, 1);
  node.data(2, 2);
  node.data(1, 1);
  assert.equal(node.data(3, 3).isHeld, false);
  assert.equal(node.data(7, 7, {}, true).isHeld, false);
});

test('a birth comes behind what was held from before it, whose aliases are the old ones, and before what has overtaken it', () => {
  const node = new Node(LIMIT_MS);
  node.birth();
  node.data(2, 2);
  node.send('NDATA', { timestamp: T + 5000, seq: 1, metrics: [{ alias: 7, type: 'Double', value: 9 } as Metric] });
  const held = (): string[] => [...node.held()].flatMap(textsOf).map((text) => text.replace(/"t":"[^"]*",/, ''));
  assert.deepEqual(held(), ['n/x {"v":2}'], 'the other one was the next');
  node.data(5, 5);
  node.send('NDATA', { timestamp: T + 20_000, seq: 6, metrics: [{ alias: 7, type: 'Double', value: 6 } as Metric] });
  const metrics = [bdSeq(2), { name: 'new', alias: 7, type: 'Double', value: 0, timestamp: T }] as Metric[];
  const birth = node.send('NBIRTH', { timestamp: T + 10_000, seq: 5, metrics });
  assert.equal(birth.isHeld, true);
  assert.deepEqual(held(), ['n/x {"v":5}', 'n/new {"v":0}', 'n/new {"v":6}']);
});

test('a death comes behind what was held', () => {
  const node = new Node(LIMIT_MS);
  node.birth();
  node.data(2, 2);
  assert.equal(node.send('NDEATH', { metrics: [bdSeq(9)] }).isHeld, false, 'it is about another birth');
  assert.equal(node.send('NDEATH', { metrics: [bdSeq(1)] }).isHeld, true);
  assert.deepEqual(valuesOf(node.held()), [2, 'rebirth', null]);
});

test('data that come before the birth wait for it, of node and device, and go where it says', () => {
  const node = new Node(LIMIT_MS);
  const early = node.data(8, 8);
  assert.deepEqual([early.isHeld, early.leftOut, early.rebirth?.topic], [true, 0, 'spBv1.0/g/NCMD/n']);
  const metric = { alias: 3, type: 'Double', value: 2, timestamp: T } as Metric;
  const ofDevice = (seq: number): SparkplugOutcome =>
    node.send('DDATA', { timestamp: T, seq, metrics: [metric] }, { device: 'd' });
  assert.equal(ofDevice(9).isHeld, true);
  assert.deepEqual(valuesOf([node.data(10, 10), ...node.held()]), []);
  assert.deepEqual(valuesOf([node.birth(), ...node.held()]), [1.5, 8, 10]);
  assert.deepEqual([ofDevice(1).isHeld, ...valuesOf(node.held())], [true]);
  const birth = { timestamp: T, seq: 2, metrics: [{ ...metric, name: 'y', value: 1 }] };
  node.send('DBIRTH', birth, { device: 'd' });
  assert.deepEqual(
    [...node.held()].flatMap(({ points }) => points.map(({ tag }) => tag)),
    ['n/d/y', 'n/d/y'],
  );
  assert.deepEqual([valuesOf([node.data(3, 3)]), node.host.figures.gaps], [[3], 0]);
});

test('data whose birth does not come in time, or whose node dies before, are left out', () => {
  const node = new Node(LIMIT_MS);
  node.data(8, 8);
  node.arrivalMs = T + LIMIT_MS;
  assert.deepEqual(
    [...node.held()].map(({ leftOut }) => leftOut),
    [1],
  );
  node.data(9, 9);
  node.send('NDEATH', { metrics: [bdSeq(1)] });
  assert.deepEqual(
    [...node.held()].map(({ leftOut, signs }) => [leftOut, signs.length]),
    [
      [1, 0],
      [0, 1],
    ],
  );
});

test('no more is held than fits, in messages and in bytes: the node that waits for the longest time is given up', () => {
  const node = new Node(LIMIT_MS);
  const x = { name: 'x', type: 'Double', value: 0, timestamp: T } as Metric;
  const data = (name: string, seq: number, more: Partial<Payload> = {}): SparkplugOutcome =>
    node.send('NDATA', { timestamp: T, seq, metrics: [{ ...x, value: seq }], ...more }, { node: name });
  const each = 128;
  const names = Array.from({ length: MOST_HELD / each + 1 }, (_, i) => `n${i}`);
  for (const name of names) node.send('NBIRTH', { timestamp: T, seq: 0, metrics: [x] }, { node: name });
  const last = names.pop() ?? '';
  for (const name of names) for (let i = 0; i < each; i++) assert.ok(data(name, 2 + (i % 100)).isHeld);
  assert.deepEqual(valuesOf(node.held()), []);
  data(last, 2);
  assert.equal(valuesOf(node.held()).filter((value) => value !== 'rebirth').length, each);
  const large = { metrics: [{ name: 'x', type: 'String', value: 'x'.repeat(900_000) } as Metric] };
  for (let i = 0; i < 4; i++) data(last, 3 + i, large);
  assert.deepEqual(valuesOf(node.held()), []);
  data(last, 7, large);
  assert.ok([...node.held()].length >= each);
});

test('messages are acknowledged in the order in which they came, and not over a connection that has ended', () => {
  const acknowledged: number[] = [];
  const linkOf = (isOver: boolean): BrokerLink =>
    ({ isOver, acknowledge: (ids: readonly number[]) => void acknowledged.push(...ids) }) as unknown as BrokerLink;
  const link = linkOf(false);
  const messages = [1, undefined, 2, 3].map((packetId) => ({ link, packetId }) as IncomingMessage);
  const [first, untold, second, third] = messages as [
    IncomingMessage,
    IncomingMessage,
    IncomingMessage,
    IncomingMessage,
  ];
  const acknowledgements = new Acknowledgements();
  for (const message of messages) acknowledgements.await(message);
  assert.equal(acknowledgements.add([untold, third]), 0);
  assert.equal(acknowledgements.add([first]), 1);
  assert.equal(acknowledgements.add([second]), 2);
  assert.deepEqual(acknowledged, [1, 2, 3]);
  const over = linkOf(true);
  const lost = { link: over, packetId: 4 } as IncomingMessage;
  const next = { link, packetId: 5 } as IncomingMessage;
  acknowledgements.await(lost);
  acknowledgements.await(next);
  acknowledgements.dropOf(over);
  assert.equal(acknowledgements.add([lost, next]), 1);
  assert.deepEqual(acknowledged, [1, 2, 3, 5]);
});

test('over a broker: what has overtaken is stored in order, and what still waits at a stop is stored, too', {
  skip: skipWithoutBroker,
}, async (context) => {
  const broker = await Broker.forTest(context);
  const topics = [{ topic: 'spBv1.0/+/+/+/#', dataset: '{group}', payload: { format: 'sparkplug' } }];
  const source = { url: broker.url, sparkplugReorderMs: 60_000, topics };
  const server = await SourceEngine.start(context, source, 'reachable', 'ignore');
  const client = await connectClient(context, broker.url);
  const message = (kind: string, seq: number, metrics: readonly Metric[]): [string, Uint8Array] => [
    `spBv1.0/g/${kind}/n`,
    encode({ timestamp: T + seq, seq, metrics: [...metrics] }),
  ];
  const data = (seq: number): [string, Uint8Array] =>
    message('NDATA', seq, [{ alias: 7, type: 'Double', value: seq, timestamp: T + seq } as Metric]);
  const x = { name: 'x', alias: 7, type: 'Double', value: 0, timestamp: T } as Metric;
  await publishAll(client, [message('NBIRTH', 0, [bdSeq(1), x]), data(3), data(2), data(1), data(4), data(6)]);
  await server.until('all but the last', ({ counts }) => counts.acknowledged === 5);
  const values = async () => (await server.points('g', 'g/n/x')).map(({ value }) => value);
  assert.deepEqual(await values(), [0, 1, 2, 3, 4]);
  await server.sources.stop();
  assert.deepEqual(await values(), [0, 1, 2, 3, 4, 6]);
  assert.deepEqual([server.snapshot.counts.acknowledged, server.snapshot.counts.gaps], [6, 1]);
});
