// The time parameters of a read: their forms, and how two of them combine.

import assert from 'node:assert/strict';
import type { MultiReadAnswer, TagDataAnswer } from '../answers.ts';
import type { CaseContext } from '../case-context.ts';
import { proves, provesBehind } from '../registry.ts';
import {
  assertDone,
  assertProblem,
  assertStatus,
  at,
  DAY_MS,
  defineTag,
  fromNow,
  HOUR_MS,
  point,
  readEntry,
  readValues,
  write,
} from '../steps.ts';

const RELATIVE = 'Reading/relativeStart, relativeEnd';

/** Start and end of the range that a query asks for, of a tag without points. */
async function rangeOf(
  c: CaseContext,
  query: string,
): Promise<{ s: string; e: string; startMs: number; endMs: number }> {
  const { s, e } = await readEntry(c, 'T', query);
  return { s, e, startMs: Date.parse(s), endMs: Date.parse(e) };
}

proves('Reading/start, end', 'ISO times with offset, without, and with up to 9 fraction digits', async (c) => {
  await defineTag(c, { n: 'T' });
  const starts: readonly (readonly [string, string])[] = [
    ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00.000Z'],
    ['2024-01-01T00:00:00', '2024-01-01T00:00:00.000Z'],
    ['2024-01-01T00:00:00.5', '2024-01-01T00:00:00.500Z'],
    ['2024-01-01T00:00:00.123456789Z', '2024-01-01T00:00:00.1234567Z'],
    ['2024-01-01T00:00:00-03:30', '2024-01-01T03:30:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ];
  for (const [sent, read] of starts) {
    assert.equal((await rangeOf(c, `start=${sent}&end=2025-01-01T00:00:00Z`)).s, read);
    assert.equal((await rangeOf(c, `start=0001-01-01T00:00:00Z&end=${sent}`)).e, read);
  }
});

proves(
  'Reading/start, end',
  'unixStart and unixEnd are seconds with fraction, from 1e11 up milliseconds',
  async (c) => {
    await defineTag(c, { n: 'T' });
    const times: readonly (readonly [string, string])[] = [
      ['0', '1970-01-01T00:00:00.000Z'],
      ['1704067200', '2024-01-01T00:00:00.000Z'],
      ['1704067200.5', '2024-01-01T00:00:00.500Z'],
      ['1704067200.125', '2024-01-01T00:00:00.125Z'],
      ['1704067200500', '2024-01-01T00:00:00.500Z'],
      ['99999999999', '5138-11-16T09:46:39.000Z'],
      ['100000000000', '1973-03-03T09:46:40.000Z'],
      ['-1', '1969-12-31T23:59:59.000Z'],
    ];
    for (const [sent, read] of times) {
      assert.equal((await rangeOf(c, `unixStart=${sent}&end=9999-01-01T00:00:00Z`)).s, read, sent);
      assert.equal((await rangeOf(c, `start=0001-01-01T00:00:00Z&unixEnd=${sent}`)).e, read, sent);
    }
    for (const wrong of ['x', '', '2024-01-01', '1e400', 'NaN', 'Infinity', '1704067200Z', '0x10'])
      for (const name of ['unixStart', 'unixEnd']) assertProblem(await c.get(`/data?tagname=T&${name}=${wrong}`), 400);
  },
);

proves(RELATIVE, 'a sign and units d h m w s, several in a row, with or without now', async (c) => {
  await defineTag(c, { n: 'T' });
  const MINUTE_MS = 60_000;
  const spans: readonly (readonly [string, number])[] = [
    ['-2h', -2 * HOUR_MS],
    ['-90s', -90_000],
    ['-1m', -MINUTE_MS],
    ['-1d', -DAY_MS],
    ['-1w', -7 * DAY_MS],
    ['-1d12h', -1.5 * DAY_MS],
    ['-1h30m15s', -(HOUR_MS + 30 * MINUTE_MS + 15_000)],
    ['now-2h', -2 * HOUR_MS],
    ['now', 0],
    ['-0h', 0],
  ];
  for (const [span, spanMs] of spans) {
    const { startMs, endMs } = await rangeOf(c, `relativeStart=${span}`);
    assert.equal(startMs - endMs, spanMs, span);
  }
  for (const span of ['2h', '+2h', 'now+2h']) {
    const { startMs, endMs } = await rangeOf(c, `relativeStart=now&relativeEnd=${span}`);
    assert.equal(endMs - startMs, 2 * HOUR_MS, span);
  }
  const { startMs, endMs } = await rangeOf(c, 'relativeStart=-2h&relativeEnd=-1h');
  assert.equal(endMs - startMs, HOUR_MS);
});

proves(RELATIVE, "now is the server's clock, as in the Date header", async (c) => {
  await defineTag(c, { n: 'T' });
  const answer = await c.get('/data/T?relativeStart=-2h&relativeEnd=-1h');
  const { s, e } = answer.json<TagDataAnswer>();
  const dateMs = Date.parse(answer.header('date') ?? '');
  assert.ok(Math.abs(Date.parse(s) - (dateMs - 2 * HOUR_MS)) < 3000);
  assert.ok(Math.abs(Date.parse(e) - (dateMs - HOUR_MS)) < 3000);
});

/** Moves a time by calendar months in UTC; a day that the month does not have becomes its last. */
function addMonths(timeMs: number, months: number): number {
  const time = new Date(timeMs);
  const first = Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months, 1);
  const lastDay = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months + 1, 0)).getUTCDate();
  const day = Math.min(time.getUTCDate(), lastDay);
  return first + (day - 1) * DAY_MS + (timeMs % DAY_MS);
}

provesBehind(RELATIVE, "y and M are calendar steps in UTC, clamped to the month's last day", async (c) => {
  const own = await c.withServer({ clockOffsetMs: Date.UTC(2024, 2, 31, 12) - Date.now() });
  await defineTag(own, { n: 'T' });
  const months: readonly (readonly [string, number, string])[] = [
    ['-1M', -1, '2024-02-29'],
    ['-13M', -13, '2023-02-28'],
    ['-4M', -4, '2023-11-30'],
    ['-3M', -3, '2023-12-31'],
    ['-1y', -12, '2023-03-31'],
    ['-100y', -1200, '1924-03-31'],
    ['-2y1M', -25, '2022-02-28'],
  ];
  for (const [span, count, day] of months) {
    const { s, startMs, endMs } = await rangeOf(own, `relativeStart=${span}`);
    assert.equal(s.slice(0, 10), day, span);
    assert.equal(startMs, addMonths(endMs, count), span);
  }
  const ahead = await rangeOf(own, 'relativeStart=now&relativeEnd=1M');
  assert.equal(ahead.endMs, addMonths(ahead.startMs, 1));
  assert.equal(ahead.e.slice(0, 10), '2024-04-30');
  await own.server.turnClock(Date.UTC(2028, 1, 29) - Date.UTC(2024, 2, 31));
  assert.equal((await rangeOf(own, 'relativeStart=-1y')).s.slice(0, 10), '2027-02-28');
  assert.equal((await rangeOf(own, 'relativeStart=-4y')).s.slice(0, 10), '2024-02-29');
});

proves(RELATIVE, 'anything else is 400', async (c) => {
  await defineTag(c, { n: 'T' });
  const wrong = [
    '',
    '-',
    '-2',
    's',
    'd-',
    '-2x',
    '--2h',
    '-2h-1m',
    '-1.5h',
    'yesterday',
    '-2H',
    '-2 h',
    'now-',
    'then-2h',
    '2024-01-01T00:00:00Z',
    '-h2',
    '-2hours',
    '%2d',
    'nownow',
  ];
  for (const span of wrong) {
    assertProblem(await c.get(`/data?tagname=T&relativeStart=${encodeURIComponent(span)}`), 400);
    assertProblem(await c.get(`/data?tagname=T&relativeEnd=${encodeURIComponent(span)}`), 400);
  }
  for (const span of ['-99999y', '-9999999999999999999999d'])
    assert.ok((await c.get(`/data?tagname=T&relativeStart=${span}`)).status < 500);
});

const ANCHORS = 'Reading/Relative times, addition';

provesBehind(
  ANCHORS,
  'a bare unit is the start of the present one, and offsets go from there, in both reads',
  async (c) => {
    const own = await c.withServer({ clockOffsetMs: Date.UTC(2024, 4, 16, 13, 45, 12) - Date.now() });
    await defineTag(own, { n: 'T' });
    const starts: readonly (readonly [string, string])[] = [
      ['h', '2024-05-16T13:00:00.000Z'],
      ['d', '2024-05-16T00:00:00.000Z'],
      ['w', '2024-05-13T00:00:00.000Z'],
      ['M', '2024-05-01T00:00:00.000Z'],
      ['y', '2024-01-01T00:00:00.000Z'],
      ['d-1d', '2024-05-15T00:00:00.000Z'],
      ['h-2h', '2024-05-16T11:00:00.000Z'],
      ['d+6h', '2024-05-16T06:00:00.000Z'],
      ['M-1M', '2024-04-01T00:00:00.000Z'],
    ];
    for (const [relativeStart, expected] of starts) {
      assert.equal((await rangeOf(own, `relativeStart=${relativeStart}`)).s, expected, relativeStart);
      const byBody = await own.post('/read', { tagname: ['T'], relativeStart });
      assert.equal(assertStatus(byBody, 200).json<MultiReadAnswer>().s, expected, relativeStart);
    }
    const { s, e } = await rangeOf(own, 'relativeStart=d-1d&relativeEnd=d');
    assert.deepEqual([s, e], ['2024-05-15T00:00:00.000Z', '2024-05-16T00:00:00.000Z']);
  },
);

provesBehind(ANCHORS, 'tz moves starts of units and calendar steps to that zone, over daylight saving', async (c) => {
  const own = await c.withServer({ clockOffsetMs: Date.UTC(2024, 2, 31, 12) - Date.now() });
  await write(own, 'T', [
    { t: '2024-03-30T22:59:59Z', v: 1 },
    { t: '2024-03-30T23:00:00Z', v: 2 },
    { t: '2024-03-31T11:00:00Z', v: 3 },
  ]);
  const today = 'relativeStart=d&relativeEnd=d%2B1d&tz=Europe/Berlin';
  const { s, e } = await rangeOf(own, today);
  assert.deepEqual([s, e], ['2024-03-30T23:00:00.000Z', '2024-03-31T22:00:00.000Z'], 'a day of 23 hours');
  assert.deepEqual(await readValues(own, 'T', today), [2, 3]);
  const byBody = { tagname: ['T'], relativeStart: 'd', relativeEnd: 'd+1d', tz: 'Europe/Berlin' };
  assert.equal(assertStatus(await own.post('/read', byBody), 200).json<MultiReadAnswer>().s, s);
  assert.equal((await rangeOf(own, 'relativeStart=d&tz=Etc/GMT+5')).s, '2024-03-31T05:00:00.000Z', 'a plus stays');
  const chart = assertStatus(await own.get(`/data?tagname=T&${today}&points=10`), 200).json<MultiReadAnswer>();
  assert.deepEqual([chart.s, chart.e], [s, e]);
  assertDone(await own.delete('/data?tagname=T&relativeStart=d&tz=Europe/Berlin'));
  assert.deepEqual(await readValues(own, 'T'), [1]);
});

proves(ANCHORS, 'an unknown zone is 400 that says what is wanted', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  for (const tz of ['Mars/Olympus', '', 'Berlin', '+02:00']) {
    for (const time of ['relativeStart=d', `start=${at(0)}`]) {
      const { key, detail } = assertProblem(await c.get(`/data?tagname=T&${time}&tz=${tz}`), 400);
      assert.equal(key, 'Error.BadTime');
      assert.match(detail, /IANA name/);
    }
    assertProblem(await c.post('/read', { tagname: ['T'], relativeStart: 'd', tz }), 400);
    assertProblem(await c.delete(`/data?tagname=T&relativeStart=d&tz=${tz}`), 400);
  }
  assert.deepEqual(await readValues(c, 'T'), [1]);
});

proves('Reading/Two forms for one bound', 'it is 400, in each combination and both reads', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  const starts = [`start=${at(0)}`, 'unixStart=0', 'relativeStart=-1h'];
  const ends = [`end=${at(0)}`, 'unixEnd=0', 'relativeEnd=1h'];
  for (const forms of [starts, ends])
    for (const one of forms)
      for (const other of forms.filter((form) => form !== one)) {
        assertProblem(await c.get(`/data?tagname=T&${one}&${other}`), 400);
        assertProblem(await c.get(`/data/T?${one}&${other}`), 400);
      }
});

proves('Reading/Start after end', '400 when both were given', async (c) => {
  await write(c, 'T', [point(0, 1)]);
  for (const query of [
    `start=${at(1)}&end=${at(0)}`,
    'start=2024-01-01T00:00:00.0000001Z&end=2024-01-01T00:00:00Z',
    'unixStart=2&unixEnd=1',
    'relativeStart=-1h&relativeEnd=-2h',
    `start=${fromNow(HOUR_MS)}&relativeEnd=now`,
  ]) {
    assertProblem(await c.get(`/data?tagname=T&${query}`), 400);
    assertProblem(await c.get(`/data/T?${query}`), 400);
  }
  assert.deepEqual(await readValues(c, 'T', `start=${at(0)}&end=${at(0)}`), [1]);
});

proves('Reading/Start after end', '200 and nothing when the end defaulted to now', async (c) => {
  await write(c, 'T', [point(0, 1), { t: fromNow(2 * HOUR_MS), v: 2 }]);
  for (const query of [`start=${fromNow(HOUR_MS)}`, 'relativeStart=1h', `unixStart=${Date.now() / 1000 + 3600}`]) {
    assert.deepEqual((await readEntry(c, 'T', query)).d, [], query);
    assert.deepEqual(assertStatus(await c.get(`/data/T?${query}`), 200).json<TagDataAnswer>().d, []);
  }
});

proves('Reading/Start after end', 'nothing is carried into such a range either', async (c) => {
  const ahead = fromNow(2 * HOUR_MS);
  await write(c, 'T', [point(0, 1), { t: ahead, v: 2 }]);
  for (const start of ['relativeStart=+1d', 'relativeStart=+1h', `start=${fromNow(HOUR_MS)}`]) {
    for (const form of ['', '&format=columns', '&limit=1', '&points=10']) {
      const query = `${start}&boundary=carry${form}`;
      const { d } = await readEntry(c, 'T', query);
      assert.deepEqual(d, form === '&format=columns' ? { t: [], v: [], q: 192 } : [], query);
    }
  }
  const carried = await readEntry(c, 'T', `start=${fromNow(HOUR_MS)}&end=${fromNow(3 * HOUR_MS)}&boundary=carry`);
  assert.deepEqual(
    carried.d.map(({ v }) => v),
    [1, 2],
  );
});
