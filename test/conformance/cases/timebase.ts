// The row "Timebase compatibility": what one server option switches.

import assert from 'node:assert/strict';
import type { DatasetAnswer } from '../answers.ts';
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

const ROW = 'decisions/Reading/Timebase compatibility';
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
  assert.deepEqual(receiptOf(answer), { written: 2, ignored: 0, repeated: 0, rejected: 2 });
  assertProblem(await own.postText('/data/T', '[{'), 400);
});

proves(ROW, 'creating an existing dataset again is 200 and changes nothing', async (c) => {
  const own = await compatible(c);
  assertStatus(await own.http.post('/api/datasets', { n: own.dataset, pa: 5, ps: 6 }), 201);
  assertStatus(await own.http.post('/api/datasets', { n: own.dataset, pa: 7, ps: 8 }), 200);
  const { pa, ps } = (await own.get()).json<DatasetAnswer>();
  assert.deepEqual([pa, ps], [5, 6]);
});
