// How live data ends, over both ways: the server stops, the dataset is deleted, and what a marker is worth after a restart.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { WebSocket } from 'ws';
import { type Engine, openEngine } from '../../../engine/index.ts';
import { LiveHub } from '../../../server/live/live-hub.ts';
import { createRoutes } from '../../../server/routes/all-routes.ts';
import { answerStyle } from '../../../server/routes/service/service.ts';
import type { TransportName } from '../../../server/transport.ts';
import { describeTransports, startRoutes, type TestServer } from '../http/support/test-server.ts';
import { LIMIT_MS, upTo } from './support/live-values.ts';

const GRACE_MS = 120_000;

interface Setup extends TestServer {
  readonly engine: Engine;
  readonly live: LiveHub;
}

interface Place {
  readonly folder: string;
  readonly engines: Engine[];
}

async function startLive(context: TestContext, transport: TransportName, place: Place): Promise<Setup> {
  const { folder, engines } = place;
  const engine = await openEngine({ folder, durability: 'os', listener: () => {} });
  const nowMs = (): number => Date.now();
  const style = answerStyle(undefined);
  const live = new LiveHub({ engine, nowMs, values: style.values, keepAliveMs: 50 });
  const routes = createRoutes({ engine, nowMs, style, handling: 'strict', maxBodyBytes: 2 ** 20, live });
  const server = await startRoutes(context, transport, routes);
  engines.push(engine);
  return { ...server, engine, live };
}

function makePlace(context: TestContext): Place {
  const folder = mkdtempSync(join(tmpdir(), 'varve-test-'));
  const engines: Engine[] = [];
  context.after(async () => {
    for (const engine of engines) await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder: join(folder, 'data'), engines };
}

async function write(server: Setup, values: readonly number[]): Promise<void> {
  const points = values.map((v) => ({ t: new Date(Date.UTC(2026, 0, 1) + v * 1000).toISOString(), v }));
  const body = JSON.stringify({ A: points });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${server.url}/api/datasets/Plant/data`, { method: 'POST', body, headers });
  assert.equal(answer.status, 200, `${await answer.text()} ${server.errors}`);
}

/** What came, as text, and when it ended. */
class Client {
  text = '';
  ended: string | undefined;

  static async stream(context: TestContext, server: Setup, query = ''): Promise<Client> {
    const client = new Client();
    const request = get(`${server.url}/api/datasets/Plant/live${query}`, { agent: false }, (response) => {
      response.setEncoding('utf8').on('data', (part: string) => {
        client.text += part;
      });
      response.on('error', () => {});
      response.on('close', () => {
        client.ended = response.complete ? 'whole' : 'cut off';
      });
    });
    request.on('error', () => {});
    context.after(() => request.destroy());
    await client.until(() => client.text !== '');
    return client;
  }

  static async socket(context: TestContext, server: Setup, query = ''): Promise<Client> {
    const client = new Client();
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/datasets/Plant/live${query}`);
    context.after(() => socket.terminate());
    socket.on('message', (bytes) => {
      client.text += `${bytes}\n`;
    });
    socket.on('close', (code) => {
      client.ended = `closed with ${code}`;
    });
    await client.until(() => client.text !== '');
    return client;
  }

  async until(isThere: () => boolean): Promise<void> {
    const endMs = performance.now() + LIMIT_MS;
    while (!isThere()) {
      assert.ok(performance.now() < endMs, `not there: ${this.text.slice(-500)}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  get values(): number[] {
    return [...this.text.matchAll(/"v":(\d+)/g)].map(([, digits]) => Number(digits));
  }

  get lastId(): string {
    return [...this.text.matchAll(/(?:^id: |"id":")([^"\n]+)/gm)].at(-1)?.[1] ?? '';
  }
}

describeTransports('the end of live data', (transport) => {
  it('streams and WebSockets end when the server stops, and it does not wait for them', async (context) => {
    const server = await startLive(context, transport, makePlace(context));
    await write(server, [1]);
    const clients = [await Client.stream(context, server), await Client.socket(context, server)];
    const startMs = performance.now();
    const closed = server.server.close(GRACE_MS);
    server.live.stop();
    await closed;
    assert.ok(performance.now() - startMs < GRACE_MS / 2);
    for (const client of clients) await client.until(() => client.ended !== undefined);
    assert.deepEqual(
      clients.map(({ ended }) => ended),
      ['whole', 'closed with 1001'],
    );
    assert.deepEqual(server.errors, []);
  });

  it('a WebSocket whose client does not answer the close is cut, and holds the stop up for a moment only', async (context) => {
    const server = await startLive(context, transport, makePlace(context));
    await write(server, [1]);
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/datasets/Plant/live`);
    context.after(() => socket.terminate());
    await new Promise((resolve) => socket.once('message', resolve));
    socket.pause();
    const startMs = performance.now();
    const closed = server.server.close(GRACE_MS);
    server.live.stop();
    await closed;
    assert.ok(performance.now() - startMs < GRACE_MS / 2);
  });

  it('streams and WebSockets end when the dataset is deleted, also when it is made again at once', async (context) => {
    const server = await startLive(context, transport, makePlace(context));
    await write(server, [1]);
    const clients = [await Client.stream(context, server), await Client.socket(context, server)];
    await server.engine.deleteDataset('Plant');
    await server.engine.createDataset({ name: 'Plant', purgeAgeDays: 0, purgeSizeGb: 0 });
    await write(server, [2]);
    for (const client of clients) await client.until(() => client.ended !== undefined);
    assert.deepEqual(
      clients.map(({ ended }) => ended),
      ['whole', 'closed with 1001'],
    );
    for (const client of clients) assert.deepEqual(client.values, [1]);
    const again = await Client.socket(context, server, '?tagname=A');
    await again.until(() => again.values.includes(2));
  });

  for (const way of ['stream', 'socket'] as const) {
    it(`a marker for named tags holds over a restart of the server (${way})`, async (context) => {
      const place = makePlace(context);
      const first = await startLive(context, transport, place);
      await write(first, [1, 2]);
      const before = await Client[way](context, first, '?tagname=A');
      await write(first, [3, 4]);
      await before.until(() => before.values.includes(4));
      const marker = before.lastId;
      await write(first, [5, 6]);
      const closed = first.server.close(GRACE_MS);
      first.live.stop();
      await closed;
      await first.engine.close();
      const second = await startLive(context, transport, place);
      await write(second, [7]);
      const after = await Client[way](context, second, `?tagname=A&since=${marker}`);
      await write(second, [8]);
      await after.until(() => after.values.includes(8));
      assert.deepEqual(after.values, upTo(5, 8));
      assert.doesNotMatch(after.text, /reset|current/);
    });

    it(`a marker is answered with reset where the dataset was restored from a backup (${way})`, async (context) => {
      const place = makePlace(context);
      const backup = makePlace(context);
      for (const { folder } of [place, backup]) {
        const server = await startLive(context, transport, { folder, engines: [] });
        await write(server, upTo(0, 9));
        server.live.stop();
        await server.server.close(GRACE_MS);
        await server.engine.close();
      }
      const first = await startLive(context, transport, place);
      await write(first, upTo(10, 19));
      const before = await Client[way](context, first, '?tagname=A');
      await before.until(() => before.values.includes(19));
      const marker = before.lastId;
      const restored = await startLive(context, transport, backup);
      await write(restored, upTo(100, 119));
      const after = await Client[way](context, restored, `?tagname=A&since=${marker}`);
      await after.until(() => after.values.length > 0);
      assert.match(after.text, /reset/);
      assert.deepEqual(after.values, [119]);
    });

    it(`a marker for all tags does not, and is answered with reset (${way})`, async (context) => {
      const place = makePlace(context);
      const first = await startLive(context, transport, place);
      await write(first, [1]);
      const before = await Client[way](context, first);
      const marker = before.lastId;
      first.live.stop();
      await first.server.close(GRACE_MS);
      await first.engine.close();
      const second = await startLive(context, transport, place);
      const after = await Client[way](context, second, `?since=${marker}`);
      await after.until(() => after.values.includes(1));
      assert.match(after.text, /reset/);
    });
  }
});
