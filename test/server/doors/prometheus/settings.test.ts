import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServerProcess } from '../../../support/server-process.ts';

test('--prometheus-stale limits for how long a value is in force, and --close-door closes the doors', async (context) => {
  const server = await ServerProcess.start({ flags: ['--prometheus-stale', '1m', '--close-door', 'grafana'] });
  context.after(() => server.stop());
  const points = { T: [{ t: '2026-01-01T00:00:00Z', v: 7 }] };
  const written = await fetch(`${server.url}/api/datasets/P/data`, { method: 'POST', body: JSON.stringify(points) });
  assert.equal(written.status, 200);
  const startS = Date.UTC(2026, 0, 1) / 1000;
  const search = `query=varve_value&start=${startS}&end=${startS + 120}&step=30`;
  const answer = await fetch(`${server.url}/prometheus/api/v1/query_range?${search}`);
  const { data } = (await answer.json()) as { data: { result: { values: [number, string][] }[] } };
  assert.deepEqual(
    data.result[0]?.values.map(([time]) => time - startS),
    [0, 30, 60],
  );
  assert.equal((await fetch(`${server.url}/grafana`)).status, 404);
});
