// The warm-up of a server that has become ready: it does real work, and leaves nothing.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { warmUp } from '../../server/warm-up.ts';
import { warmWrites } from '../../server/warm-writes.ts';
import { ServerProcess } from '../support/server-process.ts';

test('the made-up load is written whole, in short steps', async () => {
  let steps = 0;
  for await (const _ of warmWrites()) steps++;
  assert.ok(steps >= 100, `${steps} steps`);
});

test('the warm-up ends by itself and touches no file of the working folder', async () => {
  const before = readdirSync('.');
  await warmUp();
  assert.deepEqual(readdirSync('.'), before);
});

test('a server that warms up answers meanwhile, logs no fault and has no dataset of its own', async () => {
  const server = await ServerProcess.start({ flags: ['--warm-up', 'on'] });
  try {
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${server.url}/api/datasets`)));
    for (const answer of answers) assert.deepEqual(await answer.json(), []);
    assert.ok(!server.logLines.some((line) => line.includes('warm-up failed')));
  } finally {
    await server.stop();
  }
});
