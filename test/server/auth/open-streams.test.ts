// What a token holds open is closed when it no longer holds: live streams, WebSockets and long reads, over both transports.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { get, request } from 'node:http';
import { it, type TestContext, test } from 'node:test';
import { WebSocket } from 'ws';
import { OpenStreams } from '../../../server/auth/open-streams.ts';
import { formatTokenFile, type TokenEntry } from '../../../server/auth/tokens/token-file.ts';
import { writeNumbers } from '../../support/engine-points.ts';
import { describeTransports } from '../http/support/test-server.ts';
import {
  type AccessServer,
  bearer,
  clientToken,
  makeClient,
  makeToken,
  startAccessServer,
} from './support/access-server.ts';

const LIMIT_MS = 60_000;
const LIVE = '/api/datasets/Plant/live';
const POINTS = 60_000;
/** Some 40 MB: longer than what fits between the server and a client that does not read. */
const LONG_READ = `/api/datasets/Plant/data?${'tagname=Long&'.repeat(12)}start=2026-01-01T00:00:00Z&end=2027-01-01T00:00:00Z`;

const admin = makeToken('admin', ['*']);
const reader = makeToken('read', ['Plant']);
const client = makeClient('read', ['Plant']);
const bystander = makeToken('read', ['Plant']);
const entries = [admin, reader, client, bystander].map(({ entry }) => entry);

/** One answer that goes on, and how it ended. */
class Held {
  receivedBytes = 0;
  end: string | undefined;

  static stream(
    context: TestContext,
    server: AccessServer,
    path: string,
    token: string,
    headers: Record<string, string> = {},
  ): Promise<Held> {
    const held = new Held();
    const options = { agent: false, headers: { ...bearer(token), ...headers } };
    return new Promise((resolve, reject) => {
      const asked = get(`${server.url}${path}`, options, (answer) => {
        assert.equal(answer.statusCode, 200);
        answer.on('data', (part: Buffer) => {
          held.receivedBytes += part.length;
          if (path !== LIVE) answer.pause(); // A slow reader of a long read.
          resolve(held);
        });
        answer.on('error', () => {});
        answer.on('close', () => {
          held.end ??= answer.complete ? 'whole' : 'cut off';
        });
        held.#resume = () => answer.removeAllListeners('data').resume();
      });
      asked.on('error', reject);
      context.after(() => asked.destroy());
    });
  }

  static socket(context: TestContext, server: AccessServer, token: string): Promise<Held> {
    const held = new Held();
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}${LIVE}`, { headers: bearer(token) });
    context.after(() => socket.terminate());
    return new Promise((resolve, reject) => {
      socket.on('error', reject);
      socket.on('message', () => resolve(held));
      socket.on('close', (code) => {
        held.end = `closed with ${code}`;
      });
    });
  }

  #resume = (): void => {};

  /** Reads on, to see the end that came behind what was not read. */
  async ended(): Promise<string> {
    this.#resume();
    await until(() => this.end !== undefined, 'the end');
    return this.end ?? '';
  }
}

async function until(isThere: () => boolean, what: string): Promise<void> {
  const endMs = performance.now() + LIMIT_MS;
  while (!isThere()) {
    assert.ok(performance.now() < endMs, `waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function startPlant(context: TestContext, transport: 'uws' | 'node'): Promise<AccessServer> {
  const server = await startAccessServer(context, transport, entries);
  const startMs = Date.UTC(2026, 0, 1);
  await server.engine.createDataset({ name: 'Plant', purgeAgeDays: 0, purgeSizeGb: 0 });
  const long = Array.from({ length: POINTS }, (_, i) => ({ ms: startMs + i * 1000, value: i / 7 }));
  for (let at = 0; at < POINTS; at += 10_000)
    await writeNumbers(server.engine, 'Plant', { Long: long.slice(at, at + 10_000) });
  return server;
}

/** Does what the running server does after each look at the file. */
async function change(server: AccessServer, changed: readonly TokenEntry[]): Promise<void> {
  writeFileSync(server.tokenPath, formatTokenFile(changed));
  await server.tokens.check();
  server.streams.sweep(Date.now() + server.clock.aheadMs);
}

/** Ways in which the rights of `reader` and `client` end; the others keep theirs. */
const ENDS: readonly (readonly [string, (entry: TokenEntry) => readonly TokenEntry[]])[] = [
  ['revoked', (entry) => [{ ...entry, revoked: '2026-06-01T00:00:00.000Z' }]],
  ['removed', () => []],
  ['changed in its role', (entry) => [{ ...entry, role: 'write' }]],
  ['changed in its datasets', (entry) => [{ ...entry, datasets: ['Other'] }]],
  ['given an end that is past', (entry) => [{ ...entry, expires: '2026-01-01T00:00:00.000Z' }]],
];

describeTransports('open streams', (transport) => {
  for (const [what, end] of ENDS) {
    it(`a token that is ${what} closes its streams, sockets and long reads, and no others`, async (context) => {
      const server = await startPlant(context, transport);
      const open = async (token: string): Promise<Held[]> => [
        await Held.stream(context, server, LIVE, token),
        await Held.socket(context, server, token),
        await Held.stream(context, server, LONG_READ, token),
      ];
      const ours = [...(await open(reader.token)), ...(await open(clientToken(client)))];
      const theirs = await open(bystander.token);
      assert.equal(server.streams.size, 9);
      await change(server, [admin.entry, bystander.entry, ...end(reader.entry), ...end(client.entry)]);
      const ends = ['cut off', 'closed with 1008', 'cut off'];
      assert.deepEqual(await Promise.all(ours.map((held) => held.ended())), [...ends, ...ends]);
      assert.equal(server.streams.size, 3);
      assert.deepEqual(
        theirs.map((held) => held.end),
        [undefined, undefined, undefined],
      );
      assert.equal(await theirs[2]?.ended(), 'whole');
      await until(() => server.streams.size === 2, 'the read to be over');
    });
  }

  it('a compressed read is cut off as well', async (context) => {
    const server = await startPlant(context, transport);
    const headers = { 'accept-encoding': 'gzip' };
    const held = await Held.stream(context, server, LONG_READ, reader.token, headers);
    assert.equal(server.streams.size, 1);
    await change(server, [admin.entry]);
    assert.equal(await held.ended(), 'cut off');
  });

  it('a body that is whole only when its token is gone changes nothing', async (context) => {
    const server = await startAccessServer(context, transport, entries);
    const body = JSON.stringify({ T: [{ v: 1 }] });
    const outgoing = request(`${server.url}/api/datasets/Plant/data`, {
      method: 'POST',
      agent: false,
      headers: { ...bearer(admin.token), 'content-length': body.length },
    });
    const answered = new Promise<number>((resolve, reject) => {
      outgoing.on('response', (answer) => resolve(answer.resume().statusCode ?? 0));
      outgoing.on('error', reject);
    });
    let verified = 0;
    const verify = server.tokens.verify.bind(server.tokens);
    server.tokens.verify = (text, nowMs) => {
      verified++;
      return verify(text, nowMs);
    };
    outgoing.write(body.slice(0, 5));
    await until(() => verified > 0, 'the request to be admitted');
    await change(server, [reader.entry]);
    outgoing.end(body.slice(5));
    assert.equal(await answered, 401);
    assert.equal(server.engine.hasDataset('Plant'), false);
    assert.deepEqual(
      server.auditLines.map(({ reason, token }) => [reason, token]),
      [['token ended', admin.entry.id]],
    );
  });

  it("a token's end closes what it holds open, and a stream that ends by itself is forgotten", async (context) => {
    const server = await startPlant(context, transport);
    const token = clientToken(client, 60_000);
    const held = [await Held.stream(context, server, LIVE, token), await Held.socket(context, server, token)];
    const other = await Held.socket(context, server, bystander.token);
    assert.equal((await server.http.get(LONG_READ, bearer(reader.token))).status, 200);
    await until(() => server.streams.size === 3, 'the read to be over');
    server.clock.aheadMs = 61_000;
    await change(server, entries);
    assert.deepEqual(await Promise.all(held.map((one) => one.ended())), ['cut off', 'closed with 1008']);
    assert.equal(other.end, undefined);
    await server.engine.deleteDataset('Plant');
    assert.equal(await other.ended(), 'closed with 1001');
    await until(() => server.streams.size === 0, 'nothing to be open');
  });
});

test('very many streams are closed in slices', async () => {
  let closed = 0;
  const streams = new OpenStreams({ holds: () => false });
  const grant = { entry: reader.entry, untilMs: 0 };
  for (let i = 0; i < 1000; i++) streams.add({ grant, close: () => closed++ });
  streams.sweep(0);
  assert.equal(closed, 100);
  await until(() => closed === 1000, 'all to be closed');
  assert.equal(streams.size, 0);
});
