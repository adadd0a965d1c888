// System tags: which there are, their history, and how they keep apart from user tags.

import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { TagDataAnswer } from '../answers.ts';
import type { CaseContext } from '../case-context.ts';
import { proves, provesInTime } from '../registry.ts';
import {
  ALL,
  assertDone,
  assertProblem,
  assertStatus,
  createDataset,
  defineTag,
  eventually,
  listTags,
  point,
  readEntry,
  readTag,
  readValues,
  userTagNames,
  write,
} from '../steps.ts';

const ROW = 'Tags/System tags';
const NAMESAKE = "Tags/A user tag with a system tag's name";

/** Unit of each system tag; undefined where it has none, or a text for each value. */
const UNITS: Readonly<Record<string, string | undefined>> = {
  State: undefined,
  Status: undefined,
  Size: 'GB',
  Tags: undefined,
  Reads: 'points/s',
  Writes: 'points/s',
  'Writes.Late': 'points/s',
  Space: 'GB',
  'Process.Memory': 'MB',
  'Process.CPU': '%',
  Second: undefined,
  Minute: undefined,
  Hour: undefined,
};

async function assertRefused(answers: readonly Promise<{ status: number; text: string }>[]): Promise<void> {
  for (const answer of await Promise.all(answers))
    assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status}`);
}

proves(ROW, 'every dataset has them from the start, with their names and units', async (c) => {
  await createDataset(c);
  const { System } = await listTags(c);
  assert.deepEqual(
    System.map(({ n }) => n),
    Object.keys(UNITS).sort(),
  );
  for (const [name, unit] of Object.entries(UNITS)) {
    if (unit === undefined) continue;
    const tag = System.find(({ n }) => n === name);
    assert.deepEqual(Object.values(tag?.u ?? {}), [unit], name);
  }
  const state = System.find(({ n }) => n === 'State');
  assert.deepEqual(state?.u, { '0': 'Stopped', '1': 'Starting', '2': 'Recovering', '3': 'Running', '4': 'Stopping' });
});

provesInTime(ROW, 'they have history, every 5 s and on change, and are read like any tag', async (c) => {
  await createDataset(c);
  for (const n of ['A', 'B']) await defineTag(c, { n });
  const points = await eventually('three points of Second', 20_000, async () => {
    const { d } = await readEntry(c, 'Second');
    return d.length >= 3 ? d : undefined;
  });
  const times = points.map(({ t }) => Date.parse(t));
  for (const [index, { v, q }] of points.entries()) {
    assert.ok(Number.isInteger(v) && (v as number) >= 0 && (v as number) < 60, `Second is ${v}`);
    assert.equal(q, 192);
    const stepMs = (times[index] ?? 0) - (times[index - 1] ?? 0);
    if (index > 0) assert.ok(stepMs > 3000 && stepMs < 8000, `${stepMs} ms between two points`);
  }
  assert.deepEqual(await readValues(c, 'State', ''), [3]);
  assert.deepEqual(await readValues(c, 'Tags', ''), [2]);
  assert.ok((await readValues(c, 'Tags')).length <= 2, 'an unchanged value is not stored again');
  for (const name of ['Size', 'Space', 'Process.Memory'])
    assert.ok(((await readValues(c, name, ''))[0] as number) > 0, `${name} is above 0`);
  const single = assertStatus(await c.get(`/data/$System.Second?${ALL}`), 200).json<TagDataAnswer>();
  assert.deepEqual(single.d.slice(0, 3), points.slice(0, 3));
});

provesInTime(ROW, 'Reads, Writes and Writes.Late are points per second', async (c) => {
  await write(c, 'T', [point(100_000, 0)]);
  const busiest = { Reads: 0, Writes: 0, 'Writes.Late': 0 };
  let next = 100_001;
  await eventually('all three are above 0', 20_000, async () => {
    await write(
      c,
      'T',
      Array.from({ length: 500 }, () => point(next++, 1)),
    );
    await write(
      c,
      'T',
      Array.from({ length: 300 }, (_, i) => point(i, 1)),
    );
    await readValues(c, 'T', '');
    for (const name of ['Reads', 'Writes', 'Writes.Late'] as const) {
      const values = (await readValues(c, name)) as number[];
      busiest[name] = Math.max(busiest[name], ...values);
    }
    return Object.values(busiest).every((value) => value > 0) ? true : undefined;
  });
});

proves(ROW, 'they cannot be deleted, and do not count in c or a', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  await assertRefused([
    c.delete('/tags/Size'),
    c.delete('/tags', ['Size']),
    c.delete('/tags', ['T', 'Size']),
    c.post('/tags', ['State', 'T']),
    c.delete('/tags/$System.Size'),
    c.delete(`/data?tagname=$System.Size&${'start=2000-01-01T00:00:00Z'}`),
  ]);
  assert.ok((await listTags(c)).System.some(({ n }) => n === 'Size'));
  assert.deepEqual(await userTagNames(c), ['T']);
  assert.equal((await c.get()).json<{ c: number }>().c, 1);
});

async function writeNamesake(c: CaseContext): Promise<void> {
  assertDone(await c.post('/data', { Size: [point(0, 'mine')], Status: [point(0, 5)] }));
}

proves(NAMESAKE, 'a name means the user tag when there is one, $System.<name> the system tag', async (c) => {
  await writeNamesake(c);
  assert.deepEqual(await userTagNames(c), ['Size', 'Status']);
  assert.deepEqual(await readValues(c, 'Size'), ['mine']);
  assert.equal((await readTag(c, 'Size')).t, 'System.String');
  assert.deepEqual(Object.values((await readTag(c, '$System.Size')).u ?? {}), ['GB']);
  assertDone(await c.post('/status', [{ t: point(0, 0).t, q: 28 }]));
  assert.deepEqual(await readValues(c, 'Status'), [5]);
  assert.deepEqual((await readEntry(c, '$System.Status')).d, [point(0, null, 28)]);
  const status = assertStatus(await c.get(`/status?${ALL}`), 200).json<TagDataAnswer>();
  assert.deepEqual(status.d, [point(0, null, 28)]);
});

proves(NAMESAKE, 'deleting the user tag leaves the system tag under its name', async (c) => {
  await writeNamesake(c);
  assertDone(await c.delete('/tags/Size'));
  assert.deepEqual(Object.values((await readTag(c, 'Size')).u ?? {}), ['GB']);
  await assertRefused([c.delete('/tags/Size')]);
  assert.equal((await listTags(c)).System.length, Object.keys(UNITS).length);
});

proves(NAMESAKE, 'the prefix $System. is refused for user tags, and nothing else is', async (c) => {
  for (const n of ['$System.Size', '$System.Mine', '$System.']) {
    assertProblem(await c.post('/tags', [{ n }]), 400);
    assertProblem(await c.post(`/tags/${n}`, { n }), 400);
    assertProblem(await c.post(`/data/${n}`, [point(0, 1)]), 400);
    assertProblem(await c.post('/data', { T: [point(0, 1)], [n]: [point(0, 1)] }), 400);
  }
  assertStatus(await c.get(), 404);
  for (const n of ['$System', '$system.Size', 'System.Size', 'x$System.Size']) await write(c, n, [point(0, 1)]);
  assert.equal((await userTagNames(c)).length, 4);
});

const ALIASES = 'Tags/Second names of system tags';
const SECOND_NAMES = {
  'Dataset.Writes': 'Writes',
  'Dataset.Reads': 'Reads',
  'Dataset.Tags': 'Tags',
  'Dataset.Size': 'Size',
  'Dataset.Writes.Late': 'Writes.Late',
  'Process.CPU': 'Process.CPU',
  'Process.Memory': 'Process.Memory',
} as const;

proves(ALIASES, 'they answer in every read, under the name asked for, and are listed once', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  await eventually('a point of Size', 15_000, async () =>
    (await readEntry(c, 'Size', '')).d.length > 0 ? true : undefined,
  );
  for (const [name, present] of Object.entries(SECOND_NAMES)) {
    assert.deepEqual(await readTag(c, name), { ...(await readTag(c, present)), n: name });
    for (const query of [ALL, '', `end=${new Date().toISOString()}`, `${ALL}&limit=5`, `${ALL}&points=4`]) {
      await eventually(`the same point of ${name} and of ${present}`, 15_000, async () => {
        const before = await readEntry(c, present, query);
        const entry = await readEntry(c, name, query);
        const after = await readEntry(c, present, query);
        assert.equal(entry.t.n, name, query);
        // The server notes another point of itself every few seconds.
        if (!isDeepStrictEqual(before.d[0], after.d[0])) return undefined;
        assert.deepEqual(entry.d[0], after.d[0], query);
        return true;
      });
    }
    const single = assertStatus(await c.get(`/data/${name}`), 200).json<TagDataAnswer>();
    assert.equal(single.t.n, name);
  }
  const body = { tagname: ['Dataset.Size', 'T', 'Size', 'Nobody', 'Dataset.Tags'], missing: 'skip', format: 'columns' };
  const answer = assertStatus(await c.post('/read', body), 200).json<{ tl: readonly TagDataAnswer[] }>();
  assert.deepEqual(
    answer.tl.map(({ t }) => t.n),
    ['Dataset.Size', 'T', 'Size', 'Dataset.Tags'],
  );
  const { System } = await listTags(c);
  assert.deepEqual(
    System.map(({ n }) => n),
    Object.keys(UNITS).sort(),
  );
});

proves(ALIASES, 'a user tag of such a name comes first; the system tag cannot be deleted by it', async (c) => {
  await createDataset(c);
  await assertRefused([c.delete('/tags/Dataset.Writes'), c.delete('/tags', ['Dataset.Size'])]);
  await write(c, 'Dataset.Size', [point(0, 'mine')]);
  assert.deepEqual(await readValues(c, 'Dataset.Size'), ['mine']);
  assert.equal((await readTag(c, 'Dataset.Size')).t, 'System.String');
  assert.deepEqual(await userTagNames(c), ['Dataset.Size']);
  assertDone(await c.delete('/tags/Dataset.Size'));
  assert.deepEqual(Object.values((await readTag(c, 'Dataset.Size')).u ?? {}), ['GB']);
});
