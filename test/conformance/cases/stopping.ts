// What a stop does with work that is not finished, and the row "stop" of the command line.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { join } from 'node:path';
import { exchangeRaw, rawStatus } from '../../support/http-client.ts';
import { proves, provesInTime } from '../registry.ts';
import { assertStatus, point, readValues, write } from '../steps.ts';

const isAnswered = (received: string): boolean => received.includes('\r\n\r\n');

/** A write of one point, cut in two in the middle of its body. */
function writeInHalves(path: string, port: number): [string, string] {
  const body = JSON.stringify([point(1, 2)]);
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  return [head + body.slice(0, 10), body.slice(10)];
}

proves(
  'decisions/HTTP in general/Unfinished work at stop',
  'a request that is under way is finished and answered',
  async (c) => {
    const dataFolder = join(c.folder(), 'data');
    const own = await c.withServer({ dataFolder });
    await write(own, 'T', [point(0, 1)]);
    const halves = writeInHalves(own.path('/data/T'), own.server.port);
    const exchange = exchangeRaw(own.server.port, halves, isAnswered, { pauseMs: 1500, limitMs: 20_000 });
    await new Promise((resolve) => setTimeout(resolve, 500));
    own.server.signal('SIGTERM');
    assert.equal(rawStatus((await exchange).text), 200);
    assert.equal((await own.server.waitForEnd()).code, 0);
    const again = await c.withServer({ dataFolder });
    assert.deepEqual(await readValues(again, 'T'), [1, 2]);
  },
);

provesInTime(
  'decisions/HTTP in general/Unfinished work at stop',
  'a request that is never finished delays it by 30 s at most',
  async (c) => {
    const own = await c.withServer({});
    const [half] = writeInHalves(own.path('/data/T'), own.server.port);
    const exchange = exchangeRaw(own.server.port, [half], isAnswered, { limitMs: 35_000 });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const beginMs = Date.now();
    own.server.signal('SIGTERM');
    assert.equal((await own.server.waitForEnd()).code, 0);
    assert.ok(Date.now() - beginMs < 34_000, `it took ${Date.now() - beginMs} ms`);
    // The request's own limit is 30 s too: it may be answered just before.
    const { closed, text } = await exchange;
    assert.ok(closed || [408, 503].includes(rawStatus(text)), text);
  },
);

proves(
  'decisions/Command line/stop',
  'SIGTERM and Ctrl-C end it with 0, say how long it took, and lose nothing',
  async (c) => {
    const dataFolder = join(c.folder(), 'data');
    for (const [index, signal] of (['SIGTERM', 'SIGINT'] as const).entries()) {
      const own = await c.withServer({ dataFolder });
      await write(own, 'T', [point(index, index)]);
      own.server.signal(signal);
      const end = await own.server.waitForEnd();
      assert.equal(end.code, 0, end.stderr);
      assert.match(end.stderr + end.stdout, /stopped[^\n]*\d+(?:\.\d+)? ?m?s|"(?:duration|took)\w*":\d+/i);
    }
    const own = await c.withServer({ dataFolder });
    assert.deepEqual(await readValues(own, 'T'), [0, 1]);
  },
);

proves('decisions/Command line/stop', 'new work is refused while it stops', async (c) => {
  const own = await c.withServer({});
  await write(own, 'T', [point(0, 1)]);
  const { port } = own.server;
  const halves = writeInHalves(own.path('/data/T'), port);
  const exchange = exchangeRaw(port, halves, isAnswered, { pauseMs: 2000, limitMs: 20_000 });
  await new Promise((resolve) => setTimeout(resolve, 300));
  own.server.signal('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 500));
  const refused = await new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(true));
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
  });
  if (!refused) assertStatus(await own.post('/data/T', [point(5, 5)]), 503);
  assert.equal(rawStatus((await exchange).text), 200);
  assert.equal((await own.server.waitForEnd()).code, 0);
});
