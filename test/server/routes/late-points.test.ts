// Late points over HTTP: the rules that let them in, what a write is answered, and every way of reading them.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { HttpClient } from '../../support/http-client.ts';
import { ServerProcess, temporaryFolder } from '../../support/server-process.ts';
import { type AccessServer, bearer, makeToken, startAccessServer } from '../auth/support/access-server.ts';
import { describeTransports } from '../http/support/test-server.ts';

type Transport = 'uws' | 'node';

type Rules = Readonly<Record<string, unknown>>;

interface Point {
  readonly t: string;
  readonly v: unknown;
  readonly q: number;
}

interface Entry {
  readonly d: readonly Point[];
  readonly next?: string;
}

type Server = Pick<AccessServer, 'http'>;

const START_MS = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const PATH = '/api/datasets/P';
const ALL = `start=${at(-3600)}&end=${at(3600)}`;
const ACCEPTING: Rules = { n: 'P', pa: 0, ps: 0, late: 'accept' };

function at(seconds: number): string {
  return new Date(START_MS + seconds * 1000).toISOString();
}

async function post({ http }: Server, path: string, value: unknown, headers = {}): Promise<Record<string, unknown>> {
  const answer = await http.post(path, value, headers);
  assert.ok([200, 201].includes(answer.status), `${path}: ${answer.status} ${answer.text}`);
  return answer.text === '' ? {} : answer.json<Record<string, unknown>>();
}

/** A server whose dataset has these rules, and the points of tag A at 0, 10, …, 60 s with the seconds as values. */
async function start(context: TestContext, transport: Transport, rules: Rules = ACCEPTING): Promise<AccessServer> {
  const server = await startAccessServer(context, transport);
  await post(server, '/api/datasets', rules);
  assert.deepEqual(await write(server, { A: [0, 10, 20, 30, 40, 50, 60] }), { written: 7 });
  return server;
}

/** Writes points of whole seconds, whose values are the seconds, or `[seconds, value]`; the counts that are not 0. */
async function write(
  server: Server,
  tags: Record<string, readonly (number | readonly [number, unknown])[]>,
): Promise<Record<string, number>> {
  const body = Object.entries(tags).map(([tag, points]) => [
    tag,
    points.map((point) => (typeof point === 'number' ? { t: at(point), v: point } : { t: at(point[0]), v: point[1] })),
  ]);
  const headers = { prefer: 'return=representation' };
  const { tags: _, ...counts } = await post(server, `${PATH}/data`, Object.fromEntries(body), headers);
  return Object.fromEntries(Object.entries(counts as Record<string, number>).filter(([, count]) => count > 0));
}

async function read<T = Entry>({ http }: Server, query: string, kind = 'data'): Promise<T> {
  const answer = await http.get(`${PATH}/${kind}?${query}`);
  assert.equal(answer.status, 200, answer.text);
  const entry = answer.json<{ tl: T[] }>().tl[0];
  assert.ok(entry, answer.text);
  return entry;
}

async function values(server: Server, query: string): Promise<unknown[]> {
  return (await read(server, query)).d.map(({ v }) => v);
}

/** The rules of an answer, without what is measured. */
function rulesOf({ s: _s, c: _c, a: _a, ...rules }: Rules): Rules {
  return rules;
}

describeTransports('rules of late points', (transport) => {
  it('gives a tag that has only had nulls the type of its first value, though that comes late', async (context) => {
    const server = await start(context, transport);
    await write(server, { B: [[10, null]] });
    assert.deepEqual(await write(server, { B: [[5, 'open']] }), { written: 1 });
    const { t } = await read<{ t: Rules }>(server, `tagname=B&${ALL}`);
    assert.deepEqual(t, { n: 'B', t: 'System.String' });
    await write(server, { B: [[20, 'shut']] });
    assert.deepEqual(await values(server, `tagname=B&${ALL}`), ['open', null, 'shut']);
  });

  it('are given when a dataset is created, changed one by one, and read back', async (context) => {
    const server = await startAccessServer(context, transport);
    const get = async (): Promise<Rules> => rulesOf((await server.http.get(PATH)).json<Rules>());
    const given = { n: 'P', pa: 0, ps: 0, late: 'accept', ldt: 5000, lda: 30 };
    const created = await server.http.post('/api/datasets', given);
    assert.equal(created.status, 201, created.text);
    assert.deepEqual(rulesOf(created.json<Rules>()), given);
    assert.deepEqual(Object.keys(created.json<Rules>()).slice(0, 6), ['n', 'pa', 'ps', 'late', 'ldt', 'lda']);
    assert.equal((await server.http.post('/api/datasets', given)).status, 200);
    assert.equal((await server.http.post('/api/datasets', { ...given, late: 'ignore' })).status, 409);
    assert.deepEqual(await get(), given);
    for (const [change, then] of [
      [{ late: 'ignore' }, { ...given, late: 'ignore' }],
      [
        { ldt: 0, lda: null, late: null },
        { ...given, late: 'ignore', ldt: 0 },
      ],
      [
        { late: 'accept', lda: 0 },
        { ...given, ldt: 0, lda: 0 },
      ],
      [{ pa: 7 }, { ...given, ldt: 0, lda: 0, pa: 7 }],
    ] as const) {
      const answer = await server.http.post(PATH, { n: 'P', pa: 0, ps: 0, ...change });
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(rulesOf(answer.json<Rules>()), then);
      assert.deepEqual(await get(), then);
    }
    const [listed] = (await server.http.get('/api/datasets')).json<Rules[]>();
    assert.deepEqual(rulesOf(listed as Rules), await get());
    assert.equal((await server.http.post(PATH, listed)).status, 200, 'what was read can be sent back');
  });

  it('that cannot be meant are 400 with a pointer, and change nothing', async (context) => {
    const server = await start(context, transport);
    const before = rulesOf((await server.http.get(PATH)).json<Rules>());
    for (const [member, value] of [
      ...['yes', '', 'Accept', 'reject', true, 1, [], {}].map((value) => ['late', value] as const),
      ...[-1, 1.5, '5', true, 2 ** 53].flatMap((value) => [['ldt', value] as const, ['lda', value] as const]),
    ])
      for (const path of [PATH, '/api/datasets']) {
        const answer = await server.http.post(path, { ...ACCEPTING, pa: 9, [member]: value });
        assert.equal(answer.status, 400, `${member} ${JSON.stringify(value)}: ${answer.text}`);
        const { errors = [] } = answer.json<{ errors?: { path: string }[] }>();
        assert.deepEqual(
          errors.map(({ path: pointer }) => pointer),
          [`/${member}`],
          answer.text,
        );
      }
    assert.deepEqual(rulesOf((await server.http.get(PATH)).json<Rules>()), before);
    assert.deepEqual(await write(server, { A: [5] }), { written: 1 }, 'late points are accepted as before');
  });

  it('are set by those who may change rules, and seen by those who may read', async (context) => {
    const roles = (['read', 'write', 'admin'] as const).map((role) => ({ role, made: makeToken(role, ['*']) }));
    const server = await startAccessServer(
      context,
      transport,
      roles.map(({ made }) => made.entry),
    );
    const [reader, writer, admin] = roles.map(({ made }) => bearer(made.token));
    const status = async (rules: Rules, path: string, headers = {}): Promise<number> =>
      (await server.http.post(path, rules, headers)).status;
    assert.equal(await status(ACCEPTING, '/api/datasets', reader), 403);
    assert.equal(await status({ ...ACCEPTING, late: 'ignore' }, '/api/datasets', writer), 201);
    assert.equal(await status(ACCEPTING, PATH, writer), 403);
    assert.equal(await status(ACCEPTING, PATH, reader), 403);
    assert.equal(await status(ACCEPTING, PATH), 401);
    assert.equal((await server.http.get(PATH, reader)).json<Rules>().late, 'ignore');
    assert.equal(await status(ACCEPTING, PATH, admin), 200);
    assert.equal((await server.http.get(PATH, reader)).json<Rules>().late, 'accept');
    const body = { A: [{ t: at(10), v: 1 }] };
    assert.equal(await status(body, `${PATH}/data`, writer), 200);
    assert.equal(await status({ A: [{ t: at(5), v: 1 }] }, `${PATH}/data`, reader), 403);
    assert.equal(await status({ A: [{ t: at(5), v: 1 }] }, `${PATH}/data`, writer), 200);
    const points = (await server.http.get(`${PATH}/data?tagname=A&${ALL}`, reader)).json<{ tl: Entry[] }>();
    assert.equal(points.tl[0]?.d.length, 2);
  });
});

describeTransports('late points', (transport) => {
  for (const rules of [
    { n: 'P', pa: 0, ps: 0 },
    { ...ACCEPTING, late: 'ignore', ldt: 100_000, lda: 0 },
  ] as Rules[])
    it(`are ignored, and counted so, where the rule is ${rules.late ?? 'absent'}`, async (context) => {
      const server = await start(context, transport, rules);
      assert.deepEqual(await write(server, { A: [5, 15, 70] }), { written: 1, ignored: 2 });
      assert.deepEqual(await values(server, `tagname=A&${ALL}`), [0, 10, 20, 30, 40, 50, 60, 70]);
    });

  it('are written and read in the order of time, beside the others of their request', async (context) => {
    const server = await start(context, transport);
    const answer = await server.http.post(`${PATH}/data`, {
      A: [
        { t: at(70), v: 70 },
        { t: at(35), v: 35 },
        { t: at(-5), v: -5 },
        { t: at(35), v: 36, q: 64 },
      ],
      New: [{ t: at(1), v: 'x' }],
    });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(
      ['written', 'ignored', 'repeated', 'rejected', 'expired'].map((name) => answer.header(`historian-${name}`)),
      ['5', '0', '0', '0', '0'],
    );
    const { d } = await read(server, `tagname=A&${ALL}`);
    assert.deepEqual(
      d.map(({ t, v, q }) => [t, v, q]),
      [-5, 0, 10, 20, 30, 35, 36, 40, 50, 60, 70].map((v) => [at(v === 36 ? 35 : v), v, v === 36 ? 64 : 192]),
    );
    const tags = (await server.http.get(`${PATH}/tags`)).json<{ User: { n: string }[] }>();
    assert.deepEqual(
      tags.User.map(({ n }) => n),
      ['A', 'New'],
    );
    assert.equal((await server.http.get(PATH)).json<{ c: number }>().c, 2);
  });

  it('come behind those of their time: stored ones, then those of corrections, then late ones', async (context) => {
    const server = await start(context, transport);
    await write(server, { A: [[20, 21]] });
    await post(server, `${PATH}/corrections?tagname=A&kind=insert`, [{ t: at(25), v: 25.5 }]);
    await write(server, { A: [[25, 26]] });
    assert.deepEqual(await values(server, `tagname=A&start=${at(20)}&end=${at(30)}`), [20, 21, 25.5, 26, 30]);
    assert.deepEqual(await values(server, `tagname=A&end=${at(25)}`), [26]);
    assert.deepEqual(await values(server, `tagname=A&end=${at(20)}`), [21]);
  });

  it('are read once, however often they were sent', async (context) => {
    const server = await start(context, transport);
    const late = { A: [5, 15, [15, 16] as const, [25, null] as const] };
    assert.deepEqual(await write(server, late), { written: 4 });
    const text = (await server.http.get(`${PATH}/data?tagname=A&${ALL}`)).text;
    assert.deepEqual(await write(server, late), { repeated: 4 });
    assert.deepEqual(await write(server, { A: [10, 20] }), { repeated: 2 }, 'equal to points in their order');
    await write(server, { A: [5, 15, 70] });
    await write(server, { A: [10, 71] });
    const again = (await server.http.get(`${PATH}/data?tagname=A&start=${at(-3600)}&end=${at(65)}`)).json<{
      tl: Entry[];
    }>();
    assert.deepEqual(again.tl[0]?.d, (JSON.parse(text) as { tl: Entry[] }).tl[0]?.d);
  });

  it('are never the newest: latest values stay', async (context) => {
    const server = await start(context, transport);
    const before = await read(server, 'tagname=A');
    await write(server, { A: [55, 5] });
    assert.deepEqual(await read(server, 'tagname=A'), before);
    assert.deepEqual(await values(server, `tagname=A&end=${at(58)}`), [55]);
    assert.deepEqual(await values(server, `tagname=A&end=${at(54)}`), [50]);
    assert.deepEqual(await write(server, { A: [58] }), { written: 1 }, 'still late, behind a late point as well');
    assert.deepEqual(await write(server, { A: [61] }), { written: 1 });
    assert.deepEqual(await values(server, 'tagname=A'), [61]);
  });

  it('count in everything that is computed', async (context) => {
    const [late, ordered] = [await start(context, transport), await startAccessServer(context, transport)];
    await write(late, { A: [25, 5, 45] });
    await post(ordered, '/api/datasets', { n: 'P', pa: 0, ps: 0 });
    await write(ordered, { A: [0, 5, 10, 20, 25, 30, 40, 45, 50, 60] });
    const range = `tagname=A&start=${at(-60)}&end=${at(120)}`;
    for (const path of [
      `data?${range}`,
      `data?tagname=A&start=${at(7)}&end=${at(26)}&boundary=carry`,
      `data?tagname=A&start=${at(27)}&end=${at(28)}&boundary=carry`,
      `data?${range}&format=columns`,
      `data?${range}&format=rows&as=csv`,
      `data?${range}&format=wide`,
      `data?${range}&points=4`,
      `data?${range}&points=8000`,
      `data?${range}&aggregate=Average,Count,Minimum,Maximum,TimeAverage,Range,Start,End`,
      `data?${range}&aggregate=TimeAverage2,Interpolative,Delta,Total&interval=7s`,
      `data?${range}&expr=A*2%2B1`,
      `statistics?${range}`,
      `statistics?tagname=A&start=${at(3)}&end=${at(44)}`,
      `data/A?start=${at(3)}&end=${at(44)}`,
    ]) {
      const [got, wanted] = await Promise.all([late, ordered].map(({ http }) => http.get(`${PATH}/${path}`)));
      assert.equal(got?.status, 200, `${path}: ${got?.text}`);
      assert.equal(got?.text, wanted?.text, path);
    }
  });

  it('are in the pages that limit and after give, each once', async (context) => {
    const server = await start(context, transport);
    await write(server, { A: [5, 15, [15, 16], 25, 55, 35, [35, 36], [30, 31]] });
    await write(server, { A: [-5, [15, 14]] });
    const wanted = (await read(server, `tagname=A&${ALL}`)).d;
    assert.equal(wanted.length, 17);
    for (const limit of [1, 2, 3, 5, 16, 17, 20]) {
      const got: Point[] = [];
      let after = '';
      for (let page = 0; page < 20; page++) {
        const { d, next } = await read(server, `tagname=A&${ALL}&limit=${limit}${after}`);
        assert.ok(d.length <= limit && (next === undefined || d.length === limit), `a page of ${d.length}`);
        got.push(...d);
        if (next === undefined) break;
        after = `&after=${next}`;
      }
      assert.deepEqual(got, wanted, `limit ${limit}`);
    }
  });

  it('may be so many ms before the newest of their tag as ldt says', async (context) => {
    const server = await start(context, transport, { ...ACCEPTING, ldt: 20_000 });
    assert.deepEqual(await write(server, { A: [41, 39] }), { written: 1, ignored: 1 });
    await write(server, { A: [[40, 40.5]] });
    assert.deepEqual(await values(server, `tagname=A&start=${at(38)}&end=${at(45)}`), [40, 40.5, 41]);
    await post(server, PATH, { ...ACCEPTING, ldt: 0 });
    assert.deepEqual(await write(server, { A: [39] }), { written: 1 });
    assert.deepEqual(await write(server, { A: [1, 70], B: [1] }), { written: 3 });
  });

  it('may be so many days before now as lda says', async (context) => {
    const server = await startAccessServer(context, transport);
    await post(server, '/api/datasets', { ...ACCEPTING, lda: 2 });
    const seconds = (days: number): number => Math.round((Date.now() + days * DAY_MS - START_MS) / 1000);
    const [newest, within, beyond] = [0, -1.9, -2.1].map(seconds) as [number, number, number];
    assert.deepEqual(await write(server, { A: [newest] }), { written: 1 });
    assert.deepEqual(await write(server, { A: [within, beyond] }), { written: 1, ignored: 1 });
    assert.deepEqual(await write(server, { Old: [beyond] }), { written: 1 }, 'the first of a tag is not late');
    await post(server, PATH, { ...ACCEPTING, lda: 0 });
    assert.deepEqual(await write(server, { A: [beyond] }), { written: 1 });
  });

  it('that purge would take are expired, and what it takes is not read', async (context) => {
    const server = await start(context, transport, { ...ACCEPTING, pa: 1 });
    const dayLater = DAY_MS / 1000;
    await write(server, { A: [5] });
    await write(server, { A: [dayLater + 30] });
    assert.deepEqual(await write(server, { A: [20, 35] }), { written: 1, expired: 1 });
    assert.deepEqual(await values(server, `tagname=A&start=${at(31)}&end=${at(3600)}`), [35, 40, 50, 60]);
  });

  it('are hidden and replaced by corrections, and undoing these gives the same bytes as before', async (context) => {
    const server = await start(context, transport);
    await write(server, { A: [15, 25] });
    const everything = async (): Promise<string[]> => {
      const answers: string[] = [];
      for (const path of [
        `data?tagname=A&${ALL}`,
        `data?tagname=A&${ALL}&points=4`,
        `data?tagname=A&${ALL}&aggregate=Count,Average`,
        `statistics?tagname=A&${ALL}`,
        `data?tagname=A&end=${at(27)}`,
      ])
        answers.push((await server.http.get(`${PATH}/${path}`)).text);
      return answers;
    };
    const before = await everything();
    const range = `start=${at(12)}&end=${at(27)}`;
    const corrections = `${PATH}/corrections`;
    const made = await post(server, `${corrections}?tagname=A&kind=replace&${range}`, [{ t: at(16), v: 16.5 }]);
    assert.deepEqual([made.hidden, made.added], [3, 1]);
    assert.deepEqual(await values(server, `tagname=A&${ALL}`), [0, 10, 16.5, 30, 40, 50, 60]);
    for (const [i, text] of (await everything()).entries()) assert.notEqual(text, before[i]);
    await post(server, `${corrections}/1/undo`, undefined);
    assert.deepEqual(await everything(), before);
    const deleted = await server.http.send('POST', `${corrections}?tagname=A&kind=delete&${range}`);
    assert.equal(deleted.status, 201, deleted.text);
    await write(server, { A: [26] });
    assert.deepEqual(await values(server, `tagname=A&${ALL}`), [0, 10, 26, 30, 40, 50, 60], 'what came since is read');
  });

  it('are removed with the others from a time on', async (context) => {
    const server = await start(context, transport);
    await write(server, { A: [5, 25, 45] });
    const headers = { prefer: 'return=representation' };
    const cut = await server.http.send('DELETE', `${PATH}/data?tagname=A&start=${at(25)}`, { headers });
    assert.deepEqual([cut.status, cut.json<unknown>()], [200, { removed: 6 }]);
    assert.deepEqual(await values(server, `tagname=A&${ALL}`), [0, 5, 10, 20]);
    assert.deepEqual(await values(server, 'tagname=A'), [20]);
    assert.deepEqual(await write(server, { A: [27, 12] }), { written: 2 });
    assert.deepEqual(await values(server, `tagname=A&${ALL}`), [0, 5, 10, 12, 20, 27]);
    assert.deepEqual(await values(server, 'tagname=A'), [27]);
  });

  it('go with their tag', async (context) => {
    const server = await start(context, transport);
    await write(server, { A: [5, 25], B: [1, 3] });
    await write(server, { B: [2] });
    assert.equal((await server.http.delete(`${PATH}/tags/A`)).status, 200);
    assert.equal((await server.http.get(`${PATH}/data?tagname=A`)).status, 404);
    await write(server, { A: [0, 60] });
    assert.deepEqual(await values(server, `tagname=A&${ALL}`), [0, 60]);
    assert.deepEqual(await values(server, `tagname=B&${ALL}`), [1, 2, 3]);
  });

  it('of every type are read as they were sent', async (context) => {
    const server = await start(context, transport);
    const types: Record<string, readonly [unknown, unknown, unknown]> = {
      'System.Boolean': [true, false, null],
      'System.Int32': [7, -3, null],
      'System.Int64': [9007199254740991, -1, null],
      'System.Decimal': [1.5, 2.25, null],
      'System.String': ['x', 'a longer text, with ünicode', ''],
      'System.DateTime': ['2026-01-01T00:00:00.000Z', '1999-12-31T23:59:59.000Z', null],
      'System.Single': [0.5, -0.25, null],
    };
    for (const [type, [newest, ...late]] of Object.entries(types)) {
      await post(server, `${PATH}/tags`, [{ n: type, t: type }]);
      await write(server, { [type]: [[60, newest]] });
      for (const [i, value] of late.entries()) await write(server, { [type]: [[30 - i, value]] });
      assert.deepEqual(await values(server, `tagname=${type}&${ALL}`), [late[1], late[0], newest], type);
    }
  });

  it('and their rules are there after a kill and after a stop', async (context) => {
    const folder = temporaryFolder();
    context.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    const rules = { ...ACCEPTING, ldt: 100_000, lda: 0 };
    const wanted = [0, 5, 10, 15, 20, 60];
    for (const round of ['first', 'killed', 'stopped'] as const) {
      const process = await ServerProcess.start({ transport, dataFolder: join(folder, 'data') });
      const server = { http: new HttpClient(process.url) };
      try {
        if (round === 'first') {
          await post(server, '/api/datasets', rules);
          await write(server, { A: [0, 10, 20, 60] });
          await write(server, { A: [15, 5] });
        }
        assert.deepEqual(rulesOf((await server.http.get(PATH)).json<Rules>()), rules, round);
        assert.deepEqual(await values(server, `tagname=A&${ALL}`), wanted, round);
        assert.deepEqual(await values(server, 'tagname=A'), [60], round);
        await write(server, { A: [5, 15] });
        assert.deepEqual(await values(server, `tagname=A&${ALL}`), wanted, `${round}: sent again`);
      } finally {
        server.http.close();
        if (round === 'first') await process.kill();
        else await process.stop();
      }
    }
  });
});
