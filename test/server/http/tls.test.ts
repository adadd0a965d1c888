// HTTPS, which node:https speaks: answers are the same as without TLS, large ones and refused ones too.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { describe, it } from 'node:test';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import type { HttpServerOptions } from '../../../server/http/contract/http-server.ts';
import { HttpAnswer } from '../../support/http-client.ts';
import { startServer } from './support/test-server.ts';

const CERT_FILE = fileURLToPath(new URL('../../fixtures/tls/cert.pem', import.meta.url));
const KEY_FILE = fileURLToPath(new URL('../../fixtures/tls/key.pem', import.meta.url));
const ca = readFileSync(CERT_FILE);
const TLS: Partial<HttpServerOptions> = { tls: { keyFile: KEY_FILE, certFile: CERT_FILE } };
const LIMIT_MS = 60_000;
const LARGE_BYTES = 8_000_000;

function send(port: number, options: RequestOptions, body?: Uint8Array | string): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, ca, timeout: LIMIT_MS, ...options }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve(new HttpAnswer(incoming.statusCode ?? 0, incoming.headers, Buffer.concat(chunks))),
      );
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Everything that comes back for these bytes until the server closes. */
function exchange(port: number, bytes: string, open: typeof connect | typeof connectPlain = connect): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = open === connect ? connect({ port, host: '127.0.0.1', ca }) : connectPlain(port, '127.0.0.1');
    let text = '';
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`not closed; received ${text.slice(0, 500)}`));
    }, LIMIT_MS);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
    socket.write(bytes);
  });
}

describe('TLS', () => {
  it('requests and answers go both ways over one connection', async (context) => {
    const { port, errors } = await startServer(
      context,
      'node',
      async (call, response) => {
        response.send(
          200,
          [['Content-Type', 'text/plain']],
          `${call.remoteAddress} ${Buffer.from(await call.readBody(100))}`,
        );
      },
      TLS,
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    context.after(() => agent.destroy());
    for (let i = 0; i < 20; i++) {
      const answer = await send(port, { agent, method: 'POST', path: '/x' }, `body ${i}`);
      assert.equal(answer.status, 200);
      assert.equal(answer.text, `127.0.0.1 body ${i}`);
    }
    assert.deepEqual(errors, []);
  });

  it('a large answer arrives whole, streamed or not, and so does a large body', async (context) => {
    const large = Buffer.alloc(LARGE_BYTES, 'abcdefghijk');
    const { port, errors } = await startServer(
      context,
      'node',
      async (call, response) => {
        if (call.method === 'POST') {
          const body = await call.readBody(LARGE_BYTES);
          return response.send(200, [], String(Buffer.compare(body, large)));
        }
        if (call.path === '/whole') return response.send(200, [], large);
        const stream = response.stream(200, []);
        for (let offset = 0; offset < large.length; offset += 65_536) {
          await stream.write(large.subarray(offset, offset + 65_536));
        }
        stream.end();
      },
      TLS,
    );
    assert.equal((await send(port, { method: 'POST', path: '/' }, large)).text, '0');
    for (const path of ['/whole', '/stream']) {
      const answer = await send(port, { path });
      assert.equal(Buffer.compare(answer.bytes, large), 0, path);
    }
    assert.deepEqual(errors, []);
  });

  it('a refused head is answered, and the connection is closed', async (context) => {
    const { port } = await startServer(context, 'node', (_, response) => response.send(200, [], 'reached'), TLS);
    const answer = await exchange(
      port,
      'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n',
    );
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answer, /exactly one is needed/);
    assert.doesNotMatch(answer, /reached/);
  });

  it('a body that is too large is answered before it was sent', async (context) => {
    const { port } = await startServer(
      context,
      'node',
      async (call) => {
        await call.readBody(1000);
      },
      TLS,
    );
    const head = `POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 5000000\r\n\r\n`;
    const answer = await exchange(port, `${head}${'x'.repeat(100_000)}`);
    assert.match(answer, /^HTTP\/1\.1 413 /);
  });

  it('its own origin has the scheme https, with or without the port', async (context) => {
    const { port } = await startServer(context, 'node', (_, response) => response.send(200, []), TLS);
    const statusOf = async (origin: string): Promise<number> =>
      (await send(port, { method: 'POST', path: '/', headers: { origin } })).status;
    assert.equal(await statusOf(`https://127.0.0.1:${port}`), 200);
    assert.equal(await statusOf(`http://127.0.0.1:${port}`), 403);
  });

  it('TLS before 1.2 and plain HTTP get nothing', async (context) => {
    const { port } = await startServer(context, 'node', (_, response) => response.send(200, [], 'reached'), TLS);
    const plain = await exchange(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', connectPlain);
    assert.doesNotMatch(plain, /200 OK|reached/);
    await assert.rejects(
      send(port, { path: '/', maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    );
    assert.equal((await send(port, { path: '/', maxVersion: 'TLSv1.2' })).status, 200);
    assert.equal((await send(port, { path: '/', minVersion: 'TLSv1.3' })).status, 200);
  });

  it('a client that does not know the certificate does not talk', async (context) => {
    const { port } = await startServer(context, 'node', (_, response) => response.send(200, []), TLS);
    await assert.rejects(send(port, { path: '/', ca: [] }), /self-signed/);
  });
});
