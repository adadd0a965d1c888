// Renaming tags over HTTP: what reads, writes and lists say of the former name, who may rename, and what the log of access has.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type AccessServer, startAccessServer } from '../auth/support/access-server.ts';

const JSON_HEADERS = { 'content-type': 'application/json' };
const START_MS = Date.UTC(2026, 0, 1);
const DATA = '/api/datasets/P/data';
const TAGS = '/api/datasets/P/tags';

interface Problem {
  readonly status: number;
  readonly key: string;
  readonly detail: string;
  readonly renamedTo?: string;
}

interface Former {
  readonly n: string;
  readonly at: string;
  readonly until?: string;
  readonly forward: boolean;
}

const pointAt = (second: number): object => ({ t: new Date(START_MS + second * 1000).toISOString(), v: second });

async function start(context: TestContext, transport: 'uws' | 'node' = 'uws'): Promise<AccessServer> {
  const server = await startAccessServer(context, transport);
  assert.equal((await post(server, DATA, { A: [pointAt(1)], 'B/1': [pointAt(1)] })).status, 200);
  return server;
}

function post({ http }: AccessServer, path: string, body: unknown): ReturnType<AccessServer['http']['send']> {
  return http.send('POST', path, { headers: JSON_HEADERS, body: JSON.stringify(body) });
}

async function valuesOf({ http }: AccessServer, name: string): Promise<[name: string, values: unknown[]]> {
  const answer = await http.get(`${DATA}?tagname=${name}&start=2025-12-31&end=2026-01-02`);
  assert.equal(answer.status, 200, answer.text);
  const { tl } = JSON.parse(answer.text) as { tl: { t: { n: string }; d: { v: unknown }[] }[] };
  const [entry] = tl;
  return [entry?.t.n ?? '', (entry?.d ?? []).map(({ v }) => v)];
}

describe('renaming a tag', () => {
  for (const transport of ['uws', 'node'] as const) {
    it(`reads go on under both names, and writes are refused or forwarded, over ${transport}`, async (context) => {
      const server = await start(context, transport);
      const { http } = server;
      assert.equal((await post(server, `${TAGS}/A/rename`, { name: 'New' })).status, 200);
      assert.equal((await post(server, `${TAGS}/B%2F1/rename`, { name: 'C', forward: true, keep: 1 })).status, 200);
      assert.deepEqual(await valuesOf(server, 'A'), ['A', [1]]);
      assert.deepEqual(await valuesOf(server, 'New'), ['New', [1]]);
      const refused = await post(server, DATA, { A: [pointAt(2)], X: [pointAt(2)] });
      const problem = JSON.parse(refused.text) as Problem;
      assert.deepEqual([refused.status, problem.key, problem.renamedTo], [409, 'Error.TagRenamed', 'New']);
      assert.equal(problem.detail, "Tag 'A' was renamed to 'New'; write under that name.");
      assert.equal((await post(server, DATA, { 'B/1': [pointAt(2)] })).status, 200);
      assert.deepEqual(await valuesOf(server, 'C'), ['C', [1, 2]]);
      const { User } = JSON.parse((await http.get(TAGS)).text) as { User: { n: string; former?: Former[] }[] };
      assert.deepEqual(
        User.map(({ n }) => n),
        ['C', 'New'],
      );
      const former = User[0]?.former?.[0];
      assert.deepEqual([former?.n, former?.forward], ['B/1', true]);
      assert.equal(Date.parse(former?.until ?? '') - Date.parse(former?.at ?? ''), 86_400_000);
      assert.equal((JSON.parse((await http.get(`${TAGS}/A`)).text) as { n: string }).n, 'New');
    });
  }

  it('takes both names in one body, as points of one tag', async (context) => {
    const server = await start(context);
    await post(server, `${TAGS}/A/rename`, { name: 'New', forward: true });
    const answer = await post(server, DATA, { A: [pointAt(2), pointAt(3)], New: [pointAt(4)] });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(await valuesOf(server, 'New'), ['New', [1, 2, 3, 4]]);
  });

  it('refuses names in use, system tags, unknown tags and former names, each with a sentence', async (context) => {
    const server = await start(context);
    assert.equal((await post(server, `${TAGS}/A/rename`, { name: 'New' })).status, 200);
    const cases: [path: string, name: string, status: number, text: RegExp, renamedTo?: string][] = [
      ['New', 'B/1', 409, /There is a tag 'B\/1' already/],
      ['B%2F1', 'A', 409, /a former name of tag 'New'/, 'New'],
      ['Writes', 'W', 400, /cannot be renamed/],
      ['None', 'X', 404, /could not be found/],
      ['A', 'X', 404, /It was renamed to 'New'/, 'New'],
      ['New', '$System.New', 400, /name/],
    ];
    for (const [path, name, status, text, renamedTo] of cases) {
      const answer = await post(server, `${TAGS}/${path}/rename`, { name });
      const problem = JSON.parse(answer.text) as Problem;
      assert.equal(answer.status, status, answer.text);
      assert.match(problem.detail, text);
      assert.equal(problem.renamedTo, renamedTo);
    }
    const bad = await post(server, `${TAGS}/New/rename`, { name: 'X', keep: -1 });
    assert.equal(bad.status, 400, bad.text);
  });

  it('is written to the log of access', async (context) => {
    const server = await start(context);
    await post(server, `${TAGS}/A/rename`, { name: 'New', forward: true });
    const line = server.auditLines.find(({ action }) => action === 'tags.rename');
    assert.deepEqual([line?.dataset, line?.from, line?.to, line?.forward], ['P', 'A', 'New', 'true']);
  });
});
