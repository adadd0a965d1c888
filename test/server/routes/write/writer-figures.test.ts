// What `GET /api/sources` tells of clients that write over HTTP.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WriterFigures, type WriterSnapshot } from '../../../../server/metrics/writer-figures.ts';
import { ServerProcess } from '../../../support/server-process.ts';

const NOW_MS = Date.UTC(2026, 0, 1);

function receipt(written: number) {
  return { receipt: { written, ignored: 1, repeated: 0, expired: 0 }, rejected: 0 };
}

function requestOf(agent: string) {
  return { header: (name: string) => (name === 'user-agent' ? agent : undefined) };
}

async function writers(url: string): Promise<readonly WriterSnapshot[]> {
  return ((await (await fetch(`${url}/api/sources`)).json()) as { writers: WriterSnapshot[] }).writers;
}

test('clients of both ways are told with what they stored, and what was wrong in words', async (context) => {
  const server = await ServerProcess.start();
  context.after(() => server.stop());
  assert.deepEqual(await writers(server.url), []);
  const post = (path: string, agent: string, body: string) =>
    fetch(server.url + path, { method: 'POST', headers: { 'User-Agent': agent }, body });
  await post('/write?db=plant', 'Telegraf/1.30.0 Go/1.22', 'm v=1 1767225600000000000\nm broken 1');
  await post('/api/datasets/plant/data', 'Node-RED', '{"speed":[{"t":"2026-01-01T00:00:00Z","v":1}]}');
  await post('/api/datasets/plant/data', 'Node-RED', '{"speed":[{"t":"2026-01-01T00:00:01Z","v":"fast"}]}');
  const [first, second, ...others] = await writers(server.url);
  assert.deepEqual(others, []);
  const zero = { ignored: 0, repeated: 0, expired: 0 };
  assert.deepEqual([first?.client, first?.dataset, first?.way], ['Node-RED', 'plant', 'api']);
  assert.deepEqual(first?.counts, { ...zero, requests: 2, stored: 1, rejected: 0, refused: 1 });
  assert.match(first?.lastError ?? '', /^\d{4}-.*Z .*speed\/0\/v/);
  assert.deepEqual([second?.client, second?.way], ['Telegraf/1.30.0 Go/1.22', 'line-protocol']);
  assert.deepEqual(second?.counts, { ...zero, requests: 1, stored: 1, rejected: 1, refused: 0 });
  assert.match(second?.lastError ?? '', /Z 'm broken 1': /);
  assert.match(second?.lastWrite ?? '', /^\d{4}-/);
});

test('a client that is heard of no more is forgotten when there are 200 newer ones', async () => {
  let nowMs = NOW_MS;
  const figures = new WriterFigures(() => nowMs);
  const write = (agent: string) =>
    figures.count({ dataset: 'plant', way: 'api', request: requestOf(agent) }, async () => receipt(10));
  await write('first');
  await write('kept');
  for (let i = 0; i < 198; i++) await write(`client ${i}`);
  await write('kept');
  await write('newest');
  const names = figures.snapshots().map(({ client }) => client);
  assert.deepEqual([names.length, names[0], names[1], names.includes('first')], [200, 'newest', 'kept', false]);
  nowMs += 1000;
  assert.equal(figures.snapshots()[1]?.pointsPerSecond, 2);
  assert.equal(figures.snapshots()[1]?.counts.ignored, 2);
  await write('x'.repeat(1000));
  assert.ok((figures.snapshots()[0]?.client.length ?? 0) <= 81);
});
