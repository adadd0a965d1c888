// Statistics over HTTP: their form, on both transports, and what is asked for wrongly.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type AccessServer, startAccessServer } from '../auth/support/access-server.ts';

const START_MS = Date.UTC(2026, 0, 1);
const JSON_HEADERS = { 'content-type': 'application/json' };
const RANGE = 'start=2026-01-01T00:00:00Z&end=2026-01-01T00:01:00Z';
const PATH = '/api/datasets/P/statistics';

const at = (seconds: number): string => new Date(START_MS + seconds * 1000).toISOString();

async function start(context: TestContext, transport: 'uws' | 'node' = 'uws'): Promise<AccessServer> {
  const server = await startAccessServer(context, transport);
  const body = JSON.stringify({
    A: [0, 10, 20, 50, 70].map((s) => ({ t: at(s), v: s, ...(s === 50 && { q: 0 }) })),
    Text: [{ t: at(5), v: 'red' }],
  });
  const answer = await server.http.send('POST', '/api/datasets/P/data', { headers: JSON_HEADERS, body });
  assert.equal(answer.status, 200, answer.text);
  return server;
}

describe('statistics', () => {
  for (const transport of ['uws', 'node'] as const) {
    it(`have one entry for each tag, over ${transport}`, async (context) => {
      const server = await start(context, transport);
      const answer = await server.http.get(`${PATH}?tagname=A&tagname=Text&${RANGE}`);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.json<object>(), {
        s: at(0),
        e: at(60),
        tl: [
          {
            t: { n: 'A', t: 'System.Double' },
            points: 4,
            good: 3,
            first: { t: at(0), v: 0, q: 192 },
            last: { t: at(50), v: null, q: 0 },
            min: { t: at(0), v: 0, q: 192 },
            max: { t: at(20), v: 20, q: 192 },
            mean: 10,
            timeMean: 30,
            deviation: 10,
            percentiles: { p5: 1, p50: 10, p95: 19, of: 'all' },
            percentGood: (100 * 50) / 60,
            longestGap: { s: at(20), e: at(50), ms: 30_000 },
          },
          {
            t: { n: 'Text', t: 'System.String' },
            points: 1,
            good: 1,
            first: { t: at(5), v: 'red', q: 192 },
            last: { t: at(5), v: 'red', q: 192 },
            min: null,
            max: null,
            mean: null,
            timeMean: null,
            deviation: null,
            percentiles: null,
            percentGood: 0.1 / 60,
            longestGap: { s: at(5), e: at(60), ms: 55_000 },
          },
        ],
      });
    });
  }

  it('are the same with a body', async (context) => {
    const server = await start(context);
    const asked = { tagname: ['A'], start: at(0), end: at(60), interpolation: 'stepped', treatUncertainAsBad: false };
    const posted = await server.http.send('POST', PATH, { headers: JSON_HEADERS, body: JSON.stringify(asked) });
    const query = `${RANGE}&interpolation=stepped&treatUncertainAsBad=false`;
    const got = await server.http.get(`${PATH}?tagname=A&${query}`);
    assert.equal(posted.status, 200, posted.text);
    assert.equal(posted.text, got.text);
  });

  it('refuse what they cannot mean, and name what is not there', async (context) => {
    const server = await start(context);
    const refused = async (query: string, status: number, detail: RegExp): Promise<void> => {
      const answer = await server.http.get(`${PATH}?${query}`);
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.json<{ detail: string }>().detail, detail);
    };
    await refused(RANGE, 400, /'tagname' is missing/);
    await refused('tagname=A', 400, /need a start before the end/);
    await refused(`tagname=A&start=${at(0)}&end=${at(0)}`, 400, /need a start before the end/);
    await refused(`tagname=A&${RANGE}&interval=1h`, 400, /'interval' does not go with statistics/);
    await refused(`tagname=A&${RANGE}&limit=1`, 400, /'limit' does not go with statistics/);
    await refused(`tagname=A&${RANGE}&decimal=,`, 400, /'decimal' does not go with statistics/);
    await refused(`tagname=A&${RANGE}&after=1-1`, 400, /'after' does not go with statistics/);
    await refused(`tagname=A&${RANGE}&interpolation=curved`, 400, /'interpolation'/);
    await refused(`tagname=Nobody&${RANGE}`, 404, /Nobody/);
    const skipped = await server.http.get(`${PATH}?tagname=Nobody&${RANGE}&missing=skip`);
    assert.deepEqual(skipped.json<{ tl: unknown[] }>().tl, []);
    const other = await server.http.get(`/api/datasets/Q/statistics?tagname=A&${RANGE}`);
    assert.equal(other.status, 404);
  });

  it('are of a part of very many values, and say so', { timeout: 60_000 }, async (context) => {
    const server = await start(context);
    const count = 10_000;
    for (let part = 0; part < 125; part++) {
      const t = Array.from({ length: count }, (_, i) => START_MS + part * count + i);
      const v = Array.from({ length: count }, (_, i) => part * count + i);
      const body = JSON.stringify({ Many: { t, v } });
      const answer = await server.http.send('POST', '/api/datasets/P/data', { headers: JSON_HEADERS, body });
      assert.equal(answer.status, 200, answer.text);
    }
    interface Answer {
      readonly tl: { readonly percentiles: { p5: number; p50: number; p95: number; of: string } }[];
    }
    const answer = await server.http.get(`${PATH}?tagname=Many&start=${at(0)}&end=${at(1250)}`);
    const { percentiles } = answer.json<Answer>().tl[0] as Answer['tl'][0];
    assert.equal(percentiles.of, 'sample');
    for (const [share, value] of [
      [5, percentiles.p5],
      [50, percentiles.p50],
      [95, percentiles.p95],
    ] as const) {
      // A sample of a million of 1.25 million is off by less than a thousandth.
      assert.ok(Math.abs(value - 12_500 * share) < 1500, `p${share} is ${value}`);
    }
  });
});
