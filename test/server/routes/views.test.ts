// Saved views over HTTP, on both transports: what is kept, who sees and may change it, and what is refused with which words.

import assert from 'node:assert/strict';
import { readdirSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { it, test } from 'node:test';
import { COMPONENT_SCHEMAS } from '../../../server/api/openapi/components.ts';
import { createAjv } from '../../../server/api/validation/validate.ts';
import { type HttpAnswer, HttpClient } from '../../support/http-client.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import { bearer, makeClient, makeToken, startAccessServer } from '../auth/support/access-server.ts';
import { describeTransports } from '../http/support/test-server.ts';

interface Head {
  readonly id: string;
  readonly name: string;
  readonly owner?: string;
  readonly revision: number;
  readonly editable: boolean;
  readonly content?: unknown;
}

const CONTENT = { traces: [{ tag: 'T/1', color: 2 }], note: '°C 🙂 \u2028', empty: null, nested: { 2: [1e-7], 1: {} } };
const VIEW = { kind: 'trend', name: 'Feed water', folder: 'Boilers/North', datasets: ['Line 1'], content: CONTENT };

const reader = makeToken('read', ['Line*'], { name: 'Display' });
const writer = makeToken('write', ['Line*'], { name: 'Line 4' });
const renewed = makeToken('write', ['*'], { name: 'Line 4' });
const other = makeToken('write', ['Line*'], { name: 'Line 5' });
const nameless = makeToken('write', ['*']);
const admin = makeToken('admin', ['*'], { name: 'Office' });
const lineAdmin = makeToken('admin', ['Line*'], { name: 'Line office' });
const clerk = makeToken('write', ['*'], { name: 'Line office' });
const client = makeClient('write', ['*'], { client: 'pulse' });
const entries = [reader, writer, renewed, other, nameless, admin, lineAdmin, clerk, client].map(({ entry }) => entry);

const ajv = createAjv();
ajv.addVocabulary(['components']);

function assertSchema(schema: 'ViewAnswer' | 'ViewList' | 'Problem', answer: HttpAnswer): void {
  const value = answer.json();
  const reference = { $ref: `#/components/schemas/${schema}`, components: { schemas: COMPONENT_SCHEMAS } };
  assert.ok(ajv.validate(reference, value), `${answer.text.slice(0, 200)}: ${ajv.errorsText()}`);
}

function assertProblem(answer: HttpAnswer, status: number, message: RegExp, key?: string): void {
  assert.equal(answer.status, status, answer.text);
  assertSchema('Problem', answer);
  const problem = answer.json<{ detail: string; key?: string }>();
  assert.match(problem.detail, message);
  assert.equal(problem.key, key);
}

function assertSaved(answer: HttpAnswer, status: number): Head {
  assert.equal(answer.status, status, answer.text);
  assertSchema('ViewAnswer', answer);
  const head = answer.json<Head>();
  assert.equal(answer.header('etag'), `"${head.revision}"`);
  return head;
}

async function listedNames(http: HttpClient, headers = {}): Promise<string[]> {
  const answer = await http.get('/api/views', headers);
  assert.equal(answer.status, 200, answer.text);
  assertSchema('ViewList', answer);
  return answer
    .json<Head[]>()
    .map(({ name }) => name)
    .sort();
}

describeTransports('saved views', (transport) => {
  it('without tokens everybody saves, opens, changes and deletes, and nobody owns', async (context) => {
    const { http, auditLines } = await startAccessServer(context, transport);
    assert.deepEqual(await listedNames(http), []);
    const created = await http.post('/api/views', VIEW);
    const head = assertSaved(created, 201);
    const path = `/api/views/${head.id}`;
    assert.equal(created.header('location'), path);
    assert.match(head.id, /^[0-9a-f]{20}$/);
    const { content: _, ...listed } = head;
    assert.deepEqual((await http.get('/api/views')).json(), [listed], 'the list has no contents');
    const got = await http.get(path);
    assert.deepEqual(assertSaved(got, 200), { ...VIEW, ...listed, revision: 1, editable: true });
    assert.deepEqual(got.json<Head>().content, CONTENT);
    assert.deepEqual(Object.keys(got.json<typeof VIEW>().content.nested), ['1', '2']);
    assert.equal((await http.send('HEAD', path)).header('etag'), '"1"');
    const sentBack = { ...got.json<object>(), name: 'Renamed', folder: null };
    const changed = assertSaved(await http.put(path, sentBack, { 'if-match': '"1"' }), 200);
    assert.deepEqual([changed.name, changed.revision, changed.owner], ['Renamed', 2, undefined]);
    assert.equal((await http.get(path)).json<{ folder: string }>().folder, '');
    const deleted = await http.delete(path);
    assert.deepEqual([deleted.status, deleted.text], [200, '']);
    assertProblem(
      await http.get(path),
      404,
      /There is no view '[0-9a-f]{20}'; it may have been deleted/,
      'Error.ViewNotFound',
    );
    assert.deepEqual(
      auditLines.map(({ action, view, name, revision }) => [action, view, name, revision]),
      [
        ['view.create', head.id, 'Feed water', 1],
        ['view.change', head.id, 'Renamed', 2],
        ['view.delete', head.id, 'Renamed', 2],
      ],
    );
  });

  it('keeps every digit of the numbers of a content', async (context) => {
    const { http } = await startAccessServer(context, transport);
    const content = '{"a":1e400,"b":12345678901234567890,"c":[-0,1e-400,0.1000000000000000055],"d":{"e":5}}';
    const body = `{"kind":"trend","name":"Long","datasets":[],"content":${content},"revision":1e400}`;
    const headers = { 'content-type': 'application/json' };
    const created = await http.send('POST', '/api/views', { headers, body });
    assert.equal(created.status, 201, created.text);
    const path = `/api/views/${created.json<Head>().id}`;
    for (const { text } of [created, await http.get(path)]) assert.ok(text.endsWith(`"content":${content}}`), text);
    const changed = await http.send('PUT', path, { headers: { ...headers, 'if-match': '"1"' }, body });
    assert.ok(changed.text.endsWith(`"content":${content}}`), changed.text);
  });

  it('a change must be of the revision that is there', async (context) => {
    const { http } = await startAccessServer(context, transport);
    const path = `/api/views/${assertSaved(await http.post('/api/views', VIEW), 201).id}`;
    assertProblem(await http.put(path, VIEW), 428, /If-Match: "3"/, 'Error.RevisionWanted');
    assertProblem(
      await http.put(path, VIEW, { 'if-match': '1' }),
      400,
      /got 1; want the revision in quotes/,
      'Error.BadParameter',
    );
    assertSaved(await http.put(path, VIEW, { 'if-match': '"1"' }), 200);
    const late = await http.put(path, { ...VIEW, name: 'Late' }, { 'if-match': '"1"' });
    assertProblem(late, 412, /Somebody else has changed this view: its revision is 2 now/, 'Error.ViewChanged');
    assert.equal(late.header('etag'), '"2"');
    assertProblem(await http.delete(path, undefined, { 'if-match': '"1"' }), 412, /revision is 2/, 'Error.ViewChanged');
    assertSaved(await http.put(path, VIEW, { 'if-match': 'W/"1", W/"2"' }), 200);
    assert.equal(assertSaved(await http.put(path, VIEW, { 'if-match': '*' }), 200).revision, 4);
    assert.equal((await http.get(path)).json<Head>().name, 'Feed water');
    assert.equal((await http.delete(path, undefined, { 'if-match': '"4"' })).status, 200);
    assertProblem(await http.put(path, VIEW, { 'if-match': '*' }), 404, /no view/, 'Error.ViewNotFound');
    assertProblem(await http.delete(path), 404, /no view/, 'Error.ViewNotFound');
  });

  it('who has made a view may change it, and admins; a token of the same name is the same owner', async (context) => {
    const { http, auditLines } = await startAccessServer(context, transport, entries);
    const create = async (token: string): Promise<Head> =>
      assertSaved(await http.post('/api/views', VIEW, bearer(token)), 201);
    const mine = await create(writer.token);
    assert.equal(mine.owner, 'Line 4');
    assert.equal((await create(nameless.token)).owner, nameless.entry.id);
    const issued = await http.post('/auth/token', {
      grant_type: 'client_credentials',
      client_id: client.id,
      client_secret: client.secret,
    });
    assert.equal((await create(issued.json<{ access_token: string }>().access_token)).owner, 'pulse');
    const path = `/api/views/${mine.id}`;
    const any = { 'if-match': '*' };
    for (const { token } of [reader, other]) {
      assert.equal(assertSaved(await http.get(path, bearer(token)), 200).editable, false);
    }
    const foreign = [
      await http.put(path, VIEW, { ...any, ...bearer(other.token) }),
      await http.delete(path, undefined, bearer(other.token)),
    ];
    for (const answer of foreign) {
      assertProblem(answer, 403, /belongs to 'Line 4': only they and admins may change it/, 'Error.Forbidden');
    }
    assertProblem(
      await http.put(path, VIEW, { ...any, ...bearer(reader.token) }),
      403,
      /may not write/,
      'Error.Forbidden',
    );
    assertProblem(await http.post('/api/views', VIEW, bearer(reader.token)), 403, /may not write/, 'Error.Forbidden');
    assert.equal(
      auditLines.filter(({ action, reason }) => action === 'refused' && reason === 'not permitted').length,
      2,
    );
    for (const { token } of [writer, renewed, admin, lineAdmin]) {
      const changed = assertSaved(await http.put(path, VIEW, { ...any, ...bearer(token) }), 200);
      assert.deepEqual([changed.owner, changed.editable], ['Line 4', true]);
    }
    assert.equal((await http.delete(path, undefined, bearer(admin.token))).status, 200);
    assert.equal(auditLines.at(-1)?.token, admin.entry.id);
  });

  it('the shifts of the plant are set by admins, and seen by all', async (context) => {
    const { http } = await startAccessServer(context, transport, entries);
    const shifts = { kind: 'shifts', name: 'Shifts', datasets: [], content: { zone: 'UTC', shifts: [] } };
    const any = { 'if-match': '*' };
    const refused = /shifts of the plant are set by admins/;
    assertProblem(await http.post('/api/views', shifts, bearer(writer.token)), 403, refused, 'Error.Forbidden');
    const mine = assertSaved(await http.post('/api/views', VIEW, bearer(writer.token)), 201);
    const turned = await http.put(`/api/views/${mine.id}`, shifts, { ...any, ...bearer(writer.token) });
    assertProblem(turned, 403, refused, 'Error.Forbidden');
    const { id } = assertSaved(await http.post('/api/views', shifts, bearer(lineAdmin.token)), 201);
    const path = `/api/views/${id}`;
    assert.equal(assertSaved(await http.get(path, bearer(reader.token)), 200).editable, false);
    // The second goes by the name of the owner.
    for (const { token } of [writer, clerk]) {
      const changed = await http.put(path, VIEW, { ...any, ...bearer(token) });
      assertProblem(changed, 403, /admins may change it/, 'Error.Forbidden');
    }
    assertSaved(await http.put(path, shifts, { ...any, ...bearer(admin.token) }), 200);
  });

  it('who may not read every dataset of a view does not see it, and nobody names such a dataset', async (context) => {
    const { http } = await startAccessServer(context, transport, entries);
    const save = (name: string, datasets: readonly string[], token = admin.token): Promise<HttpAnswer> =>
      http.post('/api/views', { ...VIEW, name, datasets }, bearer(token));
    assertSaved(await save('both', ['Line 1', 'Mill']), 201);
    const mill = assertSaved(await save('mill', ['Mill']), 201);
    assertSaved(await save('line', ['Line 1', 'Line 2', 'Line 1']), 201);
    assertSaved(await save('none', []), 201);
    assert.deepEqual(await listedNames(http, bearer(admin.token)), ['both', 'line', 'mill', 'none']);
    for (const { token } of [reader, writer, lineAdmin]) {
      assert.deepEqual(await listedNames(http, bearer(token)), ['line', 'none']);
    }
    const path = `/api/views/${mill.id}`;
    const refused = [
      await http.get(path, bearer(reader.token)),
      await http.put(path, VIEW, { 'if-match': '*', ...bearer(lineAdmin.token) }),
      await http.delete(path, undefined, bearer(lineAdmin.token)),
    ];
    for (const answer of refused) {
      assertProblem(answer, 403, /may not read all datasets of this view/, 'Error.Forbidden');
      assert.doesNotMatch(answer.text, /Mill|Office/, 'names are for who may read them');
    }
    assertProblem(
      await save('x', ['Line 1', 'Mill'], writer.token),
      403,
      /may not read the dataset 'Mill'/,
      'Error.Forbidden',
    );
    const own = assertSaved(await save('own', ['Line 1'], writer.token), 201);
    const body = { ...VIEW, datasets: ['Mill'] };
    const moved = await http.put(`/api/views/${own.id}`, body, { 'if-match': '*', ...bearer(writer.token) });
    assertProblem(moved, 403, /may not read the dataset 'Mill'/, 'Error.Forbidden');
    assert.deepEqual(assertSaved(await http.get(`/api/views/${own.id}`, bearer(writer.token)), 200).revision, 1);
  });

  it('what is no view, or too large, is refused and says where', async (context) => {
    const { http, views } = await startAccessServer(context, transport);
    const faults: readonly (readonly [object, string, RegExp])[] = [
      [{ kind: 'picture' }, '/kind', /want one of trend, dashboard/],
      [{ name: '' }, '/name', /want a name/],
      [{ name: '  ' }, '/name', /want a name/],
      [{ name: 'x'.repeat(201) }, '/name', /Got 201 characters; want at most 200/],
      [{ name: 'a\nb' }, '/name', /control character/],
      [{ name: 'a\ud800' }, '/name', /lone surrogate/],
      [{ folder: 'x'.repeat(501) }, '/folder', /Got 501 characters; want at most 500/],
      [{ folder: '/Boilers' }, '/folder', /want names with '\/' between them/],
      [{ folder: 'a//b' }, '/folder', /want names with '\/' between them/],
      [{ folder: 'a\u0085' }, '/folder', /control character/],
      [{ datasets: 'Line 1' }, '/datasets', /want array/],
      [{ datasets: Array.from({ length: 101 }, (_, i) => `D${i}`) }, '/datasets', /Got 101 datasets; want at most 100/],
      [{ datasets: ['ok', 'x'.repeat(241)] }, '/datasets/1', /Got 241 characters/],
      [{ content: [] }, '/content', /Got an array; want object/],
      [{ contents: {} }, '/contents', /Unknown key/],
    ];
    for (const [part, pointer, message] of faults) {
      const answer = await http.post('/api/views', { ...VIEW, ...part });
      assertProblem(answer, 400, message, 'Error.BadBody');
      assert.equal(answer.json<{ errors: { path: string }[] }>().errors[0]?.path, pointer);
    }
    const { content: _, ...contentless } = VIEW;
    assertProblem(await http.post('/api/views', contentless), 400, /'content' is missing/, 'Error.BadBody');
    assertProblem(await http.postText('/api/views', '{"kind":'), 400, /JSON|body/, 'Error.BadJson');
    const most = { ...VIEW, content: { texts: Array.from({ length: 8 }, () => '°'.repeat(16_000)) } };
    assertSaved(await http.post('/api/views', most), 201);
    const tooLarge = { ...VIEW, content: { texts: Array.from({ length: 9 }, () => '°'.repeat(16_000)) } };
    assertProblem(
      await http.post('/api/views', tooLarge),
      413,
      /at \/content: Got 288\d+ bytes of content; want at most 262144/,
    );
    assert.equal((await http.postText('/api/views', `${JSON.stringify(VIEW)}${' '.repeat(2 ** 20)}`)).status, 413);
    assert.equal(views.heads().length, 1);
  });

  it('a file that is damaged while the server runs is told, and only then', async (context) => {
    const server = await startAccessServer(context, transport, undefined, { onError: () => {} });
    const { http, tokenPath } = server;
    const [torn, whole] = [
      assertSaved(await http.post('/api/views', VIEW), 201),
      assertSaved(await http.post('/api/views', VIEW), 201),
    ];
    truncateSync(join(dirname(tokenPath), 'data', '.views', `${torn.id}.json`), 99);
    assertProblem(await http.get(`/api/views/${torn.id}`), 500, /file of this view is damaged/, 'Error.Corrupt');
    assertSaved(await http.get(`/api/views/${whole.id}`), 200);
    assert.equal((await http.delete(`/api/views/${torn.id}`)).status, 200);
  });
});

for (const flags of [[], ['--compat', 'timebase']]) {
  test(`views outlive a restart, a torn one is said in the log, ${flags.join(' ') || 'by default'}`, async (context) => {
    const dataFolder = join(makeTempFolder(context), 'data');
    const first = await ServerProcess.start({ dataFolder, flags });
    let http = new HttpClient(first.url);
    context.after(() => first.kill());
    const [torn, kept] = [
      assertSaved(await http.post('/api/views', VIEW), 201),
      assertSaved(await http.post('/api/views', { ...VIEW, name: 'Kept' }), 201),
    ];
    http.close();
    await first.stop();
    const folder = join(dataFolder, '.views');
    assert.deepEqual(readdirSync(folder).sort(), [`${torn.id}.json`, `${kept.id}.json`].sort());
    truncateSync(join(folder, `${torn.id}.json`), 99);
    const second = await ServerProcess.start({ dataFolder, flags });
    context.after(() => second.kill());
    http = new HttpClient(second.url);
    context.after(() => http.close());
    assert.deepEqual(await listedNames(http), ['Kept']);
    assertProblem(await http.get(`/api/views/${torn.id}`), 404, /no view/, 'Error.ViewNotFound');
    assert.deepEqual(assertSaved(await http.get(`/api/views/${kept.id}`), 200), kept);
    assert.ok(await second.findLog(new RegExp(`${torn.id}\\.json.*left alone and not served`)));
    assert.equal((await http.get('/API/Views')).status, flags.length === 0 ? 404 : 200);
  });
}
