// Aggregates over HTTP: every form of the answer says the same and what it is, on both transports, and what is asked for
// wrongly is said.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { unpack } from 'msgpackr';
import { AGGREGATE_ALIASES } from '../../../server/routes/request/aggregate-parameters.ts';
import { type AccessServer, startAccessServer } from '../auth/support/access-server.ts';

const START_MS = Date.UTC(2026, 0, 1);
const JSON_HEADERS = { 'content-type': 'application/json' };
const RANGE = 'start=2026-01-01T00:00:00Z&end=2026-01-01T00:01:00Z';

interface Tvq {
  readonly t: string;
  readonly v: number | boolean | string | null;
  readonly q: number;
}
interface Entry {
  readonly t: { readonly n: string };
  readonly a: string;
  readonly state?: unknown;
  readonly stateName?: string;
  readonly d: Tvq[];
  readonly r: {
    readonly kind: string;
    readonly intervalMs?: number;
    readonly interval?: string;
    readonly points: number;
    readonly percentGood: number;
  };
}

/** `A` is its seconds, every 10 s from -10 s to 70 s; `On`, `Mode` and `Text` have states. */
async function start(context: TestContext, transport: 'uws' | 'node' = 'uws'): Promise<AccessServer> {
  const server = await startAccessServer(context, transport);
  const post = async (path: string, body: unknown): Promise<void> => {
    const answer = await server.http.send('POST', path, { headers: JSON_HEADERS, body: JSON.stringify(body) });
    assert.equal(answer.status, 200, answer.text);
  };
  await post('/api/datasets/P/tags', [
    { n: 'On', t: 'System.Boolean' },
    { n: 'Mode', t: 'System.Int32', u: { 0: 'Stopped', 1: 'Running' } },
    { n: 'Text', t: 'System.String' },
    { n: 'Single', t: 'System.Single' },
    { n: 'Time', t: 'System.DateTime' },
  ]);
  const at = (seconds: number): string => new Date(START_MS + seconds * 1000).toISOString();
  const seconds = Array.from({ length: 9 }, (_, i) => i * 10 - 10);
  await post('/api/datasets/P/data', {
    A: seconds.map((s) => ({ t: at(s), v: s })),
    On: [
      { t: at(-5), v: false },
      { t: at(15), v: true },
      { t: at(70), v: false },
    ],
    Mode: [
      { t: at(-5), v: 1 },
      { t: at(45), v: 0 },
      { t: at(70), v: 1 },
    ],
    Single: [{ t: at(0), v: 0.1 }],
    Time: [{ t: at(0), v: '2025-05-05T05:05:05.123Z' }],
    Text: [
      { t: at(0), v: 'red' },
      { t: at(30), v: 'green' },
      { t: at(70), v: 'red' },
    ],
  });
  return server;
}

async function entriesOf(server: AccessServer, query: string): Promise<Entry[]> {
  const answer = await server.http.get(`/api/datasets/P/data?${RANGE}&${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json<{ tl: Entry[] }>().tl;
}

function rows({ d }: Entry): unknown[] {
  return d.map(({ t, v, q }) => [(Date.parse(t) - START_MS) / 1000, v, q]);
}

describe('aggregate=', () => {
  for (const transport of ['uws', 'node'] as const) {
    it(`gives one entry for each tag and function, over ${transport}`, async (context) => {
      const server = await start(context, transport);
      const entries = await entriesOf(
        server,
        'tagname=A&tagname=Mode&interval=30s&aggregate=timeaverage,Count&aggregate=Start',
      );
      assert.deepEqual(
        entries.map(({ t, a }) => `${t.n} ${a}`),
        ['A TimeAverage', 'A Count', 'A Start', 'Mode TimeAverage', 'Mode Count', 'Mode Start'],
      );
      const [average, count] = entries as [Entry, Entry];
      assert.deepEqual(rows(average), [
        [0, 15, 192],
        [30, 45, 192],
      ]);
      assert.deepEqual(rows(count), [
        [0, 3, 192],
        [30, 3, 192],
      ]);
      assert.deepEqual(average.r, { kind: 'aggregate', intervalMs: 30_000, points: 6, percentGood: 100 });
    });
  }

  it('is the same as columns, as msgpack, with a body, and for one tag', async (context) => {
    const server = await start(context);
    const query = 'aggregate=Average&interval=20s';
    const [plain] = (await entriesOf(server, `tagname=A&${query}`)) as [Entry];
    assert.deepEqual(rows(plain), [
      [0, 5, 192],
      [20, 25, 192],
      [40, 45, 192],
    ]);
    const path = `/api/datasets/P/data?tagname=A&${RANGE}&${query}`;
    const columns = (await server.http.get(`${path}&format=columns`)).json<{
      tl: (Omit<Entry, 'd'> & { d: unknown })[];
    }>();
    assert.deepEqual(columns.tl[0], {
      ...plain,
      d: { t: [0, 20_000, 40_000].map((ms) => START_MS + ms), v: [5, 25, 45], q: 192 },
    });
    const packed = await server.http.get(path, { accept: 'application/msgpack' });
    assert.deepEqual((unpack(packed.unpacked) as { tl: Entry[] }).tl[0], plain);
    const body = JSON.stringify({
      tagname: ['A'],
      start: '2026-01-01T00:00:00Z',
      end: '2026-01-01T00:01:00Z',
      aggregate: ['Average'],
      interval: '20s',
      treatUncertainAsBad: true,
      percentGood: 100,
    });
    const posted = await server.http.send('POST', '/api/datasets/P/read', { headers: JSON_HEADERS, body });
    assert.deepEqual(posted.json<{ tl: Entry[] }>().tl[0], plain);
    const one = await server.http.get(`/api/datasets/P/data/A?${RANGE}&${query}`);
    assert.deepEqual(one.json<Entry>(), plain);
    assert.equal(one.header('varve-reduced'), 'aggregates');
  });

  it('leaves a point at the end to the next interval, where a raw read gives it', async (context) => {
    const server = await start(context);
    const raw = (await server.http.get(`/api/datasets/P/data?tagname=A&${RANGE}`)).json<{ tl: { d: Tvq[] }[] }>();
    assert.equal(raw.tl[0]?.d.length, 7);
    const [count] = (await entriesOf(server, 'tagname=A&aggregate=Count')) as [Entry];
    assert.deepEqual(rows(count), [[0, 6, 192]]);
    assert.deepEqual(count.r, { kind: 'aggregate', intervalMs: 60_000, points: 6, percentGood: 100 });
  });

  it('gives values of tags without numbers as what they are', async (context) => {
    const server = await start(context);
    const entries = await entriesOf(server, 'tagname=On&tagname=Text&aggregate=Interpolative,End&interval=30s');
    assert.deepEqual(entries.map(rows), [
      [
        [0, false, 192],
        [30, true, 192],
      ],
      [
        [15, true, 192],
        [30, null, 0],
      ],
      [
        [0, 'red', 192],
        [30, 'green', 192],
      ],
      [
        [0, 'red', 192],
        [30, 'green', 192],
      ],
    ]);
  });

  it('writes values of other types as reads of points do', async (context) => {
    const server = await start(context);
    const entries = await entriesOf(server, 'tagname=Single&tagname=Time&aggregate=Start');
    assert.deepEqual(entries.map(rows), [[[0, 0.1, 192]], [[0, '2025-05-05T05:05:05.123Z', 192]]]);
  });

  it('tells durations, beginnings and shares of states, one entry for each', async (context) => {
    const server = await start(context);
    const entries = await entriesOf(
      server,
      'tagname=Mode&tagname=On&tagname=Text&aggregate=StateDuration,StatePercent&interval=30s',
    );
    const told = entries.map(({ t, a, state, stateName, d }) => [t.n, a, state, stateName, d.map(({ v }) => v)]);
    assert.deepEqual(told, [
      ['Mode', 'StateDuration', 0, 'Stopped', [0, 15_000]],
      ['Mode', 'StateDuration', 1, 'Running', [30_000, 15_000]],
      ['Mode', 'StatePercent', 0, 'Stopped', [0, 50]],
      ['Mode', 'StatePercent', 1, 'Running', [100, 50]],
      ['On', 'StateDuration', false, undefined, [15_000, 0]],
      ['On', 'StateDuration', true, undefined, [15_000, 30_000]],
      ['On', 'StatePercent', false, undefined, [50, 0]],
      ['On', 'StatePercent', true, undefined, [50, 100]],
      ['Text', 'StateDuration', 'red', undefined, [30_000, 0]],
      ['Text', 'StateDuration', 'green', undefined, [0, 30_000]],
      ['Text', 'StatePercent', 'red', undefined, [100, 0]],
      ['Text', 'StatePercent', 'green', undefined, [0, 100]],
    ]);
    const packed = await server.http.get(`/api/datasets/P/data?tagname=Mode&${RANGE}&aggregate=StateCount`, {
      accept: 'application/msgpack',
    });
    assert.deepEqual(
      (unpack(packed.unpacked) as { tl: Entry[] }).tl.map(({ state, d }) => [state, d[0]?.v]),
      [
        [0, 1],
        [1, 0],
      ],
    );
  });

  it('goes by the calendar of a zone, and says so', async (context) => {
    const server = await start(context);
    const query =
      'start=2026-01-01T00:00:00Z&end=2026-01-02T00:00:00Z&tz=Europe/Berlin&interval=1d&align=true&aggregate=Count';
    const answer = await server.http.get(`/api/datasets/P/data?tagname=A&${query}`);
    const [entry] = answer.json<{ tl: [Entry] }>().tl;
    assert.deepEqual(
      entry.d.map(({ t }) => t),
      ['2026-01-01T00:00:00.000Z', '2026-01-01T23:00:00.000Z'],
    );
    assert.equal(entry.r.interval, '1d');
    assert.equal(entry.r.intervalMs, undefined);
  });

  it('reads system tags, under the name asked for', async (context) => {
    const server = await start(context);
    for (const name of ['$System.Writes', 'Dataset.Writes']) {
      const answer = await server.http.get(
        `/api/datasets/P/data?tagname=${name}&relativeStart=-1h&aggregate=Count,Maximum`,
      );
      const { tl } = answer.json<{ tl: Entry[] }>();
      assert.deepEqual(
        tl.map(({ a }) => a),
        ['Count', 'Maximum'],
      );
      assert.equal(tl[0]?.t.n, name === 'Dataset.Writes' ? name : 'Writes');
    }
  });

  it('knows the names that other historians have', async (context) => {
    const server = await start(context);
    for (const [alias, name] of AGGREGATE_ALIASES) {
      const [entry] = (await entriesOf(server, `tagname=A&aggregate=${alias}`)) as [Entry];
      assert.equal(entry.a, name, alias);
    }
  });

  it('says what was asked for wrongly, and what would be right', async (context) => {
    const server = await start(context);
    const wrong: readonly (readonly [query: string, detail: RegExp])[] = [
      [`${RANGE}&aggregate=Nonsense`, /'aggregate' is 'Nonsense'; want one of Interpolative, Average, /],
      [`${RANGE}&aggregate=`, /'aggregate' is ''; want one of/],
      [`${RANGE}&aggregate=Count&interval=0s`, /'interval' is '0s'; want a length above zero/],
      [`${RANGE}&aggregate=Count&interval=-1h`, /'interval' is '-1h'; want a length above zero/],
      ['start=2026-01-01T00:00:00Z&end=2026-04-27T00:00:00Z&aggregate=Count&interval=1s', /about 10022400 intervals/],
      [`${RANGE}&aggregate=${'Count,'.repeat(30)}Count&interval=1ms`, /1860000 results .* want 1000000 at most/],
      [`${RANGE}&aggregate=${'Count,'.repeat(200)}Count`, /more than 100 functions/],
      [`${RANGE}&interval=1h`, /'interval' needs 'aggregate'/],
      [`${RANGE}&aggregate=Count&align=true`, /'align' needs 'interval'/],
      [`${RANGE}&aggregate=Count&percentGood=101`, /'percentGood' is '101'; want a number from 0 to 100/],
      [`${RANGE}&aggregate=Count&treatUncertainAsBad=1`, /'treatUncertainAsBad' is '1'; want true or false/],
      [`${RANGE}&aggregate=Count&interpolation=cubic`, /want stepped or sloped/],
      [`${RANGE}&aggregate=Count&fill=zero`, /want none or null or previous or linear/],
      [`${RANGE}&aggregate=Count&limit=5`, /'limit' does not go with 'aggregate'/],
      [`${RANGE}&aggregate=Count&points=5`, /'points' does not go with 'aggregate'/],
      [`${RANGE}&aggregate=Count&tz=Mars`, /'tz' is 'Mars'/],
      ['end=2026-01-01T00:00:00Z&aggregate=Count', /needs a start before the end/],
      ['start=2026-01-01T00:00:00Z&end=2026-01-01T00:00:00Z&aggregate=Count', /needs a start before the end/],
      [`${RANGE}&aggregate=Count&interval=1d&tz=`, /'tz' is ''/],
      ['aggregate=Count', /needs a start before the end/],
      [`${RANGE}&aggregate=Average&tagname=Text`, /'Average' needs numbers, and tag 'Text' has texts/],
    ];
    for (const [query, detail] of wrong) {
      const answer = await server.http.get(`/api/datasets/P/data?tagname=A&${query}`);
      assert.equal(answer.status, 400, `${query}: ${answer.text}`);
      assert.match(answer.json<{ detail: string }>().detail, detail, query);
    }
    const unknown = await server.http.get(`/api/datasets/P/data?tagname=Nobody&${RANGE}&aggregate=Count`);
    assert.equal(unknown.status, 404);
    const several = await server.http.get(`/api/datasets/P/data/A?${RANGE}&aggregate=Count,Start`);
    assert.match(several.json<{ detail: string }>().detail, /gives one entry, and this would be 2/);
  });

  it('has few states, or says that it has many', async (context) => {
    const server = await start(context);
    const values = Array.from({ length: 300 }, (_, i) => i);
    const body = JSON.stringify({ Many: { t: values.map((i) => START_MS + i), v: values } });
    await server.http.send('POST', '/api/datasets/P/data', { headers: JSON_HEADERS, body });
    const answer = await server.http.get(`/api/datasets/P/data?tagname=Many&${RANGE}&aggregate=StateCount`);
    assert.equal(answer.status, 400);
    assert.match(answer.json<{ detail: string }>().detail, /more than 256 different values/);
  });
});
