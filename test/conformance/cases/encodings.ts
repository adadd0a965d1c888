// HTTP in general: content encodings, msgpack, and bodies that are too large.

import assert from 'node:assert/strict';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { exchangeRaw, type RawExchange, rawStatus } from '../../support/http-client.ts';
import { withoutStandstill } from '../../support/standstill.ts';
import type { MultiReadAnswer, TagDataAnswer } from '../answers.ts';
import { proves } from '../registry.ts';
import { ALL, assertDone, assertProblem, assertStatus, at, point, readValues, userTagNames, write } from '../steps.ts';

const MIB = 1024 * 1024;
const LIMIT_BYTES = 16 * MIB;
const PACKERS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync } as const;

proves('HTTP in general/Encodings', 'gzip, deflate and br bodies are unpacked', async (c) => {
  for (const [index, [coding, packBytes]] of Object.entries(PACKERS).entries()) {
    const body = packBytes(JSON.stringify([point(index, coding)]));
    const headers = { 'content-type': 'application/json', 'content-encoding': coding };
    assertDone(await c.http.send('POST', c.path('/data/T'), { headers, body }));
    assertDone(
      await c.http.send('POST', c.path('/tags'), { headers, body: packBytes(JSON.stringify([{ n: coding }])) }),
    );
  }
  assert.deepEqual(await readValues(c, 'T'), ['gzip', 'deflate', 'br']);
});

proves('HTTP in general/Encodings', 'an unknown coding, or a body that does not unpack, is refused', async (c) => {
  const send = (coding: string, body: Uint8Array | string): Promise<unknown> =>
    c.http
      .send('POST', c.path('/data/T'), {
        headers: { 'content-type': 'application/json', 'content-encoding': coding },
        body,
      })
      .then((answer) => answer.status);
  const packed = gzipSync(JSON.stringify([point(0, 1)]));
  assert.equal(await send('zstd', packed), 415);
  assert.equal(await send('gzip', '[{"v":1}]'), 400);
  assert.equal(await send('gzip', packed.subarray(0, packed.length - 6)), 400);
  assert.equal(await send('br', packed), 400);
  assertStatus(await c.get(), 404);
  assert.equal(await send('identity', JSON.stringify([point(0, 1)])), 200);
});

proves('HTTP in general/Encodings', 'answers are compressed as Accept-Encoding asks', async (c) => {
  const points = Array.from({ length: 3000 }, (_, i) => point(i, i));
  await write(c, 'T', points);
  const path = `/data?tagname=T&${ALL}`;
  const plain = assertStatus(await c.get(path), 200);
  assert.equal(plain.header('content-encoding'), undefined);
  for (const coding of ['gzip', 'br']) {
    const answer = assertStatus(await c.get(path, { 'accept-encoding': coding }), 200);
    assert.equal(answer.header('content-encoding'), coding);
    assert.ok(answer.bytes.length < plain.bytes.length / 2);
    assert.equal(answer.text, plain.text);
  }
  for (const accepted of ['identity', 'gzip;q=0, br;q=0', 'zstd']) {
    const answer = assertStatus(await c.get(path, { 'accept-encoding': accepted }), 200);
    assert.equal(answer.header('content-encoding'), undefined, accepted);
    assert.equal(answer.text, plain.text);
  }
  const browser = assertStatus(await c.get(path, { 'accept-encoding': 'gzip, deflate, br' }), 200);
  assert.equal(browser.text, plain.text);
});

proves('HTTP in general/Encodings', 'msgpack is taken for data', async (c) => {
  const points = [point(0, 1.5), { t: at(1), v: null, q: 64 }, { t: at(2), v: 7 }, { t: at(3) }];
  assertDone(await c.http.postMsgpack(c.path('/data/T'), points));
  assertDone(await c.http.postMsgpack(c.path('/data'), { A: [point(0, 'text')], B: [point(0, true)], C: [] }));
  assert.deepEqual(await readValues(c, 'T'), [1.5, null, 7, null]);
  assert.deepEqual(await readValues(c, 'A'), ['text']);
  assert.deepEqual(await userTagNames(c), ['A', 'B', 'T']);
  assertProblem(await c.http.postMsgpack(c.path('/data/T'), [point(9, 'text')]), 400);
  const headers = { 'content-type': 'application/msgpack' };
  assertProblem(await c.http.send('POST', c.path('/data/T'), { headers, body: Buffer.from([0x91, 0x81]) }), 400);
  assert.equal((await readValues(c, 'T')).length, 4);
});

proves('HTTP in general/Encodings', 'msgpack is given for data, with the same content as JSON', async (c) => {
  await write(c, 'T', [point(0, 1.5), point(1, null, 64), point(2, -7)]);
  await write(c, 'S', [point(0, 'text Ü'), point(1, '')]);
  const accept = { accept: 'application/msgpack' };
  const path = `/data?tagname=T&tagname=S&${ALL}`;
  const multi = assertStatus(await c.get(path, accept), 200);
  assert.match(multi.header('content-type') ?? '', /^application\/msgpack/);
  assert.deepEqual(multi.msgpack<MultiReadAnswer>(), (await c.get(path)).json<MultiReadAnswer>());
  const single = assertStatus(await c.get(`/data/T?${ALL}`, accept), 200);
  assert.deepEqual(single.msgpack<TagDataAnswer>(), (await c.get(`/data/T?${ALL}`)).json<TagDataAnswer>());
  const anything = await c.get(path, { accept: '*/*' });
  assert.match(anything.header('content-type') ?? '', /^application\/json/);
});

proves('HTTP in general/Body too large', 'more than 16 MiB is 413, with and without a declared length', async (c) => {
  const body = Buffer.alloc(LIMIT_BYTES + 1, ' ');
  const headers = { 'content-type': 'application/json' };
  const declared = `POST ${c.path('/data/T')} HTTP/1.1\r\nHost: 127.0.0.1:${c.server.port}\r\nContent-Type: application/json\r\n`;
  const isHead = (received: string): boolean => received.includes('\r\n\r\n');
  const exchange = (pieces: readonly (string | Uint8Array)[]): Promise<RawExchange> =>
    // On a busy machine so much takes its time.
    withoutStandstill(() => exchangeRaw(c.server.port, pieces, isHead, { limitMs: 60_000 }));
  const whole = await exchange([`${declared}Content-Length: ${body.length}\r\n\r\n`, body]);
  assert.equal(rawStatus(whole.text), 413, whole.text.slice(0, 200));
  const chunkHead = `${declared}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n`;
  const chunked = await exchange([chunkHead, body, '\r\n0\r\n\r\n']);
  assert.equal(rawStatus(chunked.text), 413, chunked.text.slice(0, 200));
  const packed = await c.http.send('POST', c.path('/data/T'), {
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: gzipSync(body, { level: 1 }),
  });
  assertProblem(packed, 413);
});

proves('HTTP in general/Body too large', 'just below the limit is taken', async (c) => {
  const json = JSON.stringify([point(0, 1)]);
  const body = gzipSync(Buffer.from(json.padEnd(LIMIT_BYTES - 1, ' ')), { level: 1 });
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  assertDone(await c.http.send('POST', c.path('/data/T'), { headers, body }));
  assert.deepEqual(await readValues(c, 'T'), [1]);
});
