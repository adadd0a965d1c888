// The row "Timebase compatibility": what one server option switches.

import assert from 'node:assert/strict';
import type { DatasetAnswer, MultiReadAnswer, TagListAnswer } from '../answers.ts';
import type { CaseContext } from '../case-context.ts';
import { proves } from '../registry.ts';
import {
  assertDone,
  assertProblem,
  assertStatus,
  at,
  defineTag,
  point,
  readEntry,
  receiptOf,
  write,
} from '../steps.ts';

const ROW = 'Reading/Timebase compatibility';
const compatible = (c: CaseContext): Promise<CaseContext> => c.withSharedServer(['--compat', 'timebase']);

proves(ROW, 'the point in force at the start comes first by default', async (c) => {
  const own = await compatible(c);
  await write(own, 'T', [point(0, 1), point(10, 2), point(20, 3)]);
  const range = `start=${at(15)}&end=${at(25)}`;
  assert.deepEqual((await readEntry(own, 'T', range)).d, [point(10, 2), point(20, 3)]);
  assert.deepEqual((await readEntry(own, 'T', `${range}&boundary=inside`)).d, [point(20, 3)]);
});

proves(ROW, 'v is left out when null', async (c) => {
  const own = await compatible(c);
  await write(own, 'T', [point(0, 1), point(1, null)]);
  assert.deepEqual((await readEntry(own, 'T')).d, [point(0, 1), { t: at(1), q: 192 }]);
  assertDone(await own.post('/status', [{ t: at(0), q: 28 }]));
  assert.deepEqual((await readEntry(own, 'Status')).d, [{ t: at(0), q: 28 }]);
});

proves(ROW, 'truth values are 1 and 0', async (c) => {
  const own = await compatible(c);
  await write(own, 'T', [point(0, true), point(1, false), point(2, null)]);
  assert.deepEqual(
    (await readEntry(own, 'T')).d.map(({ v }) => v),
    [1, 0, undefined],
  );
  assert.deepEqual((await readEntry(own, 'T')).t.t, 'System.Boolean');
});

proves(ROW, 'writes are lenient', async (c) => {
  const own = await compatible(c);
  await defineTag(own, { n: 'T', t: 'System.Double' });
  const answer = await write(own, 'T', [point(0, 1), point(1, 'text'), { t: 'x', v: 1 }, point(2, 2)]);
  assert.deepEqual(receiptOf(answer), { written: 2, ignored: 0, repeated: 0, rejected: 2, expired: 0 });
  assertProblem(await own.postText('/data/T', '[{'), 400);
});

proves(ROW, 'numeric tags take true and false, as 1 and 0', async (c) => {
  const own = await compatible(c);
  for (const t of ['System.Double', 'System.Int32', 'System.Int64', 'System.Decimal']) {
    await defineTag(own, { n: t, t });
    await write(own, t, [point(0, true), point(1, false), point(2, 5)]);
    assert.deepEqual(
      (await readEntry(own, t)).d.map(({ v }) => v),
      [1, 0, 5],
      t,
    );
    await defineTag(c, { n: t, t });
    assertProblem(await c.post(`/data/${t}`, [point(0, true)]), 400);
  }
});

proves(ROW, 'a request may refuse faulty points, and so may a setting', async (c) => {
  const own = await compatible(c);
  const body = { T: [point(0, 1), point(1, 'text')] };
  assertProblem(await own.post('/data', body, { prefer: 'handling=strict' }), 400);
  const strict = await c.withSharedServer(['--compat', 'timebase', '--on-bad-point', 'reject-request']);
  assertProblem(await strict.post('/data', body), 400);
  assert.equal(receiptOf(assertDone(await strict.post('/data', body, { prefer: 'handling=lenient' }))).rejected, 1);
});

proves(
  ROW,
  'the fixed parts of paths and the names of parameters are taken in any case, names stay exact',
  async (c) => {
    const own = await compatible(c);
    const dataset = encodeURIComponent(own.dataset);
    assertDone(await own.http.post(`/API/DataSets/${dataset}/Data/Boiler.T`, [point(0, 1), point(10, 2)]));
    assertDone(await own.http.post(`/Api/Datasets/${dataset}/TAGS`, [{ n: 'boiler.t' }]));
    const tags = assertStatus(await own.http.get(`/api/datasets/${dataset}/Tags/?CONTAINS=boiler`), 200);
    const names = tags.json<TagListAnswer>().User.map(({ n }) => n);
    assert.deepEqual(names, ['Boiler.T', 'boiler.t']);
    const query = `TagName=Boiler.T&tagName=boiler.t&START=${at(5)}&End=${at(20)}&Boundary=inside`;
    const read = assertStatus(
      await own.http.get(`/api/DATASETS/${dataset}/data?${query}`),
      200,
    ).json<MultiReadAnswer>();
    assert.deepEqual(
      read.tl.map(({ t, d }) => [t.n, d.length]),
      [
        ['Boiler.T', 1],
        ['boiler.t', 0],
      ],
    );
    const ahead = `tagname=Boiler.T&RelativeStart=now&relativeend=+2h`;
    assert.equal((await own.get(`/data?${ahead}`)).json<MultiReadAnswer>().tl.length, 1, 'a plus stays a plus');
    assertProblem(await own.get(`/data?tagname=Boiler.T&start=${at(0)}&Start=${at(1)}`), 400);
    assertProblem(await own.http.get(`/api/datasets/${dataset.toLowerCase()}/data?tagname=Boiler.T`), 404);
    assertProblem(await c.http.get('/API/datasets'), 404);
  },
);

proves(ROW, 'the description at /api/v1.json is that of the mode', async (c) => {
  const own = await compatible(c);
  const [plain, described] = [await c.http.get('/api/v1.json'), await own.http.get('/api/v1.json')];
  assert.match(
    assertStatus(described, 200).json<{ info: { description: string } }>().info.description,
    /--compat timebase/,
  );
  assert.doesNotMatch(assertStatus(plain, 200).text, /--compat timebase/);
});

proves(ROW, 'creating an existing dataset again is 200 and changes nothing', async (c) => {
  const own = await compatible(c);
  assertStatus(await own.http.post('/api/datasets', { n: own.dataset, pa: 5, ps: 6 }), 201);
  assertStatus(await own.http.post('/api/datasets', { n: own.dataset, pa: 7, ps: 8 }), 200);
  const { pa, ps } = (await own.get()).json<DatasetAnswer>();
  assert.deepEqual([pa, ps], [5, 6]);
});
