// What bodies hold of the server's memory: by what has come, shared by those who send them.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { BodyRate } from '../../../../server/http/body/body.ts';
import { BodyBudget, type BudgetUser } from '../../../../server/http/body/body-budget.ts';
import { BodyRoom } from '../../../../server/http/body/body-room.ts';
import { BODY_SPARE_BYTES } from '../../../../server/http/contract/body-bytes.ts';
import { ProblemError } from '../../../../server/problem.ts';
import { RawClient } from '../support/raw-client.ts';
import { describeTransports, startServer, type TestServer } from '../support/test-server.ts';

const MIB = 2 ** 20;

class User implements BudgetUser {
  readonly holder: string;
  heldBytes = 0;
  slow = false;
  lost: ProblemError | undefined;
  readonly #budget: BodyBudget;

  constructor(budget: BodyBudget, holder: string) {
    this.#budget = budget;
    this.holder = holder;
    budget.began(this);
  }

  take(sizeBytes: number): void {
    this.#budget.take(this, sizeBytes);
    this.heldBytes += sizeBytes;
  }

  isSlow(): boolean {
    return this.slow;
  }

  giveUp(error: ProblemError): void {
    this.lost = error;
    this.#budget.give(this, this.heldBytes);
    this.heldBytes = 0;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 503;
}

describe('the memory of bodies', () => {
  test('one holder has three quarters of it at most, and another has room then', () => {
    const budget = new BodyBudget(1000);
    const many = new User(budget, 'many');
    for (let i = 0; i < 75; i++) many.take(10);
    assert.throws(() => many.take(10), isBusy);
    const other = new User(budget, 'other');
    other.take(100);
    assert.throws(() => new User(budget, 'many').take(10), isBusy);
    assert.equal(budget.heldBytes, 850);
  });

  test('of what one leaves another has three quarters, and so there is room for a third', () => {
    const budget = new BodyBudget(16_000);
    for (const [holder, mostBytes] of [
      ['first', 12_000],
      ['second', 3000],
      ['third', 750],
    ] as const) {
      const user = new User(budget, holder);
      user.take(mostBytes);
      assert.throws(() => user.take(1), isBusy);
    }
  });

  test('a slow body loses what it holds when another needs it, the largest first, and a fast one does not', () => {
    const budget = new BodyBudget(1000);
    const [fast, small, large] = [300, 150, 250].map((sizeBytes) => {
      const user = new User(budget, 'here');
      user.take(sizeBytes);
      return user;
    }) as [User, User, User];
    small.slow = true;
    large.slow = true;
    new User(budget, 'here').take(100);
    assert.deepEqual([fast.lost, small.lost, large.lost?.status], [undefined, undefined, 503]);
    assert.equal(budget.heldBytes, 550);
  });

  test('who holds more does not push out the slow bodies of those who hold less', () => {
    const budget = new BodyBudget(1000);
    const slow = new User(budget, 'little');
    slow.take(50);
    slow.slow = true;
    const greedy = new User(budget, 'much');
    greedy.take(600);
    assert.throws(() => greedy.take(150), isBusy);
    assert.equal(slow.lost, undefined);
  });

  test('it is charged by what has come, also of a long body, and given back whole', () => {
    const budget = new BodyBudget(1024 * MIB);
    const user = new User(budget, 'here');
    const room = new BodyRoom(budget, user);
    const piece = Buffer.alloc(100_000, 7);
    for (let i = 1; i <= 200; i++) {
      room.append(piece, 64 * MIB);
      assert.ok(room.heldBytes >= i * piece.length, `${room.heldBytes} after ${i} pieces`);
      assert.ok(room.heldBytes <= Math.max(65_536, 2 * i * piece.length), `${room.heldBytes} after ${i} pieces`);
      assert.equal(budget.heldBytes, room.heldBytes);
    }
    assert.ok(Buffer.alloc(20_000_000, 7).equals(room.written()));
    room.release();
    assert.equal(budget.heldBytes, 0);
  });

  test('behind a body there are zeros, whatever its memory was used for before', () => {
    const budget = new BodyBudget(1024 * MIB);
    const user = new User(budget, 'here');
    const room = new BodyRoom(budget, user);
    room.append(Buffer.alloc(100_000, 7), MIB);
    room.written();
    room.recycle();
    for (const sizeBytes of [0, 70, 16_384, 65_536, 99_990, MIB, 2 * MIB]) {
      for (const isWhole of [true, false]) {
        const other = new BodyRoom(budget, user);
        const body = Buffer.alloc(sizeBytes, 9);
        if (isWhole) other.appendWhole(body);
        else other.append(body, 4 * MIB);
        const written = other.written();
        const spare = Buffer.from(written.buffer, written.byteOffset + written.length, BODY_SPARE_BYTES);
        assert.ok(body.equals(written), `${sizeBytes}`);
        assert.ok(spare.equals(Buffer.alloc(BODY_SPARE_BYTES)), `${sizeBytes}`);
        other.recycle();
      }
    }
  });

  test('a body that comes byte by byte is slow at every moment from its third second on', () => {
    const rate = new BodyRate();
    for (let timeMs = 0; timeMs < 10_000; timeMs += 50) {
      const receivedBytes = 450_000 + timeMs / 50;
      rate.note(timeMs, receivedBytes);
      assert.equal(rate.isSlow(timeMs, receivedBytes, 900_000), timeMs >= 2000, `after ${timeMs} ms`);
    }
  });

  test('a body is slow when it would take half a minute for as much as it holds', () => {
    const rate = new BodyRate();
    rate.note(0, 0);
    assert.equal(rate.isSlow(1000, 0, 1), false);
    rate.note(1000, 1000);
    rate.note(2000, 2000);
    assert.equal(rate.isSlow(3000, 3000, 29_000), false);
    assert.equal(rate.isSlow(3000, 3000, 31_000), true);
    assert.equal(rate.isSlow(9000, 3000, 29_000), true);
  });
});

function head(port: number, sizeBytes: number): string {
  return `POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: ${sizeBytes}\r\n\r\n`;
}

function startReading(
  context: Parameters<typeof startServer>[0],
  transport: 'uws' | 'node',
  bodiesInFlightBytes: number,
): Promise<TestServer> {
  const handler: Parameters<typeof startServer>[2] = async (request, response) => {
    const { length } = await request.readBody(64 * MIB);
    response.send(200, [], String(length));
  };
  return startServer(context, transport, handler, { bodiesInFlightBytes });
}

/** Clients that declare much, send a part, and then go on byte by byte. */
async function trickle(port: number, count: number, declaredBytes: number, sentBytes: number): Promise<() => void> {
  const clients = await Promise.all(Array.from({ length: count }, () => RawClient.open(port)));
  for (const client of clients) client.send(head(port, declaredBytes), Buffer.alloc(sentBytes));
  const timer = setInterval(() => {
    for (const client of clients) if (!client.isClosed) client.send(Buffer.alloc(1));
  }, 50);
  return () => {
    clearInterval(timer);
    for (const client of clients) client.destroy();
  };
}

async function writeWhole(port: number, sizeBytes: number): Promise<number | undefined> {
  const client = await RawClient.open(port);
  // In pieces, so that it is held, as a body from afar is.
  client.send(head(port, sizeBytes), Buffer.alloc(100_000));
  await delay(5);
  client.send(Buffer.alloc(sizeBytes - 100_000));
  const [answer] = await client.answered(1);
  client.destroy();
  return answer?.status;
}

describeTransports('bodies that hold memory', (transport) => {
  test('clients that declare much and send little leave room for the writes of others', async (context) => {
    const { port } = await startReading(context, transport, 16 * MIB);
    const stop = await trickle(port, 18, 64 * MIB, 200_000);
    try {
      for (let round = 0; round < 10; round++) assert.equal(await writeWhole(port, 900_000), 200, `round ${round}`);
    } finally {
      stop();
    }
  });

  test('clients that fill all the memory and then trickle give way to others, also of their own address', async (context) => {
    const { port } = await startReading(context, transport, 4 * MIB);
    const stop = await trickle(port, 12, 4 * MIB, 450_000);
    try {
      const statuses: (number | undefined)[] = [];
      for (let tries = 0; tries < 100 && statuses.at(-1) !== 200; tries++) {
        statuses.push(await writeWhole(port, 900_000));
        await delay(100);
      }
      assert.equal(statuses.at(-1), 200, statuses.join());
      for (let round = 0; round < 5; round++) assert.equal(await writeWhole(port, 900_000), 200, `round ${round}`);
    } finally {
      stop();
    }
  });
});
