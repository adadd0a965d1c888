// What only node:http does, and the docs promise of it; and that nothing is carried out on uWebSockets without an answer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpHandler } from '../../../server/http/contract/http-server.ts';
import { RawClient } from './support/raw-client.ts';
import { describeTransports, startServer } from './support/test-server.ts';

const echo: HttpHandler = (request, response) => {
  response.send(200, [], `${request.path}?${request.query} for ${request.header('host')}`);
};

async function ask(port: number, text: string): Promise<string> {
  const client = await RawClient.open(port);
  client.send(text);
  await client.answered(1);
  client.destroy();
  return client.received.toString('latin1');
}

test('node: HTTP/1.0 with and without a Host, absolute-form, and a CRLF ahead are answered', async (context) => {
  const { port } = await startServer(context, 'node', echo);
  assert.match(await ask(port, 'GET /a HTTP/1.0\r\n\r\n'), new RegExp(`200 OK[\\s\\S]*/a\\? for localhost:${port}$`));
  assert.match(await ask(port, 'GET /a HTTP/1.0\r\nHost: b\r\n\r\n'), /200 OK[\s\S]*\/a\? for b$/);
  assert.match(await ask(port, '\r\nGET /a HTTP/1.1\r\nHost: b\r\n\r\n'), /200 OK[\s\S]*\/a\? for b$/);
  const absolute = (target: string): Promise<string> => ask(port, `GET ${target} HTTP/1.1\r\nHost: other\r\n\r\n`);
  assert.match(await absolute('http://b:1/x/y?z=1'), /200 OK[\s\S]*\/x\/y\?z=1 for b:1$/);
  assert.match(await absolute('http://b'), /200 OK[\s\S]*\/\? for b$/);
  assert.match(await ask(port, 'GET /a HTTP/1.1\r\n\r\n'), /^HTTP\/1\.1 400 /);
});

describeTransports('whatever is sent', (transport) => {
  test('a Host that is none is 400', async (context) => {
    const { port } = await startServer(context, transport, echo);
    for (const host of ['a b/c', 'a/b', 'a@b', 'a:x', '[::1'])
      assert.match(await ask(port, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`), /^HTTP\/1\.1 400 /, host);
    for (const host of ['a', 'a:1', '[::1]:80', 'a_b.c-d', '10.0.0.1:4511'])
      assert.match(await ask(port, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`), /^HTTP\/1\.1 200 /, host);
  });

  test('a request behind a write is answered behind it, or neither has an effect and it is told', async (context) => {
    const paths: string[] = [];
    let sentAhead = 0;
    const handler: HttpHandler = async (request, response) => {
      await request.readBody(100);
      paths.push(request.path);
      await delay(5);
      response.send(200, [], request.path);
    };
    const onSentAhead = (): void => {
      sentAhead++;
    };
    const { port } = await startServer(context, transport, handler, { onSentAhead, allowedHosts: ['a'] });
    const write = (path: string): string => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}`;
    for (const second of [write('/second'), 'GET /second HTTP/1.1\r\nHost: a\r\n\r\n']) {
      const client = await RawClient.open(port);
      client.send(write('/first') + second);
      await client.until(() => client.isClosed || client.answers.length === 2);
      client.destroy();
    }
    assert.deepEqual(paths, transport === 'node' ? ['/first', '/second', '/first', '/second'] : []);
    assert.equal(sentAhead, transport === 'node' ? 0 : 2);
  });

  test('a write that comes while the one before is under way waits for its answer', async (context) => {
    let begun = 0;
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const handler: HttpHandler = async (request, response) => {
      const body = await request.readBody(100);
      begun++;
      await released;
      response.send(200, [], body);
    };
    const { port } = await startServer(context, transport, handler, { allowedHosts: ['a'] });
    const client = await RawClient.open(port);
    const write = (n: number): string => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n${n}`;
    client.send(write(1));
    await client.until(() => begun > 0);
    client.send(write(2) + write(3));
    await delay(50);
    release();
    const answers = await client.answered(3);
    assert.deepEqual(
      answers.map(({ body }) => body.toString()),
      // What has come together while the first was under way is more than uWebSockets takes at once.
      transport === 'node' ? ['1', '2', '3'] : ['1'],
    );
    client.destroy();
  });

  test('behind Connection: close nothing runs', async (context) => {
    const paths: string[] = [];
    const handler: HttpHandler = (request, response) => {
      paths.push(request.path);
      response.send(200, []);
    };
    const { port } = await startServer(context, transport, handler);
    const second = 'GET /second HTTP/1.1\r\nHost: a\r\n\r\n';
    const first = 'GET /first HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    for (const pieces of [[first + second], [first, second]]) {
      const client = await RawClient.open(port);
      await client.sendSlowly(pieces, 20);
      await client.until(() => client.isClosed);
    }
    assert.deepEqual(
      paths.filter((path) => path === '/second'),
      [],
    );
  });

  test('X-Forwarded-For counts from a named proxy only, from its end', async (context) => {
    const tell: HttpHandler = (request, response) => response.send(200, [], request.remoteAddress);
    const text = 'GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 10.9.9.9, 10.0.0.7, 10.0.0.1\r\n\r\n';
    for (const [proxies, address] of [
      [[], '127.0.0.1'],
      [['127.0.0.1'], '10.0.0.1'],
      [['127.0.0.1', '10.0.0.1'], '10.0.0.7'],
      [['10.0.0.1'], '127.0.0.1'],
    ] as const) {
      const { port } = await startServer(context, transport, tell, { proxies });
      assert.ok((await ask(port, text)).endsWith(`\r\n\r\n${address}`), address);
    }
  });
});
