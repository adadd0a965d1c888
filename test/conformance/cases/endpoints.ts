// The endpoints: each operation does what its row says.

import assert from 'node:assert/strict';
import type { DatasetAnswer, MultiReadAnswer, TagDataAnswer } from '../answers.ts';
import { proves } from '../registry.ts';
import {
  ALL,
  assertDone,
  assertProblem,
  assertStatus,
  at,
  createDataset,
  defineTag,
  listTags,
  point,
  readTag,
  readValues,
  userTagNames,
  write,
} from '../steps.ts';

proves(
  'Overview/Interactive documentation',
  'GET /api/help is a page, and its parts come from the server',
  async (c) => {
    const page = assertStatus(await c.http.get('/api/help'), 200);
    assert.match(page.header('content-type') ?? '', /^text\/html/);
    for (const path of ['/api/help/', '/api/help/index.html']) {
      assert.equal(assertStatus(await c.http.get(path), 200).text, page.text, path);
    }
    assert.doesNotMatch(page.text, /(?:src|href)\s*=\s*["']?(?:https?:)?\/\//, 'nothing is loaded from elsewhere');
  },
);

proves('Overview/Interactive documentation', 'the description at /api/v1.json names every operation', async (c) => {
  const answer = assertStatus(await c.http.get('/api/v1.json'), 200);
  const description = answer.json<{ openapi: string; paths: Record<string, Record<string, unknown>> }>();
  assert.match(description.openapi, /^3\.1/);
  const operations = Object.entries(description.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const expected = [
    'GET /api/datasets',
    'POST /api/datasets',
    'GET /api/datasets/{dataset}',
    'POST /api/datasets/{dataset}',
    'DELETE /api/datasets/{dataset}',
    'GET /api/datasets/{dataset}/exists',
    'GET /api/datasets/{dataset}/tags',
    'POST /api/datasets/{dataset}/tags',
    'DELETE /api/datasets/{dataset}/tags',
    'GET /api/datasets/{dataset}/tags/{tagname}',
    'POST /api/datasets/{dataset}/tags/{tagname}',
    'DELETE /api/datasets/{dataset}/tags/{tagname}',
    'GET /api/datasets/{dataset}/data',
    'POST /api/datasets/{dataset}/data',
    'DELETE /api/datasets/{dataset}/data',
    'GET /api/datasets/{dataset}/data/{tagname}',
    'POST /api/datasets/{dataset}/data/{tagname}',
    'POST /api/datasets/{dataset}/read',
    'GET /api/datasets/{dataset}/status',
    'POST /api/datasets/{dataset}/status',
  ];
  assert.deepEqual(
    expected.filter((operation) => !operations.includes(operation)),
    [],
  );
});

proves('Endpoints/List datasets', 'an array of Dataset objects with n, pa, ps, s, c, a', async (c) => {
  await createDataset(c);
  const list = assertStatus(await c.http.get('/api/datasets'), 200).json<DatasetAnswer[]>();
  const own = list.find(({ n }) => n === c.dataset);
  assert.deepEqual(Object.keys(own ?? {}).sort(), ['a', 'c', 'n', 'pa', 'ps', 's']);
  const names = list.map(({ n }) => n);
  assert.equal(new Set(names).size, names.length);
});

proves('Endpoints/Get dataset', 'one Dataset object; an unknown one is 404', async (c) => {
  assertStatus(await c.http.post('/api/datasets', { n: c.dataset, pa: 30, ps: 5 }), 201);
  const dataset = assertStatus(await c.get(), 200).json<DatasetAnswer>();
  assert.equal(dataset.n, c.dataset);
  assert.equal(dataset.pa, 30);
  assert.equal(dataset.ps, 5);
  assert.deepEqual(Object.keys(dataset).sort(), ['a', 'c', 'n', 'pa', 'ps', 's']);
  const problem = assertProblem(await c.http.get('/api/datasets/no-such-dataset'), 404);
  assert.equal(problem.key, 'Error.DatasetNotFound');
});

proves('Endpoints/Create dataset', 'n, pa and ps are all required', async (c) => {
  for (const body of [{ pa: 1, ps: 1 }, { n: c.dataset, ps: 1 }, { n: c.dataset, pa: 1 }, {}, [], 'x', null, 5])
    assertProblem(await c.http.post('/api/datasets', body), 400);
  assertProblem(await c.http.post('/api/datasets'), 400);
  assertStatus(await c.get(), 404);
  assertStatus(await c.http.post('/api/datasets', { n: c.dataset, pa: 1, ps: 2 }), 201);
  assertStatus(await c.get(), 200);
});

proves('Endpoints/Update dataset', 'n, pa and ps are all required, and replace what was', async (c) => {
  await createDataset(c);
  for (const body of [
    { pa: 1, ps: 1 },
    { n: c.dataset, ps: 1 },
    { n: c.dataset, pa: 1 },
  ])
    assertProblem(await c.post('', body), 400);
  assertStatus(await c.post('', { n: c.dataset, pa: 7, ps: 9 }), 200);
  const dataset = (await c.get()).json<DatasetAnswer>();
  assert.deepEqual([dataset.pa, dataset.ps], [7, 9]);
});

proves('Endpoints/Delete dataset', 'the dataset is gone from list, data and tags', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  assertDone(await c.delete());
  assertProblem(await c.get(), 404);
  assertProblem(await c.get('/tags'), 404);
  assertProblem(await c.get('/data?tagname=T'), 404);
  const names = (await c.http.get('/api/datasets')).json<DatasetAnswer[]>().map(({ n }) => n);
  assert.ok(!names.includes(c.dataset));
});

proves('Endpoints/List tags', 'Tag objects, filtered by contains; an unknown dataset is 404', async (c) => {
  const tag = { n: 'Pump 1', d: 'Feed pump', f: '0.00', u: { '1': 'bar' }, fl: { Area: 'North' }, t: 'System.Double' };
  await defineTag(c, tag);
  await defineTag(c, { n: 'Valve 1' });
  assert.deepEqual((await listTags(c)).User, [tag, { n: 'Valve 1' }]);
  assert.deepEqual((await listTags(c, '?contains=ump')).User, [tag]);
  assert.deepEqual((await listTags(c, '?contains=zzz')).User, []);
  assertProblem(await c.http.get('/api/datasets/no-such-dataset/tags'), 404);
});

proves('Endpoints/Create or update tags', 'an array of Tag objects, all or none', async (c) => {
  assertDone(
    await c.post('/tags', [
      { n: 'A', d: 'first' },
      { n: 'B', t: 'System.Int32' },
    ]),
  );
  assertProblem(
    await c.post('/tags', [
      { n: 'A', d: 'changed' },
      { n: 'C', t: 'System.Nonsense' },
    ]),
    400,
  );
  assertProblem(await c.post('/tags', [{ n: 'A', d: 'changed' }, { d: 'no name' }]), 400);
  assert.deepEqual((await listTags(c)).User, [
    { n: 'A', d: 'first' },
    { n: 'B', t: 'System.Int32' },
  ]);
});

proves('Endpoints/Delete tags', 'an array of names; the tags and their data are gone', async (c) => {
  await write(c, 'A', [point(0, 1)]);
  await write(c, 'B', [point(0, 1)]);
  assertDone(await c.delete('/tags', ['A']));
  assert.deepEqual(await userTagNames(c), ['B']);
  assertProblem(await c.get('/data?tagname=A'), 404);
});

proves('Endpoints/Create or update tag', 'one Tag object, n required', async (c) => {
  assertDone(await c.post('/tags/One', { n: 'One', d: 'the one', t: 'System.String' }));
  assert.deepEqual(await readTag(c, 'One'), { n: 'One', d: 'the one', t: 'System.String' });
  assertDone(await c.post('/tags/One', { n: 'One', f: '000' }));
  assert.deepEqual(await readTag(c, 'One'), { n: 'One', d: 'the one', f: '000', t: 'System.String' });
  assertProblem(await c.post('/tags/One', { d: 'no name' }), 400);
  assertProblem(await c.post('/tags/One', [{ n: 'One' }]), 400);
});

proves('Endpoints/Read data, single tag', 'the Tag data response object', async (c) => {
  await write(c, 'T', [point(0, 1.5), point(1, 2.5, 64)]);
  const answer = assertStatus(await c.get(`/data/T?start=${at(0)}&end=${at(5)}`), 200);
  assert.deepEqual(answer.json<TagDataAnswer>(), {
    t: { n: 'T', t: 'System.Double' },
    s: at(0),
    e: at(5),
    d: [point(0, 1.5), point(1, 2.5, 64)],
  });
  assertProblem(await c.get('/data/Unknown'), 404);
});

proves(
  'Endpoints/Read data, multiple tags',
  'an object with one Tag data object a tag; tagname is required',
  async (c) => {
    await write(c, 'A', [point(0, 1)]);
    await write(c, 'B', [point(1, true)]);
    const answer = assertStatus(await c.get(`/data?tagname=B&tagname=A&start=${at(0)}&end=${at(5)}`), 200);
    assert.deepEqual(answer.json<MultiReadAnswer>(), {
      s: at(0),
      e: at(5),
      tl: [
        { t: { n: 'B', t: 'System.Boolean' }, s: at(0), e: at(5), d: [point(1, true)] },
        { t: { n: 'A', t: 'System.Double' }, s: at(0), e: at(5), d: [point(0, 1)] },
      ],
    });
    assertProblem(await c.get(`/data?start=${at(0)}`), 400);
    assertProblem(await c.get('/data'), 400);
  },
);

proves('Endpoints/Write data, single tag', 'an array of TVQ is stored; anything else is 400', async (c) => {
  await write(c, 'T', [point(0, 1), point(1, 2)]);
  for (const body of [{ T: [] }, 'x', 5, null, [5], [[]], [null]]) assertProblem(await c.post('/data/T', body), 400);
  for (const text of ['', '[', '[{"v":1}', '[{"v":1}] x', '[{"v":1},]', "[{'v':1}]", '\u0000'])
    assertProblem(await c.postText('/data/T', text), 400);
  assert.deepEqual(await readValues(c, 'T'), [1, 2]);
});

proves('Endpoints/Write data, multiple tags', 'an object of tag names to arrays of TVQ is stored', async (c) => {
  const body = { A: [point(0, 1), point(1, 2)], 'B/x y': [point(0, 'text')], 'Ü"\\': [point(0, false)] };
  assertDone(await c.post('/data', body));
  assert.deepEqual(await readValues(c, 'A'), [1, 2]);
  assert.deepEqual(await readValues(c, 'B/x y'), ['text']);
  assert.deepEqual(await readValues(c, 'Ü"\\'), [false]);
  for (const wrong of [{ A: point(2, 1) }, { A: 5 }, { A: null }, [point(2, 1)], 'x', null])
    assertProblem(await c.post('/data', wrong), 400);
  assert.deepEqual(await readValues(c, 'A'), [1, 2]);
});

proves('Endpoints/Post dataset status', 'an array of TVQ becomes the status of the dataset', async (c) => {
  await createDataset(c);
  assertDone(await c.post('/status', [{ t: at(0), v: null, q: 28 }]));
  const answer = assertStatus(await c.get(`/data?tagname=Status&${ALL}`), 200).json<MultiReadAnswer>();
  assert.deepEqual(answer.tl[0]?.d, [{ t: at(0), v: null, q: 28 }]);
});
