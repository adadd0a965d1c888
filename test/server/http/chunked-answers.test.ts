// Answers to requests with chunked bodies, which over uWebSockets end their connections: whole, byte for byte.

import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpHandler } from '../../../server/http/contract/http-server.ts';
import { RawClient } from './support/raw-client.ts';
import { describeTransports, startServer } from './support/test-server.ts';

const LIMIT_MS = 60_000;
const SIZES = [0, 1, 1000, 16_384, 16_385, 70_000, 5_000_000];
const CHUNK_BYTES = 100_000;

interface Taken {
  readonly incoming: IncomingMessage;
  readonly body: Buffer;
}

/** A chunked body of `pieces`, each sent on its own. */
function post(port: number, path: string, pieces: readonly string[], method = 'POST'): Promise<Taken> {
  return new Promise((resolve, reject) => {
    const headers = { host: 'a', 'transfer-encoding': 'chunked' };
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers, agent: false, timeout: LIMIT_MS });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')));
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => resolve({ incoming, body: Buffer.concat(chunks) }));
    });
    for (const piece of pieces) outgoing.write(piece);
    outgoing.end();
  });
}

function pattern(sizeBytes: number): Buffer {
  return Buffer.alloc(sizeBytes, 'a pattern that is 31 bytes long');
}

/** `/whole/<bytes>`, `/stream/<bytes>`, `/empty`: after the body, or with `/unread` in front without reading it. */
const answering: HttpHandler = async (incoming, response) => {
  const [, kind, size = '0'] = incoming.path.replace('/unread', '').split('/');
  if (!incoming.path.startsWith('/unread')) await incoming.readBody(1_000_000);
  const bytes = pattern(Number(size));
  const headers = [['Content-Type', 'application/octet-stream']] as const;
  if (kind === 'empty') return response.send(204, []);
  if (kind === 'whole') return response.send(200, headers, bytes);
  const stream = response.stream(200, headers);
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
    await stream.write(bytes.subarray(from, from + CHUNK_BYTES));
  }
  stream.end();
};

describeTransports('answers to chunked bodies', (transport) => {
  for (const kind of ['whole', 'stream']) {
    for (const size of SIZES) {
      test(`${kind} answer of ${size} bytes arrives byte for byte`, async (context) => {
        const { port } = await startServer(context, transport, answering, { allowedHosts: ['a'] });
        for (const path of [`/${kind}/${size}`, `/unread/${kind}/${size}`]) {
          const { incoming, body } = await post(port, path, ['{"a"', ':1}']);
          assert.equal(incoming.statusCode, 200);
          assert.equal(incoming.complete, true);
          assert.ok(body.equals(pattern(size)), `${body.length} bytes came for ${path}`);
          if (transport === 'uws') assert.equal(incoming.headers.connection, 'close');
        }
      });
    }
  }

  test('answers without a body, and to HEAD, are complete', async (context) => {
    const { port } = await startServer(context, transport, answering, { allowedHosts: ['a'] });
    assert.equal((await post(port, '/empty', ['x'])).incoming.statusCode, 204);
    const { incoming, body } = await post(port, '/whole/1000', ['x'], 'HEAD');
    assert.equal(incoming.statusCode, 200);
    assert.equal(body.length, 0);
  });

  test('a body that is read and answered late, piece by piece, is whole', async (context) => {
    const { port } = await startServer(
      context,
      transport,
      async (incoming, response) => {
        await delay(50);
        const bytes = await incoming.readBody(10_000_000);
        await delay(50);
        response.send(200, [], bytes.slice());
      },
      { allowedHosts: ['a'] },
    );
    const pieces = Array.from({ length: 50 }, (_, i) => `${i} `.repeat(10_000));
    assert.equal((await post(port, '/', pieces)).body.toString(), pieces.join(''));
  });

  test('a request for a WebSocket behind a request under way does not run, and the server goes on', async (context) => {
    const { port, url } = await startServer(context, transport, async (incoming, response) => {
      await delay(20);
      if (incoming.wantsSocket) response.openSocket();
      else response.send(200, [], 'done');
    });
    const client = await RawClient.open(port);
    client.send(
      'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
    await client.until(() => client.isClosed);
    for (const { status } of client.answers) assert.notEqual(status, 101);
    assert.equal(await (await fetch(url)).text(), 'done');
  });
});
