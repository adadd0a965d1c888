// Clients of the reference product: writing and reading points.

import assert from 'node:assert/strict';
import type { MultiReadAnswer, TagDataAnswer } from '../answers.ts';
import type { CaseContext } from '../case-context.ts';
import { answersClients } from '../reference-clients.ts';
import {
  ALL,
  assertDone,
  assertFaults,
  assertStatus,
  at,
  BASE_MS,
  CLOCK_LEEWAY_MS,
  DAY_MS,
  defineTag,
  fromNow,
  HOUR_MS,
  point,
  readEntry,
  readTags,
  readValues,
  receiptOf,
  write,
} from '../steps.ts';

/** Start and end of the range that a query asks for. */
async function boundsOf(c: CaseContext, query: string): Promise<{ startMs: number; endMs: number }> {
  const { s, e } = await readEntry(c, 'T', query);
  return { startMs: Date.parse(s), endMs: Date.parse(e) };
}

answersClients('write-several', '200 with an empty body, for tags and datasets that are new, too', async (c) => {
  assertDone(await c.post('/data', { A: [point(0, 1)], B: [point(0, 'x')] }));
  assertDone(await c.post('/data', { A: [point(1, 2)], C: [] }));
  assert.deepEqual(await readValues(c, 'A'), [1, 2]);
  assert.deepEqual(await readValues(c, 'B'), ['x']);
});

answersClients('write-one', '200 with an empty body', async (c) => {
  assertDone(await c.post('/data/T', [point(0, 1), point(1, 2)]));
  assert.deepEqual(await readValues(c, 'T'), [1, 2]);
});

answersClients('short-points', 'absent members have their defaults', async (c) => {
  assertDone(await c.post('/data/T', [{ t: at(0), v: 5 }, { t: at(1) }]));
  assertDone(await c.post('/data/T', [{ v: 6 }]));
  const { d } = await readEntry(c, 'T');
  assert.deepEqual(
    d.map(({ v, q }) => [v ?? null, q]),
    [
      [5, 192],
      [null, 192],
      [6, 192],
    ],
  );
  assert.ok(Math.abs(Date.parse(d[2]?.t ?? '') - Date.now()) < CLOCK_LEEWAY_MS);
});

answersClients('ms-times', 'a number is milliseconds since 1970', async (c) => {
  assertDone(await c.post('/data/T', [{ t: BASE_MS, v: 1 }, point(1, 2)]));
  assertDone(await c.post('/data', { T: { t: [BASE_MS + 2000, at(3)], v: [3, 4] } }));
  assert.deepEqual((await readEntry(c, 'T', ALL)).d, [point(0, 1), point(1, 2), point(2, 3), point(3, 4)]);
  assertDone(await c.post('/status', [{ t: BASE_MS, q: 28 }]));
  assert.deepEqual((await readEntry(c, 'Status', ALL)).d.at(-1)?.t, at(0));
});

answersClients('member-case', 'they are t, v and q', async (c) => {
  assertDone(
    await c.post('/data/T', [
      { T: at(0), V: 1, Q: 64 },
      { T: BASE_MS + 1000, V: 2 },
    ]),
  );
  assertDone(await c.post('/data', { T: { T: [at(2)], V: [3], Q: 64 } }));
  assert.deepEqual((await readEntry(c, 'T', ALL)).d, [point(0, 1, 64), point(1, 2), point(2, 3, 64)]);
  assertDone(await c.post('/status', { T: at(0), V: null, Q: 28 }));
  assert.deepEqual((await readEntry(c, 'Status', ALL)).d.at(-1)?.q, 28);
});

answersClients('old-points', 'they are ignored and counted', async (c) => {
  await write(c, 'T', [point(10, 1)]);
  const answer = await write(c, 'T', [point(5, 9), point(11, 2)]);
  assert.deepEqual(receiptOf(answer), { written: 1, ignored: 1, repeated: 0, rejected: 0, expired: 0 });
  assert.deepEqual(await readValues(c, 'T'), [1, 2]);
});

answersClients('retry', 'nothing is stored twice', async (c) => {
  const points = [point(0, 1), point(1, null), point(1, 2)];
  await write(c, 'T', points);
  assert.deepEqual(receiptOf(await write(c, 'T', points)), {
    written: 0,
    ignored: 0,
    repeated: 3,
    rejected: 0,
    expired: 0,
  });
  assert.equal((await readEntry(c, 'T')).d.length, 3);
});

answersClients('boolean-digits', '1 and 0 are taken for truth values', async (c) => {
  await defineTag(c, { n: 'T', t: 'System.Boolean' });
  const answer = await write(c, 'T', [point(0, 1), point(1, 0), point(2, true)]);
  assert.equal(receiptOf(answer).written, 3);
});

answersClients('truths-for-numbers', 'numeric tags take true and false as 1 and 0', async (c) => {
  await defineTag(c, { n: 'T', t: 'System.Double' });
  await write(c, 'T', [point(0, true), point(1, false)]);
  assert.deepEqual(await readValues(c, 'T'), [1, 0]);
});

answersClients('truths-refused', 'true and false are no numbers', async (c) => {
  await defineTag(c, { n: 'T', t: 'System.Double' });
  assertFaults(await c.post('/data/T', [point(0, true), point(1, false)]), ['/0/v', '/1/v']);
});

answersClients('faulty-point', 'it refuses the whole request', async (c) => {
  await defineTag(c, { n: 'T', t: 'System.Double' });
  assertFaults(await c.post('/data/T', [point(0, 1), point(1, 'text'), point(2, 3)]), ['/1/v']);
  assert.deepEqual(await readValues(c, 'T'), []);
});

answersClients('faulty-point-dropped', 'the others are stored', async (c) => {
  await defineTag(c, { n: 'T', t: 'System.Double' });
  const answer = await write(c, 'T', [point(0, 1), point(1, 'text'), point(2, 3)]);
  assert.deepEqual(receiptOf(answer), { written: 2, ignored: 0, repeated: 0, rejected: 1, expired: 0 });
  assert.deepEqual(await readValues(c, 'T'), [1, 3]);
});

answersClients('read-several', 'an entry for each tag, in the order asked for', async (c) => {
  assertDone(await c.post('/data', { A: [point(0, 1)], B: [point(5, 2)] }));
  const query = `start=${at(0)}&end=${at(10)}`;
  assert.deepEqual(await readTags(c, ['B', 'A'], query), {
    s: at(0),
    e: at(10),
    tl: [
      { t: { n: 'B', t: 'System.Double' }, s: at(0), e: at(10), d: [point(5, 2)] },
      { t: { n: 'A', t: 'System.Double' }, s: at(0), e: at(10), d: [point(0, 1)] },
    ],
  });
});

answersClients('read-one', 'one entry by itself, deprecated', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  const answer = assertStatus(await c.get(`/data/T?start=${at(0)}&end=${at(10)}`), 200);
  const expected = { t: { n: 'T', t: 'System.Double' }, s: at(0), e: at(10), d: [point(0, 1)] };
  assert.deepEqual(answer.json<TagDataAnswer>(), expected);
  assert.ok(answer.header('deprecation'));
});

answersClients('latest', 'the newest point of each tag', async (c) => {
  assertDone(await c.post('/data', { A: [point(0, 1), point(9, 2)], B: [point(5, 3)] }));
  const { s, e, tl } = (await c.get('/data?tagname=A&tagname=B')).json<MultiReadAnswer>();
  assert.deepEqual([s, e], [at(5), at(9)]);
  assert.deepEqual(
    tl.map(({ d }) => d),
    [[point(9, 2)], [point(5, 3)]],
  );
});

answersClients('value-at', 'the newest point at or before the end', async (c) => {
  await write(c, 'T', [point(0, 1), point(10, 2), point(20, 3)]);
  assert.deepEqual((await readEntry(c, 'T', `end=${at(15)}`)).d, [point(10, 2)]);
  assert.deepEqual((await readEntry(c, 'T', `end=${at(20)}`)).d, [point(20, 3)]);
});

answersClients('plus-in-times', 'an offset with an unencoded plus', async (c) => {
  await write(c, 'T', [{ t: '2024-01-01T06:00:00Z', v: 1 }]);
  const query = 'start=2024-01-01T08:00:00+02:00&end=2024-01-01T08:30:00+02:00';
  const { s, e, d } = await readEntry(c, 'T', query);
  assert.deepEqual([s, e, d.length], ['2024-01-01T06:00:00.000Z', '2024-01-01T06:30:00.000Z', 1]);
});

answersClients('unix-times', 'seconds and milliseconds', async (c) => {
  await write(c, 'T', [point(0, 1), point(10, 2)]);
  assert.deepEqual(await readValues(c, 'T', `unixStart=${BASE_MS / 1000}&unixEnd=${BASE_MS / 1000 + 5}`), [1]);
  assert.deepEqual(await readValues(c, 'T', `unixStart=${BASE_MS}&unixEnd=${BASE_MS + 5000}`), [1]);
});

answersClients('relative-times', 'from now, by the clock of the Date header', async (c) => {
  await write(c, 'T', [{ t: fromNow(-HOUR_MS), v: 1 }]);
  const answer = assertStatus(await c.get('/data/T?relativeStart=-2h&relativeEnd=+2h'), 200);
  const { s, e, d } = answer.json<TagDataAnswer>();
  assert.deepEqual([Date.parse(e) - Date.parse(s), d.length], [4 * HOUR_MS, 1]);
  assert.ok(Math.abs(Date.parse(s) + 2 * HOUR_MS - Date.parse(answer.header('date') ?? '')) < 5000);
});

answersClients('relative-units', 'starts of the present unit, and steps from there', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  const yesterday = await boundsOf(c, 'relativeStart=d-1d&relativeEnd=d');
  assert.deepEqual([yesterday.startMs % DAY_MS, yesterday.endMs - yesterday.startMs], [0, DAY_MS]);
  const hours = await boundsOf(c, 'relativeStart=h-2h&relativeEnd=h');
  assert.deepEqual([hours.startMs % HOUR_MS, hours.endMs - hours.startMs], [0, 2 * HOUR_MS]);
  const all = await boundsOf(c, 'relativeStart=y&relativeEnd=M');
  assert.match(new Date(all.startMs).toISOString(), /-01-01T00:00:00\.000Z$/);
  assert.match(new Date(all.endMs).toISOString(), /-01T00:00:00\.000Z$/);
});

answersClients('relative-zone', 'midnights of the zone', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/New_York', timeStyle: 'medium' });
  const { startMs, endMs } = await boundsOf(c, 'relativeStart=d-1d&relativeEnd=d&tz=America/New_York');
  assert.deepEqual([local.format(startMs), local.format(endMs)], ['00:00:00', '00:00:00']);
  assert.ok(Math.abs(endMs - startMs - DAY_MS) <= HOUR_MS);
});

/** Three points, and the answer to a read that begins between the first two. */
async function readBetween(c: CaseContext): Promise<readonly unknown[]> {
  await write(c, 'T', [point(0, 1), point(10, 2), point(20, 3)]);
  return (await readEntry(c, 'T', `start=${at(5)}&end=${at(15)}`)).d;
}

answersClients('carry-in', 'the point in force at the start comes first', async (c) => {
  assert.deepEqual(await readBetween(c), [point(0, 1), point(10, 2)]);
});

answersClients('no-carry-in', 'only the points inside', async (c) => {
  assert.deepEqual(await readBetween(c), [point(10, 2)]);
});

answersClients('null-left-out', 'the point has no v', async (c) => {
  await write(c, 'T', [point(0, null)]);
  assert.deepEqual((await readEntry(c, 'T')).d, [{ t: at(0), q: 192 }]);
});

answersClients('null-value', 'v is null', async (c) => {
  await write(c, 'T', [point(0, null)]);
  assert.deepEqual((await readEntry(c, 'T')).d, [{ t: at(0), v: null, q: 192 }]);
});

answersClients('boolean-as-digits', 'truth values are 1 and 0', async (c) => {
  await write(c, 'T', [point(0, true), point(1, false)]);
  assert.deepEqual(await readValues(c, 'T', ALL), [1, 0]);
});

answersClients('boolean-as-words', 'truth values are true and false', async (c) => {
  await write(c, 'T', [point(0, true), point(1, false)]);
  assert.deepEqual(await readValues(c, 'T', ALL), [true, false]);
});
