// Series computed from tags, over HTTP: of points against plain arithmetic over what reads of the tags give, of intervals
// against the results of the tags, in every form of the answer, and what is asked for wrongly.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { unpack } from 'msgpackr';
import { SeededRandom } from '../../support/seeded-random.ts';
import { type AccessServer, startAccessServer } from '../auth/support/access-server.ts';

const START_MS = Date.UTC(2026, 0, 1);
const JSON_HEADERS = { 'content-type': 'application/json' };
const RANGE = 'start=2026-01-01T00:00:00Z&end=2026-01-01T00:01:00Z';

interface Tvq {
  readonly t: string;
  readonly v: number | null;
  readonly q: number;
}
interface Entry {
  readonly t: { readonly n: string; readonly t: string };
  readonly a?: string;
  readonly d: Tvq[];
  readonly r?: object;
}

const at = (seconds: number): string => new Date(START_MS + seconds * 1000).toISOString();

async function start(context: TestContext, data: object, transport: 'uws' | 'node' = 'uws'): Promise<AccessServer> {
  const server = await startAccessServer(context, transport);
  const answer = await server.http.send('POST', '/api/datasets/P/data', {
    headers: JSON_HEADERS,
    body: JSON.stringify(data),
  });
  assert.equal(answer.status, 200, answer.text);
  return server;
}

/** `In` is its seconds every 10 s, `Out` half of them every 15 s, and null at 45. */
const PUMP = {
  In: [0, 10, 20, 30, 40, 50, 60].map((s) => ({ t: at(s), v: s })),
  Out: [0, 15, 30, 45, 60].map((s) => ({ t: at(s), v: s === 45 ? null : s / 2, ...(s === 30 && { q: 64 }) })),
  Text: [{ t: at(0), v: 'red' }],
};

async function entriesOf(server: AccessServer, query: string): Promise<Entry[]> {
  const answer = await server.http.get(`/api/datasets/P/data?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json<{ tl: Entry[] }>().tl;
}

function rows({ d }: Entry): unknown[] {
  return d.map(({ t, v, q }) => [(Date.parse(t) - START_MS) / 1000, v, q]);
}

const expr = (text: string): string => `expr=${encodeURIComponent(text)}`;

describe('expr=', () => {
  for (const transport of ['uws', 'node'] as const) {
    it(`has a value at each time of its tags, over ${transport}`, async (context) => {
      const server = await start(context, PUMP, transport);
      const [input, level] = (await entriesOf(server, `tagname=In&${expr('In - Out')}&${RANGE}`)) as [Entry, Entry];
      assert.equal(input.d.length, 7);
      assert.deepEqual(level.t, { n: 'In - Out', t: 'System.Double' });
      assert.deepEqual(rows(level), [
        [0, 0, 192],
        [10, 10, 192],
        [15, 2.5, 192],
        [20, 12.5, 192],
        [30, 15, 64],
        [40, 25, 64],
        [45, null, 0],
        [50, null, 0],
        [60, 30, 192],
      ]);
      assert.deepEqual(level.r, { kind: 'calculated', points: 12 });
    });
  }

  it('begins with what is in force at the start when it is asked to', async (context) => {
    const server = await start(context, PUMP);
    const range = `start=${at(12)}&end=${at(16)}`;
    const [inside] = (await entriesOf(server, `${expr('In + Out')}&${range}`)) as [Entry];
    assert.deepEqual(rows(inside), [[15, 17.5, 192]]);
    const [carried] = (await entriesOf(server, `${expr('In + Out')}&${range}&boundary=carry`)) as [Entry];
    assert.deepEqual(rows(carried), [
      [10, 10, 192],
      [15, 17.5, 192],
    ]);
    const [behind] = (await entriesOf(server, `${expr('In + Out')}&start=${at(70)}&boundary=carry`)) as [Entry];
    assert.deepEqual(rows(behind), [[60, 90, 192]]);
    const [exact] = (await entriesOf(server, `${expr('In')}&start=${at(20)}&end=${at(20)}&boundary=carry`)) as [Entry];
    assert.deepEqual(rows(exact), [[20, 20, 192]]);
  });

  it('is one value without a start: of the newest points, or of those at a time', async (context) => {
    const server = await start(context, PUMP);
    const [newest] = (await entriesOf(server, expr('In * 2 - Out'))) as [Entry];
    assert.deepEqual(rows(newest), [[60, 90, 192]]);
    const [then] = (await entriesOf(server, `${expr('In - Out')}&end=${at(22)}`)) as [Entry];
    assert.deepEqual(rows(then), [[20, 12.5, 192]]);
    const [before] = (await entriesOf(server, `${expr('In - Out')}&end=${at(-1)}`)) as [Entry];
    assert.deepEqual(before.d, []);
  });

  it('is of the results of its tags with functions', async (context) => {
    const server = await start(context, PUMP);
    const query = `${RANGE}&interval=20s&aggregate=TimeAverage,Maximum`;
    const entries = await entriesOf(server, `tagname=In&tagname=Out&${expr('In - Out')}&${expr('In / 0')}&${query}`);
    assert.deepEqual(
      entries.map(({ t, a }) => [t.n, a]),
      ['In', 'Out', 'In - Out', 'In / 0'].flatMap((name) => [
        [name, 'TimeAverage'],
        [name, 'Maximum'],
      ]),
    );
    const [average, maximum, outAverage, outMaximum, level, most, none] = entries as Entry[];
    for (const [a, b, both] of [
      [average, outAverage, level],
      [maximum, outMaximum, most],
    ] as [Entry, Entry, Entry][]) {
      const want = a.d.map(({ t, v, q }, k) => {
        const other = b.d[k] as Tvq;
        const value = v === null || other.v === null ? null : v - other.v;
        return { t, v: value, q: value === null ? 0 : Math.min(q, other.q) };
      });
      assert.deepEqual(both.d, want);
    }
    assert.deepEqual(level?.r, { kind: 'calculated', intervalMs: 20_000, points: 10, percentGood: 100 / 3 });
    assert.deepEqual(
      none?.d.map(({ v, q }) => [v, q]),
      [
        [null, 0],
        [null, 0],
        [null, 0],
      ],
    );
    const [left] = (await entriesOf(server, `${expr('In / 0')}&${query}&fill=none`)) as [Entry];
    assert.deepEqual(left.d, []);
  });

  it('is the same as columns, as msgpack, and with a body', async (context) => {
    const server = await start(context, PUMP);
    for (const more of ['', '&interval=20s&aggregate=Average']) {
      const query = `${expr('In - Out')}&${RANGE}${more}`;
      const [plain] = (await entriesOf(server, query)) as [Entry];
      const path = `/api/datasets/P/data?${query}`;
      const packed = await server.http.get(path, { accept: 'application/msgpack' });
      assert.deepEqual((unpack(packed.unpacked) as { tl: Entry[] }).tl[0], plain);
      const columns = (await server.http.get(`${path}&format=columns`)).json<{ tl: [{ d: { v: unknown[] } }] }>();
      assert.deepEqual(
        columns.tl[0].d.v,
        plain.d.map(({ v }) => v),
      );
      const body = JSON.stringify({
        expr: ['In - Out'],
        start: at(0),
        end: at(60),
        ...(more !== '' && { interval: '20s', aggregate: ['Average'] }),
      });
      const posted = await server.http.send('POST', '/api/datasets/P/read', { headers: JSON_HEADERS, body });
      assert.deepEqual(posted.json<{ tl: Entry[] }>().tl, [plain]);
    }
  });

  it('is plain arithmetic over the points of its tags, over random series', async (context) => {
    const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
    const random = new SeededRandom(seed);
    const draw = (): Tvq[] => {
      let seconds = random.between(0, 100);
      return Array.from({ length: 3000 }, () => {
        seconds += random.pick([0, 1, 1, 5]);
        const q = random.pick([192, 192, 192, 64, 0]);
        return { t: at(seconds), v: random.chance(0.1) ? null : random.between(-9, 9), q };
      });
    };
    const server = await start(context, { A: draw(), B: draw(), C: draw() });
    // The points as they are stored: there is one of equal points at one time.
    const tags = await entriesOf(server, 'tagname=A&tagname=B&tagname=C&start=2025-01-01');
    const [A, B, C] = tags.map(({ d }) => d) as [Tvq[], Tvq[], Tvq[]];
    const range = { from: random.between(0, 4000), to: random.between(4000, 9000) };
    const [got] = (await entriesOf(server, `${expr('A * B + C')}&start=${at(range.from)}&end=${at(range.to)}`)) as [
      Entry,
    ];
    const times = [...new Set([...A, ...B, ...C].map(({ t }) => t))].sort();
    const inForce = (points: readonly Tvq[], t: string): Tvq | undefined => points.findLast((point) => point.t <= t);
    const want: Tvq[] = [];
    for (const t of times) {
      if (t < at(range.from) || t > at(range.to)) continue;
      const [a, b, c] = [inForce(A, t), inForce(B, t), inForce(C, t)];
      if (!a || !b || !c) continue;
      const isNull = a.v === null || b.v === null || c.v === null;
      const value = isNull ? null : (a.v as number) * (b.v as number) + (c.v as number);
      want.push({ t, v: value, q: isNull ? 0 : Math.min(a.q, b.q, c.q) });
    }
    assert.deepEqual(got.d, want, `SEED=${seed}`);
  });

  it('goes by what was before, also before the start of what is asked for', async (context) => {
    const server = await start(context, PUMP);
    const query = `${expr('previous(In)')}&${expr("rate(In, 'm')")}&${expr('integral(In)')}&${expr("movingAverage(In, '20s')")}`;
    const points = await entriesOf(server, `${query}&start=${at(20)}&end=${at(40)}`);
    assert.deepEqual(points.map(rows), [
      [
        [20, 10, 192],
        [30, 20, 192],
        [40, 30, 192],
      ],
      [
        [20, 60, 192],
        [30, 60, 192],
        [40, 60, 192],
      ],
      [
        [20, 0, 192],
        [30, 200, 192],
        [40, 500, 192],
      ],
      [
        [20, 5, 192],
        [30, 15, 192],
        [40, 25, 192],
      ],
    ]);
    const [all] = (await entriesOf(server, `tagname=In&${RANGE}&interval=10s&aggregate=TimeAverage2`)) as [Entry];
    const averages = all.d.map(({ v }) => v as number);
    for (const align of ['', '&align=true&tz=Europe/Berlin']) {
      const range = `start=${at(20)}&end=${at(60)}&interval=10s&aggregate=TimeAverage2${align}`;
      const intervals = await entriesOf(server, `${query}&${range}`);
      const wanted = [
        [2, 3, 4, 5].map((i) => averages[i - 1]),
        [60, 60, 60, 60],
        [2, 3, 4, 5].map((i) => 10 * averages.slice(2, i + 1).reduce((sum, one) => sum + one, 0)),
        [2, 3, 4, 5].map((i) => ((averages[i] as number) + (averages[i - 1] as number)) / 2),
      ];
      assert.deepEqual(
        intervals.map(({ d }) => d.map(({ v }) => v)),
        wanted,
      );
      assert.deepEqual(
        rows(intervals[0] as Entry).map((row) => (row as number[])[0]),
        [20, 30, 40, 50],
      );
    }
    const monthly = `${expr('previous(In)')}&start=2026-02-01&end=2026-03-01&interval=1M&aggregate=TimeAverage2&align=true`;
    const [january] = (await entriesOf(
      server,
      `tagname=In&start=2026-01-01&end=2026-02-01&aggregate=TimeAverage2`,
    )) as [Entry];
    const [before] = (await entriesOf(server, monthly)) as [Entry];
    assert.deepEqual(
      before.d.map(({ v }) => v),
      january.d.map(({ v }) => v),
    );
  });

  it('refuses what it cannot mean, and names what is not there', async (context) => {
    const server = await start(context, PUMP);
    const refused = async (query: string, status: number, detail: RegExp): Promise<void> => {
      const answer = await server.http.get(`/api/datasets/P/data?${query}`);
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.json<{ detail: string }>().detail, detail);
    };
    await refused(`${expr('In +')}&${RANGE}`, 400, /cannot be read/);
    await refused(`${expr('1')}&${RANGE}`, 400, /names no tag/);
    await refused(`${expr('In + Nobody')}&${RANGE}`, 404, /Nobody/);
    await refused(`${expr('Text * 2')}&${RANGE}`, 400, /'Text' has texts/);
    await refused(`${expr('In')}&${RANGE}&limit=5`, 400, /'limit' does not go with 'expr'/);
    await refused(`${expr('In')}&${RANGE}&points=50`, 400, /'points' does not go with 'expr'/);
    await refused(`${expr('In')}&${RANGE}&aggregate=Start`, 400, /'Start', which does not go with 'expr'/);
    await refused(`${expr('In')}&${RANGE}&aggregate=StateCount`, 400, /does not go with 'expr'/);
    await refused(`${expr('In')}&${RANGE}&interval=1s`, 400, /'interval'/);
    await refused(Array(17).fill(expr('In')).join('&'), 400, /more than 16 times/);
    await refused(expr('previous(In)'), 400, /goes by what was before; give it a start/);
    const hourly = `start=${at(0)}&end=${at(60)}&interval=1s&aggregate=TimeAverage`;
    await refused(`${expr("movingAverage(In, '1d')")}&${hourly}`, 400, /goes back 86400 intervals from the start/);
    await refused(RANGE, 400, /'tagname' is missing/);
    const body = JSON.stringify({ relativeStart: '-1h' });
    const posted = await server.http.send('POST', '/api/datasets/P/read', { headers: JSON_HEADERS, body });
    assert.equal(posted.status, 400, posted.text);
  });
});
