// Reading: shapes, tag lists, limits, gaps, bounds and the value in force.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MultiReadAnswer, TagDataAnswer } from '../answers.ts';
import type { CaseContext } from '../case-context.ts';
import { proves, provesBehind } from '../registry.ts';
import {
  ALL,
  assertDone,
  assertProblem,
  assertStatus,
  at,
  CLOCK_LEEWAY_MS,
  createDataset,
  defineTag,
  fromNow,
  HOUR_MS,
  point,
  readEntry,
  readTags,
  readValues,
  write,
} from '../steps.ts';

proves('Reading/Multi-tag read', 's, e and tl, one entry for each tag in the requested order', async (c) => {
  assertDone(await c.post('/data', { A: [point(0, 1)], B: [point(1, 'x')], 'C/c': [point(2, true, 24)] }));
  const answer = assertStatus(await c.get(`/data?tagname=C/c&tagname=A&tagname=B&start=${at(0)}&end=${at(9)}`), 200);
  assert.match(answer.header('content-type') ?? '', /^application\/json/);
  const body = answer.json<MultiReadAnswer>();
  assert.deepEqual(Object.keys(body), ['s', 'e', 'tl']);
  for (const entry of body.tl) assert.deepEqual(Object.keys(entry), ['t', 's', 'e', 'd']);
  assert.deepEqual(
    body.tl.map(({ t }) => t.n),
    ['C/c', 'A', 'B'],
  );
  assert.deepEqual(body.tl[0]?.d, [point(2, true, 24)]);
  assert.equal(answer.header('deprecation'), undefined);
});

proves('Reading/Single-tag read', 't, s, e and d, with the response header Deprecation', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  const answer = assertStatus(await c.get(`/data/T?${ALL}`), 200);
  assert.deepEqual(Object.keys(answer.json<TagDataAnswer>()), ['t', 's', 'e', 'd']);
  assert.ok((answer.header('deprecation') ?? '') !== '');
});

proves('Reading/Long tag lists', 'POST read is the same read with its parameters as JSON', async (c) => {
  assertDone(await c.post('/data', { A: [point(-5, 0), point(1, 1), point(2, 2)], B: [point(1, 5)] }));
  const body = { tagname: ['B', 'A'], start: at(0), end: at(5) };
  const got = await c.get(`/data?tagname=B&tagname=A&start=${at(0)}&end=${at(5)}`);
  assert.equal(assertStatus(await c.post('/read', body), 200).text, got.text);
  const unix = (seconds: number): number => Date.parse(at(seconds)) / 1000;
  const same = { tagname: ['B', 'A'], unixStart: unix(0), unixEnd: unix(5) };
  assert.deepEqual((await c.post('/read', same)).json(), got.json());
  const read = async (parameters: object): Promise<MultiReadAnswer> =>
    assertStatus(await c.post('/read', { tagname: ['A'], ...parameters }), 200).json<MultiReadAnswer>();
  assert.deepEqual((await read({})).tl[0]?.d, [point(2, 2)]);
  assert.deepEqual((await read({ end: at(1) })).tl[0]?.d, [point(1, 1)]);
  assert.deepEqual(
    (await read({ start: at(0), boundary: 'carry' })).tl[0]?.d.map(({ v }) => v),
    [0, 1, 2],
  );
  assert.equal((await read({ relativeStart: '-2h' })).tl[0]?.d.length, 0);
  const page = (await read({ start: at(0), limit: 1 })).tl[0];
  assert.deepEqual((await read({ start: at(0), limit: 1, after: [page?.next] })).tl[0]?.d, [point(2, 2)]);
  assert.equal((await read({ tagname: ['A', 'X'], missing: 'skip' })).tl.length, 1);
  for (const wrong of [{}, { tagname: [5] }, { tagname: ['A'], start: 5 }, { tagname: ['A'], limit: 'x' }, [], 'x'])
    assertProblem(await c.post('/read', wrong), 400);
  assertProblem(await c.post('/read', { tagname: ['A'], start: at(0), unixStart: 0 }), 400);
});

proves('Reading/Long tag lists', 'thousands of tags in one request', async (c) => {
  const tags = Array.from({ length: 5000 }, (_, i) => `A tag with a rather long name, number ${i}`);
  assertDone(await c.post('/data', Object.fromEntries(tags.map((tag, i) => [tag, [point(0, i)]]))));
  const answer = assertStatus(await c.post('/read', { tagname: tags, start: at(0), end: at(1) }), 200);
  assert.deepEqual(
    answer.json<MultiReadAnswer>().tl.map(({ t, d }) => [t.n, d[0]?.v]),
    tags.map((tag, i) => [tag, i]),
  );
});

proves('Reading/Unknown tag in a multi-tag read', 'it is 404 for the request', async (c) => {
  await write(c, 'A', [point(0, 1)]);
  assert.equal(assertProblem(await c.get('/data?tagname=A&tagname=X'), 404).key, 'Error.TagNotFound');
  assertProblem(await c.post('/read', { tagname: ['X', 'A'] }), 404);
  const other = c.withDataset('no-such-dataset');
  assert.equal(assertProblem(await other.get('/data?tagname=A'), 404).key, 'Error.DatasetNotFound');
  assert.equal(assertProblem(await other.get('/data/A'), 404).key, 'Error.DatasetNotFound');
});

proves('Reading/missing=skip', 'unknown tags are left out instead', async (c) => {
  assertDone(await c.post('/data', { A: [point(0, 1)], B: [point(0, 2)] }));
  const answer = await readTags(c, ['X', 'B', 'Y', 'A'], `missing=skip&${ALL}`);
  assert.deepEqual(
    answer.tl.map(({ t }) => t.n),
    ['B', 'A'],
  );
  assert.deepEqual((await readTags(c, ['X'], `missing=skip&${ALL}`)).tl, []);
  assertProblem(await c.withDataset('no-such-dataset').get('/data?tagname=A&missing=skip'), 404);
  assertProblem(await c.get('/data?tagname=A&missing=maybe'), 400);
});

/** All points of a tag in pages of `limit`, each page checked to be no longer. */
async function readPages(c: CaseContext, tag: string, limit: number, query: string): Promise<unknown[]> {
  const values: unknown[] = [];
  let after = '';
  for (let page = 0; page < 100; page++) {
    const entry = await readEntry(c, tag, `${query}&limit=${limit}${after}`);
    assert.ok(entry.d.length <= limit);
    values.push(...entry.d.map(({ v }) => v));
    if (entry.next === undefined) return values;
    assert.equal(entry.d.length, limit, 'a page that is not the last one is full');
    after = `&after=${encodeURIComponent(entry.next)}`;
  }
  throw new Error('more than 100 pages');
}

proves('Reading/limit=<n>', 'next goes on exactly, also among equal times', async (c) => {
  const seconds = [0, 1, 1, 1, 1, 1, 1, 1, 2, 3, 3, 4];
  await write(
    c,
    'T',
    seconds.map((second, i) => point(second, i)),
  );
  for (const limit of [1, 2, 3, 5, 7, 11, 12, 50])
    assert.deepEqual(
      await readPages(c, 'T', limit, ALL),
      seconds.map((_, i) => i),
      `limit ${limit}`,
    );
  assert.deepEqual(await readPages(c, 'T', 2, `start=${at(1)}&end=${at(3)}`), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assert.equal((await readEntry(c, 'T', `${ALL}&limit=50`)).next, undefined);
});

proves('Reading/limit=<n>', 'it holds for each tag, and each has its own next', async (c) => {
  const points = (count: number): unknown[] => Array.from({ length: count }, (_, i) => point(i, i));
  assertDone(await c.post('/data', { A: points(5), B: points(3), C: points(2) }));
  const first = await readTags(c, ['A', 'B', 'C'], `${ALL}&limit=2`);
  assert.deepEqual(
    first.tl.map(({ d, next }) => [d.length, next !== undefined]),
    [
      [2, true],
      [2, true],
      [2, false],
    ],
  );
  const markers = first.tl.slice(0, 2).map(({ next }) => `&after=${encodeURIComponent(next ?? '')}`);
  const second = await readTags(c, ['A', 'B'], `${ALL}&limit=2${markers.join('')}`);
  assert.deepEqual(
    second.tl.map(({ d }) => d.map(({ v }) => v)),
    [[2, 3], [2]],
  );
});

proves('Reading/limit=<n>', 'points that come between two pages are given, none twice', async (c) => {
  await write(c, 'T', [point(0, 0), point(1, 1), point(1, 2)]);
  const page = await readEntry(c, 'T', `${ALL}&limit=2`);
  await write(c, 'T', [point(1, 3), point(2, 4)]);
  const rest = await readEntry(c, 'T', `${ALL}&after=${encodeURIComponent(page.next ?? '')}`);
  assert.deepEqual(
    rest.d.map(({ v }) => v),
    [2, 3, 4],
  );
});

proves('Reading/limit=<n>', 'a limit that is none, or a foreign marker, is 400', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  for (const limit of ['-1', 'x', '1.5', '', '1e99'])
    assertProblem(await c.get(`/data?tagname=T&${ALL}&limit=${limit}`), 400);
  assertProblem(await c.get(`/data?tagname=T&${ALL}&after=nonsense`), 400);
});

const DAMAGE_POINTS = 30_000;

/** Turns one byte over in the middle of the largest file that holds the tag's blocks. */
function damageLargestTagFile(dataFolder: string): void {
  const files = readdirSync(dataFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes('/tags/'))
    .map((name) => join(dataFolder, name))
    .filter((path) => statSync(path).isFile())
    .sort((a, b) => statSync(b).size - statSync(a).size);
  const path = files[0];
  assert.ok(path !== undefined, 'the tag has a file');
  const bytes = readFileSync(path);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 0xff;
  writeFileSync(path, bytes);
}

provesBehind(
  'Reading/Damaged block in the range',
  'the entry carries gaps after d, and the rest is right',
  async (c) => {
    const dataFolder = join(c.folder(), 'data');
    const own = await c.withServer({ dataFolder });
    const points = Array.from({ length: DAMAGE_POINTS }, (_, i) => point(i, Math.sin(i)));
    await write(own, 'T', points);
    await own.server.stop();
    damageLargestTagFile(dataFolder);
    const again = await c.withServer({ dataFolder });
    const entry = await readEntry(again, 'T', `start=${at(0)}&end=${at(DAMAGE_POINTS)}`);
    assert.deepEqual(Object.keys(entry), ['t', 's', 'e', 'd', 'gaps']);
    const lost = entry.gaps?.reduce((sum, gap) => sum + gap.points, 0) ?? 0;
    assert.ok(lost > 0 && lost < DAMAGE_POINTS, `${lost} points are lost`);
    assert.equal(entry.d.length + lost, DAMAGE_POINTS);
    for (const { t, v } of entry.d) {
      const index = (Date.parse(t) - Date.parse(at(0))) / 1000;
      assert.equal(v, Math.sin(index));
    }
    for (const gap of entry.gaps ?? []) assert.ok(gap.s <= gap.e && !entry.d.some(({ t }) => t > gap.s && t < gap.e));
    const before = await readEntry(again, 'T', `start=${at(0)}&end=${at(5)}`);
    assert.equal(before.gaps, undefined, 'a range without damage has no gaps');
  },
);

proves('Reading/Tag without points in the range', 'd is empty', async (c) => {
  await write(c, 'T', [point(0, 1), point(100, 2)]);
  await defineTag(c, { n: 'Never' });
  for (const query of [
    `start=${at(1)}&end=${at(99)}`,
    `start=${at(101)}`,
    `start=${at(-9)}&end=${at(-1)}`,
    `end=${at(-1)}`,
  ])
    assert.deepEqual((await readEntry(c, 'T', query)).d, [], query);
  for (const query of [ALL, '', `end=${at(5)}`, `${ALL}&boundary=carry`, `${ALL}&limit=5`])
    assert.deepEqual((await readEntry(c, 'Never', query)).d, [], query);
});

proves('Reading/Bounds', 'start and end are both inclusive, to the tick', async (c) => {
  await write(c, 'T', [point(0, 1), point(1, 2), point(2, 3)]);
  const tick = (second: string): string => `2024-03-01T00:00:${second}Z`;
  assert.deepEqual(await readValues(c, 'T', `start=${at(0)}&end=${at(2)}`), [1, 2, 3]);
  assert.deepEqual(await readValues(c, 'T', `start=${at(1)}&end=${at(1)}`), [2]);
  assert.deepEqual(await readValues(c, 'T', `start=${tick('00.0000001')}&end=${tick('01.9999999')}`), [2]);
});

proves('Reading/Only an end', 'the newest point at or before it, and s is its time', async (c) => {
  await write(c, 'T', [point(0, 1), point(10, 2), point(10, 3), point(20, 4)]);
  await write(c, 'U', [point(5, 'u')]);
  for (const [end, expected] of [
    [10, point(10, 3)],
    [15, point(10, 3)],
    [9, point(0, 1)],
    [99, point(20, 4)],
  ] as const) {
    const entry = await readEntry(c, 'T', `end=${at(end)}`);
    assert.deepEqual([entry.d, entry.s, entry.e], [[expected], expected.t, at(end)]);
  }
  const unix = Date.parse(at(10)) / 1000;
  assert.deepEqual((await readEntry(c, 'T', `unixEnd=${unix}`)).d, [point(10, 3)]);
  assert.deepEqual((await readEntry(c, 'T', 'relativeEnd=-1h')).d, [point(20, 4)]);
  const both = await readTags(c, ['T', 'U'], `end=${at(12)}`);
  assert.deepEqual(
    both.tl.map(({ d }) => d[0]?.v),
    [3, 'u'],
  );
  assert.equal(both.s, at(5));
  assert.deepEqual((await c.get(`/data/T?end=${at(15)}`)).json<TagDataAnswer>().d, [point(10, 3)]);
});

proves('Reading/No times', 'the newest stored point, also ahead of now; s and e are its time', async (c) => {
  const ahead = fromNow(HOUR_MS);
  await write(c, 'T', [point(0, 1), { t: ahead, v: 2, q: 192 }]);
  const entry = await readEntry(c, 'T', '');
  assert.deepEqual([entry.d, entry.s, entry.e], [[{ t: ahead, v: 2, q: 192 }], ahead, ahead]);
  await write(c, 'U', [point(5, 1), point(7, 2)]);
  await write(c, 'V', [point(6, 3)]);
  const several = await readTags(c, ['U', 'V'], '');
  assert.deepEqual([several.s, several.e], [at(6), at(7)]);
  assert.deepEqual(
    several.tl.map(({ d }) => d),
    [[point(7, 2)], [point(6, 3)]],
  );
  const single = (await c.get('/data/U')).json<TagDataAnswer>();
  assert.deepEqual([single.d, single.s, single.e], [[point(7, 2)], at(7), at(7)]);
});

proves('Reading/No times', 'without a point s and e are now', async (c) => {
  await createDataset(c);
  await defineTag(c, { n: 'Empty' });
  const { s, e, tl } = await readTags(c, ['Empty'], '');
  assert.deepEqual(tl[0]?.d, []);
  assert.equal(s, e);
  assert.ok(Math.abs(Date.parse(s) - Date.now()) < CLOCK_LEEWAY_MS);
});

proves('Reading/boundary=carry', 'the point in force at the start comes first, with its own time', async (c) => {
  await write(c, 'T', [point(0, 1), point(10, 2), point(10, 3), point(20, 4), point(30, null)]);
  const read = async (query: string): Promise<unknown> => (await readEntry(c, 'T', query)).d;
  assert.deepEqual(await read(`start=${at(15)}&end=${at(25)}&boundary=carry`), [point(10, 3), point(20, 4)]);
  assert.deepEqual(await read(`start=${at(12)}&end=${at(15)}&boundary=carry`), [point(10, 3)]);
  assert.deepEqual(await read(`start=${at(20)}&end=${at(25)}&boundary=carry`), [point(20, 4)]);
  assert.deepEqual(await read(`start=${at(10)}&end=${at(15)}&boundary=carry`), [point(10, 2), point(10, 3)]);
  assert.deepEqual(await read(`start=${at(-5)}&end=${at(5)}&boundary=carry`), [point(0, 1)]);
  assert.deepEqual(await read(`start=${at(-5)}&end=${at(-1)}&boundary=carry`), []);
  assert.deepEqual(await read(`start=${at(40)}&boundary=carry`), [point(30, null)]);
  assert.deepEqual(await read(`start=${at(15)}&end=${at(25)}&boundary=inside`), [point(20, 4)]);
  assert.deepEqual(await read(`start=${at(15)}&end=${at(25)}`), [point(20, 4)]);
  assertProblem(await c.get(`/data?tagname=T&start=${at(15)}&boundary=both`), 400);
  const single = (await c.get(`/data/T?start=${at(15)}&end=${at(25)}&boundary=carry`)).json<TagDataAnswer>();
  assert.deepEqual([single.s, single.d], [at(15), [point(10, 3), point(20, 4)]]);
});
