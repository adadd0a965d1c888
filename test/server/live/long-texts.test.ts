// Tags with long texts: their newest points come in events of bounded length, as the client takes them, and memory that a
// longer event has taken is not kept.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_TEXT_CHARS } from '../../../server/codec/write-json/text-parts.ts';
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
  await plant.write(['N', 0, 1]);
  const since = await plant.markerOf('N');
  await plant.write(['N', 1, 1]);
  const client = new PausingClient();
  client.isPausing = true;
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

/** Texts that differ, each of about so many characters. */
function textsOf(count: number, chars: number): string[] {
  return Array.from({ length: count }, (_, i) => `${i} ${'y'.repeat(chars)}`);
}

/** What one tag may have in an event, with the longest text on top. */
const MOST_OF_ONE_TAG = MOST_TEXT_CHARS + 70_000;

test('many long texts of one tag that a client has missed come in events of bounded length, each once', async (context) => {
  const plant = await LivePlant.open(context);
  await plant.writeTextsOf('S', 0, ['first']);
  const since = await plant.markerOf('S');
  const texts = [...textsOf(2500, 5), ...textsOf(60, 30_000), ...textsOf(3, 65_000), ...textsOf(100, 5)];
  await plant.writeTextsOf('S', 1, texts);
  const client = new PausingClient();
  const subscriber = plant.listen(client, ['S'], since);
  await until(() => subscriber.isJoined, 'the client is not live');
  assert.deepEqual(client.valuesOf('S', 'points'), texts);
  assert.ok(longestOf(client) <= MOST_OF_ONE_TAG, `an event of ${longestOf(client)} characters`);
  const ids = client.named('points').map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length, 'each event says where to go on');
  assert.ok(ids.length < 40, `${ids.length} events`);
});

test('many long texts at once come to a live client in events of bounded length, and what follows behind them', async (context) => {
  const plant = await LivePlant.open(context);
  await plant.writeTextsOf('S', 0, ['first']);
  const client = new PausingClient();
  const subscriber = plant.listen(client, ['S']);
  await until(() => subscriber.isJoined, 'the client is not live');
  const texts = textsOf(80, 30_000);
  await plant.writeTextsOf('S', 1, texts);
  await plant.writeTextsOf('S', 100, ['last']);
  await until(() => client.valuesOf('S', 'points').length > texts.length, 'not all has come');
  assert.deepEqual(client.valuesOf('S', 'points'), [...texts, 'last']);
  assert.ok(longestOf(client) <= MOST_OF_ONE_TAG, `an event of ${longestOf(client)} characters`);
  assert.deepEqual(client.named('skipped'), []);
});

for (const [what, amend] of [
  ['a correction gave', (plant: LivePlant) => plant.correctTexts('S', 5, textsOf(8, 30_000))],
  ['came late', (plant: LivePlant) => plant.writeTextsOf('S', 8.5, textsOf(1, 30_000))],
] as const) {
  test(`events may end before a text that ${what}: the client gets what is behind it, and what comes then`, async (context) => {
    const plant = await LivePlant.open(context);
    await plant.writeTextsOf('S', 0, ['first']);
    const since = await plant.markerOf('S');
    await plant.writeTextsOf('S', 1, textsOf(40, 30_000));
    await amend(plant);
    const client = new PausingClient();
    const subscriber = plant.listen(client, ['S'], since);
    await until(() => subscriber.isJoined, 'the client is not live');
    await plant.writeTextsOf('S', 100, ['last']);
    await until(() => client.valuesOf('S', 'points').at(-1) === 'last', 'the live point has not come');
    const all = client.valuesOf('S', 'points').length;
    assert.equal(all, what === 'came late' ? 42 : 41);
    assert.ok(longestOf(client) <= MOST_OF_ONE_TAG, `an event of ${longestOf(client)} characters`);
  });
}

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
