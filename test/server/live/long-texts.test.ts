// Tags with long texts: their newest points come in events of bounded length, as the client takes them, and memory that a
// longer event has taken is not kept.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpStream } from '../../../server/http/contract/http-server.ts';
import { EventStreamOutlet } from '../../../server/live/outlet.ts';
import { LivePlant, PausingClient, until } from './support/live-plant.ts';

const TEXT = 'x'.repeat(30_000);
/** What an event may have, and the text that exceeds it. */
const MOST_CHARS = 131_072 + 31_000;

function namesOf(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${i}`);
}

function longestOf(client: PausingClient): number {
  return client.events.reduce((most, { chars }) => Math.max(most, chars), 0);
}

test('the newest points of tags with long texts come in events of bounded length', async (context) => {
  const plant = await LivePlant.open(context);
  const names = namesOf('S', 60);
  await plant.writeTexts(names, TEXT);
  const client = new PausingClient();
  const subscriber = plant.listen(client, names);
  await until(() => subscriber.isJoined, 'the client is not live');
  assert.ok(longestOf(client) <= MOST_CHARS, `an event of ${longestOf(client)} characters`);
  for (const name of names) assert.equal(client.valuesOf(name, 'current').length, 1, name);
});

test('tags that the marker of a client does not have come in parts, each when the client has taken the one before', async (context) => {
  const plant = await LivePlant.open(context);
  const names = namesOf('S', 250);
  await plant.writeTexts(names, TEXT);
  await plant.write(['N', 0, 2]);
  const watch = plant.engine.watch('Plant', () => {});
  const position = watch.position('N');
  watch.stop();
  assert.ok(position);
  const client = new PausingClient();
  client.isPausing = true;
  const since = { kind: 'ordinals', ordinals: new Map([[position.tagId, position.ordinal - 1]]) } as const;
  const subscriber = plant.listen(client, ['N', ...names], since);
  await until(() => subscriber.isBlocked, 'nothing was sent');
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(client.events.length, 1, 'the client has not taken the first part');
  client.goOn();
  await until(() => subscriber.isJoined, 'the client is not live');
  assert.ok(longestOf(client) <= MOST_CHARS, `an event of ${longestOf(client)} characters`);
  for (const name of names) assert.equal(client.valuesOf(name, 'current').length, 1, name);
  assert.deepEqual(client.valuesOf('N', 'points'), [1], 'what it has missed of a tag that the marker has');
});

test('streams do not keep the memory of a very long event', () => {
  const lengths: number[] = [];
  const write = (bytes: Uint8Array): undefined => {
    lengths.push(bytes.buffer.byteLength);
  };
  const outlet = new EventStreamOutlet({ write } as unknown as HttpStream);
  void outlet.write(['x'.repeat(20_000_000)]);
  void outlet.write(['x']);
  assert.ok((lengths[1] ?? 0) <= 4_194_304, `${lengths[1]} bytes are kept`);
});
