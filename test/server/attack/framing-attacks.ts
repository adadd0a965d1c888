// Attacks by how requests are put on the wire: what a proxy may read otherwise, floods of headers, requests sent ahead,
// HEAD, Expect.

import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { parseAnswers, RawClient } from '../http/support/raw-client.ts';
import { smugglingCases } from '../http/support/smuggling-cases.ts';
import {
  type Attack,
  type AttackContext,
  assertStatus,
  DATASET,
  hostHeader,
  MIB,
  openMany,
  sized,
  withClients,
} from './attack-context.ts';

const CLOSE_LIMIT_MS = 20_000;
/** For a head that counts as not finished yet. */
const SECOND_WAIT_MS = 150;

export const framingAttacks: readonly Attack[] = [
  { name: 'request smuggling', growthLimitBytes: 64 * MIB, run: smuggle },
  {
    name: 'floods of headers',
    growthLimitBytes: 128 * MIB,
    fullGrowthLimitBytes: 384 * MIB,
    run: floodHeaders,
  },
  { name: 'requests sent ahead', growthLimitBytes: 128 * MIB, run: sendAhead },
  { name: 'HEAD of everything', growthLimitBytes: 64 * MIB, run: askForHeads },
  { name: 'Expect', growthLimitBytes: 64 * MIB, run: expect },
];

/** The request that is smuggled would make a tag. */
async function smuggle(context: AttackContext): Promise<number> {
  const body = '[{"v":1}]';
  const second =
    `POST ${DATASET}/data/Smuggled HTTP/1.1\r\nHost: ${hostHeader(context)}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`;
  const cases = smugglingCases(hostHeader(context), second);
  for (const [title, text] of cases) {
    const client = await RawClient.open(context.port);
    await withClients([client], async () => {
      client.send(text);
      await Promise.race([client.closed, delay(SECOND_WAIT_MS)]);
      for (const answer of client.answers) assert.ok(answer.status >= 400, `${title}: answered ${answer.status}`);
    });
    assertStatus(await context.http.get(`${DATASET}/tags/Smuggled`), [404], title);
  }
  return cases.length;
}

async function floodHeaders(context: AttackContext): Promise<number> {
  const count = sized(context, 20, 200);
  const start = `GET ${DATASET}/tags HTTP/1.1\r\nHost: ${hostHeader(context)}\r\n`;
  const floods = [
    `X: ${'a'.repeat(1000)}\r\n`.repeat(100),
    'X: y\r\n'.repeat(30_000),
    `${'X'.repeat(120_000)}: y\r\n`,
    `X: ${'y'.repeat(120_000)}\r\n`,
    `Cookie: ${'a=b; '.repeat(30_000)}\r\n`,
  ];
  for (const flood of floods) {
    await withClients(await openMany(context.port, count), async (clients) => {
      for (const client of clients) client.send(start, flood, flood);
      await Promise.all(clients.map((client) => client.until(() => client.isClosed, CLOSE_LIMIT_MS)));
      for (const { answers } of clients) for (const { status } of answers) assert.ok(status >= 400, `got ${status}`);
    });
  }
  return count * floods.length;
}

/** In order, each its own answer, none mixed up; a connection may be closed instead. */
async function sendAhead(context: AttackContext): Promise<number> {
  const count = sized(context, 1000, 20_000);
  const request = (name: string): string =>
    `GET ${DATASET}/tags/${name} HTTP/1.1\r\nHost: ${hostHeader(context)}\r\n\r\n`;
  const client = await RawClient.open(context.port);
  await withClients([client], async () => {
    client.send(Array.from({ length: count }, (_, i) => request(`None${i}`)).join(''));
    const answers = await client.answered(count, 60_000);
    // uWebSockets gives up at a request line that comes in two pieces.
    if (context.transport === 'uws' && answers.at(-1)?.status === 505) {
      answers.pop();
      await client.closed;
    }
    for (const [i, { status, body }] of answers.entries()) {
      assert.equal(status, 404);
      assert.match(body.toString(), new RegExp(`'None${i}'`));
    }
    if (!client.isClosed) assert.equal(answers.length, count);
  });
  await sendWritesAhead(context);
  return count;
}

/** Writes that are answered later, with reads behind them. */
async function sendWritesAhead(context: AttackContext): Promise<void> {
  const host = hostHeader(context);
  const body = '[{"v":1}]';
  const write = `POST ${DATASET}/data/Ahead HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const read = `GET ${DATASET}/data?tagname=Big HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  await withClients(await openMany(context.port, sized(context, 10, 100)), async (clients) => {
    for (const client of clients) client.send((write + read).repeat(50));
    await delay(500);
    for (const client of clients) {
      for (const { status, isComplete } of client.answers) assert.ok(status < 500 || !isComplete, `got ${status}`);
    }
  });
}

async function askForHeads(context: AttackContext): Promise<number> {
  const paths = [
    '/',
    '/health',
    '/ready',
    '/api/help',
    '/api/v1.json',
    '/api/datasets',
    `${DATASET}/tags`,
    `${DATASET}/data?tagname=Big&start=2000-01-01T00:00:00Z`,
    '/nowhere',
  ];
  const rounds = sized(context, 2, 20);
  for (let round = 0; round < rounds; round++) {
    const client = await RawClient.open(context.port);
    await withClients([client], async () => {
      for (const [i, path] of paths.entries()) {
        client.send(`HEAD ${path} HTTP/1.1\r\nHost: ${hostHeader(context)}\r\n\r\n`);
        await client.until(() => client.isClosed || parseAnswers(client.received, 'HEAD').length > i);
      }
      const answers = parseAnswers(client.received, 'HEAD');
      assert.equal(answers.length, paths.length, 'a body after HEAD, or no answer');
      for (const { status } of answers) assert.ok(status < 500, `got ${status}`);
    });
  }
  return rounds * paths.length;
}

async function expect(context: AttackContext): Promise<number> {
  const body = '[{"v":1}]';
  const head = (expectation: string): string =>
    `POST ${DATASET}/data/Expected HTTP/1.1\r\nHost: ${hostHeader(context)}\r\nExpect: ${expectation}\r\nContent-Length: ${body.length}\r\n\r\n`;
  for (const expectation of ['100-continue', '100-Continue', 'nonsense', '100-continue, 100-continue', '']) {
    const client = await RawClient.open(context.port);
    await withClients([client], async () => {
      client.send(head(expectation));
      await delay(30);
      client.send(body);
      await client.until(() => client.isClosed || client.answers.some(({ status }) => status >= 200));
      const final = client.answers.find(({ status }) => status >= 200);
      assert.ok(final === undefined || [200, 417].includes(final.status), `Expect: ${expectation}: ${final?.status}`);
    });
  }
  // Clients that ask and go.
  const count = sized(context, 100, 1000);
  await withClients(await openMany(context.port, count), async (clients) => {
    for (const client of clients) client.send(head('100-continue'));
    await delay(100);
  });
  return 5 + count;
}
