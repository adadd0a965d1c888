// What answers hold of the server's memory: shared by those who ask, refused above the budget, back when they are over.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpHandler } from '../../../../server/http/contract/http-server.ts';
import { AnswerMemory } from '../../../../server/http/memory/answer-memory.ts';
import { MemoryBudget } from '../../../../server/http/memory/memory-budget.ts';
import { ProblemError } from '../../../../server/problem.ts';
import { RawClient } from '../support/raw-client.ts';
import { describeTransports, startServer, type TestServer } from '../support/test-server.ts';

const MIB = 2 ** 20;
/** More than the sockets on both sides hold. */
const CHUNK = Buffer.alloc(16 * MIB);

function isRefused(error: unknown): boolean {
  return (
    error instanceof ProblemError && error.status === 503 && error.headers.some(([name]) => name === 'Retry-After')
  );
}

describe('the memory of answers', () => {
  test('one holder has three quarters of it at most, whatever the number of answers, and another has room then', () => {
    const budget = new MemoryBudget(1000);
    const answers = Array.from({ length: 75 }, () => new AnswerMemory(budget, 'many'));
    for (const answer of answers) answer.take(10);
    assert.throws(() => new AnswerMemory(budget, 'many').take(10), isRefused);
    const other = new AnswerMemory(budget, 'other');
    other.take(100);
    other.give(40);
    assert.equal(budget.heldBytes, 810);
    for (const answer of [...answers, other]) answer.release();
    assert.equal(budget.heldBytes, 0);
  });
});

function get(port: number, path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
}

function startHolding(context: Parameters<typeof startServer>[0], transport: 'uws' | 'node'): Promise<TestServer> {
  const handler: HttpHandler = async (request, response) => {
    if (request.path === '/held') {
      request.memory.take(4 * MIB);
      response.send(200, [], 'done');
      return;
    }
    const stream = response.stream(200, [], 4 * MIB);
    await stream.write(CHUNK);
    stream.end();
  };
  return startServer(context, transport, handler, { answersInFlightBytes: 16 * MIB });
}

async function statusOf(port: number, path: string): Promise<number | undefined> {
  const client = await RawClient.open(port);
  client.send(get(port, path));
  const [answer] = await client.answered(1);
  client.destroy();
  return answer?.status;
}

describeTransports('answers that hold memory', (transport) => {
  test('readers who take nothing are refused above the budget, and their memory is back when they have gone', async (context) => {
    const { port } = await startHolding(context, transport);
    const readers = await Promise.all(Array.from({ length: 3 }, () => RawClient.open(port)));
    for (const reader of readers) {
      reader.socket.pause();
      reader.send(get(port, '/streamed'));
    }
    while ((await statusOf(port, '/held')) !== 503) await delay(5);
    assert.equal(await statusOf(port, '/streamed'), 503);
    for (const reader of readers) reader.destroy();
    while ((await statusOf(port, '/held')) !== 200) await delay(5);
  });

  test('an answer that is complete holds nothing', async (context) => {
    const { port } = await startHolding(context, transport);
    for (let i = 0; i < 20; i++) assert.equal(await statusOf(port, '/held'), 200);
  });
});
