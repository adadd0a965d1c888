// Large and streamed answers on both transports: whole, in order, with back-pressure, cut off visibly.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { HttpHandler } from '../../../server/http/contract/http-server.ts';
import { RawClient } from './support/raw-client.ts';
import { describeTransports, startServer } from './support/test-server.ts';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const SLOW_READER_MS = 600;
/** For readers that do read: the tests' own pauses on a busy machine must not count as theirs. */
const PATIENT_MS = 1500;
/** Longer than any transport leaves a connection idle. */
const SLOW_ANSWER_MS = 13_000;

/** Repeats only after 64 KiB, and no 256 bytes of it are alike. */
const PATTERN = Uint8Array.from({ length: 65_536 }, (_, index) => (index * 31 + (index >> 8)) & 0xff);

/** Bytes that tell where they belong. */
function numbered(startByte: number, sizeBytes: number): Uint8Array {
  const bytes = new Uint8Array(sizeBytes);
  for (let offset = 0; offset < sizeBytes; ) {
    const from = (startByte + offset) % PATTERN.length;
    const piece = PATTERN.subarray(from, Math.min(PATTERN.length, from + sizeBytes - offset));
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Streams `totalBytes` in chunks of the sizes given, in turn, over one buffer that is overwritten each time. */
function streaming(totalBytes: number, chunkSizes: readonly number[], type = 'application/octet-stream'): HttpHandler {
  return async (_, response) => {
    const stream = response.stream(200, [['Content-Type', type]]);
    const scratch = new Uint8Array(Math.max(...chunkSizes));
    let sentBytes = 0;
    for (let turn = 0; sentBytes < totalBytes; turn++) {
      const sizeBytes = Math.min(chunkSizes[turn % chunkSizes.length] as number, totalBytes - sentBytes);
      scratch.set(numbered(sentBytes, sizeBytes));
      const pressure = stream.write(scratch.subarray(0, sizeBytes));
      if (pressure !== undefined) await pressure;
      scratch.fill(0xee);
      sentBytes += sizeBytes;
    }
    stream.end();
  };
}

/** Reads in small steps with pauses between. */
function readSlowly(client: RawClient, stepMs: number): () => void {
  client.socket.pause();
  const timer = setInterval(() => {
    client.socket.resume();
    setImmediate(() => client.socket.pause());
  }, stepMs);
  return () => clearInterval(timer);
}

describeTransports('streams', (transport) => {
  test('streams of many chunk sizes arrive byte for byte and end as complete', async (context) => {
    const totalBytes = 3_000_000;
    const expected = hashOf(numbered(0, totalBytes));
    for (const sizes of [[65_536], [1_000_000], [1, 2, 70_000, 16_384, 16_385], [3000]]) {
      const { port } = await startServer(context, transport, streaming(totalBytes, sizes));
      const client = await RawClient.open(port);
      client.send(GET);
      await client.until(() => client.receivedBytes > totalBytes);
      const [answer] = await client.answered(1);
      assert.equal(answer?.isComplete, true);
      assert.equal(hashOf(answer?.body as Buffer), expected, `chunks of ${sizes}`);
      client.destroy();
    }
  });

  test('an empty stream and empty chunks are complete answers', async (context) => {
    const { url } = await startServer(context, transport, async (request, response) => {
      const stream = response.stream(200, []);
      if (request.path === '/chunks') {
        await stream.write(new Uint8Array(0));
        await stream.write(Buffer.from('ab'));
        await stream.write(new Uint8Array(0));
      }
      stream.end();
    });
    assert.equal(await (await fetch(url)).text(), '');
    assert.equal(await (await fetch(`${url}/chunks`)).text(), 'ab');
  });

  test('chunks arrive as they are written', async (context) => {
    let go: (() => void) | undefined;
    const { port } = await startServer(context, transport, async (_, response) => {
      const stream = response.stream(200, [['Content-Type', 'text/event-stream']]);
      for (const text of ['one', 'two', 'three']) {
        await stream.write(Buffer.from(text));
        await new Promise<void>((resolve) => {
          go = resolve;
        });
      }
      stream.end();
    });
    const client = await RawClient.open(port);
    client.send('GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n');
    for (const text of ['one', 'two', 'three']) {
      await client.until(() => client.received.includes(text));
      go?.();
    }
    const [answer] = await client.answered(1);
    assert.equal(answer?.body.toString(), 'onetwothree');
    client.destroy();
  });

  test('an answer that takes long to make is not cut, however it was asked for', async (context) => {
    const { port } = await startServer(context, transport, async (request, response) => {
      await request.readBody(10);
      const stream = response.stream(200, []);
      for (let ms = 0; ms < SLOW_ANSWER_MS; ms += 500) {
        await delay(500);
        if (request.path === '/often') await stream.write(Buffer.from('.'));
      }
      await stream.write(Buffer.from('the last'));
      stream.end();
    });
    const host = `Host: 127.0.0.1:${port}`;
    const asked = ['/often', '/once'].flatMap((path) => [
      `GET ${path} HTTP/1.1\r\n${host}\r\n\r\n`,
      `POST ${path} HTTP/1.1\r\n${host}\r\nContent-Length: 2\r\n\r\n{}`,
      `POST ${path} HTTP/1.1\r\n${host}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ]);
    const served = asked.map(async (request) => {
      const client = await RawClient.open(port);
      client.send(request);
      await client.until(() => client.isClosed || client.received.includes('the last'), 2 * SLOW_ANSWER_MS);
      const [answer] = await client.answered(1);
      assert.equal(answer?.isComplete, true, request);
      client.destroy();
    });
    await Promise.all(served);
  });

  test('a large whole answer arrives byte for byte, one after the other on a connection', async (context) => {
    const body = numbered(0, 20_000_000);
    const { port } = await startServer(context, transport, (_, response) => response.send(200, [], body));
    const client = await RawClient.open(port);
    for (let count = 1; count <= 2; count++) {
      client.send(GET);
      await client.until(() => client.receivedBytes > count * body.length, 10_000);
      const answers = await client.answered(count);
      assert.equal(hashOf(answers.at(-1)?.body as Buffer), hashOf(body));
    }
    client.destroy();
  });

  test('a slow reader that goes on reading gets all of it', async (context) => {
    const totalBytes = 24_000_000;
    const expected = hashOf(numbered(0, totalBytes));
    const handlers: HttpHandler[] = [
      streaming(totalBytes, [200_000]),
      (_, response) => response.send(200, [], numbered(0, totalBytes)),
    ];
    for (const handler of handlers) {
      const { port } = await startServer(context, transport, handler, { slowReaderMs: PATIENT_MS });
      const client = await RawClient.open(port);
      client.send(GET);
      const stop = readSlowly(client, 4);
      await client.until(() => client.isClosed || client.receivedBytes >= totalBytes, 20_000);
      stop();
      client.socket.resume();
      const [answer] = await client.answered(1);
      assert.equal(answer?.isComplete, true);
      assert.equal(hashOf(answer?.body as Buffer), expected);
      client.destroy();
    }
  });

  // Node tries again only once a third of the kernel's buffer is free, so it cannot see such small steps.
  const options = { skip: transport === 'node' };
  test('a client that takes a little now and then is not closed', options, async (context) => {
    const totalBytes = 9_000_000;
    const expected = hashOf(numbered(0, totalBytes));
    const handlers: HttpHandler[] = [
      streaming(totalBytes, [100_000]),
      streaming(totalBytes, [100_000, 1, 3000]),
      (_, response) => response.send(200, [], numbered(0, totalBytes)),
    ];
    const served = handlers.map(async (handler) => {
      const { port } = await startServer(context, transport, handler, { slowReaderMs: PATIENT_MS });
      const client = await RawClient.open(port);
      client.socket.pause();
      client.send(GET);
      const timer = setInterval(() => client.socket.read(), 200);
      await delay(PATIENT_MS * 3);
      clearInterval(timer);
      client.socket.resume();
      await client.until(() => client.isClosed || client.receivedBytes > totalBytes);
      const [answer] = await client.answered(1);
      assert.equal(answer?.isComplete, true);
      assert.equal(hashOf(answer?.body as Buffer), expected);
      client.destroy();
    });
    await Promise.all(served);
  });

  test('a client that takes nothing is closed, and little was made for it', async (context) => {
    let madeBytes = 0;
    let failure: unknown;
    const { port, errors } = await startServer(
      context,
      transport,
      async (_, response) => {
        const stream = response.stream(200, []);
        const chunk = new Uint8Array(500_000);
        try {
          for (;;) {
            await stream.write(chunk);
            madeBytes += chunk.length;
          }
        } catch (error) {
          failure = error;
          throw error;
        }
      },
      { slowReaderMs: SLOW_READER_MS },
    );
    const client = await RawClient.open(port);
    client.socket.pause();
    client.send(GET);
    const beganMs = performance.now();
    await client.until(() => failure !== undefined);
    assert.ok(performance.now() - beganMs >= SLOW_READER_MS * 0.8);
    assert.equal((failure as Error).name, 'ClientGoneError');
    assert.ok(madeBytes < 32_000_000, `made ${madeBytes}`);
    client.socket.resume();
    await client.until(() => client.isClosed);
    assert.equal(client.answers[0]?.isComplete, false);
    assert.deepEqual(errors, []);
  });

  test('a client that takes nothing of a whole answer is closed', async (context) => {
    let isTold = false;
    const { port } = await startServer(
      context,
      transport,
      (request, response) => {
        request.onAbort(() => {
          isTold = true;
        });
        response.send(200, [], new Uint8Array(40_000_000));
      },
      { slowReaderMs: SLOW_READER_MS },
    );
    const client = await RawClient.open(port);
    client.socket.pause();
    client.send(GET);
    await client.until(() => isTold);
    client.socket.resume();
    await client.until(() => client.isClosed);
    assert.equal(client.answers[0]?.isComplete, false);
  });

  test('a stream that is destroyed, or whose handler fails, is seen to be incomplete', async (context) => {
    const { port, url, errors } = await startServer(context, transport, async (request, response) => {
      const type = request.path === '/gzip' ? 'application/json' : 'application/octet-stream';
      const stream = response.stream(200, [['Content-Type', type]]);
      await stream.write(numbered(0, 100_000));
      await delay(20);
      if (request.path === '/throw') throw new Error('broken inside');
      stream.destroy();
    });
    for (const path of ['/destroy', '/throw', '/gzip']) {
      const client = await RawClient.open(port);
      client.send(`GET ${path} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n`);
      await client.until(() => client.isClosed);
      assert.equal(client.answers[0]?.status, 200);
      assert.equal(client.answers[0]?.isComplete, false);
      await assert.rejects(fetch(url + path).then((answer) => answer.arrayBuffer()));
    }
    assert.deepEqual(
      errors.map((error) => (error as Error).message),
      ['broken inside', 'broken inside'],
    );
  });

  test('a client that goes in the middle rejects the write and tells the request', async (context) => {
    for (const type of ['application/octet-stream', 'application/json']) {
      const seen: string[] = [];
      const { port, errors } = await startServer(context, transport, async (request, response) => {
        request.onAbort(() => seen.push('told'));
        const stream = response.stream(200, [['Content-Type', type]]);
        for (let index = 0; index < 100_000; index++) await stream.write(numbered(index, 60_000));
        stream.end();
      });
      const client = await RawClient.open(port);
      client.send('GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n');
      await client.until(() => client.receivedBytes > 100_000);
      client.destroy();
      await client.until(() => seen.length > 0);
      await delay(50);
      assert.deepEqual(seen, ['told']);
      assert.deepEqual(errors, []);
    }
  });

  test('answers to clients that have gone before are dropped', async (context) => {
    const outcomes: string[] = [];
    const { port, errors } = await startServer(context, transport, async (request, response) => {
      await new Promise<void>((resolve) => request.onAbort(resolve));
      await delay(5);
      if (request.path === '/send') response.send(200, [['Content-Type', 'application/json']], ' '.repeat(50_000));
      if (request.path === '/large') response.send(200, [], new Uint8Array(1_000_000));
      if (request.path === '/throw') throw new Error('after the abort');
      if (request.path === '/stream') {
        const stream = response.stream(200, []);
        await assert.rejects(async () => stream.write(new Uint8Array(10)), /closed/);
        stream.end();
        stream.destroy();
      }
      outcomes.push(request.path);
    });
    for (const path of ['/send', '/large', '/stream', '/throw', '/nothing']) {
      const client = await RawClient.open(port);
      client.send(`GET ${path} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n`);
      await delay(20);
      client.destroy();
    }
    const deadline = performance.now() + 60_000;
    while (outcomes.length < 4 && performance.now() < deadline) await delay(10);
    assert.deepEqual(outcomes.sort(), ['/large', '/nothing', '/send', '/stream']);
    assert.deepEqual(
      errors.map((error) => (error as Error).message),
      ['after the abort'],
    );
  });

  test('a client that goes while the answer is being compressed harms nobody', async (context) => {
    const text = JSON.stringify(Array.from({ length: 300_000 }, (_, index) => index));
    const { port, url, errors } = await startServer(context, transport, (request, response) => {
      response.send(200, [['Content-Type', 'application/json']], request.path === '/ok' ? 'ok' : text);
    });
    for (let round = 0; round < 10; round++) {
      const client = await RawClient.open(port);
      client.send('GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n');
      await delay(round);
      client.destroy();
    }
    await delay(50);
    assert.equal(await (await fetch(`${url}/ok`)).text(), 'ok');
    assert.deepEqual(errors, []);
  });

  test('a stream of text is compressed when the client takes gzip', async (context) => {
    const totalBytes = 2_000_000;
    const { port } = await startServer(context, transport, streaming(totalBytes, [50_000, 7], 'application/json'));
    const client = await RawClient.open(port);
    client.send('GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br, gzip\r\n\r\n');
    await client.until(() => client.received.subarray(-5).toString() === '0\r\n\r\n');
    const [answer] = client.answers;
    assert.equal(answer?.headers.get('content-encoding'), 'gzip');
    assert.equal(answer?.headers.get('vary'), 'Accept-Encoding');
    assert.equal(hashOf(gunzipSync(answer?.body as Buffer)), hashOf(numbered(0, totalBytes)));
    client.destroy();
  });

  test('a compressed stream does not run ahead of a client that takes nothing', async (context) => {
    let madeBytes = 0;
    const { port } = await startServer(
      context,
      transport,
      async (_, response) => {
        const stream = response.stream(200, [['Content-Type', 'application/json']]);
        for (;;) {
          const chunk = crypto.getRandomValues(new Uint8Array(60_000));
          await stream.write(chunk);
          madeBytes += chunk.length;
        }
      },
      { slowReaderMs: SLOW_READER_MS },
    );
    const client = await RawClient.open(port);
    client.socket.pause();
    client.send('GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n');
    await delay(SLOW_READER_MS * 3);
    const madeThen = madeBytes;
    await delay(100);
    assert.equal(madeBytes, madeThen);
    assert.ok(madeBytes < 32_000_000, `made ${madeBytes}`);
    client.destroy();
  });
});
