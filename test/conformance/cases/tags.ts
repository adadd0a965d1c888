// Tags: listing, names, definitions and how they change.

import assert from 'node:assert/strict';
import { proves } from '../registry.ts';
import {
  assertDone,
  assertProblem,
  assertStatus,
  dataPath,
  defineTag,
  listTags,
  point,
  readDigits,
  readEntry,
  readTag,
  readValues,
  tagPath,
  userTagNames,
  write,
} from '../steps.ts';

proves('Tags/Tag listing', 'User and System, each sorted by name', async (c) => {
  for (const n of ['beta', 'delta', 'alpha', 'gamma']) await defineTag(c, { n });
  const list = await listTags(c);
  assert.deepEqual(Object.keys(list), ['User', 'System']);
  assert.deepEqual(
    list.User.map(({ n }) => n),
    ['alpha', 'beta', 'delta', 'gamma'],
  );
  const system = list.System.map(({ n }) => n);
  assert.deepEqual(system, [...system].sort());
  assert.ok(system.length >= 13);
});

proves('Tags/Tag listing', 'contains is a part of the name in any case, and filters both lists', async (c) => {
  for (const n of ['Pump 1', 'pump 2', 'Valve', 'Éclair', 'A*B', 'Sizes']) await defineTag(c, { n });
  assert.deepEqual(await userTagNames(c, '?contains=PUMP'), ['Pump 1', 'pump 2']);
  assert.deepEqual(await userTagNames(c, '?contains=%C3%A9c'), ['Éclair']);
  assert.deepEqual(await userTagNames(c, '?contains=*'), ['A*B']);
  assert.deepEqual(await userTagNames(c, '?contains=.'), []);
  assert.equal((await userTagNames(c, '?contains=')).length, 6);
  const sizes = await listTags(c, '?contains=sIZE');
  assert.deepEqual([sizes.User.map(({ n }) => n), sizes.System.map(({ n }) => n)], [['Sizes'], ['Size']]);
  const writes = await listTags(c, '?contains=writes');
  assert.deepEqual(
    writes.System.map(({ n }) => n),
    ['Writes', 'Writes.Late'],
  );
});

proves('Tags/Tag listing', 'limit gives the first ones of both lists', async (c) => {
  for (const n of ['Pump 2', 'Valve', 'Pump 3', 'Pump 1']) await defineTag(c, { n });
  const some = await listTags(c, '?contains=u&limit=2');
  assert.deepEqual(
    some.User.map(({ n }) => n),
    ['Pump 1', 'Pump 2'],
  );
  assert.equal((await listTags(c, '?limit=2')).System.length, 2);
  assert.deepEqual(await userTagNames(c, '?limit=9'), ['Pump 1', 'Pump 2', 'Pump 3', 'Valve']);
  for (const limit of ['0', '-1', '1.5', 'all', '1000001', '2&limit=2']) {
    assertProblem(await c.get(`/tags?limit=${limit}`), 400);
  }
});

proves('Tags/Tag names', '1 to 1,024 bytes of UTF-8', async (c) => {
  const longest = ['a'.repeat(1024), 'é'.repeat(512), '温'.repeat(341)];
  assertDone(
    await c.post(
      '/tags',
      longest.map((n) => ({ n })),
    ),
  );
  for (const n of longest) {
    assertDone(await c.post(dataPath(n), [point(0, 1)]));
    assert.equal((await readTag(c, n)).n, n);
  }
  for (const n of ['', 'a'.repeat(1025), `${'é'.repeat(512)}a`, '温'.repeat(342)]) {
    assertProblem(await c.post('/tags', [{ n: 'ok' }, { n }]), 400);
    assertProblem(await c.post('/data', { ok: [point(0, 1)], [n]: [point(0, 1)] }), 400);
  }
  assert.deepEqual(new Set(await userTagNames(c)), new Set(longest));
});

proves('Tags/Tag names', 'no control characters, no lone surrogates, not dot or dot-dot', async (c) => {
  for (const n of ['.', '..', 'a\u0000b', '\n', 'tab\there', 'a\u001f', 'a\u007f', 'a\u009f']) {
    assertProblem(await c.post('/tags', [{ n }]), 400);
    assertProblem(await c.post('/data', { [n]: [point(0, 1)] }), 400);
    assertProblem(await c.post(dataPath(n), [point(0, 1)]), 400);
  }
  for (const path of ['%2E', '%2E%2E', '.', '..']) assertProblem(await c.post(`/data/${path}`, [point(0, 1)]), 400);
  for (const escaped of ['\\ud800', 'x\\udfff', '\\udc00\\ud800']) {
    assertProblem(await c.postText('/tags', `[{"n":"${escaped}"}]`), 400);
    assertProblem(await c.postText('/data', `{"${escaped}":[{"v":1}]}`), 400);
  }
  assertStatus(await c.get(), 404);
});

proves('Tags/Tag names', 'they are compared exactly', async (c) => {
  const names = [
    'a',
    'A',
    ' a',
    'a ',
    'é',
    'e\u0301',
    'ﬁ',
    'fi',
    '__proto__',
    'constructor',
    'toString',
    '1',
    '01',
    '-0',
  ];
  for (const [index, n] of names.entries()) await write(c, n, [point(0, index)]);
  assert.equal((await userTagNames(c)).length, names.length);
  for (const [index, n] of names.entries()) assert.deepEqual(await readValues(c, n), [index], n);
});

proves('Tags/GET /api/datasets/{dataset}/tags/{tagname}', 'the one tag; unknown ones are 404', async (c) => {
  const tag = { n: 'Area/T 1', d: 'x', fl: { a: 'b' } };
  await defineTag(c, tag);
  assert.deepEqual((await c.get('/tags/Area/T%201')).json(), tag);
  assert.deepEqual((await c.get('/tags/Area%2FT%201')).json(), tag);
  assert.equal(assertProblem(await c.get('/tags/Area'), 404).key, 'Error.TagNotFound');
  assert.equal(assertProblem(await c.withDataset('no-such').get('/tags/x'), 404).key, 'Error.DatasetNotFound');
});

proves('Tags/Update', 'fields present replace, absent ones stay; u and fl replace as a whole', async (c) => {
  await defineTag(c, {
    n: 'T',
    d: 'D',
    f: '0.0',
    u: { '1': 'a', '2': 'b' },
    fl: { x: '1', y: '2' },
    t: 'System.Int32',
  });
  await defineTag(c, { n: 'T', d: 'D2' });
  await defineTag(c, { n: 'T', u: { '2': 'c' } });
  assertDone(await c.post(tagPath('T'), { n: 'T', fl: { z: '3' } }));
  assert.deepEqual(await readTag(c, 'T'), {
    n: 'T',
    d: 'D2',
    f: '0.0',
    u: { '2': 'c' },
    fl: { z: '3' },
    t: 'System.Int32',
  });
});

proves('Tags/Update', 'data written by a tag is untouched', async (c) => {
  await write(c, 'T', [point(0, 1.5)]);
  await defineTag(c, { n: 'T', d: 'later' });
  assert.deepEqual(await readEntry(c, 'T').then(({ t, d }) => [t, d]), [
    { n: 'T', d: 'later', t: 'System.Double' },
    [point(0, 1.5)],
  ]);
});

proves('Tags/Changing t', 'stored points keep their type and digits; later ones must fit the new type', async (c) => {
  await defineTag(c, { n: 'T', t: 'System.Decimal' });
  assertDone(await c.postText('/data/T', `[{"t":"${point(0, 0).t}","v":1.50}]`));
  await defineTag(c, { n: 'T', t: 'System.Int64' });
  assertProblem(await c.post('/data/T', [point(1, 2.5)]), 400);
  assertDone(await c.postText('/data/T', `[{"t":"${point(1, 0).t}","v":9007199254740993}]`));
  await defineTag(c, { n: 'T', t: 'System.Double' });
  await write(c, 'T', [point(2, 0.25)]);
  await defineTag(c, { n: 'T', t: 'System.String' });
  assertProblem(await c.post('/data/T', [point(3, 5)]), 400);
  await write(c, 'T', [point(3, 'text')]);
  await defineTag(c, { n: 'T', t: 'System.Boolean' });
  await write(c, 'T', [point(4, 1), point(5, null)]);
  assert.equal((await readTag(c, 'T')).t, 'System.Boolean');
  assert.deepEqual(await readDigits(c, 'T'), ['#1.50', '#9007199254740993', '#0.25', 'text', true, null]);
});

proves('Tags/Changing t', 'a repeated point of an older type is still found to be repeated', async (c) => {
  await write(c, 'T', [point(0, 1), point(1, 2)]);
  await defineTag(c, { n: 'T', t: 'System.Int32' });
  await write(c, 'T', [point(0, 1), point(1, 2)]);
  assert.deepEqual(await readValues(c, 'T'), [1, 2]);
});

proves('Tags/Deleting and creating again', 'the new tag has no history and takes earlier times', async (c) => {
  await write(c, 'T', [point(10, 1)]);
  await defineTag(c, { n: 'T', d: 'old', t: 'System.Double' });
  assertDone(await c.delete('/tags/T'));
  await defineTag(c, { n: 'T' });
  assert.deepEqual(await readTag(c, 'T'), { n: 'T' });
  assert.deepEqual(await readValues(c, 'T'), []);
  await write(c, 'T', [point(5, 'other type')]);
  assert.deepEqual(await readValues(c, 'T'), ['other type']);
  assertDone(await c.delete('/tags', ['T']));
  await write(c, 'T', [point(1, 2)]);
  assert.deepEqual(await readValues(c, 'T'), [2]);
});

const TYPES = [
  'Boolean',
  'SByte',
  'Byte',
  'Int16',
  'UInt16',
  'Int32',
  'UInt32',
  'Int64',
  'UInt64',
  'Single',
  'Double',
  'Decimal',
  'String',
  'DateTime',
];

proves('Tags/Allowed t', 'each type is taken, and System.Integer is System.Int32', async (c) => {
  for (const type of TYPES) {
    await defineTag(c, { n: type, t: `System.${type}` });
    assert.equal((await readTag(c, type)).t, `System.${type}`);
  }
  await defineTag(c, { n: 'Integer', t: 'System.Integer' });
  assert.equal((await readTag(c, 'Integer')).t, 'System.Int32');
  assertProblem(await c.post('/data/Integer', [point(0, 2_147_483_648)]), 400);
});

proves('Tags/Allowed t', 'anything else is 400 with the list', async (c) => {
  for (const t of [
    'Double',
    'System.double',
    'System.Object',
    'System.Char',
    ' System.Double',
    '',
    5,
    {},
    ['System.Double'],
  ]) {
    const answer = await c.post('/tags', [{ n: 'T', t }]);
    assertProblem(answer, 400);
    if (typeof t === 'string' && t !== '')
      for (const type of TYPES) assert.match(answer.text, new RegExp(`System\\.${type}`));
  }
  assertStatus(await c.get(), 404);
});

proves('Tags/Data for an unknown tag', 'creates it with the type of the first value', async (c) => {
  await write(c, 'Number', [point(0, 1)]);
  await write(c, 'Truth', [point(0, true)]);
  await write(c, 'Text', [point(0, '5')]);
  await write(c, 'Late', [point(0, null), point(1, null)]);
  await write(c, 'Mixed', [point(0, null), point(1, 2.5), point(2, null)]);
  const types = Object.fromEntries((await listTags(c)).User.map(({ n, t }) => [n, t]));
  assert.deepEqual(types, {
    Number: 'System.Double',
    Truth: 'System.Boolean',
    Text: 'System.String',
    Late: undefined,
    Mixed: 'System.Double',
  });
  await write(c, 'Late', [point(2, false)]);
  assert.deepEqual((await readTag(c, 'Late')).t, 'System.Boolean');
  assert.deepEqual(await readValues(c, 'Late'), [null, null, false]);
  assertProblem(await c.post('/data/Late', [point(3, 5)]), 400);
});

proves('Tags/Data for an unknown tag', 'a tag defined without t takes the type of its first value', async (c) => {
  await defineTag(c, { n: 'T', d: 'x' });
  await write(c, 'T', [point(0, 'text')]);
  assert.deepEqual(await readTag(c, 'T'), { n: 'T', d: 'x', t: 'System.String' });
  assertProblem(await c.post('/data/New', [point(0, 1), point(1, 'text')]), 400);
  assertProblem(await c.post('/data/New', [point(0, true), point(1, 5)]), 400);
  assert.deepEqual(await userTagNames(c), ['T']);
});

proves('Tags/u', 'a dictionary of int32 keys and texts; anything else is 400', async (c) => {
  const u = { '0': 'Off', '1': 'On', '-5': 'Fault', '2147483647': 'Max', '-2147483648': 'Min' };
  await defineTag(c, { n: 'T', u });
  assert.deepEqual((await readTag(c, 'T')).u, u);
  for (const wrong of [
    'bar',
    ['bar'],
    5,
    true,
    { a: 'x' },
    { '1.5': 'x' },
    { '': 'x' },
    { '2147483648': 'x' },
    { '1': 5 },
    { '1': null },
  ])
    assertProblem(await c.post('/tags', [{ n: 'T', u: wrong }]), 400);
  for (const wrong of ['x', ['x'], { a: 5 }, { a: { b: 'c' } }])
    assertProblem(await c.post('/tags', [{ n: 'T', fl: wrong }]), 400);
  for (const member of ['d', 'f']) assertProblem(await c.post('/tags', [{ n: 'T', [member]: 5 }]), 400);
  assert.deepEqual(await readTag(c, 'T'), { n: 'T', u });
});
