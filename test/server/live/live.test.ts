// Live data over server-sent events: current values, points as they are stored, going on after a lost connection, and
// clients that do not read.

import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { it, type TestContext } from 'node:test';
import { type AccessServer, bearer, makeToken, startAccessServer } from '../auth/support/access-server.ts';
import { describeTransports } from '../http/support/test-server.ts';
import { LIMIT_MS, upTo, writeValues as write } from './support/live-values.ts';

interface LiveEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Record<string, { t: string; v: unknown; q: number }[]>;
}

/** A client of a stream: its events so far, and a wait for more. */
class Listener {
  readonly events: LiveEvent[] = [];
  readonly response: IncomingMessage;
  isClosed = false;
  #rest = '';
  #wake = (): void => {};

  constructor(response: IncomingMessage) {
    this.response = response;
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.#take(text));
    response.on('error', () => {});
    response.on('close', () => {
      this.isClosed = true;
      this.#wake();
    });
  }

  static open(context: TestContext, { url }: AccessServer, query: string, headers = {}): Promise<Listener> {
    return new Promise((resolve, reject) => {
      const request = get(`${url}/api/datasets/Plant/live${query}`, { headers, agent: false }, (response) => {
        resolve(new Listener(response));
      });
      request.on('error', reject);
      context.after(() => request.destroy());
    });
  }

  async until(isThere: (events: readonly LiveEvent[]) => boolean): Promise<readonly LiveEvent[]> {
    const endMs = performance.now() + LIMIT_MS;
    while (!isThere(this.events)) {
      const leftMs = endMs - performance.now();
      if (leftMs <= 0 || this.isClosed) throw new Error(`not there: ${JSON.stringify(this.events).slice(0, 1000)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.events;
  }

  /** The values of a tag, as they came. */
  values(tag: string, ...kinds: string[]): unknown[] {
    return this.events
      .filter(({ event }) => kinds.length === 0 || kinds.includes(event))
      .flatMap(({ data }) => (data[tag] ?? []).map(({ v }) => v));
  }

  get lastId(): string {
    return this.events.at(-1)?.id ?? '';
  }

  close(): void {
    this.response.destroy();
  }

  #take(text: string): void {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
      if (field('event') !== '') {
        this.events.push({ id: field('id'), event: field('event'), data: JSON.parse(field('data')) });
      }
    }
    this.#wake();
  }
}

describeTransports('live data', (transport) => {
  it('begins with the newest point of each tag, then gives every point once', async (context) => {
    const server = await startAccessServer(context, transport);
    await write(server, { A: [1, 2], B: [7], C: [9] });
    const listener = await Listener.open(context, server, '?tagname=A&tagname=B');
    assert.equal(listener.response.headers['content-type'], 'text/event-stream; charset=utf-8');
    await listener.until((events) => events.length > 0);
    for (const value of upTo(3, 30)) await write(server, { A: [value], C: [value + 10] });
    await write(server, { B: [8] });
    await listener.until(() => listener.values('B').includes(8));
    assert.equal(listener.events[0]?.event, 'current');
    assert.deepEqual(listener.values('A'), upTo(2, 30));
    assert.deepEqual(listener.values('B'), [7, 8]);
    assert.deepEqual(listener.values('C'), []);
  });

  it('without tag names gives all user tags, also new ones, and no system tags', async (context) => {
    const server = await startAccessServer(context, transport);
    await write(server, { A: [1] });
    const listener = await Listener.open(context, server, '');
    await listener.until((events) => events.length > 0);
    await write(server, { 'New "tag"': [5] });
    await listener.until(() => listener.values('New "tag"').includes(5));
    const names = new Set(listener.events.flatMap(({ data }) => Object.keys(data)));
    assert.deepEqual([...names], ['A', 'New "tag"']);
  });

  it('gives a system tag under the second name it was asked for by', async (context) => {
    const server = await startAccessServer(context, transport);
    await write(server, { A: [1] });
    const listener = await Listener.open(context, server, '?tagname=Dataset.Tags');
    const isThere = (value: number) => () => listener.values('Dataset.Tags').includes(value);
    await listener.until(isThere(1));
    await write(server, { B: [1], C: [1] });
    await listener.until(isThere(3));
    const names = new Set(listener.events.flatMap(({ data }) => Object.keys(data)));
    names.delete('now'); // of heartbeats
    assert.deepEqual([...names], ['Dataset.Tags']);
  });

  it('gives a renamed tag under the name it was asked for by; who listens to all gets the new one', async (context) => {
    const server = await startAccessServer(context, transport);
    await write(server, { A: [1] });
    const before = await Listener.open(context, server, '?tagname=A');
    const all = await Listener.open(context, server, '');
    for (const listener of [before, all]) await listener.until(() => listener.values('A').includes(1));
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'B', forward: true });
    const answer = await server.http.send('POST', '/api/datasets/Plant/tags/A/rename', { headers, body });
    assert.equal(answer.status, 200, answer.text);
    const former = await Listener.open(context, server, '?tagname=A');
    const present = await Listener.open(context, server, '?tagname=B');
    await former.until(() => former.values('A', 'current').includes(1));
    await present.until(() => present.values('B', 'current').includes(1));
    await write(server, { B: [2] });
    await write(server, { A: [3] });
    for (const listener of [before, former]) await listener.until(() => listener.values('A').includes(3));
    await present.until(() => present.values('B').includes(3));
    await all.until(() => all.values('B').includes(3));
    for (const listener of [before, former])
      assert.deepEqual([listener.values('A'), listener.values('B')], [[1, 2, 3], []]);
    assert.deepEqual([present.values('A'), present.values('B')], [[], [1, 2, 3]]);
    assert.deepEqual([all.values('A'), all.values('B')], [[1], [2, 3]]);

    const since = { 'last-event-id': before.lastId };
    before.close();
    await write(server, { B: [4] });
    const resumed = await Listener.open(context, server, '?tagname=A', since);
    await resumed.until(() => resumed.values('A').includes(4));
    assert.deepEqual([resumed.values('A'), resumed.values('B')], [[4], []]);
  });

  for (const query of ['?tagname=A&tagname=B', '']) {
    it(`a client that goes on with its marker misses and repeats nothing (${query || 'all tags'})`, async (context) => {
      const server = await startAccessServer(context, transport);
      await write(server, { A: [1], B: [1] });
      const got: unknown[] = [];
      let next = 2;
      let marker = '';
      for (let round = 0; round < 5; round++) {
        const listener = await Listener.open(context, server, query, marker === '' ? {} : { 'last-event-id': marker });
        const last = next + 20;
        // Written while the client is brought up to date.
        const writing = (async () => {
          for (; next <= last; next++) await write(server, { A: [next], B: [next] });
        })();
        await writing;
        await listener.until(() => listener.values('A').includes(last));
        if (round > 0) assert.ok(!listener.events.some(({ event }) => event === 'current'));
        got.push(...listener.values('A'));
        marker = listener.lastId;
        listener.close();
        await write(server, { A: upTo(next, next + 9), B: [next] });
        next += 10;
      }
      const distinct = upTo(got[0] as number, got.at(-1) as number);
      assert.deepEqual(got, distinct);
    });
  }

  it('tells of late points as of a range that was corrected, and the newest values stay', async (context) => {
    const server = await startAccessServer(context, transport);
    await server.http.post('/api/datasets', { n: 'Plant', pa: 0, ps: 0, late: 'accept' });
    await write(server, { A: [1, 20], B: [1, 20], C: [1, 20] });
    const ofSome = await Listener.open(context, server, '?tagname=A&tagname=B');
    const ofAll = await Listener.open(context, server, '');
    for (const listener of [ofSome, ofAll]) await listener.until((events) => events.length > 0);
    await write(server, { A: [5, 9, 21], B: [7], C: [3, 4] });
    const range = (from: number, to: number): object => {
      const [start, end] = [from, to].map((s) => new Date(Date.UTC(2026, 0, 1) + s * 1000).toISOString());
      return { start, end };
    };
    const told = { A: range(5, 9), B: range(7, 7) };
    for (const [listener, wanted] of [
      [ofSome, told],
      [ofAll, { ...told, C: range(3, 4) }],
    ] as const) {
      await listener.until((events) => events.some(({ event }) => event === 'corrected'));
      await write(server, { A: [22] });
      await listener.until(() => listener.values('A', 'points').includes(22));
      const corrected = listener.events.filter(({ event }) => event === 'corrected');
      assert.deepEqual(
        corrected.map(({ data }) => data as object),
        [wanted],
        'one event for all tags',
      );
      assert.deepEqual(listener.values('A', 'current', 'points').slice(0, 3), [20, 21, 22]);
      assert.deepEqual(listener.values('B', 'current', 'points'), [20]);
    }
    const again = await Listener.open(context, server, `?tagname=A&tagname=B&since=${ofSome.lastId}`);
    await write(server, { A: [23], B: [6] });
    await again.until(() => again.values('A', 'points').includes(23));
    assert.deepEqual(again.values('A', 'points'), [23]);
  });

  it('a removal of points, and that of a tag, is told to who listens to the tag by name or to all', async (context) => {
    const server = await startAccessServer(context, transport);
    await write(server, { A: [1, 20], B: [1, 20], C: [1, 20] });
    const ofSome = await Listener.open(context, server, '?tagname=A&tagname=B&tagname=$System.Tags');
    const ofAll = await Listener.open(context, server, '');
    for (const listener of [ofSome, ofAll]) await listener.until((events) => events.length > 0);
    const remove = (path: string) => server.http.send('DELETE', `/api/datasets/Plant/${path}`);
    assert.equal((await remove('data?tagname=A&tagname=C&start=2026-01-01T00:00:10Z')).status, 200);
    assert.ok((await remove('tags/B')).status < 300);
    const end = '9999-12-31T23:59:59.9999999Z';
    const told = { A: { start: '2026-01-01T00:00:10.000Z', end }, B: { start: '0001-01-01T00:00:00.000Z', end } };
    for (const [listener, wanted] of [
      [ofSome, told],
      [ofAll, { ...told, C: told.A }],
    ] as const) {
      const corrected = (): LiveEvent[] => listener.events.filter(({ event }) => event === 'corrected');
      const all = (): object => Object.assign({}, ...corrected().map(({ data }) => data));
      await listener.until(() => 'B' in all());
      assert.deepEqual(all(), wanted);
    }
  });

  it('a tag that is deleted and made again goes on under its name', async (context) => {
    const server = await startAccessServer(context, transport);
    await write(server, { A: [1, 2], B: [5] });
    const listener = await Listener.open(context, server, '?tagname=A&tagname=B');
    await listener.until((events) => events.length > 0);
    for (let round = 1; round < 4; round++) {
      await server.http.send('DELETE', '/api/datasets/Plant/tags/A');
      await write(server, { A: [10 * round] });
      await listener.until(() => listener.values('A', 'points').includes(10 * round));
    }
    assert.deepEqual(listener.values('A', 'current', 'points'), [2, 10, 20, 30]);
    const ids = new Set(listener.events.map(({ id }) => id.split('.').length));
    assert.deepEqual([...ids], [8], 'its marker has two tags, and not those that were deleted');
    listener.close();
    await write(server, { A: [31], B: [6] });
    const again = await Listener.open(context, server, `?tagname=A&tagname=B&since=${listener.lastId}`);
    await again.until(() => again.values('A', 'points').includes(31) && again.values('B', 'points').includes(6));
    assert.deepEqual(again.values('A', 'points'), [31]);
  });

  it('a marker that is not known is answered with reset and the newest values', async (context) => {
    const server = await startAccessServer(context, transport);
    await write(server, { A: [1, 2, 3] });
    for (const since of ['nonsense', '2.0.5', '1.zz.5', '1.1s.3', '3.zz.1s.3.abc']) {
      const listener = await Listener.open(context, server, `?tagname=A&since=${since}`);
      await listener.until(() => listener.values('A').length > 0);
      assert.deepEqual(
        listener.events.map(({ event }) => event),
        ['reset', 'current'],
      );
      assert.deepEqual(listener.values('A'), [3]);
    }
  });

  it('more points at once than an event takes come whole, and in order', async (context) => {
    const server = await startAccessServer(context, transport);
    await write(server, { A: [1] });
    const listener = await Listener.open(context, server, '?tagname=A');
    await listener.until((events) => events.length > 0);
    await write(server, { A: upTo(2, 15_000) });
    await write(server, { A: [15_001] });
    await listener.until(() => listener.values('A').includes(15_001));
    assert.deepEqual(listener.values('A'), upTo(1, 15_001));
  });

  it('a client that does not read is dropped to the newest values', async (context) => {
    const server = await startAccessServer(context, transport);
    await write(server, { A: [1] });
    const socket = connect(server.port, '127.0.0.1');
    context.after(() => socket.destroy());
    socket.write(`GET /api/datasets/Plant/live HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    let next = 2;
    for (let request = 0; request < 40; request++, next += 9000) await write(server, { A: upTo(next, next + 8999) });
    let text = '';
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1');
    });
    socket.resume();
    const newest = new RegExp(`event: skipped\\ndata: \\{"points":\\d+\\}\\n[^]*event: current\\n[^]*"v":${next - 1},`);
    const endMs = performance.now() + LIMIT_MS;
    while (!newest.test(text) && performance.now() < endMs) await new Promise((done) => setTimeout(done, 20));
    assert.match(text.slice(text.indexOf('event: skipped')), newest);
  });

  it('an unknown tag or dataset is 404, and HEAD ends', async (context) => {
    const server = await startAccessServer(context, transport);
    await write(server, { A: [1] });
    assert.equal((await server.http.get('/api/datasets/Plant/live?tagname=none')).status, 404);
    assert.equal((await server.http.get('/api/datasets/None/live')).status, 404);
    assert.equal((await server.http.send('HEAD', '/api/datasets/Plant/live')).status, 200);
  });

  it('needs a token for the dataset where there are tokens', async (context) => {
    const [reader, other] = [makeToken('read', ['Plant']), makeToken('read', ['Other'])];
    const server = await startAccessServer(context, transport, [reader.entry, other.entry]);
    await server.engine.createDataset({ name: 'Plant', purgeAgeDays: 0, purgeSizeGb: 0 });
    const path = '/api/datasets/Plant/live?tagname=none';
    assert.equal((await server.http.get(path)).status, 401);
    assert.equal((await server.http.get(path, bearer(other.token))).status, 403);
    assert.equal((await server.http.get(path, bearer(reader.token))).status, 404);
  });
});
