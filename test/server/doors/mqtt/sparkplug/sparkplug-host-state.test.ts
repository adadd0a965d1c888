// A primary host of Sparkplug says whether it is there: when it comes, when it goes, when its line is cut, and when another
// says otherwise.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Broker, skipWithoutBroker } from '../support/broker.ts';
import { connectClient } from '../support/client.ts';
import { Line } from '../support/line.ts';
import { SourceEngine } from '../support/source-engine.ts';

const TOPIC = 'spBv1.0/STATE/varve';
const topics = [{ topic: 'spBv1.0/+/+/+/#', dataset: '{group}', payload: { format: 'sparkplug' } }];

test('a primary host tells its state: online, offline by the broker when the line is cut, offline when it stops', {
  skip: skipWithoutBroker,
}, async (context) => {
  const broker = await Broker.forTest(context);
  const line = await Line.open(broker.port);
  context.after(() => line.close());
  const watcher = await connectClient(context, broker.url);
  const states: { online: boolean; timestamp: number; isRetained: boolean }[] = [];
  watcher.on('message', (_topic, payload, { retain }) =>
    states.push({ ...JSON.parse(payload.toString()), isRetained: retain }),
  );
  await watcher.subscribeAsync({ [TOPIC]: { qos: 1, rap: true } });
  const untilOnline = async (...wanted: boolean[]): Promise<void> => {
    for (let i = 0; i < 1000 && states.length < wanted.length; i++) await sleep(10);
    assert.deepEqual(
      states.map(({ online }) => online),
      wanted,
    );
  };
  const startMs = Date.now();
  const server = await SourceEngine.start(context, { url: line.url, sparkplugHost: 'varve', topics });
  await untilOnline(true);
  assert.equal(states[0]?.isRetained, true);
  assert.ok((states[0]?.timestamp ?? 0) >= startMs - 1);
  await watcher.publishAsync(TOPIC, '{"online":false,"timestamp":1}', { qos: 1, retain: true });
  await untilOnline(true, false, true);
  line.cut();
  await untilOnline(true, false, true, false);
  assert.equal(states[3]?.timestamp, states[0]?.timestamp, 'the will has the time of the birth');
  line.mend();
  await untilOnline(true, false, true, false, true);
  await server.sources.stop();
  // It has been said once for each connection: the session has kept what the broker said meanwhile, which is over.
  await untilOnline(true, false, true, false, true, false);
  assert.equal(server.snapshot.counts.bad, 0);
});

test('what an edge node has sent until it hears that the host goes is stored, also at QoS 0', {
  skip: skipWithoutBroker,
}, async (context) => {
  const broker = await Broker.forTest(context);
  const plain = {
    topic: 'p/{tag}',
    dataset: 'plant',
    tag: '{tag}',
    payload: { format: 'json', value: 'v', time: 't' },
  };
  const server = await SourceEngine.start(context, { url: broker.url, sparkplugHost: 'varve', topics: [plain] });
  const node = await connectClient(context, broker.url);
  let isOnline = true;
  node.on('message', (_topic, payload) => {
    isOnline = JSON.parse(payload.toString()).online;
  });
  await node.subscribeAsync(TOPIC, { qos: 1 });
  let sent = 0;
  let stopping: Promise<void> | undefined;
  while (isOnline && sent < 100_000) {
    await node.publishAsync('p/x', JSON.stringify({ v: sent, t: 1_700_000_000_000 + sent++ }), { qos: 0 });
    await sleep(1);
    if (sent === 50) stopping = server.sources.stop();
  }
  await stopping;
  assert.equal((await server.points('plant', 'x')).length, sent);
});

test('without the setting nothing is said', { skip: skipWithoutBroker }, async (context) => {
  const broker = await Broker.forTest(context);
  const watcher = await connectClient(context, broker.url);
  const seen: string[] = [];
  watcher.on('message', (topic) => seen.push(topic));
  await watcher.subscribeAsync('spBv1.0/#');
  const server = await SourceEngine.start(context, { url: broker.url, topics });
  await server.sources.stop();
  await watcher.publishAsync('spBv1.0/end', '', { qos: 1 });
  for (let i = 0; i < 500 && seen.length === 0; i++) await sleep(10);
  assert.deepEqual(seen, ['spBv1.0/end']);
});
