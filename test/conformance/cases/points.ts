// Points: time, defaults, order and repetition.

import assert from 'node:assert/strict';
import type { HttpAnswer } from '../../support/http-client.ts';
import { proves } from '../registry.ts';
import {
  assertDone,
  assertFaults,
  assertProblem,
  assertStatus,
  at,
  CLOCK_LEEWAY_MS,
  defineTag,
  point,
  readDigits,
  readEntry,
  readValues,
  receiptOf,
  write,
} from '../steps.ts';

const dateMsOf = (answer: HttpAnswer): number => Date.parse(answer.header('date') ?? '');

const TIMES: readonly (readonly [sent: string, read: string])[] = [
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['0001-01-01T00:00:00.0000001Z', '0001-01-01T00:00:00.0000001Z'],
  ['1582-10-10T00:00:00Z', '1582-10-10T00:00:00.000Z'],
  ['1969-12-31T23:59:59.9999999Z', '1969-12-31T23:59:59.9999999Z'],
  ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
  ['2000-02-29T12:00:00.1Z', '2000-02-29T12:00:00.100Z'],
  ['2024-01-01T00:00:00.12Z', '2024-01-01T00:00:00.120Z'],
  ['2024-01-01T00:00:00.1234Z', '2024-01-01T00:00:00.1234000Z'],
  ['2024-01-01T00:00:00.1234567Z', '2024-01-01T00:00:00.1234567Z'],
  ['2024-01-01T00:00:00.1234568Z', '2024-01-01T00:00:00.1234568Z'],
  ['2024-01-01T00:00:00.123456999Z', '2024-01-01T00:00:00.1234569Z'],
  ['2024-01-01T03:00:00+02:00', '2024-01-01T01:00:00.000Z'],
  ['2023-12-31T20:30:00.5-05:00', '2024-01-01T01:30:00.500Z'],
  ['2024-01-01T02:00:00', '2024-01-01T02:00:00.000Z'],
  ['2024-01-01T02:00:00.0000001', '2024-01-01T02:00:00.0000001Z'],
  ['2024-01-01T02:00:00.000000199+00:00', '2024-01-01T02:00:00.0000001Z'],
];

proves(
  'Points/Resolution of time',
  '100 ns are exact over the years, offsets count, and no offset is UTC',
  async (c) => {
    for (const [index, [sent, read]] of TIMES.entries()) {
      const own = `T${index}`;
      await write(c, own, [{ t: sent, v: index }]);
      assert.deepEqual((await readEntry(c, own)).d, [{ t: read, v: index, q: 192 }], sent);
      await write(c, `X${index}`, [{ v: index, t: sent }]);
      assert.equal((await readEntry(c, `X${index}`)).d[0]?.t, read, `${sent}, other key order`);
    }
  },
);

proves('Points/Resolution of time', 'a number is milliseconds since 1970, in every form of a body', async (c) => {
  const ms = Date.parse(at(0));
  const forms = [
    (t: number) => `[{"t":${t},"v":1,"q":192}]`,
    (t: number) => ` [ { "v" : 1 , "t" : ${t} } ] `,
    (t: number) => `{"t":[${t}],"v":[1]}`,
    (t: number) => `[{"t":${t.toExponential(15)},"v":1}]`,
  ];
  for (const [index, form] of forms.entries())
    for (const t of [ms, ms + 0.5, -1, 0]) {
      const tag = `T${index}.${t}`;
      assertDone(await c.postText(`/data/${tag}`, form(t)));
      const { d } = await readEntry(c, tag);
      const expected = new Date(Math.floor(t)).toISOString();
      assert.equal(d[0]?.t, t % 1 === 0 ? expected : expected.replace('Z', '5000Z'), `${form(t)}`);
    }
});

proves('Points/Resolution of time', 'neighbouring ticks are distinct and in order', async (c) => {
  const ticks = ['0000000', '0000001', '0000002', '0009999', '0010000', '9999999'];
  const times = ticks.map((fraction) => `2024-01-01T00:00:00.${fraction}Z`);
  await write(
    c,
    'T',
    times.toReversed().map((t, v) => ({ t, v })),
  );
  assert.deepEqual(
    (await readEntry(c, 'T')).d.map(({ v }) => v),
    [5, 4, 3, 2, 1, 0],
  );
  assert.deepEqual(await readValues(c, 'T', `start=${times[1]}&end=${times[3]}`), [4, 3, 2]);
});

proves('Points/Leap second', 'it is the start of the next second, in points, reads and statuses', async (c) => {
  const next = '2017-01-01T00:00:00.000Z';
  const texts = [
    '2016-12-31T23:59:60.000Z',
    '2016-12-31T23:59:60Z',
    '2016-12-31T23:59:60.75Z',
    '2017-01-01T00:59:60+01:00',
  ];
  for (const [index, t] of texts.entries()) {
    const tag = `T${index}`;
    await write(c, tag, [
      { t: '2016-12-31T23:59:59.000Z', v: 1, q: 192 },
      { t, v: 2, q: 192 },
      { t: next, v: 3 },
    ]);
    assertDone(await c.post(`/data/C${index}`, { t: [t], v: [2] }));
    const want = [point(0, 2), point(0, 3)].map((own) => ({ ...own, t: next }));
    const bound = encodeURIComponent(t);
    assert.deepEqual((await readEntry(c, tag, `start=${bound}&end=${bound}`)).d, want, t);
    assert.deepEqual((await readEntry(c, `C${index}`)).d, want.slice(0, 1), t);
  }
  await defineTag(c, { n: 'Date', t: 'System.DateTime' });
  await write(c, 'Date', [{ t: next, v: '2016-12-31T23:59:60.5Z' }]);
  assert.deepEqual(await readValues(c, 'Date', ''), [next]);
  assertDone(await c.post('/status', { t: '2016-12-31T23:59:60Z', q: 28 }));
  assert.equal((await readEntry(c, 'Status', '')).d[0]?.t, next);
  for (const t of ['2016-12-31T23:58:60Z', '2016-12-31T12:00:60Z', '2016-12-31T23:59:61Z'])
    assertProblem(await c.post('/data/T', [{ t, v: 1 }]), 400);
});

proves('Points/Resolution of time', 'what is no time is 400', async (c) => {
  const wrong = [
    '',
    'now',
    '2024-13-01T00:00:00Z',
    '2024-00-01T00:00:00Z',
    '2024-02-30T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '2024-01-01T24:00:01Z',
    '2024-01-01T00:60:00Z',
    '2024-01-01T00:00:61Z',
    '0000-12-31T00:00:00Z',
    '10000-01-01T00:00:00Z',
    '+12024-01-01T00:00:00Z',
    '-0001-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '2024-01-01T00:00:00.1234567890Z',
    '2024-01-01T00:00:00.Z',
    '2024-01-01T00:00:00+25:00',
    '2024-01-01T00:00:00Zx',
    ' 2024-01-01T00:00:00Z',
    '2024-1-1T00:00:00Z',
    '01/02/2024',
    '1704067200',
  ];
  await write(c, 'T', [point(0, 1)]);
  for (const t of wrong) {
    assertFaults(await c.post('/data/T', [{ t, v: 1 }]), ['/0/t']);
    if (t !== '') assertProblem(await c.get(`/data?tagname=T&start=${encodeURIComponent(t)}`), 400);
  }
  for (const t of [1e15, -1e15, 1e300, true, [], {}]) assertProblem(await c.post('/data/T', [{ t, v: 1 }]), 400);
  assert.deepEqual(await readValues(c, 'T'), [1]);
});

proves(
  'Points/Time stamps in responses',
  '3 fraction digits, 7 when the part below the millisecond is not zero',
  async (c) => {
    await write(c, 'T', [
      { t: '2024-01-01T00:00:00Z', v: 1 },
      { t: '2024-01-01T00:00:00.001Z', v: 2 },
      { t: '2024-01-01T00:00:00.0010001Z', v: 3 },
      { t: '2024-01-01T00:00:00.0019990Z', v: 4 },
      { t: '2024-01-01T00:00:00.0020000Z', v: 5 },
    ]);
    const range = 'start=2024-01-01T00:00:00&end=2024-01-01T00:00:00.0020001Z';
    const entry = await readEntry(c, 'T', range);
    assert.deepEqual(
      entry.d.map(({ t }) => t.slice(19)),
      ['.000Z', '.001Z', '.0010001Z', '.0019990Z', '.002Z'],
    );
    assert.deepEqual([entry.s, entry.e], ['2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.0020001Z']);
  },
);

proves('Points/Absent q, v, t', '192, null and the time of receipt', async (c) => {
  await write(c, 'T', [{ t: at(0), v: 1 }, { t: at(1), q: 64 }, { t: at(2) }]);
  assert.deepEqual((await readEntry(c, 'T')).d, [point(0, 1), point(1, null, 64), point(2, null)]);
  const stamped = await write(c, 'T', [{ v: 5 }]);
  const [newest] = (await readEntry(c, 'T', '')).d;
  assert.equal(newest?.v, 5);
  assert.ok(Math.abs(Date.parse(newest?.t ?? '') - dateMsOf(stamped)) < 3000);
  assertDone(await c.post('/data', { E: [{}], F: [{ q: 0 }] }));
  for (const [tag, q] of [
    ['E', 192],
    ['F', 0],
  ] as const) {
    const [only] = (await readEntry(c, tag)).d;
    assert.deepEqual([only?.v, only?.q], [null, q]);
    assert.ok(Math.abs(Date.parse(only?.t ?? '') - Date.now()) < CLOCK_LEEWAY_MS);
  }
});

proves('Points/Absent q, v, t', 'unknown keys are 400', async (c) => {
  for (const key of ['x', 'T', 'value', 'Q', '', '__proto__', 'tt']) {
    const body = `[{"t":"${at(0)}","v":1,${JSON.stringify(key)}:1}]`;
    assertProblem(await c.postText('/data/T', body), 400);
    assertProblem(await c.postText('/data', `{"T":${body}}`), 400);
  }
  assertStatus(await c.get(), 404);
});

proves('Points/Null', 'it is stored in every type and read back as "v": null', async (c) => {
  for (const type of ['Boolean', 'Int32', 'Int64', 'Single', 'Double', 'Decimal', 'String', 'DateTime']) {
    await defineTag(c, { n: type, t: `System.${type}` });
    await write(c, type, [point(0, null), point(1, null, 64)]);
    assert.deepEqual((await readEntry(c, type)).d, [point(0, null), point(1, null, 64)], type);
    assert.match((await c.get(`/data?tagname=${type}`)).text, /"v":\s*null/);
  }
  await write(c, 'T', [point(0, 1), point(1, null), point(2, 2), point(3, null)]);
  assert.deepEqual(await readValues(c, 'T'), [1, null, 2, null]);
  assert.deepEqual(await readValues(c, 'T', ''), [null]);
});

proves('Points/Out of order', 'an earlier point is ignored and counted in Historian-Ignored', async (c) => {
  await write(c, 'T', [point(10, 1), point(20, 2)]);
  const receipt = receiptOf(await write(c, 'T', [point(15, 9), point(5, 9), point(30, 3)]));
  assert.deepEqual(receipt, { written: 1, ignored: 2, repeated: 0, rejected: 0, expired: 0 });
  assert.deepEqual(await readValues(c, 'T'), [1, 2, 3]);
  assert.deepEqual(receiptOf(await write(c, 'T', [{ t: '2024-03-01T00:00:29.9999999Z', v: 3 }])).ignored, 1);
});

proves('Points/Out of order', 'an identical point counts as Repeated; another value or quality does not', async (c) => {
  await write(c, 'T', [point(10, 1), point(20, 2), point(30, null), point(40, 4, 64)]);
  const receipt = receiptOf(
    await write(c, 'T', [
      point(10, 1),
      point(20, 2.5),
      point(20, 2, 64),
      point(20, 2),
      point(30, null),
      point(30, 0),
      point(11, 1),
    ]),
  );
  assert.deepEqual(receipt, { written: 0, ignored: 4, repeated: 3, rejected: 0, expired: 0 });
  assert.equal((await readValues(c, 'T')).length, 4);
});

proves('Points/Out of order', 'each tag has its own newest point', async (c) => {
  await write(c, 'A', [point(100, 1)]);
  const answer = assertDone(await c.post('/data', { A: [point(50, 2)], B: [point(50, 2)] }));
  assert.deepEqual(receiptOf(answer), { written: 1, ignored: 1, repeated: 0, rejected: 0, expired: 0 });
});

proves('Points/Equal time', 'equal value and quality is Repeated, anything else is stored after it', async (c) => {
  await write(c, 'T', [point(10, 1)]);
  assert.equal(receiptOf(await write(c, 'T', [point(10, 1)])).repeated, 1);
  assert.equal(receiptOf(await write(c, 'T', [point(10, 2)])).written, 1);
  assert.equal(receiptOf(await write(c, 'T', [point(10, 2, 64)])).written, 1);
  assert.equal(receiptOf(await write(c, 'T', [point(10, null)])).written, 1);
  const again = [point(10, 2), point(10, 1), point(10, null), point(10, 2, 64)];
  assert.deepEqual(receiptOf(await write(c, 'T', again)), {
    written: 0,
    ignored: 0,
    repeated: 4,
    rejected: 0,
    expired: 0,
  });
  assert.deepEqual((await readEntry(c, 'T')).d, [point(10, 1), point(10, 2), point(10, 2, 64), point(10, null)]);
  assert.deepEqual((await readEntry(c, 'T', '')).d, [point(10, null)]);
});

proves('Points/Equal time', 'a retry of any request stores nothing twice', async (c) => {
  const requests = [
    { A: [point(1, 1), point(1, 2), point(1, 3)], B: [point(5, 'x'), point(2, 'y')] },
    { A: [point(1, 4), point(2, 1), point(2, 1, 0)], C: [point(0, null), point(0, true)] },
    { A: [point(2, 2), point(2, 3)], B: [point(5, 'z')] },
  ];
  for (const request of requests) {
    assertDone(await c.post('/data', request));
    const before = await Promise.all(['A', 'B'].map((tag) => readValues(c, tag)));
    const retry = receiptOf(assertDone(await c.post('/data', request)));
    assert.equal(retry.written, 0);
    assert.deepEqual(await Promise.all(['A', 'B'].map((tag) => readValues(c, tag))), before);
  }
  for (const request of requests) assert.equal(receiptOf(assertDone(await c.post('/data', request))).written, 0);
  assert.deepEqual(await readValues(c, 'A'), [1, 2, 3, 4, 1, 1, 2, 3]);
  assert.deepEqual(await readValues(c, 'B'), ['y', 'x', 'z']);
  assert.deepEqual(await readValues(c, 'C'), [null, true]);
});

proves('Points/Equal time', 'numbers compare by value, exact types by their digits', async (c) => {
  await defineTag(c, { n: 'T', t: 'System.Int64' });
  assertDone(await c.postText('/data/T', `[{"t":"${at(0)}","v":9007199254740992}]`));
  const neighbour = assertDone(await c.postText('/data/T', `[{"t":"${at(0)}","v":9007199254740993}]`));
  assert.equal(receiptOf(neighbour).written, 1);
  const text = assertDone(await c.postText('/data/T', `[{"t":"${at(0)}","v":"9007199254740993"}]`));
  assert.equal(receiptOf(text).repeated, 1);
  assert.deepEqual(await readDigits(c, 'T'), ['#9007199254740992', '#9007199254740993']);
});

proves('Points/Order inside one request', 'points are put in order first, equal times keep theirs', async (c) => {
  const request = [point(3, 'd'), point(1, 'a'), point(2, 'b'), point(2, 'c'), point(1, 'A'), point(0, 'first')];
  const receipt = receiptOf(await write(c, 'T', request));
  assert.deepEqual(receipt, { written: 6, ignored: 0, repeated: 0, rejected: 0, expired: 0 });
  assert.deepEqual(await readValues(c, 'T'), ['first', 'a', 'A', 'b', 'c', 'd']);
});

proves('Points/Equal time', 'equal points of one request are stored once, the others are repeated', async (c) => {
  const list = [point(0, 1), point(0, 1), point(0, 2), point(1, 3), point(0, 1), point(1, 3, 64), point(1, 3)];
  const columns = { t: list.map(({ t }) => Date.parse(t)), v: list.map(({ v }) => v), q: list.map(({ q }) => q) };
  const written = { written: 4, ignored: 0, repeated: 3, rejected: 0, expired: 0 };
  for (const [tag, body] of Object.entries({ List: list, Columns: columns })) {
    assert.deepEqual(receiptOf(assertDone(await c.post(`/data/${tag}`, body))), written, tag);
    assert.deepEqual((await readEntry(c, tag)).d, [point(0, 1), point(0, 2), point(1, 3), point(1, 3, 64)]);
    const again = receiptOf(assertDone(await c.post(`/data/${tag}`, body)));
    assert.deepEqual(again, { written: 0, ignored: 0, repeated: 7, rejected: 0, expired: 0 }, `${tag} again`);
  }
});

proves('Points/Order inside one request', 'a large request in reverse loses nothing', async (c) => {
  const count = 10_000;
  const answer = await write(
    c,
    'T',
    Array.from({ length: count }, (_, i) => point(count - i, count - i)),
  );
  assert.equal(receiptOf(answer).written, count);
  assert.deepEqual(
    await readValues(c, 'T'),
    Array.from({ length: count }, (_, i) => i + 1),
  );
});

proves('Points/NaN, Infinity', 'they are 400, as words and as numbers too large', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  for (const value of [
    'NaN',
    'Infinity',
    '-Infinity',
    '1e999',
    '-1e999',
    '"NaN"',
    '"Infinity"',
    'nan',
    '+1',
    '01',
    '.5',
    '5.',
    '0x10',
    '1_000',
  ])
    assertProblem(await c.postText('/data/T', `[{"t":"${at(1)}","v":${value}}]`), 400);
  assert.deepEqual(await readValues(c, 'T'), [1]);
});
