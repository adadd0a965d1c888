// Live data over WebSockets: the events of the stream as messages, on both transports, and who is refused.

import assert from 'node:assert/strict';
import { get } from 'node:http';
import { connect } from 'node:net';
import { it, type TestContext } from 'node:test';
import { WebSocket } from 'ws';
import { type AccessServer, bearer, makeToken, startAccessServer } from '../auth/support/access-server.ts';
import { describeTransports } from '../http/support/test-server.ts';
import { LIMIT_MS, upTo, writeValues } from './support/live-values.ts';

interface Message {
  readonly id: string;
  readonly event: string;
  readonly data: Record<string, { v: unknown }[]>;
}

/** A client: its messages so far, and a wait for more. */
class SocketListener {
  readonly events: Message[] = [];
  readonly socket: WebSocket;
  closeCode: number | undefined;
  #wake = (): void => {};

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (bytes, isBinary) => {
      assert.equal(isBinary, false);
      this.events.push(JSON.parse(String(bytes)) as Message);
      this.#wake();
    });
    socket.on('close', (code) => {
      this.closeCode = code;
      this.#wake();
    });
  }

  /** Rejects with an error that has the status of the answer in its text. */
  static open(context: TestContext, server: AccessServer, query: string, headers = {}): Promise<SocketListener> {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/datasets/Plant/live${query}`, { headers });
    context.after(() => socket.terminate());
    const listener = new SocketListener(socket);
    return new Promise((resolve, reject) => {
      socket.on('error', reject);
      socket.on('open', () => resolve(listener));
    });
  }

  async until(isThere: () => boolean): Promise<void> {
    const endMs = performance.now() + LIMIT_MS;
    while (!isThere()) {
      const leftMs = endMs - performance.now();
      if (leftMs <= 0) throw new Error(`not there: ${JSON.stringify(this.events).slice(0, 1000)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  values(tag: string): unknown[] {
    return this.events.flatMap(({ data }) => (data[tag] ?? []).map(({ v }) => v));
  }

  kinds(): string[] {
    return this.events.map(({ event }) => event);
  }
}

/** The status of an answer to a request that asks for a WebSocket, and what its connection does then. */
function askRaw(
  server: AccessServer,
  headers: Record<string, string>,
  path = '/api/datasets/Plant/live',
): Promise<string> {
  const lines = Object.entries({ Host: `127.0.0.1:${server.port}`, ...HANDSHAKE, ...headers });
  const head = lines.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}\r\n`);
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\n${head.join('')}\r\n`),
    );
    socket.setTimeout(LIMIT_MS, () => socket.destroy(new Error('no answer')));
    socket.once('data', (bytes) => {
      resolve(bytes.toString('latin1').split('\r\n')[0] as string);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

const HANDSHAKE = {
  Connection: 'keep-alive, Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

describeTransports('live data over a WebSocket', (transport) => {
  it('gives the newest points, then every point once', async (context) => {
    const server = await startAccessServer(context, transport);
    await writeValues(server, { A: [1, 2], 'Größe "x"': [7] });
    const listener = await SocketListener.open(context, server, '?tagname=A&tagname=Gr%C3%B6%C3%9Fe%20%22x%22');
    for (const value of upTo(3, 30)) await writeValues(server, { A: [value], 'Größe "x"': [value + 5] });
    await listener.until(() => listener.values('Größe "x"').includes(35));
    assert.equal(listener.events[0]?.event, 'current');
    assert.deepEqual(listener.values('A'), upTo(2, 30));
    assert.deepEqual(listener.values('Größe "x"'), [7, ...upTo(8, 35)]);
  });

  it('tells who listens to a tag that points of it were corrected, and that this was undone', async (context) => {
    const server = await startAccessServer(context, transport);
    await writeValues(server, { A: upTo(1, 9), B: [1] });
    const [ofA, ofB, ofAll] = (await Promise.all(
      ['?tagname=A', '?tagname=B', ''].map((query) => SocketListener.open(context, server, query)),
    )) as [SocketListener, SocketListener, SocketListener];
    const range = { start: '2026-01-01T00:00:02.000Z', end: '2026-01-01T00:00:04.000Z' };
    const corrections = '/api/datasets/Plant/corrections';
    const query = new URLSearchParams({ tagname: 'A', kind: 'delete', ...range });
    const made = await server.http.send('POST', `${corrections}?${query}`);
    assert.equal(made.status, 201, made.text);
    const corrected = (listener: SocketListener): unknown[] =>
      listener.events.filter(({ event }) => event === 'corrected').map(({ data }) => data);
    await ofA.until(() => corrected(ofA).length === 1);
    const undone = await server.http.send('POST', `${corrections}/1/undo`);
    assert.equal(undone.status, 200, undone.text);
    for (const listener of [ofA, ofAll]) {
      await listener.until(() => corrected(listener).length === 2);
      assert.deepEqual(corrected(listener), [{ A: range }, { A: range }]);
    }
    await writeValues(server, { B: [2] });
    await ofB.until(() => ofB.kinds().includes('points'));
    assert.deepEqual(corrected(ofB), []);
  });

  for (const query of ['?tagname=A&tagname=B', '?']) {
    it(`a client that goes on with its marker misses and repeats nothing (${query})`, async (context) => {
      const server = await startAccessServer(context, transport);
      await writeValues(server, { A: [1], B: [1] });
      const got: unknown[] = [];
      let next = 2;
      let since = '';
      for (let round = 0; round < 5; round++) {
        const listener = await SocketListener.open(context, server, `${query}${since}`);
        const last = next + 20;
        for (; next <= last; next++) await writeValues(server, { A: [next], B: [next] });
        await listener.until(() => listener.values('A').includes(last));
        if (round > 0) assert.ok(!listener.kinds().includes('current'));
        got.push(...listener.values('A'));
        since = `&since=${listener.events.at(-1)?.id}`;
        if (round % 2 === 0) listener.socket.terminate();
        else listener.socket.close();
        await writeValues(server, { A: upTo(next, next + 9), B: [next] });
        next += 10;
      }
      assert.deepEqual(got, upTo(got[0] as number, got.at(-1) as number));
      assert.ok(got.length > 100);
    });
  }

  it('a client that does not read is dropped to the newest values', async (context) => {
    const server = await startAccessServer(context, transport);
    await writeValues(server, { A: [1] });
    const listener = await SocketListener.open(context, server, '');
    await listener.until(() => listener.events.length > 0);
    listener.socket.pause();
    let next = 2;
    for (let request = 0; request < 40; request++, next += 9000) {
      await writeValues(server, { A: upTo(next, next + 8999) });
    }
    listener.socket.resume();
    await listener.until(() => listener.values('A').includes(next - 1));
    const skipped = listener.events.find(({ event }) => event === 'skipped') as unknown as { data: { points: number } };
    assert.ok(skipped.data.points > 0);
    const values = listener.values('A') as number[];
    assert.ok(values.length < 300_000, `${values.length} values came`);
    assert.equal(listener.kinds().at(-1), 'current');
    // What goes on is live again.
    await writeValues(server, { A: [next] });
    await listener.until(() => listener.values('A').includes(next));
    assert.deepEqual(
      values,
      [...new Set(values)].sort((a, b) => a - b),
    );
  });

  it('pages of other sites are refused, also without tokens', async (context) => {
    const server = await startAccessServer(context, transport, undefined, { allowedOrigins: ['https://hmi.example'] });
    await writeValues(server, { A: [1] });
    const refused = { message: 'Unexpected server response: 403' };
    await assert.rejects(SocketListener.open(context, server, '', { origin: 'https://evil.example' }), refused);
    await assert.rejects(SocketListener.open(context, server, '', { origin: 'null' }), refused);
    const rebound = { host: `evil.example:${server.port}`, origin: `http://evil.example:${server.port}` };
    await assert.rejects(SocketListener.open(context, server, '', rebound), refused);
    assert.ok(server.auditLines.length > 0);
    for (const origin of [server.url, 'https://hmi.example']) {
      const listener = await SocketListener.open(context, server, '', { origin });
      await listener.until(() => listener.values('A').includes(1));
    }
  });

  it('needs a token for the dataset where there are tokens', async (context) => {
    const [reader, other] = [makeToken('read', ['Plant']), makeToken('read', ['Other'])];
    const server = await startAccessServer(context, transport, [reader.entry, other.entry]);
    await server.engine.createDataset({ name: 'Plant', purgeAgeDays: 0, purgeSizeGb: 0 });
    await assert.rejects(SocketListener.open(context, server, ''), /401/);
    await assert.rejects(SocketListener.open(context, server, '', bearer(other.token)), /403/);
    await assert.rejects(SocketListener.open(context, server, '?tagname=none', bearer(reader.token)), /404/);
    await SocketListener.open(context, server, '', bearer(reader.token));
  });

  it('faulty handshakes are refused, and requests for other upgrades answered as ever', async (context) => {
    const server = await startAccessServer(context, transport);
    await writeValues(server, { A: [1] });
    assert.match(await askRaw(server, {}), / 101 /);
    assert.match(await askRaw(server, { 'Sec-WebSocket-Key': 'short' }), / 400 /);
    assert.match(await askRaw(server, { 'Sec-WebSocket-Key': '' }), / 400 /);
    assert.match(await askRaw(server, { Connection: 'keep-alive' }), / 400 /);
    assert.match(await askRaw(server, { 'Sec-WebSocket-Version': '8' }), / 426 /);
    assert.match(await askRaw(server, { Upgrade: 'h2c' }), / 200 /);
    assert.match(await askRaw(server, {}, '/health'), / 200 /);
    assert.match(await askRaw(server, {}, '/nowhere'), / 404 /);
    assert.match(await askRaw(server, { Upgrade: 'h2c' }, '/health'), / 200 /);
  });

  it('a client that sends much is closed; a ping is answered', async (context) => {
    const server = await startAccessServer(context, transport);
    await writeValues(server, { A: [1] });
    const listener = await SocketListener.open(context, server, '');
    listener.socket.send('{"op":"nonsense"}');
    listener.socket.ping();
    await new Promise((resolve) => listener.socket.once('pong', resolve));
    listener.socket.send('x'.repeat(2000));
    await listener.until(() => listener.closeCode !== undefined);
  });
});

// Kept apart: a plain request for the same path must stay a stream beside the sockets.
describeTransports('live data both ways', (transport) => {
  it('a stream and a WebSocket of one dataset get the same events', async (context: TestContext) => {
    const server = await startAccessServer(context, transport);
    await writeValues(server, { A: [1] });
    const listener = await SocketListener.open(context, server, '?tagname=A');
    let text = '';
    const request = get(`${server.url}/api/datasets/Plant/live?tagname=A`, { agent: false }, (response) => {
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('error', () => {});
    });
    context.after(() => request.destroy());
    request.on('error', () => {});
    await listener.until(() => listener.values('A').includes(1));
    await new Promise<void>((resolve) => {
      request.once('response', (response) => response.once('data', () => resolve()));
    });
    for (const value of upTo(2, 9)) await writeValues(server, { A: [value] });
    await listener.until(() => listener.values('A').includes(9));
    const endMs = performance.now() + LIMIT_MS;
    while (!text.includes('"v":9,') && performance.now() < endMs) await new Promise((done) => setTimeout(done, 10));
    for (const { id, event, data } of listener.events) {
      assert.ok(text.includes(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`), `${event} ${id}`);
    }
  });
});
