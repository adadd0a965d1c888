// What a stop does with work that is not finished, and the row "stop" of the command line.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { exchangeRaw, rawStatus } from '../../support/http-client.ts';
import type { CaseContext } from '../case-context.ts';
import { proves, provesInTime } from '../registry.ts';
import { assertStatus, point, readValues, write } from '../steps.ts';

const isAnswered = (received: string): boolean => received.includes('\r\n\r\n');

/** What the server logs when it begins to stop. */
const STOPPING = /"msg":"Stopping\."/;
/** The server waits for 30 s; a busy machine makes it longer. */
const STOPPED_LIMIT_MS = 80_000;

/** What was sent before over another connection has been read by the time that this returns. */
async function assertIsRead(c: CaseContext): Promise<void> {
  for (let i = 0; i < 2; i++) assertStatus(await c.http.get('/health'), 200);
}

/** A write of one point, cut in two in the middle of its body. */
function writeInHalves(path: string, port: number): [string, string] {
  const body = JSON.stringify([point(1, 2)]);
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  return [head + body.slice(0, 10), body.slice(10)];
}

/** The status of a write of one point, or the code of the error that its connection ended with. */
async function statusOrFault(c: CaseContext, value: unknown): Promise<string> {
  try {
    return String((await c.post('/data/T', [value])).status);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

proves('HTTP in general/Unfinished work at stop', 'a request that is under way is finished and answered', async (c) => {
  const dataFolder = join(c.folder(), 'data');
  const own = await c.withServer({ dataFolder });
  await write(own, 'T', [point(0, 1)]);
  const halves = writeInHalves(own.path('/data/T'), own.server.port);
  const isStopping = own.server.findLog(STOPPING);
  const exchange = exchangeRaw(own.server.port, halves, isAnswered, { beforeLast: isStopping });
  await assertIsRead(own);
  own.server.signal('SIGTERM');
  assert.equal(rawStatus((await exchange).text), 200);
  assert.equal((await own.server.waitForEnd()).code, 0);
  const again = await c.withServer({ dataFolder });
  assert.deepEqual(await readValues(again, 'T'), [1, 2]);
});

provesInTime(
  'HTTP in general/Unfinished work at stop',
  'a request that is never finished delays it by 30 s at most',
  async (c) => {
    const own = await c.withServer({});
    const [half] = writeInHalves(own.path('/data/T'), own.server.port);
    const exchange = exchangeRaw(own.server.port, [half], isAnswered, { limitMs: STOPPED_LIMIT_MS });
    await assertIsRead(own);
    const beginMs = Date.now();
    own.server.signal('SIGTERM');
    assert.equal((await own.server.waitForEnd()).code, 0);
    assert.ok(Date.now() - beginMs < STOPPED_LIMIT_MS, `it took ${Date.now() - beginMs} ms`);
    // The request's own limit is 30 s too: it may be answered just before.
    const { closed, text } = await exchange;
    assert.ok(closed || [408, 503].includes(rawStatus(text)), text);
  },
);

proves('Command line/stop', 'SIGTERM and Ctrl-C end it with 0, say how long it took, and lose nothing', async (c) => {
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
});

proves('Command line/stop', 'new work is refused while it stops', async (c) => {
  const dataFolder = join(c.folder(), 'data');
  const own = await c.withServer({ dataFolder });
  await write(own, 'T', [point(0, 1)]);
  const { port } = own.server;
  const halves = writeInHalves(own.path('/data/T'), port);
  let finish = (): void => {};
  const isTried = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const exchange = exchangeRaw(port, halves, isAnswered, { beforeLast: isTried });
  await assertIsRead(own);
  own.server.signal('SIGTERM');
  assert.ok((await own.server.findLog(STOPPING)) !== undefined);
  // A connection that had reached the system, but not the server, when the port was closed is reset.
  const refused = await statusOrFault(own, point(5, 5));
  assert.ok(['503', 'ECONNREFUSED', 'ECONNRESET'].includes(refused), refused);
  finish();
  assert.equal(rawStatus((await exchange).text), 200);
  assert.equal((await own.server.waitForEnd()).code, 0);
  const again = await c.withServer({ dataFolder });
  assert.deepEqual(await readValues(again, 'T'), [1, 2]);
});
