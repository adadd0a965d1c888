// Corrections over HTTP: their forms, their faults, and that undoing one gives the same bytes as before.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Packr } from 'msgpackr';
import { type AccessServer, startAccessServer } from '../auth/support/access-server.ts';

const START_MS = Date.UTC(2026, 0, 1);
const JSON_HEADERS = { 'content-type': 'application/json' };
const PATH = '/api/datasets/P/corrections';
const RANGE = `start=${at(10)}&end=${at(30)}`;

function at(seconds: number): string {
  return new Date(START_MS + seconds * 1000).toISOString();
}

async function start(context: TestContext, transport: 'uws' | 'node' = 'uws'): Promise<AccessServer> {
  const server = await startAccessServer(context, transport);
  const body = JSON.stringify({ A: [0, 10, 20, 30, 40].map((s) => ({ t: at(s), v: s })) });
  const answer = await server.http.send('POST', '/api/datasets/P/data', { headers: JSON_HEADERS, body });
  assert.equal(answer.status, 200, answer.text);
  return server;
}

/** Everything that a client can ask about the tag, as bytes. */
async function everything({ http }: AccessServer): Promise<string[]> {
  const range = `tagname=A&start=${at(0)}&end=${at(60)}`;
  const texts: string[] = [];
  for (const path of [
    `data?${range}`,
    `data?${range}&format=columns`,
    `data?${range}&points=3`,
    `data?${range}&interval=20s&aggregate=TimeAverage,Count,Range`,
    `data?${range}&expr=A*2`,
    `statistics?${range}`,
    'data?tagname=A',
    `data?tagname=A&end=${at(25)}`,
  ])
    texts.push((await http.get(`/api/datasets/P/${path}`)).text);
  return texts;
}

describe('corrections', () => {
  for (const transport of ['uws', 'node'] as const) {
    it(`change every answer, and undoing them gives the same bytes as before, over ${transport}`, async (context) => {
      const server = await start(context, transport);
      const { http } = server;
      const before = await everything(server);
      const body = JSON.stringify([{ t: at(15), v: 15.5, q: 64 }]);
      const path = `${PATH}?tagname=A&kind=replace&${RANGE}&reason=for%20a%20test`;
      const made = await http.send('POST', path, { headers: JSON_HEADERS, body });
      assert.equal(made.status, 201, made.text);
      assert.equal(made.headers.location, '/api/datasets/P/corrections/1');
      const { at: madeAt, ...rest } = made.json<Record<string, unknown>>();
      assert.match(madeAt as string, /^20\d\d-/);
      const correction = { id: 1, tag: 'A', kind: 'replace', start: at(10), end: at(30), points: 1 };
      const whole = { ...correction, by: '', reason: 'for a test', undone: null };
      assert.deepEqual(rest, { ...whole, hidden: 3, added: 1 });
      const read = await http.get(`/api/datasets/P/data?tagname=A&start=${at(0)}&end=${at(60)}`);
      assert.deepEqual(
        read.json<{ tl: { d: { v: number }[] }[] }>().tl[0]?.d.map(({ v }) => v),
        [0, 15.5, 40],
      );
      for (const [i, text] of (await everything(server)).entries()) if (i !== 6) assert.notEqual(text, before[i]);
      const undone = await http.send('POST', `${PATH}/1/undo?reason=was%20right`, {});
      assert.equal(undone.status, 200, undone.text);
      assert.equal(undone.json<{ undone: { reason: string } }>().undone.reason, 'was right');
      assert.deepEqual(await everything(server), before);
      const listed = await http.get(PATH);
      assert.deepEqual(listed.json<unknown>(), [undone.json<unknown>()]);
      assert.deepEqual((await http.get(`${PATH}/1`)).json<unknown>(), undone.json<unknown>());
    });
  }

  it('take msgpack, and tell what they would do', async (context) => {
    const { http } = await start(context);
    const body = new Packr({ useRecords: false }).pack([{ t: at(12), v: 1 }]);
    const headers = { 'content-type': 'application/msgpack' };
    const path = `${PATH}?tagname=A&kind=insert`;
    const preview = await http.send('POST', `${path}&preview=true`, { headers, body });
    assert.deepEqual([preview.status, preview.json<unknown>()], [200, { hidden: 0, added: 1 }]);
    assert.deepEqual((await http.get(PATH)).json<unknown>(), []);
    const made = await http.send('POST', path, { headers, body });
    assert.equal(made.status, 201, made.text);
  });

  it('are listed page by page', async (context) => {
    const { http } = await start(context);
    for (let i = 0; i < 5; i++) {
      const body = JSON.stringify([{ t: at(i + 1), v: i }]);
      const made = await http.send('POST', `${PATH}?tagname=A&kind=insert`, { headers: JSON_HEADERS, body });
      assert.equal(made.status, 201, made.text);
    }
    const ids = async (query: string): Promise<number[]> =>
      (await http.get(`${PATH}?${query}`)).json<{ id: number }[]>().map(({ id }) => id);
    assert.deepEqual(await ids('limit=2'), [5, 4]);
    assert.deepEqual(await ids('limit=2&before=4'), [3, 2]);
    assert.deepEqual(await ids('tagname=A&before=2'), [1]);
  });

  it('give points that limit and after read page by page', async (context) => {
    const { http } = await start(context);
    const body = JSON.stringify([15, 16, 25].map((s) => ({ t: at(s), v: s })));
    await http.send('POST', `${PATH}?tagname=A&kind=insert`, { headers: JSON_HEADERS, body });
    const got: number[] = [];
    let after = '';
    for (let page = 0; page < 9; page++) {
      const answer = await http.get(`/api/datasets/P/data?tagname=A&start=${at(0)}&end=${at(60)}&limit=1${after}`);
      assert.equal(answer.status, 200, answer.text);
      const [entry] = answer.json<{ tl: { d: { v: number }[]; next?: string }[] }>().tl;
      got.push(...(entry?.d ?? []).map(({ v }) => v));
      if (entry?.next === undefined) break;
      after = `&after=${entry.next}`;
    }
    assert.deepEqual(got, [0, 10, 15, 16, 20, 25, 30, 40]);
  });

  it('that cannot be made say why, and change nothing', async (context) => {
    const server = await start(context);
    const { http } = server;
    const before = await everything(server);
    const one = JSON.stringify([{ t: at(20), v: 1 }]);
    const faults: [string, string | undefined, number, RegExp][] = [
      [`kind=delete&${RANGE}`, undefined, 400, /'tagname'/],
      [`tagname=A&tagname=B&kind=delete&${RANGE}`, undefined, 400, /one tag/],
      [`tagname=A&${RANGE}`, undefined, 400, /'kind' is missing/],
      [`tagname=A&kind=erase&${RANGE}`, undefined, 400, /'erase'; want delete or replace or insert/],
      ['tagname=A&kind=delete', undefined, 400, /'start' is missing/],
      [`tagname=A&kind=delete&start=${at(50)}&end=${at(60)}`, undefined, 400, /no points in the range/],
      [`tagname=A&kind=delete&start=${at(30)}&end=${at(20)}`, undefined, 400, /after its end/],
      [`tagname=B&kind=delete&${RANGE}`, undefined, 404, /'B' could not be found/],
      [`tagname=A&kind=delete&${RANGE}`, one, 400, /has no points/],
      [`tagname=A&kind=replace&${RANGE}`, undefined, 400, /needs points/],
      [`tagname=A&kind=replace&${RANGE}`, '[{"v":1}]', 400, /no time/],
      [`tagname=A&kind=replace&${RANGE}`, '[{"t":"yesterday","v":1}]', 400, /ISO 8601/],
      [`tagname=A&kind=replace&${RANGE}`, '[{', 400, /JSON/],
      [`tagname=A&kind=insert`, JSON.stringify([{ t: at(50), v: 1 }]), 400, /behind its newest/],
      [`tagname=A&kind=insert&reason=${'x'.repeat(1001)}`, one, 400, /1001 characters/],
      [`tagname=A&kind=delete&${RANGE}&preview=maybe`, undefined, 400, /'maybe'/],
    ];
    for (const [query, body, status, words] of faults) {
      const init = body === undefined ? {} : { headers: JSON_HEADERS, body };
      const answer = await http.send('POST', `${PATH}?${query}`, init);
      assert.equal(answer.status, status, `${query}: ${answer.text}`);
      assert.match(answer.text, words, query);
    }
    const tooLong = JSON.stringify([{ t: at(20), v: 'x'.repeat(2 ** 20) }]);
    const long = await http.send('POST', `${PATH}?tagname=A&kind=insert`, { headers: JSON_HEADERS, body: tooLong });
    assert.equal(long.status, 413, long.text);
    for (const [id, status] of [
      ['1', 404],
      ['0', 404],
      ['x', 404],
      ['99999999999999999999', 404],
    ] as const) {
      assert.equal((await http.get(`${PATH}/${id}`)).status, status, id);
      assert.equal((await http.send('POST', `${PATH}/${id}/undo`, {})).status, status, id);
    }
    assert.deepEqual((await http.get(PATH)).json<unknown>(), []);
    assert.deepEqual(await everything(server), before);
  });

  it('are undone once', async (context) => {
    const { http } = await start(context);
    await http.send('POST', `${PATH}?tagname=A&kind=delete&${RANGE}`, {});
    assert.equal((await http.send('POST', `${PATH}/1/undo`, {})).status, 200);
    const again = await http.send('POST', `${PATH}/1/undo`, {});
    assert.equal(again.status, 409);
    assert.match(again.text, /Correction 1 was undone at/);
  });
});
