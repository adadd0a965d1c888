// Clients of the reference product: datasets, tags and statuses.

import assert from 'node:assert/strict';
import type { DatasetAnswer, MultiReadAnswer, TagDataAnswer } from '../answers.ts';
import { answersClients } from '../reference-clients.ts';
import {
  ALL,
  assertDone,
  assertProblem,
  assertStatus,
  at,
  createDataset,
  defineTag,
  point,
  readTag,
  readTags,
  userTagNames,
  write,
} from '../steps.ts';

answersClients('create-dataset', '201 with the dataset', async (c) => {
  const answer = assertStatus(await c.http.post('/api/datasets', { n: c.dataset, pa: 5, ps: 6 }), 201);
  assert.deepEqual(answer.json<DatasetAnswer>(), { ...answer.json<DatasetAnswer>(), n: c.dataset, pa: 5, ps: 6, c: 0 });
});

answersClients('create-again', 'the same definition again is 200 with the dataset', async (c) => {
  await createDataset(c);
  const answer = assertStatus(await c.http.post('/api/datasets', { n: c.dataset, pa: 0, ps: 0 }), 200);
  assert.equal(answer.json<DatasetAnswer>().n, c.dataset);
});

answersClients('create-other', 'another definition is 409 and changes nothing', async (c) => {
  await createDataset(c);
  assertProblem(await c.http.post('/api/datasets', { n: c.dataset, pa: 7, ps: 0 }), 409);
  assert.equal((await c.get()).json<DatasetAnswer>().pa, 0);
});

answersClients('create-other-kept', 'another definition is 200 and changes nothing', async (c) => {
  await createDataset(c);
  const answer = assertStatus(await c.http.post('/api/datasets', { n: c.dataset, pa: 7, ps: 0 }), 200);
  assert.equal(answer.json<DatasetAnswer>().pa, 0);
  assert.equal((await c.get()).json<DatasetAnswer>().pa, 0);
});

answersClients('send-back', 'what was read can be sent back', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  const read = (await c.get()).json<DatasetAnswer>();
  assertStatus(await c.post('', { ...read, pa: 30_000, s: 99, c: 99, a: null }), 200);
  const { pa, c: count } = (await c.get()).json<DatasetAnswer>();
  assert.deepEqual([pa, count], [30_000, 1]);
});

answersClients('update-missing', 'a dataset that is not there is created', async (c) => {
  assertStatus(await c.post('', { n: c.dataset, pa: 1, ps: 2 }), 201);
  assertStatus(await c.post('', { n: c.dataset, pa: 3, ps: 2 }), 200);
  assert.equal((await c.get()).json<DatasetAnswer>().pa, 3);
});

answersClients('dataset-exists', 'true or false', async (c) => {
  assert.equal(assertStatus(await c.get('/exists'), 200).text, 'false');
  await createDataset(c);
  assert.equal(assertStatus(await c.get('/exists'), 200).text, 'true');
});

answersClients('delete-dataset', '200 with an empty body, then 404', async (c) => {
  await createDataset(c);
  assertDone(await c.delete());
  assertProblem(await c.delete(), 404);
});

answersClients('write-after-delete', 'a collector that goes on does not bring the dataset back', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  assertDone(await c.delete());
  assert.equal(assertProblem(await c.post('/data/T', [point(1, 1)]), 404).key, 'Error.DatasetNotFound');
  assert.equal((await c.get('/exists')).text, 'false');
});

answersClients('late-data-members', 'they are kept and given back', async (c) => {
  assertStatus(await c.http.post('/api/datasets', { n: c.dataset, pa: 0, ps: 0, ldt: 5000, lda: 30 }), 201);
  const read = (await c.get()).json<DatasetAnswer>();
  assert.deepEqual([read.ldt, read.lda], [5000, 30]);
  assertStatus(await c.post('', read), 200);
});

answersClients('post-tags', '200 with an empty body, and the dataset is created', async (c) => {
  assertDone(await c.post('/tags', [{ n: 'A', d: 'one', t: 'System.Double' }, { n: 'B' }]));
  assertDone(await c.post('/tags', [{ n: 'A', f: '0.0' }]));
  assert.deepEqual(await readTag(c, 'A'), { n: 'A', d: 'one', f: '0.0', t: 'System.Double' });
  assert.deepEqual(await userTagNames(c), ['A', 'B']);
});

answersClients('null-members', 'null counts as absent', async (c) => {
  await defineTag(c, { n: 'T', d: 'kept', u: { '1': 'm' } });
  assertDone(await c.post('/tags', [{ n: 'T', d: null, f: null, u: null, fl: null, t: null }]));
  assert.deepEqual(await readTag(c, 'T'), { n: 'T', d: 'kept', u: { '1': 'm' } });
});

answersClients('integer-type', 'System.Integer is System.Int32', async (c) => {
  await defineTag(c, { n: 'T', t: 'System.Integer' });
  assert.equal((await readTag(c, 'T')).t, 'System.Int32');
});

answersClients('delete-tags', 'DELETE with an array of names', async (c) => {
  assertDone(await c.post('/tags', [{ n: 'A' }, { n: 'B' }, { n: 'C' }]));
  assertDone(await c.delete('/tags', ['A', 'C']));
  assert.deepEqual(await userTagNames(c), ['B']);
});

answersClients('delete-tags-by-post', 'POST with an array of names', async (c) => {
  assertDone(await c.post('/tags', [{ n: 'A' }, { n: 'B' }, { n: 'C' }]));
  assertDone(await c.post('/tags', ['A', 'C']));
  assert.deepEqual(await userTagNames(c), ['B']);
});

answersClients('system-tags', 'they are read like any other tag', async (c) => {
  await createDataset(c);
  const answer = assertStatus(await c.get('/data?tagname=Writes&tagname=Size'), 200);
  assert.deepEqual(
    answer.json<MultiReadAnswer>().tl.map(({ t }) => t.n),
    ['Writes', 'Size'],
  );
});

answersClients('system-tag-aliases', 'they answer under the name asked for', async (c) => {
  await createDataset(c);
  const names = ['Dataset.Writes', 'Dataset.Reads', 'Dataset.Tags', 'Dataset.Size', 'Dataset.Writes.Late'];
  const read = await readTags(c, [...names, 'Process.Memory', 'Process.CPU']);
  assert.deepEqual(
    read.tl.map(({ t }) => t.n),
    [...names, 'Process.Memory', 'Process.CPU'],
  );
});

answersClients('status-array', '200 with an empty body', async (c) => {
  await createDataset(c);
  assertDone(await c.post('/status', [{ t: at(0), v: null, q: 28 }]));
});

answersClients('status-object', '200 with an empty body', async (c) => {
  await createDataset(c);
  assertDone(await c.post('/status', { t: at(0), v: null, q: 28 }));
});

answersClients('read-status', 'a read of the tag Status gives them', async (c) => {
  await createDataset(c);
  assertDone(await c.post('/status', [{ t: at(0), v: null, q: 24 }]));
  assertDone(await c.post('/status', { t: at(1), v: null, q: 28 }));
  const qualities = (answer: TagDataAnswer | undefined): number[] | undefined => answer?.d.map(({ q }) => q);
  const byTag = (await c.get(`/data?tagname=Status&${ALL}`)).json<MultiReadAnswer>();
  assert.deepEqual(qualities(byTag.tl[0]), [24, 28]);
  assert.deepEqual(qualities((await c.get(`/status?${ALL}`)).json<TagDataAnswer>()), [24, 28]);
});
