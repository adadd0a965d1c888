// format=rows and format=wide over HTTP: rows against what an ordinary read gives, in JSON and CSV, and what is asked wrongly.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { SeededRandom } from '../../../support/seeded-random.ts';
import { type AccessServer, startAccessServer } from '../../auth/support/access-server.ts';

const START_MS = Date.UTC(2026, 0, 1);
const at = (seconds: number): string => new Date(START_MS + seconds * 1000).toISOString();
const RANGE = `start=${START_MS}&end=${START_MS + 3_600_000}`;

type Row = Record<string, unknown>;

const PLANT = {
  A: [
    { t: at(0), v: 1.5 },
    { t: at(10), v: 2 },
    { t: at(30), v: null, q: 24 },
  ],
  'B "x", y': [
    { t: at(10), v: 'red,\n"green"' },
    { t: at(20), v: '' },
  ],
  On: [
    { t: at(0), v: true },
    { t: at(30), v: false, q: 24 },
  ],
};

async function start(context: TestContext, data: object, transport: 'uws' | 'node' = 'uws'): Promise<AccessServer> {
  const server = await startAccessServer(context, transport);
  const answer = await server.http.post('/api/datasets/P/data', data, { 'content-type': 'application/json' });
  assert.equal(answer.status, 200, answer.text);
  return server;
}

const TAGS = Object.keys(PLANT)
  .map((name) => `tagname=${encodeURIComponent(name)}`)
  .join('&');

async function rowsOf({ http }: AccessServer, query: string): Promise<Row[]> {
  const answer = await http.get(`/api/datasets/P/data?${query}`);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.header('content-type'), 'application/json');
  return answer.json<Row[]>();
}

for (const transport of ['uws', 'node'] as const) {
  describe(`rows over ${transport}`, () => {
    it('are the points of an ordinary read, tag by tag', async (context) => {
      const server = await start(context, PLANT, transport);
      assert.deepEqual(await rowsOf(server, `${TAGS}&${RANGE}&format=rows`), [
        { time: at(0), tag: 'A', value: 1.5, quality: 192 },
        { time: at(10), tag: 'A', value: 2, quality: 192 },
        { time: at(30), tag: 'A', value: null, quality: 24 },
        { time: at(10), tag: 'B "x", y', value: 'red,\n"green"', quality: 192 },
        { time: at(20), tag: 'B "x", y', value: '', quality: 192 },
        { time: at(0), tag: 'On', value: true, quality: 192 },
        { time: at(30), tag: 'On', value: false, quality: 24 },
      ]);
    });

    it('are wide with a column for each tag, empty where there is no point or a bad one', async (context) => {
      const server = await start(context, PLANT, transport);
      const b = 'B "x", y';
      assert.deepEqual(await rowsOf(server, `${TAGS}&${RANGE}&format=wide`), [
        { time: at(0), A: 1.5, [b]: null, On: true },
        { time: at(10), A: 2, [b]: 'red,\n"green"', On: null },
        { time: at(20), A: null, [b]: '', On: null },
        { time: at(30), A: null, [b]: null, On: null },
      ]);
    });

    it('are CSV when they are asked for as that, or the client likes it better', async (context) => {
      const { http } = await start(context, PLANT, transport);
      const expected = [
        'time,tag,value,quality',
        `${at(0)},A,1.5,192`,
        `${at(10)},A,2,192`,
        `${at(30)},A,,24`,
        `${at(10)},"B ""x"", y","red,\n""green""",192`,
        `${at(20)},"B ""x"", y","",192`,
        `${at(0)},On,true,192`,
        `${at(30)},On,false,24`,
        '',
      ].join('\r\n');
      for (const [query, headers] of [
        ['&as=csv', {}],
        ['', { accept: 'text/csv;q=0.9,text/plain' }],
      ] as const) {
        const answer = await http.get(`/api/datasets/P/data?${TAGS}&${RANGE}&format=rows${query}`, headers);
        assert.equal(answer.header('content-type'), 'text/csv; charset=utf-8');
        assert.equal(answer.text, expected);
      }
      const wide = await http.get(`/api/datasets/P/data?tagname=A&tagname=On&${RANGE}&format=wide&as=csv`);
      assert.equal(wide.text, `time,A,On\r\n${at(0)},1.5,true\r\n${at(10)},2,\r\n${at(30)},,\r\n`);
    });
  });
}

describe('rows', () => {
  it('say which function they are results of, and wide ones have all times of the intervals', async (context) => {
    const server = await start(context, PLANT);
    const query = `tagname=A&start=${START_MS}&end=${START_MS + 20_000}&aggregate=Maximum&aggregate=Count&interval=10s`;
    assert.deepEqual(await rowsOf(server, `${query}&format=rows`), [
      ...[1.5, 2].map((value, i) => row(i, 'Maximum', value)),
      ...[1, 1].map((value, i) => row(i, 'Count', value)),
    ]);
    assert.deepEqual(await rowsOf(server, `${query}&format=wide`), [
      { time: at(0), 'A Maximum': 1.5, 'A Count': 1 },
      { time: at(10), 'A Maximum': 2, 'A Count': 1 },
    ]);

    function row(i: number, name: string, value: number): Row {
      return { time: at(i * 10), tag: 'A', function: name, state: null, stateName: null, value, quality: 192 };
    }
  });

  it('are the same by a body, with numbers for times, and of one tag', async (context) => {
    const server = await start(context, PLANT);
    const body = { tagname: ['A'], start: START_MS, end: START_MS + 3_600_000, format: 'rows' };
    const byBody = (await server.http.post('/api/datasets/P/read', body)).json<Row[]>();
    assert.equal(byBody.length, 3);
    assert.deepEqual(await rowsOf(server, `tagname=A&${RANGE}&format=rows`), byBody);
    const one = (await server.http.get(`/api/datasets/P/data/A?${RANGE}&format=rows`)).json<Row[]>();
    assert.deepEqual(one, byBody);
  });

  it('of long random series, with equal times, are those of an ordinary read in both forms', async (context) => {
    const random = new SeededRandom(7);
    const series = Object.fromEntries(
      ['X', 'Y', 'Z'].map((name) => {
        let timeMs = START_MS;
        const points = Array.from({ length: 6000 }, (_, i) => {
          timeMs += random.below(4) * 100;
          return { t: new Date(timeMs).toISOString(), v: i };
        });
        return [name, points];
      }),
    );
    const server = await start(context, series);
    const query = 'tagname=X&tagname=Y&tagname=Z&relativeStart=-100y';
    const plain = await server.http.get(`/api/datasets/P/data?${query}`);
    const entries = plain.json<{ tl: { t: { n: string }; d: { t: string; v: number; q: number }[] }[] }>().tl;
    const expected = entries.flatMap(({ t: { n }, d }) =>
      d.map(({ t, v, q }) => ({ time: t, tag: n, value: v, quality: q })),
    );
    assert.ok(expected.length > 10_000);
    assert.deepEqual(await rowsOf(server, `${query}&format=rows`), expected);
    const wide = await rowsOf(server, `${query}&format=wide`);
    for (const { t, d } of entries) {
      const column = wide.filter((row) => row[t.n] !== null).map((row) => [row.time, row[t.n]]);
      assert.deepEqual(
        column,
        d.map((point) => [point.t, point.v]),
        t.n,
      );
    }
    const times = wide.map(({ time }) => time as string);
    assert.deepEqual(times, times.toSorted());
  });

  it('are refused with what they have no place for', async (context) => {
    const names = Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`T${i}`, [{ t: at(0), v: i }]]));
    const { http } = await start(context, names);
    const all = Object.keys(names)
      .map((name) => `tagname=${name}`)
      .join('&');
    for (const [query, message] of [
      ['tagname=T1&as=csv', /'as' needs format=rows/],
      ['tagname=T1&format=rows&as=xml', /'as' is 'xml'; want json or csv or jsonl/],
      ['tagname=T1&format=rows&after=x', /'after'/],
      ['tagname=T1&format=wide&limit=5', /'limit' does not go with 'format=wide'/],
      [`${all}&format=wide`, /64 at most, and this would be 65/],
      ['tagname=T1&start=999999999999999&format=rows', /outside the years/],
    ] as const) {
      const answer = await http.get(`/api/datasets/P/data?${query}`);
      assert.equal(answer.status, 400, query);
      assert.match(answer.text, message);
    }
  });
});
