// Heads of requests on both transports: large ones, ones that come in pieces, ones that never end, several at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpHandler } from '../../../server/http/contract/http-server.ts';
import { chooseSeed, SeededRandom } from '../../support/seeded-random.ts';
import { RawClient } from './support/raw-client.ts';
import { answersEveryHead, describeTransports, startServer } from './support/test-server.ts';

const echoLengths: HttpHandler = (request, response) => {
  response.send(200, [], `${request.query.length} ${request.header('x')?.length ?? 0}`);
};

function destroy(text: string, pieceBytes: number): string[] {
  const pieces: string[] = [];
  for (let offset = 0; offset < text.length; offset += pieceBytes) pieces.push(text.slice(offset, offset + pieceBytes));
  return pieces;
}

/** A head of exactly so many bytes. */
function headOf(sizeBytes: number, inQuery: boolean): string {
  const build = (filling: string) =>
    inQuery ? `GET /?${filling} HTTP/1.1\r\nHost: a\r\n\r\n` : `GET / HTTP/1.1\r\nHost: a\r\nX: ${filling}\r\n\r\n`;
  return build('a'.repeat(sizeBytes - build('').length));
}

describeTransports('heads', (transport) => {
  test('heads of 64 KiB pass, in one go and in pieces', async (context) => {
    const { port } = await startServer(context, transport, echoLengths);
    // What the build for older C libraries takes in pieces.
    const sizeBytes = answersEveryHead(transport) ? 65_536 : 4000;
    for (const pieceBytes of [65_536, 20_000, 1460]) {
      for (const inQuery of [false, true]) {
        const client = await RawClient.open(port);
        await client.sendSlowly(destroy(headOf(sizeBytes, inQuery), pieceBytes), 1);
        const [answer] = await client.answered(1);
        assert.equal(answer?.status, 200, `${pieceBytes} ${inQuery}`);
        client.destroy();
      }
    }
  });

  test("heads above are 431, whether our limit is met or the parser's", async (context) => {
    const { port, errors } = await startServer(context, transport, echoLengths);
    for (const sizeBytes of [66_000, 90_000, 150_000]) {
      const client = await RawClient.open(port);
      await client.sendSlowly(destroy(headOf(sizeBytes, false), 30_000), 2);
      await client.until(() => client.isClosed);
      const [answer] = client.answers;
      // The build for older C libraries closes without a word.
      if (answer !== undefined || answersEveryHead(transport)) assert.equal(answer?.status, 431, `${sizeBytes}`);
    }
    assert.deepEqual(errors, []);
  });

  test('a head that comes byte by byte is understood', async (context) => {
    const { port } = await startServer(context, transport, echoLengths);
    const client = await RawClient.open(port);
    await client.sendSlowly(destroy('GET /?ab HTTP/1.1\r\nHost: a\r\nX: abc\r\n\r\n', 1), 2);
    const [answer] = await client.answered(1);
    assert.equal(answer?.body.toString(), '2 3');
    client.destroy();
  });

  test('a request line in pieces is understood', async (context) => {
    const { port } = await startServer(context, transport, echoLengths);
    const client = await RawClient.open(port);
    await client.sendSlowly(['GET /?a', 'b HTTP/1.1\r\nHost: a\r\n\r\n'], 20);
    const [answer] = await client.answered(1);
    assert.equal(answer?.status, 200);
    client.destroy();
  });

  test('requests sent ahead are answered in order, each once', async (context) => {
    const { port } = await startServer(context, transport, (request, response) =>
      response.send(200, [], request.query),
    );
    const client = await RawClient.open(port);
    client.send(Array.from({ length: 20 }, (_, index) => `GET /?${index} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
    const answers = await client.answered(20);
    assert.deepEqual(
      answers.map((answer) => answer.body.toString()),
      Array.from({ length: 20 }, (_, index) => `${index}`),
    );
    client.destroy();
  });

  test('requests sent ahead of a slow answer are answered in order or not at all, never mixed up', async (context) => {
    const { port } = await startServer(context, transport, async (request, response) => {
      await delay(request.query === '0' ? 40 : 1);
      response.send(200, [], request.query);
    });
    const client = await RawClient.open(port);
    client.send('GET /?0 HTTP/1.1\r\nHost: a\r\n\r\nGET /?1 HTTP/1.1\r\nHost: a\r\n\r\n');
    await client.answered(2);
    const bodies = client.answers.map((answer) => answer.body.toString());
    // uWebSockets closes the connection when a request comes before the last one was answered.
    assert.deepEqual(bodies, transport === 'uws' ? [] : ['0', '1']);
    client.destroy();
  });

  test('rubbish is answered with an error or closed, and the server goes on', async (context) => {
    const { port, url } = await startServer(context, transport, echoLengths);
    const rubbish = [
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'GET\r\n\r\n',
      '\r\n\r\n\r\n\r\n',
      'GET / HTTP/9.9\r\nHost: a\r\n\r\n',
      `${'A'.repeat(5000)}`,
      'GET / HTTP/1.1\r\n: x\r\nHost: a\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: a\r\n${'X: y\r\n'.repeat(3000)}\r\n`,
      Buffer.from('GET /\xff\xfe HTTP/1.1\r\nHost: a\r\n\r\n', 'latin1'),
      Buffer.from('GET / HTTP/1.1\r\nHost: a\r\nX: \xff\xfe\r\n\r\n', 'latin1'),
    ];
    for (const text of rubbish) {
      const client = await RawClient.open(port);
      client.send(text);
      await Promise.race([client.closed, delay(30)]);
      client.destroy();
    }
    const seed = chooseSeed();
    console.log(`# SEED=${seed}`);
    const random = new SeededRandom(seed);
    const valid = `POST /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 5\r\nX: y\r\n\r\nhello`;
    for (let round = 0; round < 60; round++) {
      const bytes = Buffer.from(valid);
      for (let change = 0; change < 3; change++) bytes[random.below(bytes.length)] = random.below(256);
      const client = await RawClient.open(port);
      client.send(bytes);
      await Promise.race([client.closed, client.answered(1).catch(() => []), delay(10)]);
      client.destroy();
    }
    assert.equal(await (await fetch(`${url}/?abc`)).text(), '3 0');
  });
});
