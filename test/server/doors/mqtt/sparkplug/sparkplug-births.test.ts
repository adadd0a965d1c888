// What births declare, and of whom: aliases of devices, devices that have died or were never born, and how often a node is
// asked for its birth.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SparkplugOutcome } from '../../../../../server/doors/mqtt/sparkplug/sparkplug-host.ts';
import { bdSeq, type Metric, Node, T, textsOf } from '../support/sparkplug-node.ts';

const metric = (alias: number, value: number, name?: string): Metric =>
  ({ ...(name === undefined ? {} : { name }), alias, type: 'Double', value, timestamp: T }) as Metric;

/** A node with devices whose metrics have the aliases 0, 1, 2… each. */
function nodeWithDevices(devices: Readonly<Record<string, readonly string[]>>): Node {
  const node = new Node();
  node.birth();
  for (const [i, [device, names]] of Object.entries(devices).entries()) {
    const metrics = names.map((name, alias) => metric(alias, 0, name));
    node.send('DBIRTH', { timestamp: T, seq: i + 1, metrics }, { device });
  }
  return node;
}

function data(node: Node, device: string, seq: number, values: readonly Metric[]): SparkplugOutcome {
  return node.send('DDATA', { timestamp: T, seq, metrics: [...values] }, { device });
}

const at = (tag: string, value: number): string => `n/${tag} {"t":"2026-06-01T00:00:00.000Z","v":${value}}`;

test('an alias means the metric of the device that the topic names', () => {
  const node = nodeWithDevices({ a: ['T', 'U'], b: ['U', 'T'] });
  assert.deepEqual(textsOf(data(node, 'a', 3, [metric(0, 1), metric(1, 2)])), [at('a/T', 1), at('a/U', 2)]);
  assert.deepEqual(textsOf(data(node, 'b', 4, [metric(0, 3), metric(1, 4)])), [at('b/U', 3), at('b/T', 4)]);
  const own = node.send('NDATA', { timestamp: T, seq: 5, metrics: [metric(7, 5)] });
  assert.deepEqual(textsOf(own), [at('x', 5)]);
});

test('an alias that only another device or the node has is none: nothing is stored, and the birth is asked for', () => {
  const node = nodeWithDevices({ a: ['T'] });
  const unborn = data(node, 'b', 2, [metric(0, 1), metric(7, 1)]);
  assert.deepEqual([unborn.points.length, unborn.leftOut], [0, 2]);
  assert.ok(unborn.rebirth);
  const ofNode = nodeWithDevices({ a: ['T'] }).send('NDATA', { timestamp: T, seq: 2, metrics: [metric(0, 1)] });
  assert.deepEqual([ofNode.points.length, ofNode.rebirth?.topic], [0, 'spBv1.0/g/NCMD/n']);
});

test('a new birth of a device replaces what its last one has declared, and that of no other', () => {
  const node = nodeWithDevices({ a: ['T', 'U'], b: ['T', 'U'] });
  node.send('DBIRTH', { timestamp: T, seq: 3, metrics: [metric(0, 0, 'V')] }, { device: 'a' });
  assert.deepEqual(textsOf(data(node, 'a', 4, [metric(0, 1)])), [at('a/V', 1)]);
  assert.match(data(node, 'a', 5, [metric(1, 1)]).leftOutReason ?? '', /alias 1/);
  assert.deepEqual(textsOf(data(node, 'b', 6, [metric(1, 2)])), [at('b/U', 2)]);
});

test('after a birth of the node its devices are unknown until theirs', () => {
  const node = nodeWithDevices({ a: ['T'] });
  node.birth();
  const early = data(node, 'a', 1, [metric(0, 1)]);
  assert.deepEqual([early.points.length, early.rebirth?.topic], [0, 'spBv1.0/g/NCMD/n']);
});

test('a metric of a birth that has no name is told', () => {
  const node = new Node();
  node.birth();
  const metrics = [{ alias: 3, type: 'Double', value: 1, timestamp: T } as Metric];
  const birth = node.send('DBIRTH', { timestamp: T, seq: 1, metrics }, { device: 'd' });
  assert.deepEqual([birth.leftOut, birth.leftOutReason], [1, 'a metric of the birth has no name']);
});

test('data of a device that has died are stored, and the birth is asked for', () => {
  const node = nodeWithDevices({ a: ['T'], b: ['T'] });
  node.send('DDEATH', { timestamp: T, seq: 3 }, { device: 'a' });
  assert.equal(data(node, 'b', 4, [metric(0, 1)]).rebirth, undefined);
  const late = data(node, 'a', 5, [metric(0, 9)]);
  assert.deepEqual(textsOf(late), [at('a/T', 9)]);
  assert.equal(late.rebirth?.topic, 'spBv1.0/g/NCMD/n');
});

test('a device of which nothing is declared dies without harm, and one with a wrong clock at the time of the host', () => {
  const node = nodeWithDevices({ a: ['T'] });
  node.arrivalMs = T + 1000;
  assert.deepEqual(node.send('DDEATH', { timestamp: T, seq: 2 }, { device: 'unborn' }).points, []);
  const death = node.send('DDEATH', { timestamp: 9e15, seq: 3 }, { device: 'a' });
  assert.deepEqual(textsOf(death), ['n/a/T {"v":null,"q":24} from 2026-06-01T00:00:01.000Z on']);
});

/** Times at which a node is asked for its birth, from the first on, seconds; it answers at once, with a wrong number. */
function storm(seconds: number): number[] {
  const node = new Node();
  const asked: number[] = [];
  for (let second = 0; second <= seconds; second++) {
    node.arrivalMs = T + second * 1000;
    if (second > 0 && asked.at(-1) !== second - 1) {
      const told = data(node, 'd', 9, [metric(1, 2)]);
      if (told.rebirth !== undefined) asked.push(second);
      continue;
    }
    node.birth();
    const wrong = node.send('DBIRTH', { timestamp: T, seq: 5, metrics: [metric(1, 1, 'T')] }, { device: 'd' });
    if (wrong.rebirth !== undefined) asked.push(second);
  }
  return asked;
}

test('a node whose births are wrong is asked for them at waits that grow, whatever it answers', () => {
  assert.deepEqual(storm(2000), [0, 10, 30, 70, 150, 310, 630, 950, 1270, 1590, 1910]);
});

test('after a calm time the waits begin anew, and what was missing is asked for when the wait is over', () => {
  const node = nodeWithDevices({ a: ['T'] });
  const ask = (seq: number): boolean => data(node, 'a', seq, [metric(0, 1)]).rebirth !== undefined;
  assert.equal(ask(9), true);
  node.birth();
  node.send('DBIRTH', { timestamp: T, seq: 1, metrics: [metric(0, 0, 'T')] }, { device: 'a' });
  node.arrivalMs += 5_000;
  assert.equal(ask(4), false, 'asked a moment ago');
  node.arrivalMs += 16_000;
  assert.equal(ask(5), true, 'in order, but what the gap took is still missing');
  node.arrivalMs += 100_000;
  assert.equal(ask(9), true);
  node.arrivalMs += 21_000;
  assert.equal(ask(20), true, 'the first wait again');
});

test('metrics are counted by birth, so that births of one device over and over do not reach the limit', () => {
  const node = new Node();
  node.birth();
  const metrics = Array.from({ length: 5_000 }, (_, i) => metric(i, i, `m${i}`));
  for (let i = 0; i < 110; i++)
    assert.equal(node.send('DBIRTH', { timestamp: T, seq: i % 256, metrics }, { device: 'd' }).points.length, 5_000);
  for (let i = 0; i < 3; i++) node.send('NBIRTH', { timestamp: T, seq: 0, metrics: [bdSeq(1), ...metrics] });
});
