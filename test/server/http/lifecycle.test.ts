// Listening and stopping, on both transports.

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpHandler } from '../../../server/http/contract/http-server.ts';
import { createHttpServer, type TransportName } from '../../../server/transport.ts';
import { RawClient } from './support/raw-client.ts';
import { describeTransports, startServer } from './support/test-server.ts';

/** What a stop may take where nobody has to be waited for, on a busy machine. */
const STOP_LIMIT_MS = 10_000;
/** Long enough for what is waited for, on a busy machine, too. */
const GRACE_MS = 60_000;
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

function createQuietServer(transport: TransportName) {
  return createHttpServer(transport, {
    handler: (_, response) => response.send(200, []),
    serverName: 'Varve/test',
    allowedHosts: [],
    onError: () => {},
  }).server;
}

describeTransports('lifecycle', (transport) => {
  test('port 0 gives a free port, and each server its own', async (context) => {
    const first = await startServer(context, transport, (_, response) => response.send(200, [], 'first'));
    const second = await startServer(context, transport, (_, response) => response.send(200, [], 'second'));
    assert.notEqual(first.port, second.port);
    assert.equal(await (await fetch(first.url)).text(), 'first');
    assert.equal(await (await fetch(second.url)).text(), 'second');
  });

  test('a port that is taken is EADDRINUSE, whoever has it', async (context) => {
    const { port, url } = await startServer(context, transport, (_, response) => response.send(200, [], 'mine'));
    for (const other of ['uws', 'node'] as const) {
      await assert.rejects(createQuietServer(other).listen('127.0.0.1', port), { code: 'EADDRINUSE' });
    }
    const plain = createServer();
    const taken = await new Promise<number>((resolve) => {
      plain.listen(0, '127.0.0.1', () => resolve((plain.address() as { port: number }).port));
    });
    await assert.rejects(createQuietServer(transport).listen('127.0.0.1', taken), { code: 'EADDRINUSE' });
    plain.close();
    assert.equal(await (await fetch(url)).text(), 'mine');
  });

  test('an address that is not ours is refused with its own code', async () => {
    await assert.rejects(createQuietServer(transport).listen('203.0.113.7', 0), { code: 'EADDRNOTAVAIL' });
  });

  test('a server listens only on the host it was given', async (context) => {
    const { port } = await startServer(context, transport, (_, response) => response.send(200, []));
    await assert.rejects(fetch(`http://127.0.0.2:${port}/`));
  });

  test('a port can be used again once its server is closed', async () => {
    const first = createQuietServer(transport);
    const port = await first.listen('127.0.0.1', 0);
    assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200);
    await first.close(1000);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/`));
    const second = createQuietServer(transport);
    assert.equal(await second.listen('127.0.0.1', port), port);
    await second.close(0);
  });

  test('closing waits for running answers, which say that they are the last, and takes no new connection', async (context) => {
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let arrivedCount = 0;
    const { port, server } = await startServer(context, transport, async (request, response) => {
      arrivedCount++;
      await gate;
      if (request.path === '/stream') {
        const stream = response.stream(200, []);
        for (let index = 0; index < 50; index++) await stream.write(Buffer.alloc(100_000, index));
        stream.end();
      } else {
        response.send(200, [], request.path === '/large' ? Buffer.alloc(5_000_000) : 'done');
      }
    });
    const paths = ['/small', '/large', '/stream'];
    const clients = await Promise.all(paths.map(() => RawClient.open(port)));
    for (const [index, client] of clients.entries()) client.send(`GET ${paths[index]} HTTP/1.1\r\nHost: a\r\n\r\n`);
    for (const client of clients) await client.until(() => arrivedCount === paths.length);
    const closing = server.close(GRACE_MS);
    await assert.rejects(RawClient.open(port));
    release();
    await closing;
    for (const client of clients) {
      await client.until(() => client.isClosed);
      const [answer] = client.answers;
      assert.equal(answer?.status, 200);
      assert.equal(answer?.isComplete, true);
      assert.equal(answer?.headers.get('connection'), 'close');
    }
  });

  test('idle connections are closed, and a request that slips in is 503', async (context) => {
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let hasArrived = false;
    const { port, server } = await startServer(context, transport, async (request, response) => {
      hasArrived = true;
      if (request.path === '/wait') await gate;
      response.send(200, [], 'ok');
    });
    const busy = await RawClient.open(port);
    const half = await RawClient.open(port);
    busy.send('GET /wait HTTP/1.1\r\nHost: a\r\n\r\n');
    half.send('GET / HTTP/1.1\r\nHost:');
    await busy.until(() => hasArrived);
    await delay(30);
    const closing = server.close(GRACE_MS);
    half.send(' a\r\n\r\n');
    await Promise.race([half.closed, half.answered(1)]);
    if (half.answers.length > 0) {
      assert.equal(half.answers[0]?.status, 503);
      assert.equal(half.answers[0]?.headers.get('connection'), 'close');
    }
    release();
    await closing;
    await half.until(() => half.isClosed);
    await busy.until(() => busy.isClosed);
    assert.equal(busy.answers[0]?.status, 200);
  });

  test('what is not done after the grace is cut off', async (context) => {
    const seen: string[] = [];
    let hasArrived = false;
    const { port, server } = await startServer(context, transport, async (request) => {
      hasArrived = true;
      await new Promise<void>((resolve) => request.onAbort(resolve));
      seen.push('aborted');
    });
    const client = await RawClient.open(port);
    client.send(GET);
    await client.until(() => hasArrived);
    const beganMs = performance.now();
    await server.close(100);
    assert.ok(performance.now() - beganMs < STOP_LIMIT_MS);
    await client.until(() => client.isClosed);
    await client.until(() => seen.length > 0);
    assert.deepEqual(seen, ['aborted']);
    assert.equal(client.answers.length, 0);
  });

  test('a stop refuses reads that have no answer after a moment and ends long ones; writes and short answers go on', async (context) => {
    const seen: string[] = [];
    let arrivedCount = 0;
    const faults: unknown[] = [];
    const onError = (error: unknown): void => void faults.push(error);
    const handler: HttpHandler = async (request, response) => {
      arrivedCount++;
      if (request.path === '/stream' || request.path === '/endless') {
        const stream = response.stream(200, []);
        for (let i = 0; i < (request.path === '/stream' ? 8 : 500); i++) {
          await stream.write(Buffer.alloc(10_000));
          await delay(100);
        }
        return stream.end();
      }
      if (request.path === '/dear-read') request.memory.take(1);
      const isAborted = new Promise<string>((resolve) => request.onAbort(() => resolve('aborted')));
      seen.push(`${request.path} ${await Promise.race([isAborted, delay(4000, 'done')])}`);
      response.send(200, [], 'done');
    };
    const { port, server } = await startServer(context, transport, handler, { onError });
    const heads = ['GET /dear', 'POST /dear-read', 'POST /write', 'GET /stream', 'GET /endless'];
    const clients = await Promise.all(heads.map(() => RawClient.open(port)));
    for (const [i, client] of clients.entries())
      client.send(`${heads[i]} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 0\r\n\r\n`);
    for (const client of clients) await client.until(() => arrivedCount === heads.length);
    await server.close(GRACE_MS);
    for (const client of clients) await client.until(() => client.isClosed);
    const statuses = clients.map(({ answers }) => `${answers[0]?.status} ${answers[0]?.isComplete}`);
    assert.deepEqual(statuses, ['503 true', '503 true', '200 true', '200 true', '200 false']);
    assert.deepEqual(seen, ['/dear aborted', '/dear-read aborted', '/write done']);
    assert.deepEqual(faults, []);
  });

  test('answers of which nothing is taken hold a stop for a moment only', async (context) => {
    let arrivedCount = 0;
    const { port, server } = await startServer(context, transport, async (request, response) => {
      arrivedCount++;
      if (request.path === '/whole') return response.send(200, [], Buffer.alloc(50_000_000));
      const stream = response.stream(200, []);
      for (let i = 0; i < 500; i++) await stream.write(Buffer.alloc(100_000));
      stream.end();
    });
    const clients = await Promise.all(['/whole', '/stream'].map(() => RawClient.open(port)));
    context.after(() => {
      for (const client of clients) client.destroy();
    });
    for (const [i, path] of ['/whole', '/stream'].entries()) {
      clients[i]?.socket.pause();
      clients[i]?.send(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    }
    while (arrivedCount < 2) await delay(10);
    await delay(100);
    const beganMs = performance.now();
    await server.close(GRACE_MS);
    assert.ok(performance.now() - beganMs < STOP_LIMIT_MS, 'waited for clients that take nothing');
  });

  test('clients that have gone with requests sent ahead hold no stop', async (context) => {
    const { port, server } = await startServer(context, transport, async (request, response) => {
      await request.readBody(1000);
      await delay(10);
      response.send(200, []);
    });
    for (const leave of ['destroy', 'resetAndDestroy', 'end'] as const) {
      const client = await RawClient.open(port);
      client.send('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}'.repeat(50));
      await delay(5);
      client.socket[leave]();
    }
    await delay(30);
    const beganMs = performance.now();
    await server.close(STOP_LIMIT_MS * 3);
    assert.ok(performance.now() - beganMs < STOP_LIMIT_MS, 'waited for clients that have gone');
  });

  test('clients that are there and say nothing more hold a stop no longer than the grace', async (context) => {
    const { port, server } = await startServer(context, transport, async (request, response) => {
      await request.readBody(1000);
      response.send(200, [], Buffer.alloc(20_000_000));
    });
    const texts = [
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{',
      'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n',
      'GET / HTTP/1.1\r\nHost: localhost\r\n\r\nnonsense\r\n\r\n',
      'nonsense\r\n\r\n',
      'GET / HT',
      '',
    ];
    const clients = await Promise.all(texts.map(() => RawClient.open(port)));
    context.after(() => {
      for (const client of clients) client.destroy();
    });
    for (const [index, client] of clients.entries()) {
      client.socket.pause();
      client.send(texts[index] as string);
    }
    await delay(50);
    const beganMs = performance.now();
    await server.close(200);
    assert.ok(performance.now() - beganMs < STOP_LIMIT_MS, 'did not end with the grace');
  });

  test('closing twice, or before listening, does no harm', async () => {
    const server = createQuietServer(transport);
    await server.close(0);
    const other = createQuietServer(transport);
    await other.listen('127.0.0.1', 0);
    await Promise.all([other.close(0), other.close(0)]);
    await other.close(0);
  });
});

test('the transport asked for is the one that is used', () => {
  const options = { handler: () => {}, serverName: 'V', allowedHosts: [], onError: () => {} };
  assert.equal(createHttpServer('node', options).transport, 'node');
  const chosen = createHttpServer('uws', options);
  assert.equal(chosen.transport, 'uws');
  assert.match(chosen.notice ?? '', /--http node answers all of it/);
});

test('without a binary for this platform node:http is used, and why is told', async () => {
  const options = {
    handler: (_: unknown, response: { send(status: number, headers: []): void }) => response.send(204, []),
    serverName: 'V',
    allowedHosts: [],
    onError: () => {},
  };
  const chosen = createHttpServer('uws', options, () => {
    throw new Error('no binary here');
  });
  assert.equal(chosen.transport, 'node');
  assert.match(chosen.notice ?? '', /The front end is node:http, .*: no binary here/);
  const port = await chosen.server.listen('127.0.0.1', 0);
  assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 204);
  await chosen.server.close(100);
});
