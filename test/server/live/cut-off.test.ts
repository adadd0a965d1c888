// A client that is cut off while it is told of the first points, of what it has missed, or of what it has lost: the marker of the
// last event that it has got does not claim more than it knows.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { parseLiveMarker } from '../../../server/live/marker.ts';
import type { Subscriber } from '../../../server/live/subscriber.ts';
import { LivePlant, PausingClient, pause, until } from './support/live-plant.ts';

/** More than fit a marker that has the ordinal of each. */
const MANY = Array.from({ length: 300 }, (_, i) => `T${i}`);

/** The client goes on where its last event was. */
function comeBack(plant: LivePlant, client: PausingClient, names: readonly string[] | undefined): Subscriber {
  const since = parseLiveMarker(client.events.at(-1)?.id ?? '') ?? 'unknown';
  client.isPausing = false;
  return plant.listen(client, names, since);
}

async function cut(subscriber: Subscriber): Promise<void> {
  await until(() => subscriber.isBlocked, 'nothing was sent');
  subscriber.gone();
}

function newestOf(client: PausingClient, tag: string): number {
  const values = [...client.valuesOf(tag, 'current'), ...client.valuesOf(tag, 'points')] as number[];
  return values.reduce((a, b) => Math.max(a, b), -1);
}

async function openMany(context: TestContext): Promise<LivePlant> {
  const plant = await LivePlant.open(context);
  await plant.write(...MANY.map((name) => [name, 0, 1] as const));
  return plant;
}

for (const names of [MANY, undefined])
  test(`a client of ${names ? 'many' : 'all'} tags that is cut off among the first points gets those of the others, too`, async (context) => {
    const plant = await openMany(context);
    const client = new PausingClient();
    client.isPausing = true;
    await cut(plant.listen(client, names));
    assert.ok(newestOf(client, 'T299') < 0, 'it has got all');
    const back = comeBack(plant, client, names);
    await until(() => back.isJoined, 'the client is not live');
    for (const name of MANY) assert.equal(newestOf(client, name), 0, name);
  });

test('a client of many tags that is cut off behind its first points goes on there', async (context) => {
  const plant = await openMany(context);
  const client = new PausingClient();
  const first = plant.listen(client, MANY);
  await until(() => first.isJoined, 'the client is not live');
  first.gone();
  await plant.write(['T7', 1, 2]);
  const back = comeBack(plant, client, MANY);
  await until(() => back.isJoined, 'the client is not live');
  assert.deepEqual(client.valuesOf('T7', 'points'), [1, 2]);
  assert.deepEqual(client.named('reset'), []);
});

test('a client of many tags that is cut off among the points it has missed gets the others', async (context) => {
  const plant = await openMany(context);
  const client = new PausingClient();
  const first = plant.listen(client, MANY);
  await until(() => first.isJoined, 'the client is not live');
  await plant.write(['T0', 1, 1]);
  await until(() => newestOf(client, 'T0') === 1, 'the point did not come');
  first.gone();
  await plant.write(...MANY.map((name) => [name, 2, 100] as const));
  client.isPausing = true;
  const since = parseLiveMarker(client.events.at(-1)?.id ?? '');
  await cut(plant.listen(client, MANY, since));
  assert.equal(newestOf(client, 'T0'), 101);
  assert.equal(newestOf(client, 'T299'), 0, 'it has got all');
  const back = comeBack(plant, client, MANY);
  await until(() => back.isJoined, 'the client is not live');
  for (const name of MANY) assert.equal(newestOf(client, name), 101, name);
  assert.deepEqual(client.named('reset'), []);
});

for (const names of [
  ['B', 'C'],
  ['B', 'C', ...MANY],
])
  test(`a client of ${names.length} tags that is cut off before it was told what it has lost is told when it comes back`, async (context) => {
    const { plant, client, subscriber } = await pause(context, names);
    await plant.write(['B', 1, 1], ['C', 2, 9000]);
    for (let i = 1; i < 4; i++) await plant.write(['C', 2 + i * 9000, 9000]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    client.step();
    await until(() => client.named('skipped').length > 0, 'nothing was dropped');
    await cut(subscriber);
    const back = comeBack(plant, client, names);
    await until(() => back.isJoined, 'the client is not live');
    assert.deepEqual([newestOf(client, 'B'), newestOf(client, 'C')], [1, 36_001]);
  });
