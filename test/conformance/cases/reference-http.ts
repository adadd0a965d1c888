// Clients of the reference product: what holds for every request, its path and its query.

import assert from 'node:assert/strict';
import { runServerToEnd } from '../../support/server-process.ts';
import type { MultiReadAnswer, ProblemAnswer, TagDataAnswer, TagListAnswer } from '../answers.ts';
import { answersClients } from '../reference-clients.ts';
import {
  ALL,
  assertDone,
  assertProblem,
  assertStatus,
  at,
  CLOCK_LEEWAY_MS,
  createDataset,
  HOUR_MS,
  point,
  readValues,
  userTagNames,
  write,
} from '../steps.ts';

answersClients('date-header', 'every answer has a Date that a clock can be set by', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  const answers = [
    await c.get('/data?tagname=T'),
    await c.post('/data/T', [point(1, 1)]),
    await c.get('/data?tagname=none'),
    await c.postText('/data/T', 'no JSON'),
  ];
  for (const answer of answers) {
    assert.ok(Math.abs(Date.parse(answer.header('date') ?? '') - Date.now()) < CLOCK_LEEWAY_MS, answer.header('date'));
  }
});

answersClients('content-type', 'JSON is taken without Content-Type and with one that names a charset', async (c) => {
  assertDone(await c.postText('/data/T', JSON.stringify([point(0, 1)])));
  const utf8 = { 'content-type': 'application/json; charset=utf-8' };
  assertDone(await c.postText('/data/T', JSON.stringify([point(1, 2)]), utf8));
  assert.deepEqual(await readValues(c, 'T', `${ALL}&boundary=inside`), [1, 2]);
});

answersClients('chunked-body', 'a body in chunks without a length is taken', async (c) => {
  const headers = { 'transfer-encoding': 'chunked', 'content-type': 'application/json; charset=utf-8' };
  assertDone(await c.postText('/data', JSON.stringify({ T: [point(0, 1)] }), headers));
  assertDone(await c.postText('/data', JSON.stringify({ T: [point(1, 2)] }), headers));
  assert.deepEqual(await readValues(c, 'T'), [1, 2]);
});

answersClients('compressed-answer', 'an answer of some size comes packed', async (c) => {
  await write(
    c,
    'T',
    Array.from({ length: 2000 }, (_, i) => point(i, i)),
  );
  const answer = assertStatus(await c.get(`/data?tagname=T&${ALL}`, { 'accept-encoding': 'gzip, deflate' }), 200);
  assert.match(answer.header('content-encoding') ?? '', /^(gzip|deflate)$/);
  assert.equal(answer.json<MultiReadAnswer>().tl[0]?.d.length, 2000);
});

answersClients('encoded-names', 'a slash of a tag name comes plain or encoded', async (c) => {
  assertDone(await c.post('/data/Line%201/Pump', [point(0, 1)]));
  assertDone(await c.post('/data/Line%201%2FPump', [point(1, 2)]));
  assert.deepEqual(await userTagNames(c), ['Line 1/Pump']);
  assert.deepEqual(await readValues(c, 'Line 1/Pump'), [1, 2]);
});

answersClients('trailing-slash', 'a slash at the end of a path counts for nothing', async (c) => {
  assertDone(await c.post('/data/', { T: [point(0, 1)] }));
  const names = (await c.http.get('/api/datasets/')).json<{ n: string }[]>().map(({ n }) => n);
  assert.ok(names.includes(c.dataset));
  assert.equal((await c.get(`/data/?tagname=T&${ALL}`)).json<MultiReadAnswer>().tl[0]?.d.length, 1);
  assertStatus(await c.get('/tags/'), 200);
});

answersClients('tag-ends-in-slash', 'a slash at the end of a tag name belongs to the name', async (c) => {
  assertDone(await c.post('/data/T/', [point(0, 1)]));
  assertDone(await c.post('/data/T', [point(0, 2)]));
  assert.deepEqual(await userTagNames(c), ['T', 'T/']);
  assert.equal((await c.get(`/data/T/?${ALL}`)).json<TagDataAnswer>().d[0]?.v, 1);
});

answersClients('help-page', 'the documentation is a page under each of its addresses', async (c) => {
  for (const path of ['/api/help', '/api/help/', '/api/help/index.html']) {
    assert.match(assertStatus(await c.http.get(path), 200).header('content-type') ?? '', /^text\/html/);
  }
});

answersClients('path-case', 'fixed parts of paths are taken in any case', async (c) => {
  const dataset = encodeURIComponent(c.dataset);
  assertDone(await c.http.post(`/API/Datasets/${dataset}/Data`, { T: [point(0, 1)] }));
  assertStatus(await c.http.get(`/Api/DATASETS/${dataset}/Tags`), 200);
  assertStatus(await c.http.get(`/API/Help/`), 200);
  assert.deepEqual(await readValues(c, 'T'), [1]);
});

answersClients('path-case-exact', 'fixed parts of paths in another case are 404', async (c) => {
  await createDataset(c);
  assertProblem(await c.http.get('/API/Datasets'), 404);
  assertProblem(await c.get('/Tags'), 404);
});

answersClients('parameter-case', 'names of parameters are taken in any case, and a plus in times stays', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  const read = await c.get('/data?TagName=T&RelativeStart=now&RELATIVEEND=+2h');
  const { s, e, tl } = assertStatus(read, 200).json<MultiReadAnswer>();
  assert.equal(Date.parse(e) - Date.parse(s), 2 * HOUR_MS);
  assert.equal(tl[0]?.t.n, 'T');
  assert.equal((await c.get(`/data?tagname=T&Start=${at(0)}&End=${at(1)}`)).json<MultiReadAnswer>().s, at(0));
});

answersClients('name-case', 'names of datasets and tags are exact', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  assert.equal(assertProblem(await c.get('/data?tagname=t'), 404).key, 'Error.TagNotFound');
  const other = c.withDataset(c.dataset.toUpperCase());
  assert.equal(assertProblem(await other.get('/data?tagname=T'), 404).key, 'Error.DatasetNotFound');
});

answersClients('unknown-dataset', '404 with key and message', async (c) => {
  const message = `Dataset '${c.dataset}' could not be found.`;
  for (const answer of [
    await c.get(),
    await c.get('/tags'),
    await c.get('/data?tagname=T'),
    await c.get('/data/T'),
    await c.post('/status', [{ q: 192 }]),
    await c.delete(),
  ]) {
    const problem: ProblemAnswer = assertProblem(answer, 404);
    assert.deepEqual([problem.key, problem.message], ['Error.DatasetNotFound', message]);
  }
});

answersClients('unknown-tag', '404 with key and message', async (c) => {
  await createDataset(c);
  for (const answer of [await c.get('/data?tagname=x'), await c.get('/data/x'), await c.delete('/tags', ['x'])]) {
    const problem: ProblemAnswer = assertProblem(answer, 404);
    assert.deepEqual([problem.key, problem.message], ['Error.TagNotFound', "Tag 'x' could not be found."]);
  }
});

answersClients('list-tags', 'user tags and system tags, filtered by a part of the name', async (c) => {
  await write(c, 'Boiler', [point(0, 1)]);
  const all = (await c.get('/tags')).json<TagListAnswer>();
  assert.deepEqual(
    all.User.map(({ n }) => n),
    ['Boiler'],
  );
  assert.ok(all.System.length > 0);
  const some = (await c.get('/tags?contains=boil')).json<TagListAnswer>();
  assert.deepEqual([some.User.length, some.System.length], [1, 0]);
});

answersClients(
  'fetch-token',
  'a client fetches a token where the discovery says, and writes with it',
  async (c, flags) => {
    const folder = c.folder();
    const made = await runServerToEnd(['token', '--client', 'pulse', '--role', 'write', '--data', folder]);
    assert.equal(made.code, 0, made.stderr);
    const own = await c.withServer({ dataFolder: folder, flags });
    assertProblem(await own.post('/data/T', [point(0, 1)]), 401);
    const discovery = assertStatus(await own.http.get('/auth/.well-known/openid-configuration'), 200);
    const { pathname } = new URL(discovery.json<{ token_endpoint: string }>().token_endpoint);
    const body = `grant_type=client_credentials&client_id=pulse&client_secret=${encodeURIComponent(made.stdout)}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const issued = assertStatus(await own.http.send('POST', pathname, { body, headers }), 200);
    const token = issued.json<{ access_token: string; token_type: string; expires_in: number }>();
    assert.deepEqual([token.token_type, token.expires_in], ['Bearer', 3600]);
    assertDone(await own.post('/data/T', [point(0, 1)], { authorization: `Bearer ${token.access_token}` }));
  },
);
