// HTTP in general: what writes and deletes answer.

import assert from 'node:assert/strict';
import type { DatasetAnswer } from '../answers.ts';
import { proves } from '../registry.ts';
import {
  assertDone,
  assertProblem,
  assertStatus,
  at,
  createDataset,
  defineTag,
  point,
  readValues,
  userTagNames,
  write,
} from '../steps.ts';

const REPRESENTATION = { prefer: 'return=representation' };

interface Receipt {
  readonly written: number;
  readonly ignored: number;
  readonly repeated: number;
  readonly rejected: number;
  readonly tags?: Readonly<Record<string, Receipt>>;
}

const countsOf = ({ written, ignored, repeated, rejected }: Receipt): number[] => [
  written,
  ignored,
  repeated,
  rejected,
];

proves('HTTP in general/Successful write or delete', 'the receipt is in the headers', async (c) => {
  const first = await write(c, 'T', [point(10, 1), point(11, 2)]);
  const names = ['historian-written', 'historian-ignored', 'historian-repeated', 'historian-rejected'];
  assert.deepEqual(
    names.map((name) => first.header(name)),
    ['2', '0', '0', '0'],
  );
  const second = assertDone(await c.post('/data', { T: [point(10, 1), point(5, 9), point(12, 3)], U: [point(0, 1)] }));
  assert.deepEqual(
    names.map((name) => second.header(name)),
    ['2', '1', '1', '0'],
  );
  assert.equal(first.header('content-length') ?? '0', '0');
});

proves(
  'HTTP in general/Successful write or delete',
  'with Prefer: return=representation the body is the receipt',
  async (c) => {
    await write(c, 'T1', [point(10, 1)]);
    const body = { T1: [point(10, 1), point(5, 2), point(11, 3)], 'T/2': [point(0, 'x')] };
    const answer = assertStatus(await c.post('/data', body, REPRESENTATION), 200);
    assert.match(answer.header('content-type') ?? '', /^application\/json/);
    const receipt = answer.json<Receipt>();
    assert.deepEqual(countsOf(receipt), [2, 1, 1, 0]);
    assert.deepEqual(Object.keys(receipt.tags ?? {}), ['T1', 'T/2']);
    assert.deepEqual(Object.values(receipt.tags ?? {}).map(countsOf), [
      [1, 1, 1, 0],
      [1, 0, 0, 0],
    ]);
    assert.equal(answer.header('historian-written'), '2');
    const single = assertStatus(await c.post('/data/T1', [point(12, 1)], REPRESENTATION), 200).json<Receipt>();
    assert.deepEqual(countsOf(single), [1, 0, 0, 0]);
    assert.deepEqual(countsOf(single.tags?.T1 as Receipt), [1, 0, 0, 0]);
  },
);

proves('HTTP in general/Successful write or delete', 'preferences combine, in one header or two', async (c) => {
  await defineTag(c, { n: 'T', t: 'System.Double' });
  const combined = ['return=representation, handling=lenient', ['handling=lenient', 'return=representation']];
  for (const [index, prefer] of combined.entries()) {
    const body = [point(index, 1), point(index, 'wrong')];
    const receipt = assertStatus(await c.post('/data/T', body, { prefer }), 200).json<Receipt>();
    assert.deepEqual(countsOf(receipt), [1, 0, 0, 1]);
  }
  assertDone(await c.post('/data/T', [point(9, 1)], { prefer: 'return=minimal, respond-async, wait=10' }));
});

proves('HTTP in general/Create dataset', '201 with the Dataset object, then 200, then 409', async (c) => {
  const definition = { n: c.dataset, pa: 365, ps: 10 };
  const created = assertStatus(await c.http.post('/api/datasets', definition), 201).json<DatasetAnswer>();
  assert.deepEqual([created.n, created.pa, created.ps, created.c, created.a], [c.dataset, 365, 10, 0, 0]);
  assert.equal(typeof created.s, 'number');
  await write(c, 'T', [point(0, 1)]);
  assertStatus(await c.http.post('/api/datasets', definition), 200);
  assertProblem(await c.http.post('/api/datasets', { ...definition, pa: 366 }), 409);
  assertProblem(await c.http.post('/api/datasets', { ...definition, ps: 0 }), 409);
  assert.equal((await c.get()).json<DatasetAnswer>().pa, 365);
  assert.deepEqual(await readValues(c, 'T'), [1]);
});

proves('HTTP in general/POST /api/datasets/{dataset}', 'creates when missing with 201, then updates', async (c) => {
  assertStatus(await c.post('', { n: c.dataset, pa: 1, ps: 2 }), 201);
  assertStatus(await c.post('', { n: c.dataset, pa: 3, ps: 4 }), 200);
  const dataset = (await c.get()).json<DatasetAnswer>();
  assert.deepEqual([dataset.pa, dataset.ps], [3, 4]);
});

proves('HTTP in general/POST /api/datasets/{dataset}', 'n must equal the name in the path', async (c) => {
  const other = c.withDataset(`${c.dataset} other`);
  assertProblem(await c.post('', { n: other.dataset, pa: 1, ps: 2 }), 400);
  assertProblem(await c.post('', { n: c.dataset.toLowerCase(), pa: 1, ps: 2 }), 400);
  assertStatus(await c.get(), 404);
  assertStatus(await other.get(), 404);
});

proves('HTTP in general/Delete tags', 'DELETE with an array, POST with an array of texts, DELETE of one', async (c) => {
  const names = ['A', 'B/b', 'C c', 'D', 'E'];
  assertDone(
    await c.post(
      '/tags',
      names.map((n) => ({ n })),
    ),
  );
  assertDone(await c.delete('/tags', ['A', 'B/b']));
  assertDone(await c.post('/tags', ['C c']));
  assertDone(await c.delete('/tags/D'));
  assert.deepEqual(await userTagNames(c), ['E']);
});

proves('HTTP in general/Delete tags', 'a mixed array is 400 and neither deletes nor creates', async (c) => {
  assertDone(await c.post('/tags', [{ n: 'A' }, { n: 'B' }]));
  assertProblem(await c.post('/tags', ['A', { n: 'C' }]), 400);
  assertProblem(await c.post('/tags', [{ n: 'C' }, 'A']), 400);
  assertProblem(await c.post('/tags', ['A', 5]), 400);
  assertProblem(await c.delete('/tags', ['A', { n: 'B' }]), 400);
  assertProblem(await c.delete('/tags', 'A'), 400);
  assertProblem(await c.delete('/tags', [{ n: 'A' }]), 400);
  assertProblem(await c.delete('/tags'), 400);
  assert.deepEqual(await userTagNames(c), ['A', 'B']);
});

proves('HTTP in general/Deleting an unknown tag or dataset', '404, and the known ones beside it stay', async (c) => {
  await write(c, 'Known', [point(0, 1)]);
  for (const answer of [
    await c.delete('/tags', ['Known', 'Unknown']),
    await c.post('/tags', ['Unknown', 'Known']),
    await c.delete('/tags/Unknown'),
  ])
    assert.equal(assertProblem(answer, 404).key, 'Error.TagNotFound');
  assert.deepEqual(await readValues(c, 'Known'), [1]);
  const other = c.withDataset(`${c.dataset} other`);
  for (const answer of [
    await other.delete(),
    await other.delete('/tags', ['Known']),
    await other.post('/tags', ['Known']),
    await other.delete('/tags/Known'),
    await other.delete(`/data?tagname=Known&start=${at(0)}`),
  ])
    assert.equal(assertProblem(answer, 404).key, 'Error.DatasetNotFound');
});

proves('HTTP in general/GET /api/datasets/{dataset}/exists', 'it is true or false', async (c) => {
  const exists = async (): Promise<unknown> => {
    const answer = assertStatus(await c.get('/exists'), 200);
    assert.match(answer.header('content-type') ?? '', /^application\/json/);
    return answer.text;
  };
  assert.equal(await exists(), 'false');
  await createDataset(c);
  assert.equal(await exists(), 'true');
  assertDone(await c.delete());
  assert.equal(await exists(), 'false');
});
