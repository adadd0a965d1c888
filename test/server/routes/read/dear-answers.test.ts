// Answers that would hold much memory: refused while there is none for them, the server serves everything else.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type AccessServer, startAccessServer } from '../../auth/support/access-server.ts';

const KIB = 1024;
const START_MS = Date.UTC(2026, 0, 1);
const POINTS = 50_000;
const START = new Date(START_MS).toISOString();
const END = new Date(START_MS + POINTS * 1000).toISOString();
const RANGE = `tagname=A&start=${START}&end=${END}`;
const DATA = '/api/datasets/P/data';

async function start(context: TestContext, answersInFlightBytes: number): Promise<AccessServer> {
  const server = await startAccessServer(context, 'uws', undefined, { answersInFlightBytes });
  const t = Array.from({ length: POINTS }, (_, i) => START_MS + i * 1000);
  const body = JSON.stringify({ A: { t, v: t.map((_, i) => i % 1000) } });
  const headers = { 'content-type': 'application/json' };
  const answer = await server.http.send('POST', DATA, { headers, body });
  assert.equal(answer.status, 200, answer.text);
  return server;
}

async function assertRefused({ http }: AccessServer, path: string): Promise<void> {
  const answer = await http.get(path);
  assert.equal(answer.status, 503, path);
  assert.equal(answer.headers['retry-after'], '1', path);
  assert.match(answer.text, /The answers under way hold too much memory/, path);
}

describe('an answer for which there is no memory is 503, and a smaller one is given:', () => {
  it('intervals and results of functions', async (context) => {
    const server = await start(context, 512 * KIB);
    for (let i = 0; i < 3; i++) {
      await assertRefused(server, `${DATA}?${RANGE}&aggregate=Average&interval=1s`);
      // The edges alone fit, and 14 functions do not.
      const functions = Array.from({ length: 14 }, () => 'Average').join(',');
      await assertRefused(server, `${DATA}?${RANGE}&aggregate=${functions}&interval=10s`);
      const answer = await server.http.get(`${DATA}?${RANGE}&aggregate=Average&interval=10s`);
      assert.equal(answer.status, 200, answer.text.slice(0, 200));
    }
  });

  it('the values of statistics', async (context) => {
    const server = await start(context, 512 * KIB);
    const path = '/api/datasets/P/statistics';
    const end = new Date(START_MS + 10_000_000).toISOString();
    for (let i = 0; i < 3; i++) {
      await assertRefused(server, `${path}?${RANGE}`);
      const many = Array.from({ length: 20 }, () => 'tagname=A').join('&');
      const answer = await server.http.get(`${path}?${many}&start=${START}&end=${end}`);
      assert.equal(answer.status, 200, answer.text.slice(0, 200));
    }
  });

  it('points that a format needs twice, rows of several tags, and what is streamed', async (context) => {
    const server = await start(context, 512 * KIB);
    await assertRefused(server, `${DATA}?${RANGE}`);
    await assertRefused(server, `${DATA}?${RANGE}&format=columns`);
    await assertRefused(server, `${DATA}?${RANGE}&format=wide`);
    const few = await server.http.get(`${DATA}?${RANGE}&limit=2000&format=columns`);
    assert.equal(few.status, 200, few.text.slice(0, 200));
  });

  it('the steps of a query of Prometheus', async (context) => {
    const server = await start(context, 512 * KIB);
    const path = `/prometheus/api/v1/query_range?query=varve_value&start=${START_MS / 1000}&end=${START_MS / 1000 + POINTS}`;
    assert.equal((await server.http.get(`${path}&step=5`)).status, 503);
    assert.equal((await server.http.get(`${path}&step=100`)).status, 200);
  });

  it('the series of a query of Prometheus, those put together by labels, and lists of labels', async (context) => {
    const server = await start(context, 512 * KIB);
    const names = Array.from({ length: 4000 }, (_, i) => [`Tag${i}`, [{ t: START_MS, v: 1 }]]);
    const body = JSON.stringify(Object.fromEntries(names));
    assert.equal((await server.http.send('POST', DATA, { body })).status, 200);
    const api = '/prometheus/api/v1';
    const some = encodeURIComponent('varve_value{tag=~".*7"}');
    for (const [path, status] of [
      [`query?query=varve_value`, 503],
      [`query?query=sum(${some})`, 200],
      [`query?query=sum+by(tag)(${some})`, 503],
      [`label/tag/values`, 503],
      [`label/tag/values?match[]=${some}`, 200],
      [`series?match[]=varve_value&match[]=varve_quality`, 503],
      [`series?match[]=varve_value`, 200],
    ] as const) {
      const answer = await server.http.get(`${api}/${path}`);
      assert.equal(answer.status, status, `${path}: ${answer.text.slice(0, 200)}`);
    }
  });
});
