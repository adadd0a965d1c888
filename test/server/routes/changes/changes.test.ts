// The change feed over HTTP: what a client that carries out one change after the other comes to have.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { HttpClient } from '../../../support/http-client.ts';
import { ServerProcess, temporaryFolder } from '../../../support/server-process.ts';
import { type AccessServer, startAccessServer } from '../../auth/support/access-server.ts';

const D = '/api/datasets/Mill';
const at = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();

interface Point {
  readonly t: string;
  readonly v: unknown;
}

interface Change {
  readonly id?: number;
  readonly tag?: { readonly n: string; readonly d?: string };
  readonly points?: readonly Point[];
  readonly late?: boolean;
  readonly removedFrom?: string;
  readonly deleted?: number;
  readonly correction?: number;
  readonly undone?: number;
}

interface Changes {
  readonly changes: readonly Change[];
  readonly position: string;
  readonly isMore: boolean;
}

/** What a client has that carries out changes: points of tags, by their times. */
class Copy {
  readonly tags = new Map<number, { name: string; points: Map<string, unknown> }>();
  position: string | undefined;
  readonly order: string[] = [];

  carryOut({ changes, position }: Changes): void {
    for (const change of changes) {
      this.order.push(Object.keys(change).find((key) => key !== 'id' && key !== 'late') ?? '');
      if (change.deleted !== undefined) this.tags.delete(change.deleted);
      const tag = this.tags.get(change.id ?? 0);
      if (change.tag !== undefined)
        this.tags.set(change.id as number, { name: change.tag.n, points: tag?.points ?? new Map() });
      for (const { t, v } of change.points ?? []) tag?.points.set(t, v);
      if (change.removedFrom === undefined) continue;
      for (const t of [...(tag?.points.keys() ?? [])]) if (t >= change.removedFrom) tag?.points.delete(t);
    }
    this.position = position;
  }

  get values(): Record<string, [string, unknown][]> {
    const entries = [...this.tags.values()].map(({ name, points }) => [name, [...points].sort()] as const);
    return Object.fromEntries(entries);
  }
}

async function changes(
  http: HttpClient,
  query: Readonly<Record<string, string | number | undefined>>,
): Promise<Changes> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const answer = await http.get(`${D}/changes?${given.map(([name, value]) => `${name}=${value}`).join('&')}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json<Changes>();
}

async function follow(http: HttpClient, copy: Copy, limit = 10_000): Promise<number> {
  for (let rounds = 1; rounds < 1000; rounds++) {
    const answer = await changes(http, { after: copy.position, limit });
    copy.carryOut(answer);
    if (!answer.isMore) return rounds;
  }
  throw new Error('it never ends');
}

/** The points that reads have, by tag. */
async function stored(http: HttpClient): Promise<Record<string, [string, unknown][]>> {
  const answer = await http.get(`${D}/data?tags=*&start=2000-01-01&end=2100-01-01`);
  const { tl } = answer.json<{ tl: { t: { n: string }; d: Point[] }[] }>();
  return Object.fromEntries(tl.map(({ t: { n }, d }) => [n, d.map(({ t, v }) => [t, v] as [string, unknown])]));
}

async function start(context: TestContext): Promise<AccessServer> {
  const server = await startAccessServer(context, 'uws');
  assert.ok((await server.http.post('/api/datasets', { n: 'Mill', pa: 0, ps: 0, late: 'accept' })).status < 300);
  return server;
}

async function write({ http }: { http: HttpClient }, data: object): Promise<void> {
  const answer = await http.post(`${D}/data`, data);
  assert.equal(answer.status, 200, answer.text);
}

describe('the change feed', () => {
  it('gives everything, then what is new, whatever the limit', async (context) => {
    const server = await start(context);
    await write(server, { A: [0, 1, 2, 3, 4].map((s) => ({ t: at(s), v: s })), B: [{ t: at(0), v: 'text' }] });
    for (const limit of [1, 2, 3, 10_000]) {
      const copy = new Copy();
      const rounds = await follow(server.http, copy, limit);
      assert.deepEqual(copy.values, await stored(server.http), `limit ${limit}`);
      assert.ok(rounds >= Math.min(3, 6 / limit), `${rounds} rounds of ${limit}`);
      assert.deepEqual((await changes(server.http, { after: copy.position })).changes, []);
    }
    const copy = new Copy();
    await follow(server.http, copy);
    await write(server, { A: [{ t: at(5), v: 5 }], C: [{ t: at(1), v: 1 }] });
    const { changes: news } = await changes(server.http, { after: copy.position });
    assert.deepEqual(
      news.map(({ tag, points }) => tag?.n ?? points?.length),
      ['C', 1, 1],
    );
  });

  it('gives late points in the order in which they came, definitions that changed, and tags that went', async (context) => {
    const server = await start(context);
    const { http } = server;
    const copy = new Copy();
    for (const second of [1, 9, 5, 3]) await write(server, { A: [{ t: at(second), v: second }] });
    const first = await changes(http, {});
    assert.deepEqual(
      first.changes.flatMap(({ points, late }) => (points ?? []).map(({ v }) => [v, late ?? false])),
      [
        [1, false],
        [9, false],
        [5, true],
        [3, true],
      ],
    );
    copy.carryOut(first);
    assert.deepEqual(copy.values, await stored(http));
    await http.post(`${D}/tags`, [{ n: 'A', d: 'described' }]);
    const described = await changes(http, { after: copy.position });
    assert.deepEqual(
      described.changes.map(({ tag }) => tag?.d),
      ['described'],
    );
    copy.carryOut(described);
    await http.delete(`${D}/tags`, ['A']);
    await write(server, { A: [{ t: at(0), v: 7 }] });
    await follow(http, copy);
    assert.deepEqual(copy.values, { A: [[at(0), 7]] });
  });

  it('tells of removals before what came behind them, and of late points that are gone not at all', async (context) => {
    const server = await start(context);
    const { http } = server;
    await write(server, { A: [0, 2, 8].map((s) => ({ t: at(s), v: s })) });
    const [early, none] = [new Copy(), new Copy()];
    await follow(http, early);
    await write(server, { A: [{ t: at(4), v: 4 }] });
    assert.equal((await http.delete(`${D}/data?tagname=A&start=${at(2)}`)).status, 200);
    await write(server, { A: [{ t: at(3), v: 33 }] });
    for (const copy of [early, none]) {
      await follow(http, copy, 1);
      assert.deepEqual(copy.values, await stored(http));
      assert.deepEqual(copy.values, {
        A: [
          [at(0), 0],
          [at(3), 33],
        ],
      });
    }
  });

  it('names corrections behind all points, once, and their undoing', async (context) => {
    const server = await start(context);
    const { http } = server;
    await write(server, { A: [0, 1, 2].map((s) => ({ t: at(s), v: s })) });
    const made = await http.post(`${D}/corrections?tagname=A&kind=delete&start=${at(1)}&end=${at(1)}&reason=test`);
    const { id } = made.json<{ id: number }>();
    const copy = new Copy();
    await follow(http, copy, 1);
    assert.deepEqual(copy.order, ['tag', 'points', 'points', 'points', 'correction']);
    assert.equal((await http.post(`${D}/corrections/${id}/undo?reason=test`)).status, 200);
    assert.deepEqual((await changes(http, { after: copy.position })).changes, [{ undone: id }]);
  });

  it('waits until there is something, and answers with nothing when there is nothing', async (context) => {
    const server = await start(context);
    await write(server, { A: [{ t: at(0), v: 0 }] });
    const { position } = await changes(server.http, {});
    const empty = await changes(server.http, { after: position, wait: 1 });
    assert.deepEqual(empty, { changes: [], position, isMore: false });
    const waiting = changes(server.http, { after: position, wait: 60 });
    await write(server, { A: [{ t: at(1), v: 1 }] });
    assert.deepEqual(
      (await waiting).changes.map(({ points }) => points?.map(({ v }) => v)),
      [[1]],
    );
  });

  it('refuses a position of another dataset of the name with a sentence, and what is none', async (context) => {
    const server = await start(context);
    const { http } = server;
    await write(server, { A: [{ t: at(0), v: 0 }] });
    const { position } = await changes(http, {});
    await http.delete(D);
    assert.ok((await http.post('/api/datasets', { n: 'Mill', pa: 0, ps: 0 })).status < 300);
    await write(server, { A: [{ t: at(0), v: 0 }] });
    const gone = await http.post(`${D}/changes`, { after: position });
    assert.equal(gone.status, 410, gone.text);
    assert.match(gone.text, /Begin anew without 'after'/);
    for (const after of ['x', position.slice(0, -3), ''])
      assert.equal((await http.get(`${D}/changes?after=${after}`)).status, 400, after);
    assert.equal((await http.get(`${D}/changes?wait=61`)).status, 400);
    assert.equal((await http.get('/api/datasets/None/changes')).status, 404);
  });
});

it('a position goes on behind a restart, and behind an end without warning', async (context) => {
  const folder = temporaryFolder();
  const copy = new Copy();
  for (const second of [0, 1, 2]) {
    const server = await ServerProcess.start({ dataFolder: folder });
    const http = new HttpClient(server.url);
    context.after(() => http.close());
    await write({ http }, { A: [{ t: at(second), v: second }] });
    const { changes: news } = await changes(http, { after: copy.position });
    assert.deepEqual(
      news.flatMap(({ points }) => (points ?? []).map(({ v }) => v)),
      [second],
    );
    copy.carryOut(await changes(http, { after: copy.position }));
    if (second === 1) await server.kill();
    else await server.stop();
  }
});
