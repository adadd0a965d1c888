// The rules that hold for several endpoints.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import type { DatasetAnswer, MultiReadAnswer, TagDataAnswer } from '../answers.ts';
import { proves } from '../registry.ts';
import {
  assertDone,
  assertStatus,
  at,
  createDataset,
  defineTag,
  eventually,
  listTags,
  point,
  readEntry,
  readTags,
  readValues,
  receiptOf,
  userTagNames,
  write,
} from '../steps.ts';

proves('Rules/Update dataset', 'update changes an existing dataset, and its data stays', async (c) => {
  assertStatus(await c.http.post('/api/datasets', { n: c.dataset, pa: 0, ps: 5 }), 201);
  await write(c, 'T', [point(0, 1)]);
  assertStatus(await c.post('', { n: c.dataset, pa: 0, ps: 6 }), 200);
  assert.equal((await c.get()).json<DatasetAnswer>().ps, 6);
  assert.deepEqual(await readValues(c, 'T'), [1]);
});

proves(
  'Rules/Delete dataset',
  'deleting a dataset removes its folder, and a new one of that name is empty',
  async (c) => {
    await write(c, 'T', [point(0, 1)]);
    assert.ok(readdirSync(c.server.dataFolder).includes(c.dataset));
    assertDone(await c.delete());
    await eventually('no trace of the folder', 10_000, async () =>
      readdirSync(c.server.dataFolder).some((name) => name.includes(c.dataset)) ? undefined : true,
    );
    await createDataset(c);
    assert.deepEqual((await listTags(c)).User, []);
    await write(c, 'T', [point(-1, 2)]);
    assert.deepEqual(await readValues(c, 'T'), [2]);
  },
);

proves(
  'Rules/Create or update tags',
  'POST tags and POST tag create the dataset and missing tags, and update others',
  async (c) => {
    assertDone(await c.post('/tags', [{ n: 'A', d: 'one' }]));
    assertDone(await c.post('/tags', [{ n: 'A', d: 'two' }, { n: 'B' }]));
    assert.deepEqual((await listTags(c)).User, [{ n: 'A', d: 'two' }, { n: 'B' }]);
    const other = c.withDataset(`${c.dataset} other`);
    assertDone(await other.post('/tags/X', { n: 'X' }));
    assert.deepEqual(await userTagNames(other), ['X']);
  },
);

proves('Rules/Delete tags', 'tags are deleted by DELETE and by POST', async (c) => {
  for (const n of ['A', 'B']) await defineTag(c, { n });
  assertDone(await c.delete('/tags', ['A']));
  assertDone(await c.post('/tags', ['B']));
  assert.deepEqual(await userTagNames(c), []);
});

proves('Rules/Answers of writes and deletes', 'writes and deletes answer 200 with an empty body', async (c) => {
  assertDone(await c.post('/tags', [{ n: 'A' }]));
  assertDone(await c.post('/tags/B', { n: 'B' }));
  assertDone(await c.post('/data/A', [point(0, 1)]));
  assertDone(await c.post('/data', { B: [point(0, 1)] }));
  assertDone(await c.post('/status', [{ q: 28 }]));
  assertDone(await c.delete(`/data?tagname=A&start=${at(0)}`));
  assertDone(await c.delete('/tags/A'));
  assertDone(await c.delete('/tags', ['B']));
  assertDone(await c.delete());
});

proves('Rules/Forms of time', 'both reads take every form of time, and forms mix between start and end', async (c) => {
  await write(c, 'T', [point(-1, 0), point(0, 1), point(1, 2), point(2, 3)]);
  const unix = (seconds: number): number => Date.parse(at(seconds)) / 1000;
  const queries = [
    `start=${at(0)}&end=${at(1)}`,
    `unixStart=${unix(0)}&unixEnd=${unix(1)}`,
    `start=${at(0)}&unixEnd=${unix(1)}`,
    `unixStart=${unix(0)}&end=${at(1)}`,
  ];
  for (const query of queries) {
    const multi = await readTags(c, ['T'], query);
    assert.deepEqual([multi.s, multi.e], [at(0), at(1)], query);
    assert.deepEqual(multi.tl[0]?.d, [point(0, 1), point(1, 2)], query);
    const single = assertStatus(await c.get(`/data/T?${query}`), 200).json<TagDataAnswer>();
    assert.deepEqual(single.d, [point(0, 1), point(1, 2)], query);
  }
  for (const path of ['/data?tagname=T&', '/data/T?']) {
    const relative = assertStatus(await c.get(`${path}relativeStart=-100y&relativeEnd=-1h`), 200);
    const body = relative.json<TagDataAnswer & MultiReadAnswer>();
    assert.equal((body.tl?.[0] ?? body).d.length, 4);
  }
});

proves('Rules/No times', 'without times only the latest point; without an end the end is now', async (c) => {
  await write(c, 'T', [point(0, 1), point(1, 2)]);
  assert.deepEqual((await readEntry(c, 'T', '')).d, [point(1, 2)]);
  const answer = assertStatus(await c.get(`/data?tagname=T&start=${at(0)}`), 200);
  const body = answer.json<MultiReadAnswer>();
  assert.equal(body.tl[0]?.d.length, 2);
  const dateMs = Date.parse(answer.header('date') ?? '');
  assert.ok(Math.abs(Date.parse(body.e) - dateMs) < 3000, `${body.e} is not ${answer.header('date')}`);
});

proves('Rules/Several tags', 'several tags are asked for by repeating tagname', async (c) => {
  const tags = ['C', 'A', 'B'];
  for (const tag of tags) await write(c, tag, [point(0, tag)]);
  const answer = await readTags(c, tags);
  assert.deepEqual(
    answer.tl.map(({ t, d }) => [t.n, d[0]?.v]),
    tags.map((tag) => [tag, tag]),
  );
});

proves('Rules/Multi-tag read', 'a multi-tag read is one object, also for one tag', async (c) => {
  await write(c, 'A', [point(0, 1)]);
  const answer = await readTags(c, ['A']);
  assert.deepEqual(Object.keys(answer), ['s', 'e', 'tl']);
  assert.equal(answer.tl.length, 1);
});

proves('Rules/UNIX times', 'UNIX times are seconds, and two forms for one bound are refused', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  const seconds = Date.parse(at(0)) / 1000;
  assert.deepEqual(await readValues(c, 'T', `unixStart=${seconds}&unixEnd=${seconds}`), [1]);
  assertStatus(await c.get(`/data?tagname=T&unixStart=${seconds}&start=${at(0)}`), 400);
});

proves('Rules/Earlier points', 'a TVQ earlier than the current points is ignored, single and multiple', async (c) => {
  await write(c, 'T', [point(10, 1)]);
  assert.equal(receiptOf(await write(c, 'T', [point(5, 2)])).ignored, 1);
  const multi = assertDone(await c.post('/data', { T: [point(6, 3), point(11, 4)] }));
  assert.deepEqual(receiptOf(multi), { written: 1, ignored: 1, repeated: 0, rejected: 0, expired: 0 });
  assert.deepEqual(await readValues(c, 'T'), [1, 4]);
});

proves('Rules/Status markers', 'each marker can be posted and is the current status', async (c) => {
  await createDataset(c);
  for (const [seconds, q] of [64, 28, 24].entries()) {
    assertDone(await c.post('/status', [{ t: at(seconds), v: null, q }]));
    assert.deepEqual((await readEntry(c, 'Status', '')).d, [{ t: at(seconds), v: null, q }]);
  }
});
