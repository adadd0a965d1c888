// Annotations over HTTP, on both transports: what is kept, what is listed, who may do what, and what is refused with which
// words.

import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { it, test } from 'node:test';
import { COMPONENT_SCHEMAS } from '../../../server/api/openapi/components.ts';
import { createAjv } from '../../../server/api/validation/validate.ts';
import { type HttpAnswer, HttpClient } from '../../support/http-client.ts';
import { ServerProcess, temporaryFolder } from '../../support/server-process.ts';
import { bearer, makeToken, startAccessServer } from '../auth/support/access-server.ts';
import { describeTransports } from '../http/support/test-server.ts';

interface Shown {
  readonly id: number;
  readonly text: string;
  readonly author?: string;
  readonly changedBy?: string;
  readonly created: string;
  readonly revision: number;
}

interface Listed {
  readonly annotations: readonly Shown[];
  readonly next?: string;
}

const D = '/api/datasets/Line%201';
const LIST = `${D}/annotations`;
const ANNOTATION = {
  start: '2026-01-05T09:12:00.1234567Z',
  end: '2026-01-05T09:40:00.000Z',
  tag: 'T/1',
  text: 'Pumpe "A", \u{1F6B0}\ngetauscht',
};

const reader = makeToken('read', ['Line*'], { name: 'Display' });
const writer = makeToken('write', ['Line*'], { name: 'Line 4' });
const other = makeToken('write', ['Line*'], { name: 'Line 5' });
const elsewhere = makeToken('admin', ['Mill']);
const entries = [reader, writer, other, elsewhere].map(({ entry }) => entry);

const ajv = createAjv();
ajv.addVocabulary(['components']);

function assertSchema(schema: 'AnnotationAnswer' | 'AnnotationList' | 'Problem', answer: HttpAnswer): void {
  const reference = { $ref: `#/components/schemas/${schema}`, components: { schemas: COMPONENT_SCHEMAS } };
  assert.ok(ajv.validate(reference, answer.json()), `${answer.text.slice(0, 200)}: ${ajv.errorsText()}`);
}

function assertProblem(answer: HttpAnswer, status: number, message: RegExp, key?: string): void {
  assert.equal(answer.status, status, answer.text);
  assertSchema('Problem', answer);
  const problem = answer.json<{ detail: string; key?: string }>();
  assert.match(problem.detail, message);
  if (key !== undefined) assert.equal(problem.key, key);
}

function assertKept(answer: HttpAnswer, status: number): Shown {
  assert.equal(answer.status, status, answer.text);
  assertSchema('AnnotationAnswer', answer);
  const shown = answer.json<Shown>();
  assert.equal(answer.header('etag'), `"${shown.revision}"`);
  return shown;
}

async function list(http: HttpClient, query = '', headers = {}): Promise<Listed> {
  const answer = await http.get(`${LIST}${query}`, headers);
  assert.equal(answer.status, 200, answer.text);
  assertSchema('AnnotationList', answer);
  return answer.json<Listed>();
}

async function textsOf(http: HttpClient, query: string): Promise<string[]> {
  return (await list(http, query)).annotations.map(({ text }) => text);
}

async function prepare(http: HttpClient, headers = {}): Promise<void> {
  const written = await http.post(`${D}/data`, { 'T/1': [{ v: 1 }], B: [{ v: 1 }] }, headers);
  assert.equal(written.status, 200, written.text);
}

describeTransports('annotations', (transport) => {
  it('without tokens everybody writes, reads, changes and deletes, and nobody is named', async (context) => {
    const { http, auditLines } = await startAccessServer(context, transport);
    await prepare(http);
    assert.deepEqual(await list(http), { annotations: [] });
    const created = await http.post(LIST, ANNOTATION);
    const shown = assertKept(created, 201);
    const path = `${LIST}/${shown.id}`;
    assert.equal(created.header('location'), path);
    assert.equal(shown.author, undefined);
    assert.deepEqual(assertKept(await http.get(path), 200), { ...shown, ...ANNOTATION });
    assert.deepEqual(await list(http), { annotations: [shown] });
    const sentBack = { ...shown, end: null, tag: null, text: 'changed' };
    const changed = assertKept(await http.put(path, sentBack, { 'if-match': '"1"' }), 200);
    const { end: _, tag: __, ...rest } = ANNOTATION;
    const { created: made } = shown;
    assert.deepEqual(
      { ...changed, changed: '' },
      { id: shown.id, ...rest, text: 'changed', created: made, changed: '', revision: 2 },
    );
    const deleted = await http.delete(path);
    assert.deepEqual([deleted.status, deleted.text], [200, '']);
    assertProblem(
      await http.get(path),
      404,
      /has no annotation \d+; it may have been deleted/,
      'Error.AnnotationNotFound',
    );
    assert.deepEqual(
      auditLines.flatMap(({ action, annotation, revision }) =>
        String(action).startsWith('annotation') ? [[action, annotation, revision]] : [],
      ),
      [
        ['annotation.create', shown.id, 1],
        ['annotation.change', shown.id, 2],
        ['annotation.delete', shown.id, 2],
      ],
    );
  });

  it('the name of the token is kept, also when another changes it; to write is needed to write', async (context) => {
    const { http } = await startAccessServer(context, transport, entries);
    await prepare(http, bearer(writer.token));
    const shown = assertKept(await http.post(LIST, ANNOTATION, bearer(writer.token)), 201);
    assert.equal(shown.author, 'Line 4');
    const path = `${LIST}/${shown.id}`;
    const any = { 'if-match': '*' };
    const changed = assertKept(await http.put(path, ANNOTATION, { ...any, ...bearer(other.token) }), 200);
    assert.deepEqual([changed.author, changed.changedBy, changed.created], ['Line 4', 'Line 5', shown.created]);
    assert.deepEqual(await list(http, '', bearer(reader.token)), { annotations: [changed] });
    const refused = [
      await http.post(LIST, ANNOTATION, bearer(reader.token)),
      await http.put(path, ANNOTATION, { ...any, ...bearer(reader.token) }),
      await http.delete(path, undefined, bearer(reader.token)),
    ];
    for (const answer of refused) assertProblem(answer, 403, /may not write/, 'Error.Forbidden');
    for (const at of [LIST, path]) assertProblem(await http.get(at, bearer(elsewhere.token)), 403, /./);
    assertProblem(await http.get(LIST), 401, /./, 'Error.Unauthorized');
  });

  it('a change must be of the revision that is there', async (context) => {
    const { http } = await startAccessServer(context, transport);
    await prepare(http);
    const path = `${LIST}/${assertKept(await http.post(LIST, ANNOTATION), 201).id}`;
    assertProblem(await http.put(path, ANNOTATION), 428, /the ETag of the annotation/, 'Error.RevisionWanted');
    assertProblem(await http.put(path, ANNOTATION, { 'if-match': '1' }), 400, /in quotes/, 'Error.BadParameter');
    assertKept(await http.put(path, ANNOTATION, { 'if-match': '"1"' }), 200);
    const late = await http.put(path, { ...ANNOTATION, text: 'late' }, { 'if-match': '"1"' });
    assertProblem(late, 412, /its revision is 2 now/, 'Error.AnnotationChanged');
    assert.equal(late.header('etag'), '"2"');
    const gone = await http.delete(path, undefined, { 'if-match': '"1"' });
    assertProblem(gone, 412, /its revision is 2 now/, 'Error.AnnotationChanged');
    assert.equal((await http.get(path)).json<Shown>().text, ANNOTATION.text);
    assert.equal((await http.delete(path, undefined, { 'if-match': '"2"' })).status, 200);
    assertProblem(await http.put(path, ANNOTATION, { 'if-match': '*' }), 404, /no annotation/);
    assertProblem(await http.delete(path), 404, /no annotation/, 'Error.AnnotationNotFound');
  });

  it('the list is by start, and gives what touches a range, by tag, text and page', async (context) => {
    const { http } = await startAccessServer(context, transport);
    await prepare(http);
    const at = (hour: number): string => `2026-01-05T${String(hour).padStart(2, '0')}:00:00Z`;
    const make = async (text: string, start: number, more: object = {}): Promise<void> => {
      assertKept(await http.post(LIST, { start: at(start), text, ...more }), 201);
    };
    await make('late', 20, { tag: 'B' });
    await make('early', 2);
    await make('Long', 3, { end: at(12), tag: 'T/1' });
    await make('same 1', 8, { tag: 'T/1' });
    await make('same 2', 8);
    const all = ['early', 'Long', 'same 1', 'same 2', 'late'];
    assert.deepEqual(await textsOf(http, ''), all);
    assert.deepEqual(await textsOf(http, `?start=${at(8)}&end=${at(8)}`), ['Long', 'same 1', 'same 2']);
    assert.deepEqual(await textsOf(http, `?start=${at(12)}`), ['Long', 'late']);
    assert.deepEqual(await textsOf(http, `?end=${at(3)}`), ['early', 'Long']);
    assert.deepEqual(await textsOf(http, `?unixStart=${Date.parse(at(13)) / 1000}&relativeEnd=now`), ['late']);
    assert.deepEqual(await textsOf(http, '?tagname=T%2F1'), ['Long', 'same 1']);
    assert.deepEqual(await textsOf(http, '?tagname=B&tagname='), ['early', 'same 2', 'late']);
    assert.deepEqual(await textsOf(http, '?tagname=none'), []);
    assert.deepEqual(await textsOf(http, '?contains=L'), ['early', 'Long', 'late']);
    const paged: string[] = [];
    let after = '';
    for (let page = 0; page < 4; page++) {
      const { annotations, next } = await list(http, `?limit=2${after}`);
      paged.push(...annotations.map(({ text }) => text));
      if (next === undefined) break;
      after = `&after=${encodeURIComponent(next)}`;
    }
    assert.deepEqual(paged, all);
    assert.equal((await list(http, '?limit=5')).next, undefined);
  });

  it('CSV has all of them, and nothing that a spreadsheet takes for a formula', async (context) => {
    const { http } = await startAccessServer(context, transport);
    await prepare(http);
    const { created } = assertKept(await http.post(LIST, ANNOTATION), 201);
    const formula = assertKept(await http.post(LIST, { start: '2026-01-06T00:00:00Z', text: '=1+1' }), 201);
    const answer = await http.get(`${LIST}?format=csv`);
    assert.equal(answer.header('content-type'), 'text/csv; charset=utf-8; header=present');
    assert.match(answer.header('content-disposition') ?? '', /annotations\.csv/);
    assert.equal(
      answer.text,
      [
        'id,start,end,tag,text,author,created,changedBy,changed,revision',
        `1,2026-01-05T09:12:00.1234567Z,2026-01-05T09:40:00.000Z,T/1,"Pumpe ""A"", \u{1F6B0}\ngetauscht",,${created},,${created},1`,
        `2,2026-01-06T00:00:00.000Z,,,'=1+1,,${formula.created},,${formula.created},1`,
        '',
      ].join('\r\n'),
    );
  });

  it('what is wrong is said, and stores nothing', async (context) => {
    const { http } = await startAccessServer(context, transport);
    await prepare(http);
    const text = 'x';
    const start = '2026-01-05T00:00:00Z';
    const bodies: readonly (readonly [body: unknown, status: number, message: RegExp])[] = [
      [[], 400, /want object/],
      [{ text }, 400, /start/],
      [{ start }, 400, /text/],
      [{ start: 'yesterday', text }, 400, /\/start: Got text .yesterday.; want an ISO 8601 time/],
      [{ start: 5, text }, 400, /\/start/],
      [{ start: '0000-01-01T00:00:00Z', text }, 400, /\/start/],
      [{ start, end: '2026-01-04T23:59:59Z', text }, 400, /\/end: .*before the start/],
      [{ start, end: 'never', text }, 400, /\/end/],
      [{ start, text: ' \n' }, 400, /want a text/],
      [{ start, text: 'x'.repeat(4001) }, 400, /Got 4001 characters; want at most 4000/],
      [{ start, text: 'a\u0007' }, 400, /control character/],
      [{ start, text, tag: 7 }, 400, /\/tag/],
      [{ start, text, colour: 'red' }, 400, /colour/],
      [{ start, text, tag: 'none' }, 404, /Tag 'none' could not be found/],
      [{ start, text: 'x'.repeat(70_000) }, 413, /./],
    ];
    for (const [body, status, message] of bodies) assertProblem(await http.post(LIST, body), status, message);
    const missing = '/api/datasets/none/annotations';
    assertProblem(await http.post(missing, { start, text }), 404, /Dataset 'none'/, 'Error.DatasetNotFound');
    assertProblem(await http.get(missing), 404, /Dataset 'none'/, 'Error.DatasetNotFound');
    const queries = [
      'start=x',
      'limit=0',
      'limit=a',
      'after=x',
      'after=x_1',
      'format=xml',
      'start=-1d&end=x',
      'tz=Mars',
    ];
    const doubled = ['limit=1&limit=2', 'contains=a&contains=b', 'format=csv&limit=1', `start=${start}&end=2020-01-01`];
    for (const query of [...queries, ...doubled]) assertProblem(await http.get(`${LIST}?${query}`), 400, /./);
    for (const id of ['x', '0', '-1', '1.5', '99999999999999999999'])
      assertProblem(await http.get(`${LIST}/${id}`), 400, /want a whole number/, 'Error.BadParameter');
    assert.deepEqual(await list(http), { annotations: [] });
    assert.equal((await http.send('POST', `${LIST}/1`)).status, 405);
  });
});

test('annotations survive kill -9, and go along with a copy of the dataset folder', async (context) => {
  const folder = temporaryFolder();
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const server = await ServerProcess.start({ dataFolder: `${folder}/data` });
  const http = new HttpClient(server.url);
  await prepare(http);
  const kept: Shown[] = [];
  for (let i = 0; i < 20; i++) kept.push(assertKept(await http.post(LIST, { ...ANNOTATION, text: `${i}` }), 201));
  await server.kill();
  http.close();
  cpSync(`${folder}/data/Line 1`, `${folder}/other/Line 2`, { recursive: true });
  for (const [dataFolder, name] of [
    [`${folder}/data`, 'Line%201'],
    [`${folder}/other`, 'Line%202'],
  ] as const) {
    const again = await ServerProcess.start({ dataFolder });
    const client = new HttpClient(again.url);
    const answer = await client.get(`/api/datasets/${name}/annotations`);
    assert.deepEqual(answer.json<Listed>().annotations, kept);
    client.close();
    await again.stop();
  }
});
