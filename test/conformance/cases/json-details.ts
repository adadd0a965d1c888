// The row "JSON details": null, empty, repeated and unknown members, on every way a body is read.

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
  listTags,
  point,
  readEntry,
  readTag,
  readValues,
  receiptOf,
  userTagNames,
  write,
} from '../steps.ts';

const ROW = 'HTTP in general/JSON details';
const TAG = { n: 'T', d: 'D', f: '0.0', u: { '1': 'bar' }, fl: { k: 'v' }, t: 'System.Double' };

proves(ROW, 'null in a Tag body means absent', async (c) => {
  assertDone(await c.post('/tags', [{ ...TAG }]));
  assertDone(await c.post('/tags', [{ n: 'T', d: null, f: null, u: null, fl: null, t: null }]));
  assertDone(await c.post('/tags/T', { n: 'T', d: null, f: null, u: null, fl: null, t: null }));
  assert.deepEqual(await readTag(c, 'T'), TAG);
  assertProblem(await c.post('/tags', [{ n: null }]), 400);
});

proves(ROW, '"" and {} in a Tag body clear', async (c) => {
  assertDone(await c.post('/tags', [{ ...TAG }]));
  assertDone(await c.post('/tags', [{ n: 'T', d: '', f: '', u: {}, fl: {} }]));
  const { d, f, u, fl, t } = await readTag(c, 'T');
  assert.deepEqual([d ?? '', f ?? '', u ?? {}, fl ?? {}, t], ['', '', {}, {}, 'System.Double']);
});

proves(ROW, 'null in a Dataset body means absent, and absent is 400', async (c) => {
  await createDataset(c);
  assertProblem(await c.post('', { n: c.dataset, pa: null, ps: 1 }), 400);
  assertProblem(await c.post('', { n: c.dataset, pa: 1, ps: null }), 400);
  assertProblem(await c.post('', { n: null, pa: 1, ps: 1 }), 400);
  assert.equal((await c.get()).json<DatasetAnswer>().pa, 0);
});

proves(ROW, 's, c and a in a Dataset body are ignored: what was read can be sent back', async (c) => {
  const sent = { n: c.dataset, pa: 5, ps: 6, s: 123.5, c: 99, a: 42 };
  const created = assertStatus(await c.http.post('/api/datasets', sent), 201).json<DatasetAnswer>();
  assert.deepEqual([created.c, created.a], [0, 0]);
  const read = (await c.get()).json<DatasetAnswer>();
  assertStatus(await c.post('', { ...read, pa: 7 }), 200);
  assertStatus(await c.http.post('/api/datasets', { ...read, pa: 7 }), 200);
  assertStatus(await c.post('', { ...read, pa: 8, s: null, c: null, a: null }), 200);
});

proves(ROW, 'other unknown keys are 400 in Tag and Dataset bodies', async (c) => {
  assertProblem(await c.http.post('/api/datasets', { n: c.dataset, pa: 1, ps: 1, x: 1 }), 400);
  assertProblem(await c.post('', { n: c.dataset, pa: 1, ps: 1, N: 'x' }), 400);
  assertProblem(await c.post('/tags', [{ n: 'T', x: 1 }]), 400);
  assertProblem(await c.post('/tags', [{ n: 'T', s: 1 }]), 400);
  assertProblem(await c.post('/tags/T', { n: 'T', desc: 'x' }), 400);
  assertProblem(await c.postText('/tags', '[{"n":"T","__proto__":{"d":"x"}}]'), 400);
  assertStatus(await c.get(), 404);
});

proves(ROW, 'q is a whole number of int32, and null is absent', async (c) => {
  const good: readonly (readonly [string, number])[] = [
    ['null', 192],
    ['192.0', 192],
    ['1e2', 100],
    ['0', 0],
    ['-0', 0],
    ['2147483647', 2147483647],
    ['-2147483648', -2147483648],
  ];
  for (const [index, [q]] of good.entries())
    assertDone(await c.postText('/data/T', `[{"t":"${at(index)}","v":1,"q":${q}}]`));
  assert.deepEqual(
    (await readEntry(c, 'T')).d.map(({ q }) => q),
    good.map(([, q]) => q),
  );
  for (const q of ['1.5', '2147483648', '-2147483649', '"192"', 'true', '[]', '{}', '1e99', '""'])
    assertProblem(await c.postText('/data/T', `[{"t":"${at(60)}","v":1,"q":${q}}]`), 400);
});

proves(ROW, 'of a repeated key the last one wins, in points', async (c) => {
  await defineTag(c, { n: 'T', t: 'System.Double' });
  const bodies = [
    `[{"t":"${at(0)}","v":1,"v":2}]`,
    `[{"t":"${at(9)}","t":"${at(1)}","v":3}]`,
    `[{"t":"${at(2)}","v":1,"\\u0076":4}]`,
    `[{"t":"${at(3)}","\\u0076":1,"v":5}]`,
    `[{"t":"${at(4)}","v":"not a number","v":6}]`,
    `[{"t":"not a time","v":7,"t":"${at(5)}"}]`,
    `[{"t":"${at(6)}","v":8,"q":"wrong","q":64}]`,
    `[{"t":"${at(7)}","v":9,"q":64,"q":null}]`,
    `[{"t":"${at(8)}","v":9,"v":null}]`,
  ];
  for (const body of bodies) assertDone(await c.postText('/data/T', body));
  const { d } = await readEntry(c, 'T');
  assert.deepEqual(
    d.map(({ v }) => v),
    [2, 3, 4, 5, 6, 7, 8, 9, null],
  );
  assert.deepEqual(
    d.map(({ t }) => t),
    bodies.map((_, i) => at(i)),
  );
  assert.deepEqual(
    d.map(({ q }) => q),
    [192, 192, 192, 192, 192, 192, 64, 192, 192],
  );
  assertProblem(await c.postText('/data/T', `[{"t":"${at(20)}","v":1,"v":"not a number"}]`), 400);
});

proves(ROW, 'of a repeated key the last one wins, in tags and datasets', async (c) => {
  assertDone(await c.postText('/data', `{"A":[{"t":"${at(0)}","v":1}],"B":[],"\\u0041":[{"t":"${at(1)}","v":2}]}`));
  assert.deepEqual(await readValues(c, 'A'), [2]);
  assertDone(await c.postText('/data', `{"A":[{"t":"${at(2)}","v":3}],"A":[]}`));
  assert.deepEqual(await readValues(c, 'A'), [2]);
  assertDone(await c.postText('/data', `{"A":"wrong","A":[{"t":"${at(3)}","v":4}]}`));
  assert.deepEqual(await readValues(c, 'A'), [2, 4]);
  assertDone(await c.postText('/tags', '[{"n":"X","n":"T","d":"first","d":"last"}]'));
  assert.equal((await readTag(c, 'T')).d, 'last');
  assert.deepEqual(await userTagNames(c), ['A', 'T']);
  assertStatus(await c.postText('', `{"n":"x","n":"${c.dataset}","pa":1,"pa":2,"ps":3}`), 200);
  assert.equal((await c.get()).json<DatasetAnswer>().pa, 2);
});

proves(ROW, 'other orders, spaces, escapes and number forms mean the same', async (c) => {
  const bodies = [
    `[{"v":1,"t":"${at(0)}"}]`,
    `[{"q":192,"v":2.0,"t":"${at(1)}"}]`,
    ` [ { "v" : 30e-1 , "t" : "${at(2)}" } ] `,
    `\r\n[\t{"q":192,\n"t":"${at(3).replace('T', '\\u0054')}","v":4}]\n`,
    `[{"\\u0074":"${at(4)}","\\u0076":0.5E1,"\\u0071":1.92e2}]`,
  ];
  for (const body of bodies) assertDone(await c.postText('/data/T', body));
  const { d } = await readEntry(c, 'T');
  assert.deepEqual(
    d,
    [1, 2, 3, 4, 5].map((v, i) => point(i, v)),
  );
});

proves(ROW, 'an empty write is 200 and creates nothing', async (c) => {
  assert.equal(receiptOf(assertDone(await c.post('/data/X', []))).written, 0);
  assertDone(await c.post('/data', {}));
  assertDone(await c.post('/data', { X: [] }));
  assertDone(await c.post('/tags', []));
  assert.equal((await c.get('/exists')).text, 'false');
  await write(c, 'T', [point(0, 1)]);
  assertDone(await c.post('/data/X', []));
  assertDone(await c.post('/data', { X: [], T: [point(1, 2)], Y: [] }));
  assert.deepEqual(
    (await listTags(c)).User.map(({ n }) => n),
    ['T'],
  );
  assert.deepEqual(await readValues(c, 'T'), [1, 2]);
});

proves(ROW, 'in POST of one tag n must equal the path', async (c) => {
  assertProblem(await c.post('/tags/T', { n: 'U' }), 400);
  assertProblem(await c.post('/tags/T', { n: 't' }), 400);
  assertProblem(await c.post('/tags/a%2Fb', { n: 'a%2Fb' }), 400);
  assertStatus(await c.get(), 404);
  assertDone(await c.post('/tags/a%2Fb', { n: 'a/b' }));
  assert.deepEqual(await userTagNames(c), ['a/b']);
});
