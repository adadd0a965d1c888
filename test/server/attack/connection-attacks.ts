// Attacks by connections: thousands of them, slow ones, ones that break off, and readers that stop.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { RawClient } from '../http/support/raw-client.ts';
import {
  type Attack,
  type AttackContext,
  DATASET,
  hostHeader,
  MIB,
  openMany,
  sized,
  withClients,
} from './attack-context.ts';
import { BIG_ANSWER_BYTES, bigReadBody } from './big-answer.ts';

/** What is allowed for a head, and a little more. */
const SLOW_LIMIT_MS = 20_000;
/** A busy server fills what the kernel holds of each answer late, and a reader is too slow from then on. */
const CLOSE_LIMIT_MS = 60_000;
/** The state of a connection that neither side has closed, in /proc/net/tcp. */
const ESTABLISHED = '01';

export const connectionAttacks: readonly Attack[] = [
  {
    name: 'slow heads and bodies',
    growthLimitBytes: 64 * MIB,
    fullGrowthLimitBytes: 96 * MIB,
    run: trickle,
  },
  { name: 'thousands of connections', growthLimitBytes: 192 * MIB, run: crowd },
  { name: 'requests broken off at every byte', growthLimitBytes: 64 * MIB, run: breakRequests },
  { name: 'answers broken off', growthLimitBytes: 192 * MIB, run: breakAnswers },
  { name: 'a reader that stops in a 500 MB answer', growthLimitBytes: 96 * MIB, run: (context) => stall(context, 1) },
  {
    name: 'many readers that stop',
    growthLimitBytes: 256 * MIB,
    run: (context) => stall(context, sized(context, 20, 100)),
  },
];

/** A byte now and then, of heads and of bodies: each is closed in time, or costs only its connection. */
async function trickle(context: AttackContext): Promise<number> {
  const count = sized(context, 50, 500);
  const head = `GET /health HTTP/1.1\r\nHost: ${hostHeader(context)}\r\nX-Slow: `;
  const post = `POST ${DATASET}/data/Slow HTTP/1.1\r\nHost: ${hostHeader(context)}\r\nContent-Length: 16777216\r\n\r\n[`;
  return withClients(await openMany(context.port, 2 * count), async (clients) => {
    for (const [i, client] of clients.entries()) client.send(i < count ? head : post);
    const deadlineMs = performance.now() + SLOW_LIMIT_MS;
    while (performance.now() < deadlineMs && clients.some(({ isClosed }) => !isClosed)) {
      await delay(1000);
      for (const client of clients) if (!client.isClosed) client.send(' ');
    }
    const openCount = clients.filter(({ isClosed }) => !isClosed).length;
    assert.equal(openCount, 0, `${openCount} slow connections are open after ${SLOW_LIMIT_MS} ms`);
    return clients.length;
  });
}

/** All at once; each is served. */
async function crowd(context: AttackContext): Promise<number> {
  const count = sized(context, 500, 2000);
  const request = `GET ${DATASET}/data?tagname=Big HTTP/1.1\r\nHost: ${hostHeader(context)}\r\n\r\n`;
  return withClients(await openMany(context.port, count), async (clients) => {
    for (const client of clients) client.send(request);
    const answers = await Promise.all(clients.map((client) => client.answered(1, 60_000)));
    for (const [answer] of answers) assert.equal(answer?.status, 200);
    return count;
  });
}

async function breakRequests(context: AttackContext): Promise<number> {
  const body = JSON.stringify({ Broken: [{ t: '2030-01-01T00:00:00Z', v: 1 }] });
  const request = `POST ${DATASET}/data HTTP/1.1\r\nHost: ${hostHeader(context)}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  let count = 0;
  for (let length = 0; length < request.length; length++) {
    for (const ending of ['reset', 'end'] as const) {
      const client = await RawClient.open(context.port);
      client.socket.write(request.slice(0, length));
      if (length % 8 === 0) await delay(1);
      if (ending === 'reset') client.socket.resetAndDestroy();
      else client.socket.end();
      if (ending === 'end' && length % 8 === 0) await Promise.race([client.closed, delay(5)]);
      client.destroy();
      count++;
    }
  }
  assert.equal((await context.http.get(`${DATASET}/tags/Broken`)).status, 404, 'half a request was taken');
  return count;
}

function bigRead(context: AttackContext): string {
  const body = bigReadBody();
  return `POST ${DATASET}/read HTTP/1.1\r\nHost: ${hostHeader(context)}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** The client goes after so many bytes of a large answer, at once or when it has taken them. */
async function breakAnswers(context: AttackContext): Promise<number> {
  const lengths = [0, 1, 100, 1000, 10_000, 100_000, 1_000_000, 5_000_000];
  const rounds = sized(context, 2, 20);
  for (let round = 0; round < rounds; round++) {
    for (const length of lengths) {
      const client = await RawClient.open(context.port);
      client.send(bigRead(context));
      if (length > 0) await client.until(() => client.isClosed || client.receivedBytes >= length, 30_000);
      if (round % 2 === 0) client.socket.resetAndDestroy();
      else client.destroy();
    }
  }
  return rounds * lengths.length;
}

async function stopAfterMegabyte(client: RawClient): Promise<void> {
  const { socket } = client;
  const stop = (): void => {
    if (client.receivedBytes >= MIB) socket.pause();
  };
  socket.on('data', stop);
  await client.until(() => client.receivedBytes >= MIB, 60_000);
  socket.off('data', stop);
}

/** How many of these connections the server has not closed. A client that does not read would not see it. */
function countHeld(port: number, clients: readonly RawClient[]): number {
  const remotePorts = new Set(clients.map(({ socket }) => socket.localPort));
  const lines = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  return lines.filter((line) => {
    const [, local = '', remote = '', state] = line.trim().split(/\s+/);
    return state === ESTABLISHED && portOf(local) === port && remotePorts.has(portOf(remote));
  }).length;
}

function portOf(address: string): number {
  return Number.parseInt(address.slice(address.indexOf(':') + 1), 16);
}

async function waitUntilClosed({ port }: AttackContext, clients: readonly RawClient[]): Promise<void> {
  const deadlineMs = performance.now() + CLOSE_LIMIT_MS;
  for (;;) {
    const heldCount = countHeld(port, clients);
    if (heldCount === 0) return;
    assert.ok(performance.now() < deadlineMs, `${heldCount} readers that stopped are open after ${CLOSE_LIMIT_MS} ms`);
    await delay(100);
  }
}

/** Each takes a megabyte and no more; the server closes the connection, and has not sent much more by then. */
async function stall(context: AttackContext, count: number): Promise<number> {
  return withClients(await openMany(context.port, count), async (clients) => {
    for (const client of clients) client.send(bigRead(context));
    await Promise.all(clients.map(stopAfterMegabyte));
    assert.ok(countHeld(context.port, clients) > 0, 'all were closed before they stopped');
    await waitUntilClosed(context, clients);
    for (const client of clients) client.socket.resume();
    await Promise.all(clients.map((client) => client.until(() => client.isClosed, 30_000)));
    for (const { receivedBytes } of clients) {
      assert.ok(receivedBytes < BIG_ANSWER_BYTES / 10, `${receivedBytes} bytes came`);
    }
    return count;
  });
}
