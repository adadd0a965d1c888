// What GET /metrics says.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { METRIC_NAMES } from '../../../server/metrics/exposition.ts';
import { LATENCY_BOUNDS_S, RouteFigures } from '../../../server/metrics/request-figures.ts';
import { bearer, makeToken, startAccessServer } from '../auth/support/access-server.ts';

/** The value of a line that begins with `series`. */
function valueOfSeries(text: string, series: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  assert.ok(line, `no ${series} in\n${text}`);
  return Number(line.slice(series.length + 1));
}

describe('metrics', () => {
  it('counts points by dataset and requests by route and status', async (context) => {
    const { http } = await startAccessServer(context, 'uws');
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ A: [{ v: 1 }, { v: 2 }] });
    for (let i = 0; i < 3; i++) await http.send('POST', '/api/datasets/P%20%221%22/data', { headers, body });
    await http.get('/api/datasets/None/tags');
    await http.get('/nowhere');
    const answer = await http.get('/metrics');
    assert.match(answer.header('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    const { text } = answer;
    assert.equal(valueOfSeries(text, 'varve_points_written_total{dataset="P \\"1\\""}'), 6);
    assert.equal(valueOfSeries(text, 'varve_datasets'), 1);
    const requests = (rest: string): number => valueOfSeries(text, `varve_http_requests_total{${rest}}`);
    assert.equal(requests('method="POST",route="/api/datasets/{dataset}/data",status="200"'), 3);
    assert.equal(requests('method="GET",route="/api/datasets/{dataset}/tags",status="404"'), 1);
    assert.equal(requests('method="",route="",status="404"'), 1);
    const latency = 'varve_http_request_duration_seconds';
    const route = 'method="POST",route="/api/datasets/{dataset}/data"';
    assert.equal(valueOfSeries(text, `${latency}_count{${route}}`), 3);
    assert.equal(valueOfSeries(text, `${latency}_bucket{le="+Inf",${route}}`), 3);
    assert.ok(valueOfSeries(text, 'process_resident_memory_bytes') > 1e6);
    assert.match(text, /^# TYPE varve_points_written_total counter$/m);
    assert.match(text, /^nodejs_eventloop_lag_p99_seconds /m);
  });

  it('shows a token the datasets that it may read, and no others', async (context) => {
    const { token, entry } = makeToken('read', ['Mine']);
    const { http, engine } = await startAccessServer(context, 'uws', [entry]);
    for (const name of ['Mine', 'Secret']) await engine.createDataset({ name, purgeAgeDays: 0, purgeSizeGb: 0 });
    assert.equal((await http.get('/metrics')).status, 401);
    const { text } = await http.get('/metrics', bearer(token));
    assert.ok(text.includes('dataset="Mine"'));
    assert.ok(!text.includes('Secret'));
  });

  it('the list in docs/operations.md is that of the code', () => {
    const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    const listed = [...page.matchAll(/^\| `(varve_\w+)` \|/gm)].map(([, name]) => name);
    assert.deepEqual(listed, METRIC_NAMES);
  });

  it('a latency is counted in the bucket of the first bound that it does not exceed', () => {
    const figures = new RouteFigures('GET', '/');
    for (const seconds of [0, 0.0005, 0.00051, 10, 11]) figures.count(200, seconds);
    const last = LATENCY_BOUNDS_S.length;
    assert.deepEqual(
      [figures.buckets[0], figures.buckets[1], figures.buckets[last - 1], figures.buckets[last]],
      [2, 1, 1, 1],
    );
    assert.deepEqual([...figures.counts], [[200, 5]]);
  });
});
