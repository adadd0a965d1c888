// How long idle connections stay open, and what clients are told of it.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpHandler } from '../../../server/http/contract/http-server.ts';
import { RawClient } from './support/raw-client.ts';
import { describeTransports, startServer } from './support/test-server.ts';

/** uWebSockets looks at its idle connections every 4 s: some connections meet it early, some late. */
const CONNECTIONS = 8;
const STAGGER_MS = { uws: 500, node: 0 } as const;
/** What clients take off the told time (Node's agent does). */
const MARGIN_MS = 1000;
/** With less than that left, the connection may be closed before the request is there. */
const LEAST_MARGIN_MS = 500;
const MOST_TRIES = 5;

const handler: HttpHandler = async (request, response) => {
  await request.readBody(1000);
  if (request.path === '/stream') {
    const stream = response.stream(200, []);
    await stream.write(Buffer.from('abc'));
    stream.end();
  } else {
    response.send(request.path === '/none' ? 204 : 200, [], request.path === '/large' ? Buffer.alloc(100_000) : '');
  }
};

function request(path: string, method: string, fields = ''): string {
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${fields}\r\n`;
}

/**
 * Asks once more when the time that the first answer has told is nearly over; gives the number of answers. On a busy machine
 * it may be over by then: another connection is tried.
 */
async function useAgainLate(port: number): Promise<number> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const client = await RawClient.open(port);
    const beginMs = performance.now();
    client.send(request('/', 'GET'));
    const [first] = await client.answered(1);
    const told = /^timeout=(\d+)$/.exec(first?.headers.get('keep-alive') ?? '');
    assert.ok(told !== null, first?.head);
    const lastMs = beginMs + Number(told[1]) * 1000 - LEAST_MARGIN_MS;
    await delay(Number(told[1]) * 1000 - MARGIN_MS);
    const isInTime = performance.now() < lastMs;
    client.send(request('/', 'GET'));
    const answers = await client.answered(2);
    client.destroy();
    if (isInTime || answers.length === 2) return answers.length;
  }
  throw new Error(`in ${MOST_TRIES} tries this machine was too busy to ask in time`);
}

describe('keep-alive hint', { concurrency: true }, () => {
  for (const transport of ['uws', 'node'] as const) {
    test(`a connection stays open as long as the answers say (${transport})`, async (context) => {
      const { port } = await startServer(context, transport, handler);
      const uses = Array.from({ length: CONNECTIONS }, async (_, index) => {
        await delay(index * STAGGER_MS[transport]);
        return useAgainLate(port);
      });
      assert.deepEqual(
        await Promise.all(uses),
        Array.from({ length: CONNECTIONS }, () => 2),
      );
    });
  }
});

describeTransports('keep-alive', (transport) => {
  test('every kind of answer that leaves the connection open says for how long', async (context) => {
    const { port } = await startServer(context, transport, handler);
    for (const path of ['/', '/stream', '/none', '/large']) {
      const client = await RawClient.open(port);
      client.send(request(path, 'GET'));
      const [answer] = await client.answered(1);
      assert.match(answer?.headers.get('keep-alive') ?? '', /^timeout=\d+$/, path);
      client.destroy();
    }
  });

  test('an answer after which the connection is closed says so, and gives no time', async (context) => {
    const { port } = await startServer(context, transport, handler);
    const requests = [
      ...['/', '/stream', '/none', '/large'].map((path) => request(path, 'GET', 'Connection: close\r\n')),
      request('/', 'GET', 'Connection: TE, Close\r\n'),
      request('/', 'POST', 'Content-Length: 1000000\r\n'),
    ];
    for (const text of requests) {
      const client = await RawClient.open(port);
      client.send(text);
      const [answer] = await client.answered(1);
      assert.equal(answer?.headers.get('connection'), 'close', text);
      assert.equal(answer?.headers.get('keep-alive'), undefined, text);
      assert.equal((answer?.head.match(/connection:/gi) ?? []).length, 1, text);
      await client.until(() => client.isClosed);
      client.destroy();
    }
  });
});
