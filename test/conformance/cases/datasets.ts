// Datasets: their figures, defaults and what deleting one means.

import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatasetAnswer } from '../answers.ts';
import type { CaseContext } from '../case-context.ts';
import { proves, provesBehind } from '../registry.ts';
import {
  assertDone,
  assertFaults,
  assertProblem,
  assertStatus,
  createDataset,
  DAY_MS,
  defineTag,
  eventually,
  fromNow,
  point,
  readEntry,
  readValues,
  userTagNames,
  write,
} from '../steps.ts';

const MINUTE_MS = 60_000;

async function dataset(c: CaseContext): Promise<DatasetAnswer> {
  return assertStatus(await c.get(), 200).json<DatasetAnswer>();
}

/** Bytes allocated on disk by a folder and everything in it. */
function allocatedBytes(folder: string): number {
  const paths = [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ];
  return paths.reduce((sum, path) => {
    const blocks = statSync(path, { throwIfNoEntry: false })?.blocks ?? 0;
    return sum + blocks * 512;
  }, 0);
}

proves('Datasets/s', 'gigabytes that the folder takes on disk', async (c) => {
  await write(
    c,
    'T',
    Array.from({ length: 20_000 }, (_, i) => point(i, Math.sqrt(i))),
  );
  const folder = join(c.server.dataFolder, c.dataset);
  await eventually('s is the size of the folder', 15_000, async () => {
    const { s } = await dataset(c);
    const bytes = allocatedBytes(folder);
    return s > 0 && Math.abs(s * 1e9 - bytes) <= 32_768 + bytes / 50 ? true : undefined;
  });
});

proves('Datasets/c', 'the number of user tags; system tags do not count', async (c) => {
  await createDataset(c);
  assert.equal((await dataset(c)).c, 0);
  await defineTag(c, { n: 'A' });
  await write(c, 'B', [point(0, 1)]);
  assertDone(await c.post('/status', [{ q: 28 }]));
  assert.equal((await dataset(c)).c, 2);
  assertDone(await c.delete('/tags/A'));
  assert.equal((await dataset(c)).c, 1);
});

proves('Datasets/a', 'days since the oldest user point, with fraction; 0 when empty', async (c) => {
  await createDataset(c);
  await defineTag(c, { n: 'A' });
  assertDone(await c.post('/status', [{ t: fromNow(-9 * DAY_MS), q: 28 }]));
  assert.equal((await dataset(c)).a, 0);
  await write(c, 'A', [
    { t: fromNow(-1.5 * DAY_MS), v: 1 },
    { t: fromNow(-DAY_MS), v: 2 },
  ]);
  await write(c, 'B', [{ t: fromNow(-0.5 * DAY_MS), v: 1 }]);
  const { a } = await dataset(c);
  assert.ok(Math.abs(a - 1.5) < 0.001, `a is ${a}`);
  assertDone(await c.delete('/tags/A'));
  const younger = (await dataset(c)).a;
  assert.ok(Math.abs(younger - 0.5) < 0.001, `a is ${younger} without the oldest tag`);
});

const lateOf = ({ ldt, lda }: DatasetAnswer) => [ldt, lda];

provesBehind('Datasets/ldt, lda', 'accepted, kept over a restart and given back; absent they stay', async (c) => {
  const dataFolder = join(c.folder(), 'data');
  const own = await c.withServer({ dataFolder });
  const rules = { n: own.dataset, pa: 5, ps: 0 };
  const created = assertStatus(await own.http.post('/api/datasets', rules), 201).json<DatasetAnswer>();
  assert.deepEqual(Object.keys(created), ['n', 'pa', 'ps', 's', 'c', 'a']);
  assertStatus(await own.post('', { ...rules, ldt: 5000, lda: 30 }), 200);
  const read = await dataset(own);
  assert.deepEqual(lateOf(read), [5000, 30]);
  assertStatus(await own.post('', { ...read, pa: 7 }), 200);
  assertStatus(await own.post('', { ...rules, ldt: 0, lda: null }), 200);
  assert.deepEqual(lateOf(await dataset(own)), [0, 30]);
  assertStatus(await own.http.post('/api/datasets', rules), 200);
  assertStatus(await own.http.post('/api/datasets', { ...rules, lda: 30 }), 200);
  assertProblem(await own.http.post('/api/datasets', { ...rules, lda: 31 }), 409);
  await own.server.stop();
  const again = await c.withServer({ dataFolder });
  assert.deepEqual(lateOf(await dataset(again)), [0, 30]);
  const list = assertStatus(await again.http.get('/api/datasets'), 200).json<readonly DatasetAnswer[]>();
  assert.deepEqual(list.map(lateOf), [[0, 30]]);
});

proves('Datasets/ldt, lda', 'anything but whole numbers from 0 is 400', async (c) => {
  const rules = { n: c.dataset, pa: 0, ps: 0 };
  for (const key of ['ldt', 'lda'])
    for (const value of [-1, 1.5, '5', true, []])
      assertFaults(await c.http.post('/api/datasets', { ...rules, [key]: value }), [`/${key}`]);
  assertStatus(await c.get(), 404);
});

proves('Datasets/pa, ps', '0 to 2^31-1, whole numbers', async (c) => {
  for (const [index, value] of [0, 1, 2_147_483_647].entries()) {
    const definition = { n: `${c.dataset} ${index}`, pa: value, ps: value };
    const created = assertStatus(await c.http.post('/api/datasets', definition), 201).json<DatasetAnswer>();
    assert.deepEqual([created.pa, created.ps], [value, value]);
  }
  for (const value of [-1, 2_147_483_648, 1.5, '7', true, [], {}])
    assertFaults(await c.http.post('/api/datasets', { n: c.dataset, pa: value, ps: value }), ['/pa', '/ps']);
  assertStatus(await c.get(), 404);
});

proves('Datasets/pa, ps', '0 is no limit, however old a point is', async (c) => {
  await createDataset(c);
  await write(c, 'T', [
    { t: '0001-01-01T00:00:00Z', v: 1 },
    { t: '1900-01-01T00:00:00Z', v: 2 },
    { t: fromNow(0), v: 3 },
  ]);
  assert.deepEqual(await readValues(c, 'T'), [1, 2, 3]);
  const { a } = await dataset(c);
  assert.ok(a > 700_000, `a is ${a}`);
});

proves('Datasets/Dataset created by a tag or data write', 'pa and ps are 0', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  const byMulti = c.withDataset(`${c.dataset} multi`);
  assertDone(await byMulti.post('/data', { T: [point(0, 1)] }));
  const byTags = c.withDataset(`${c.dataset} tags`);
  await defineTag(byTags, { n: 'T' });
  const byTag = c.withDataset(`${c.dataset} tag`);
  assertDone(await byTag.post('/tags/T', { n: 'T' }));
  for (const made of [c, byMulti, byTags, byTag]) {
    const { pa, ps, c: count } = await dataset(made);
    assert.deepEqual([pa, ps, count], [0, 0, 1]);
  }
});

proves(
  'Datasets/Deleted dataset',
  'a data write does not bring it back; POST of tags or of the dataset does',
  async (c) => {
    await write(c, 'T', [point(0, 1)]);
    assertDone(await c.delete());
    for (const answer of [await c.post('/data/T', [point(1, 2)]), await c.post('/data', { T: [point(1, 2)] })])
      assert.equal(assertProblem(answer, 404).key, 'Error.DatasetNotFound');
    assertProblem(await c.post('/status', [{ q: 192 }]), 404);
    assert.equal((await c.get('/exists')).text, 'false');
    await defineTag(c, { n: 'T' });
    await write(c, 'T', [point(1, 2)]);
    assert.deepEqual(await readValues(c, 'T'), [2]);
    assertDone(await c.delete());
    await createDataset(c);
    await write(c, 'T', [point(-1, 3)]);
    assert.deepEqual(await readValues(c, 'T'), [3]);
  },
);

proves(
  'Datasets/Deleted dataset',
  'after ten minutes a data write creates it anew, also when the server was restarted',
  async (c) => {
    const dataFolder = join(c.folder(), 'data');
    const first = await c.withServer({ dataFolder, clockOffsetMs: 0 });
    const second = first.withDataset('second');
    await write(first, 'T', [point(5, 1)]);
    assertDone(await first.delete());
    await first.server.turnClock(8 * MINUTE_MS);
    assertProblem(await first.post('/data/T', [point(0, 2)]), 404);
    await first.server.turnClock(2 * MINUTE_MS + 15_000);
    await write(first, 'T', [point(0, 2)]);
    assert.deepEqual((await readEntry(first, 'T')).d, [point(0, 2)]);
    await write(second, 'T', [point(5, 1)]);
    assertDone(await second.delete());
    await first.server.stop();
    const restarted = await c.withServer({ dataFolder, clockOffsetMs: 10 * MINUTE_MS + 15_000 });
    assert.deepEqual(await userTagNames(restarted), ['T']);
    assertProblem(await restarted.withDataset('second').post('/data/T', [point(0, 2)]), 404);
  },
);
