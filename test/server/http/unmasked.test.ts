// Frames of a WebSocket client that are not masked, which RFC 6455 (section 5.1) forbids: the connection is closed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpHandler } from '../../../server/http/contract/http-server.ts';
import { RawClient } from './support/raw-client.ts';
import { describeTransports, startServer } from './support/test-server.ts';

const HANDSHAKE =
  'GET /live HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';
const HEAD_END = '\r\n\r\n';
const PING_EVERY_MS = 50;
const [TEXT, PING, PONG] = [1, 9, 10];
const MASK = [1, 2, 3, 4] as const;

function masked(opcode: number, payload: Uint8Array): Buffer {
  const bytes = payload.map((byte, i) => byte ^ (MASK[i % 4] as number));
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, ...MASK]), bytes]);
}

function unmasked(opcode: number, payload: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([0x80 | opcode, payload.length]), payload]);
}

/** A WebSocket with a ping now and then. */
const pinging: HttpHandler = (request, response) => {
  const socket = response.openSocket();
  const timer = setInterval(() => socket.ping(), PING_EVERY_MS);
  request.onAbort(() => clearInterval(timer));
};

/** Answers the pings as a proper client does, from the end of the handshake on. */
async function openSocket(port: number, answer: (payload: Uint8Array) => Buffer): Promise<RawClient> {
  const client = await RawClient.open(port);
  client.send(HANDSHAKE);
  await client.until(() => client.received.includes(HEAD_END));
  let offset = client.received.indexOf(HEAD_END) + HEAD_END.length;
  client.socket.on('data', () => {
    for (;;) {
      const length = client.received[offset + 1];
      const end = offset + 2 + (length ?? 0);
      if (length === undefined || client.received.length < end) return;
      const opcode = (client.received[offset] as number) & 15;
      if (opcode === PING) client.send(answer(client.received.subarray(offset + 2, end)));
      offset = end;
    }
  });
  return client;
}

const hello = Buffer.from('hello');
const frames: readonly (readonly [title: string, frame: Buffer])[] = [
  ['a short text', unmasked(TEXT, hello)],
  ['a text of 100 bytes', unmasked(TEXT, Buffer.alloc(100, 'h'))],
  ['an empty pong', unmasked(PONG, Buffer.alloc(0))],
  ['a ping', unmasked(PING, hello)],
];

describeTransports('frames that are not masked', (transport) => {
  for (const [title, frame] of frames) {
    test(`${title} closes the connection`, async (context) => {
      const { port } = await startServer(context, transport, pinging, { allowedHosts: ['a'] });
      const client = await openSocket(port, (payload) => masked(PONG, payload));
      context.after(() => client.destroy());
      client.send(frame);
      await client.until(() => client.isClosed);
    });
  }

  test('pongs that are never masked close the connection', async (context) => {
    const { port } = await startServer(context, transport, pinging, { allowedHosts: ['a'] });
    const client = await openSocket(port, (payload) => unmasked(PONG, payload));
    context.after(() => client.destroy());
    await client.until(() => client.isClosed);
  });

  test('masked frames do not', async (context) => {
    const { port } = await startServer(context, transport, pinging, { allowedHosts: ['a'] });
    const client = await openSocket(port, (payload) => masked(PONG, payload));
    context.after(() => client.destroy());
    client.send(masked(TEXT, hello), masked(PING, hello), masked(PONG, Buffer.alloc(0)));
    await delay(10 * PING_EVERY_MS);
    assert.equal(client.isClosed, false);
  });
});
