// Reads reduced for a chart, over HTTP: every form of the answer says the same, and that it is reduced.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { unpack } from 'msgpackr';
import { type AccessServer, startAccessServer } from '../auth/support/access-server.ts';

const START_MS = Date.UTC(2026, 0, 1);
const POINTS = 5000;
const SPIKE_AT = 3210;

interface Tvq {
  readonly t: string;
  readonly v: number | null;
  readonly q: number;
}
interface Entry {
  readonly d: Tvq[];
  readonly reducedFrom: number;
}

function valueAt(index: number): number | null {
  if (index === SPIKE_AT) return 1000;
  return index === 1234 ? null : index % 10;
}

async function startWithSeries(context: TestContext): Promise<AccessServer> {
  const server = await startAccessServer(context, 'uws');
  const indexes = Array.from({ length: POINTS }, (_, i) => i);
  const columns = { t: indexes.map((i) => START_MS + i * 1000), v: indexes.map(valueAt), q: 192 };
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ A: columns, B: { t: [START_MS - 5000], v: [1] } });
  assert.equal((await server.http.send('POST', '/api/datasets/P/data', { headers, body })).status, 200);
  return server;
}

const end = new Date(START_MS + POINTS * 1000).toISOString();
const range = `start=${new Date(START_MS).toISOString()}&end=${end}`;
const path = `/api/datasets/P/data?tagname=A&tagname=B&${range}&points=20`;

describe('points=<n>', () => {
  it('gives a few points for each interval, with spike and null, and says from how many', async (context) => {
    const { http } = await startWithSeries(context);
    const answer = await http.get(path);
    assert.equal(answer.header('varve-reduced'), 'points=20');
    const [a, b] = answer.json<{ tl: [Entry, Entry] }>().tl;
    assert.equal(a.reducedFrom, POINTS);
    assert.deepEqual(b.d, []);
    assert.equal(b.reducedFrom, 0);
    assert.ok(a.d.length >= 40 && a.d.length <= 160, `${a.d.length} points`);
    assert.ok(a.d.some(({ v }) => v === 1000));
    assert.ok(a.d.some(({ v }) => v === null));
    assert.deepEqual(
      a.d,
      a.d.toSorted((x, y) => x.t.localeCompare(y.t)),
    );
  });

  it('is the same as columns, as msgpack, with a body and for one tag', async (context) => {
    const { http } = await startWithSeries(context);
    const [plain] = (await http.get(path)).json<{ tl: [Entry] }>().tl;
    const [columns] = (await http.get(`${path}&format=columns`)).json<{
      tl: [{ d: { v: unknown[] }; reducedFrom: number }];
    }>().tl;
    assert.deepEqual(
      columns.d.v,
      plain.d.map(({ v }) => v),
    );
    assert.equal(columns.reducedFrom, POINTS);
    const packed = await http.get(path, { accept: 'application/msgpack' });
    assert.deepEqual((unpack(packed.unpacked) as { tl: unknown[] }).tl[0], plain);
    const body = JSON.stringify({ tagname: ['A'], start: new Date(START_MS).toISOString(), end, points: 20 });
    const headers = { 'content-type': 'application/json' };
    const byBody = await http.send('POST', '/api/datasets/P/read', { headers, body });
    assert.deepEqual(byBody.json<{ tl: unknown[] }>().tl, [plain]);
    const one = await http.get(`/api/datasets/P/data/A?${range}&points=20`);
    assert.deepEqual(one.json(), plain);
  });

  it('carries the point in force at the start in, in front of the others', async (context) => {
    const { http } = await startWithSeries(context);
    const [a, b] = (await http.get(`${path}&boundary=carry`)).json<{ tl: [Entry, Entry] }>().tl;
    assert.equal(a.reducedFrom, POINTS);
    assert.deepEqual(
      b.d.map(({ v }) => v),
      [1],
    );
  });

  it('changes nothing where the range is one point', async (context) => {
    const { http } = await startWithSeries(context);
    for (const times of ['', `&end=${end}`]) {
      const answer = await http.get(`/api/datasets/P/data?tagname=A&points=20${times}`);
      assert.equal(answer.header('varve-reduced'), undefined);
      assert.equal(answer.json<{ tl: [Entry] }>().tl[0].d.length, 1);
    }
  });

  it('is refused outside of 1 to 8,000, and with limit and after', async (context) => {
    const { http } = await startWithSeries(context);
    for (const query of ['points=0', 'points=8001', 'points=x', 'points=5&limit=2', 'points=5&after=NjQuMQ']) {
      assert.equal((await http.get(`/api/datasets/P/data?tagname=A&${range}&${query}`)).status, 400, query);
    }
  });
});
