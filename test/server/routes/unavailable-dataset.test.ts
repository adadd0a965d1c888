// A dataset whose catalog cannot be read, on the real server: 503 with the reason on every route, marked in the list, said by
// /ready and /metrics; it comes back by itself. And a folder that is put beside it while the server runs.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { readySchema } from '../../../server/api/schemas/answers.ts';
import { datasetAnswerSchema } from '../../../server/api/schemas/dataset.ts';
import { createAjv } from '../../../server/api/validation/validate.ts';
import { ROUTE_NEEDS } from '../../../server/auth/rules/route-rules.ts';
import { type HttpAnswer, HttpClient } from '../../support/http-client.ts';
import { ServerProcess } from '../../support/server-process.ts';

const RETURN_LIMIT_MS = 90_000;
const D = '/api/datasets/Bad%20one';

const ANNOTATION = { start: '2026-01-01T00:00:00Z', text: 'x' };
/** Bodies of the routes that need one. */
const BODIES: Readonly<Record<string, unknown>> = {
  'POST /api/datasets/{dataset}': { n: 'Bad one', pa: 1, ps: 0 },
  'POST /api/datasets/{dataset}/tags': [{ n: 'T' }],
  'DELETE /api/datasets/{dataset}/tags': ['T'],
  'POST /api/datasets/{dataset}/tags/{tagname}': { n: 'T' },
  'POST /api/datasets/{dataset}/tags/{tagname}/rename': { name: 'U' },
  'POST /api/datasets/{dataset}/data': { T: [{ v: 1 }] },
  'POST /api/datasets/{dataset}/data/{tagname}': [{ v: 1 }],
  'POST /api/datasets/{dataset}/changes': {},
  'POST /api/datasets/{dataset}/read': { tagname: ['T'] },
  'POST /api/datasets/{dataset}/statistics': { tagname: ['T'], relativeStart: '-1d' },
  'POST /api/datasets/{dataset}/status': { q: 192 },
  'POST /api/datasets/{dataset}/annotations': ANNOTATION,
  'PUT /api/datasets/{dataset}/annotations/{annotation}': ANNOTATION,
};
const QUERIES: Readonly<Record<string, string>> = {
  'GET /api/datasets/{dataset}/data': '?tagname=T',
  'GET /api/datasets/{dataset}/statistics': '?tagname=T&relativeStart=-1d',
  'DELETE /api/datasets/{dataset}/data': '?tagname=T&start=2000-01-01',
  'POST /api/datasets/{dataset}/corrections': '?tagname=T&kind=delete&start=2000-01-01',
};
/** What is answered all the same. */
const SERVED = ['DELETE /api/datasets/{dataset}', 'GET /api/datasets/{dataset}/exists'];

async function startServer(context: TestContext, dataFolder: string) {
  const server = await ServerProcess.start({ dataFolder });
  const http = new HttpClient(server.url);
  context.after(async () => {
    http.close();
    await server.kill();
  });
  return { server, http };
}

/** A data folder with the datasets `Good` and `Bad one`; a folder stands where the latter's catalog was. */
async function breakCatalog(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'varve-unavailable-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const dataFolder = join(folder, 'data');
  const { server, http } = await startServer(context, dataFolder);
  for (const path of ['/api/datasets/Good/data', `${D}/data`])
    assert.equal((await http.post(path, { T: [{ v: 1 }] })).status, 200);
  await server.stop();
  const catalog = join(dataFolder, 'Bad one', 'catalog');
  renameSync(catalog, join(folder, 'catalog'));
  mkdirSync(catalog);
  const mend = () => {
    rmdirSync(catalog);
    renameSync(join(folder, 'catalog'), catalog);
  };
  return { ...(await startServer(context, dataFolder)), dataFolder, mend };
}

function ask(http: HttpClient, method: string, path: string, body: unknown): Promise<HttpAnswer> {
  if (method === 'GET') return http.get(path);
  if (method === 'PUT') return http.put(path, body, { 'if-match': '*' });
  return method === 'POST' ? http.post(path, body) : http.delete(path, body);
}

test('a dataset that could not be opened is 503 with the reason on every route, in the list, /ready and /metrics, and comes back by itself', async (context) => {
  const { http, server, mend } = await breakCatalog(context);
  const routes = Object.keys(ROUTE_NEEDS).filter((route) => route.includes('{dataset}') && !SERVED.includes(route));
  assert.ok(routes.length >= 15, `${routes.length} routes`);
  for (const route of routes) {
    const [method = '', pattern = ''] = route.split(' ');
    const path =
      pattern
        .replace('/api/datasets/{dataset}', D)
        .replace('{tagname}', 'T')
        .replace(/\{(correction|annotation)\}/, '1') + (QUERIES[route] ?? '');
    const answer = await ask(http, method, path, BODIES[route]);
    assert.equal(answer.status, 503, `${route}: ${answer.text}`);
    const problem = answer.json<{ key: string; detail: string }>();
    assert.equal(problem.key, 'Error.DatasetUnavailable', route);
    assert.match(problem.detail, /'Bad one' cannot be served: it could not be opened \(.*EISDIR/);
    assert.ok(!problem.detail.includes(tmpdir()), problem.detail);
    assert.equal(answer.header('retry-after'), '10');
  }
  assert.equal((await http.post('/api/datasets', { n: 'Bad one', pa: 0, ps: 0 })).status, 503);
  assert.equal((await http.get(`${D}/exists`)).text, 'true');
  const list = (await http.get('/api/datasets')).json<{ n: string; state?: string }[]>();
  assert.deepEqual(
    list.map(({ n, state }) => [n, state]),
    [
      ['Bad one', 'unavailable'],
      ['Good', undefined],
    ],
  );
  for (const dataset of list) assert.ok(createAjv().validate(datasetAnswerSchema, dataset));
  const ready = await http.get('/ready');
  assert.equal(ready.status, 200);
  assert.ok(createAjv().validate(readySchema, ready.json()));
  const { status, progress, datasets } = ready.json<{ status: string; progress: string; datasets: { n: string }[] }>();
  assert.deepEqual([status, progress, datasets[0]?.n], ['degraded', 'serving 1 of 2 datasets', 'Bad one']);
  assert.match((await http.get('/metrics')).text, /varve_dataset_state\{dataset="Bad one"\} 2/);
  assert.ok(server.logLines.some((line) => line.includes('dataset.unopened') && line.includes('EISDIR')));
  assert.equal((await http.post('/api/datasets/Good/data', { T: [{ v: 2 }] })).status, 200);
  mend();
  const limitMs = performance.now() + RETURN_LIMIT_MS;
  while ((await http.get(`${D}/data?tagname=T`)).status === 503 && performance.now() < limitMs) await delay(200);
  assert.equal((await http.get(`${D}/data?tagname=T`)).status, 200);
  assert.equal((await http.post(`${D}/data`, { T: [{ v: 2 }] })).status, 200);
  assert.equal((await http.get('/ready')).json<{ status: string }>().status, 'ready');
});

test('/ready names no dataset to a page of another site', async (context) => {
  const { http } = await breakCatalog(context);
  const { text, status } = await http.send('GET', '/ready', { headers: { host: 'evil.example' } });
  assert.equal(status, 200);
  assert.ok(text.includes('degraded') && !text.includes('Bad one'), text);
});

test('a folder that is copied beside the datasets of a running server is 503 that says what to do, and is served after a restart', async (context) => {
  const { http, server, dataFolder, mend } = await breakCatalog(context);
  mend();
  cpSync(join(dataFolder, 'Good'), join(dataFolder, 'Copied'), { recursive: true });
  const answer = await http.post('/api/datasets/Copied/data', { T: [{ v: 3 }] });
  assert.equal(answer.status, 503);
  assert.match(answer.json<{ detail: string }>().detail, /while the server runs.*restart the server when it is/);
  assert.equal((await http.get('/api/datasets/Copied/tags')).status, 503);
  await server.stop();
  const again = await startServer(context, dataFolder);
  assert.equal((await again.http.post('/api/datasets/Copied/data', { T: [{ v: 3 }] })).status, 200);
});
