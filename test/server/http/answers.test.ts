// What every answer has, on both transports.

import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { HttpHandler } from '../../../server/http/contract/http-server.ts';
import { ProblemError } from '../../../server/problem.ts';
import { parseAnswers, RawClient } from './support/raw-client.ts';
import { describeTransports, startRoutes, startServer } from './support/test-server.ts';

/** How far off the time of an answer may be on a busy machine. */
const CLOCK_LEEWAY_MS = 60_000;
const JSON_TYPE = [['Content-Type', 'application/json']] as const;

async function exchangeRaw(port: number, text: string, method = 'GET') {
  const client = await RawClient.open(port);
  client.send(text);
  await client.until(
    () => client.isClosed || parseAnswers(client.received, method).some((answer) => answer.isComplete),
  );
  await delay(20);
  client.destroy();
  const [answer] = parseAnswers(client.received, method);
  assert.ok(answer);
  return { answer, received: client.received };
}

describeTransports('answers', (transport) => {
  test('every answer has Date and Server', async (context) => {
    const { url } = await startServer(context, transport, (_, response) => response.send(200, []));
    for (const path of ['/', '/x']) {
      const answer = await fetch(url + path);
      assert.equal(answer.headers.get('server'), 'Varve/test');
      const date = Date.parse(answer.headers.get('date') ?? '');
      assert.ok(Math.abs(date - Date.now()) < CLOCK_LEEWAY_MS);
      assert.equal(await answer.text(), '');
    }
  });

  test('a short answer whose letters are all in Latin-1 is UTF-8', async (context) => {
    const { url } = await startServer(context, transport, (_, response) => response.send(200, [], 'Größe'));
    assert.equal(Buffer.from(await (await fetch(url)).arrayBuffer()).toString(), 'Größe');
  });

  // The current build of uWebSockets refuses two Hosts by itself; a Host that is none it leaves to us.
  test('a refused request is told so with Date and Server too', async (context) => {
    const { port } = await startServer(context, transport, (_, response) => response.send(200, []));
    const { answer } = await exchangeRaw(port, 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n');
    assert.equal(answer.status, 400);
    assert.equal(answer.headers.get('server'), 'Varve/test');
    assert.ok(Math.abs(Date.parse(answer.headers.get('date') ?? '') - Date.now()) < CLOCK_LEEWAY_MS);
    assert.equal(JSON.parse(answer.body.toString()).status, 400);
  });

  test('the handler sees the request as it came', async (context) => {
    const { url } = await startServer(context, transport, (request, response) => {
      const { method, path, query, remoteAddress, aborted } = request;
      const headers = [request.header('x-one'), request.header('x-two'), request.header('x-none')];
      response.send(200, JSON_TYPE, JSON.stringify({ method, path, query, remoteAddress, aborted, headers }));
    });
    const answer = await new Promise<string>((resolve, reject) => {
      const headers = { 'X-One': 'a', 'X-Two': ['b', 'c'] };
      httpRequest(`${url}/a%2Fb/%C3%A4?x=%20&y`, { headers }, (response) => {
        response.setEncoding('utf8').on('data', resolve);
      })
        .on('error', reject)
        .end();
    });
    assert.deepEqual(JSON.parse(answer), {
      method: 'GET',
      path: '/a%2Fb/%C3%A4',
      query: 'x=%20&y',
      remoteAddress: '127.0.0.1',
      aborted: false,
      headers: ['a', 'b, c', null],
    });
  });

  test('a problem thrown before or after waiting is answered as one, with its headers', async (context) => {
    const problem = new ProblemError(409, 'No.', { key: 'Error.Conflict', headers: [['X-Why', 'so']] });
    const { url, errors } = await startServer(context, transport, async (request) => {
      if (request.path === '/later') await delay(5);
      throw problem;
    });
    for (const path of ['/now', '/later']) {
      const answer = await fetch(url + path);
      assert.equal(answer.status, 409);
      assert.equal(answer.headers.get('content-type'), 'application/problem+json');
      assert.equal(answer.headers.get('x-why'), 'so');
      const body = (await answer.json()) as Record<string, unknown>;
      assert.deepEqual([body.instance, body.key, body.message], [path, 'Error.Conflict', 'No.']);
    }
    assert.deepEqual(errors, []);
  });

  test('any other error is a 500 that is reported and tells nothing', async (context) => {
    const handler: HttpHandler = (request) => {
      if (request.path === '/sync') throw new Error('secret');
      if (request.path === '/nothing') return undefined;
      if (request.path === '/resolves') return Promise.resolve();
      return Promise.reject(new Error('secret'));
    };
    const { url, errors } = await startServer(context, transport, handler);
    for (const path of ['/sync', '/async', '/nothing', '/resolves']) {
      const answer = await fetch(url + path);
      assert.equal(answer.status, 500, path);
      assert.ok(!(await answer.text()).includes('secret'));
    }
    assert.equal(errors.length, 4);
  });

  test('answering twice is reported and the first answer stands', async (context) => {
    const { url, errors } = await startServer(context, transport, (_, response) => {
      response.send(200, [], 'first');
      response.send(200, [], 'second');
    });
    const answer = await fetch(url);
    assert.equal(await answer.text(), 'first');
    assert.match(String(errors[0]), /BUG: the request was answered twice/);
  });

  test('a header that would break out of its line is never sent', async (context) => {
    const { url, errors } = await startServer(context, transport, (request, response) => {
      const value = decodeURIComponent(request.query);
      response.send(200, [['X-Value', value]], 'ok');
    });
    for (const query of ['a%0d%0aX-Evil:%201', 'a%0aX-Evil:1', 'a%00', '%C3%A4']) {
      const answer = await fetch(`${url}/?${query}`);
      assert.equal(answer.status, 500);
      assert.equal(answer.headers.get('x-evil'), null);
    }
    assert.equal(errors.length, 4);
  });

  test('HEAD has the headers of GET and no body', async (context) => {
    const { port } = await startRoutes(context, transport, [
      { method: 'GET', pattern: '/whole', handle: ({ response }) => response.send(200, JSON_TYPE, '{"a":1}') },
      {
        method: 'GET',
        pattern: '/large',
        handle: ({ response }) => response.send(200, JSON_TYPE, ' '.repeat(100_000)),
      },
      {
        method: 'GET',
        pattern: '/stream',
        handle: async ({ response }) => {
          const stream = response.stream(200, JSON_TYPE);
          await stream.write(Buffer.from('abc'));
          stream.end();
        },
      },
    ]);
    const lengths = { '/whole': '7', '/large': '100000', '/stream': undefined, '/none': undefined };
    for (const [path, length] of Object.entries(lengths)) {
      const text = `HEAD ${path} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n`;
      const { answer, received } = await exchangeRaw(port, text, 'HEAD');
      assert.equal(answer.status, path === '/none' ? 404 : 200);
      if (length !== undefined) assert.equal(answer.headers.get('content-length'), length);
      assert.equal(received.indexOf('\r\n\r\n'), received.length - 4, `${path} has a body`);
    }
  });

  test('a connection carries on after HEAD', async (context) => {
    const { port } = await startServer(context, transport, (_, response) => response.send(200, [], 'body'));
    const client = await RawClient.open(port);
    client.send('HEAD / HTTP/1.1\r\nHost: a\r\n\r\n');
    await client.until(() => client.received.includes('\r\n\r\n'));
    client.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await client.until(() => client.received.toString().endsWith('body'));
    client.destroy();
  });

  test('OPTIONS and 204 have no body', async (context) => {
    const { port } = await startRoutes(context, transport, [
      { method: 'GET', pattern: '/x', handle: ({ response }) => response.send(204, [], '') },
    ]);
    for (const method of ['GET', 'OPTIONS']) {
      const { answer, received } = await exchangeRaw(port, `${method} /x HTTP/1.1\r\nHost: a\r\n\r\n`);
      assert.equal(answer.status, 204);
      assert.equal(answer.headers.get('content-length'), undefined);
      assert.equal(received.indexOf('\r\n\r\n'), received.length - 4);
    }
  });

  test('methods that no route has are 405', async (context) => {
    const { url } = await startRoutes(context, transport, [
      { method: 'POST', pattern: '/x', handle: ({ response }) => response.send(200, []) },
    ]);
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await fetch(`${url}/x`, { method });
      assert.equal(answer.status, 405);
      assert.equal(answer.headers.get('allow'), 'OPTIONS, POST');
    }
  });

  test('a changing request of another site is 403 and does not reach the handler', async (context) => {
    let calls = 0;
    const { port } = await startServer(context, transport, (_, response) => {
      calls++;
      response.send(200, []);
    });
    const own = `127.0.0.1:${port}`;
    const statusOf = async (method: string, host: string, more = '') => {
      const text = `${method} / HTTP/1.1\r\nHost: ${host}\r\n${more}Content-Length: 2\r\n\r\nab`;
      return (await exchangeRaw(port, text)).answer.status;
    };
    for (const method of ['POST', 'DELETE', 'PUT']) {
      assert.equal(await statusOf(method, 'evil.example'), 403);
      assert.equal(await statusOf(method, own, 'Origin: http://evil.example\r\n'), 403);
    }
    assert.equal(calls, 0);
    assert.equal(await statusOf('POST', own), 200);
    assert.equal(await statusOf('POST', own, `Origin: http://${own}\r\n`), 200);
    assert.equal(await statusOf('GET', 'evil.example', 'Origin: http://evil.example\r\n'), 200);
    assert.equal(calls, 3);
  });

  test('large text is compressed as the client wishes, small and binary bodies are not', async (context) => {
    const text = JSON.stringify(Array.from({ length: 2000 }, (_, index) => ({ t: index, v: index * 3 })));
    const { port } = await startServer(context, transport, (request, response) => {
      if (request.path === '/small') response.send(200, JSON_TYPE, 'x'.repeat(1000));
      else if (request.path === '/binary') response.send(200, [['Content-Type', 'image/png']], text);
      else if (request.path === '/encoded') response.send(200, [...JSON_TYPE, ['Content-Encoding', 'x']], text);
      else if (request.path === '/bytes') response.send(200, JSON_TYPE, Buffer.from(text));
      else response.send(200, JSON_TYPE, text);
    });
    const fetchRaw = async (path: string, accept: string) => {
      const client = await RawClient.open(port);
      client.send(`GET ${path} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: ${accept}\r\n\r\n`);
      const [answer] = await client.answered(1);
      client.destroy();
      assert.ok(answer);
      return answer;
    };
    const unpackers = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync };
    for (const [encoding, unpack] of Object.entries(unpackers)) {
      for (const path of ['/', '/bytes']) {
        const answer = await fetchRaw(path, encoding);
        assert.equal(answer.headers.get('content-encoding'), encoding);
        assert.equal(answer.headers.get('vary'), 'Accept-Encoding');
        assert.ok(answer.body.length < text.length / 2);
        assert.equal(unpack(answer.body).toString(), text);
      }
    }
    const plain = await fetchRaw('/', 'identity');
    assert.equal(plain.headers.get('vary'), 'Accept-Encoding');
    assert.equal(plain.body.toString(), text);
    for (const path of ['/small', '/binary']) {
      assert.equal((await fetchRaw(path, 'gzip, br')).headers.get('content-encoding'), undefined, path);
    }
    assert.equal((await fetchRaw('/encoded', 'gzip')).headers.get('content-encoding'), 'x');
  });

  test('a client that asks for it has the connection closed after the answer', async (context) => {
    const { port } = await startServer(context, transport, (request, response) => {
      response.send(200, [], request.path === '/large' ? Buffer.alloc(1_000_000) : 'ok');
    });
    for (const path of ['/small', '/large']) {
      const client = await RawClient.open(port);
      client.send(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      await client.until(() => client.isClosed);
      assert.deepEqual(
        client.answers.map((answer) => [answer.status, answer.isComplete]),
        [[200, true]],
      );
    }
  });

  test('two hundred connections at once all get their own answer', async (context) => {
    const { port } = await startServer(context, transport, async (request, response) => {
      await delay(Number(request.query) % 7);
      response.send(200, [], `answer ${request.query}`);
    });
    const clients = await Promise.all(Array.from({ length: 200 }, () => RawClient.open(port)));
    for (let round = 0; round < 3; round++) {
      const asked = clients.map(async (client, index) => {
        client.send(`GET /?${round * 1000 + index} HTTP/1.1\r\nHost: a\r\n\r\n`);
        const answers = await client.answered(round + 1);
        assert.equal(answers[round]?.body.toString(), `answer ${round * 1000 + index}`);
      });
      await Promise.all(asked);
    }
    for (const client of clients) client.destroy();
  });
});
