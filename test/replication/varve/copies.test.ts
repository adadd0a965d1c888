import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { get } from '../../support/same-answers.ts';
import { runServerToEnd, ServerProcess } from '../../support/server-process.ts';
import { CopyPlant, type CopyState, SITE } from './copy-plant.ts';

const LIMIT_MS = 60_000;
/** 4 Mi characters of three bytes each, and the point that was added last. */
const MOST_BYTES = 12.5 * 2 ** 20;
const COPY = `/api/datasets/${SITE}.Plant`;

async function startPlant(context: TestContext): Promise<CopyPlant> {
  const plant = await CopyPlant.start();
  context.after(() => plant.stop());
  return plant;
}

async function send(url: string, method: string, path: string, body?: unknown): Promise<void> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${url}${path}`, { method, ...sent });
  assert.ok(answer.ok, `${method} ${path}: ${await answer.text()}`);
}

function write(url: string, fromMs: number, count: number, dataset = 'Plant'): Promise<void> {
  const t = Array.from({ length: count }, (_, i) => fromMs + i * 1_000);
  return send(url, 'POST', `/api/datasets/${dataset}/data`, { A: { t, v: t.map((ms) => ms % 7) } });
}

async function untilState(plant: CopyPlant, is: (state: CopyState) => boolean): Promise<CopyState> {
  const endMs = performance.now() + LIMIT_MS;
  for (;;) {
    const copies = await plant.copies();
    const found = copies.find((copy) => copy.dataset === 'Plant' && is(copy));
    if (found) return found;
    assert.ok(performance.now() < endMs, JSON.stringify(copies));
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
}

async function assertAlike(plant: CopyPlant): Promise<void> {
  assert.equal(await plant.difference(LIMIT_MS), undefined, JSON.stringify(await plant.copies()));
}

test('a long history is sent in requests of bounded size; without its positions an edge sends no point again', async (context) => {
  const plant = await startPlant(context);
  plant.line.fate = () => 'lost before';
  const noon = Date.parse('2026-01-01T12:00:00Z');
  for (let part = 0; part < 4; part++) await write(plant.edgeUrl, noon + part * 1e9, 100_000);
  for (let part = 0; part < 2; part++) {
    const t = Array.from({ length: 200 }, (_, i) => noon + part * 200 + i);
    const v = t.map(() => 'ü\n'.repeat(15_000));
    await send(plant.edgeUrl, 'POST', '/api/datasets/Plant/data', { Text: { t, v } });
  }
  plant.line.fate = () => 'passes';
  await assertAlike(plant);
  assert.ok(plant.line.longestBytes < MOST_BYTES, `${plant.line.longestBytes} bytes`);
  await plant.killEdge();
  plant.losePositions();
  plant.line.requests.length = 0;
  await plant.startEdge();
  const { copiedPoints } = await untilState(plant, ({ copiedPoints: count }) => count >= 400_400);
  assert.ok(copiedPoints >= 400_400);
  const written = plant.line.requests.filter((request) => request === `POST ${COPY}/data`);
  assert.ok(written.length <= 2, `${written.length} writes for the newest points of two tags`);
});

test('purge rules are not copied, and those that the target was given stay', async (context) => {
  const plant = await startPlant(context);
  await send(plant.edgeUrl, 'POST', '/api/datasets', { n: 'Plant', pa: 30, ps: 1 });
  await write(plant.edgeUrl, Date.now() - 1e6, 10);
  await assertAlike(plant);
  assert.match(await get(plant.targetUrl, COPY), /"pa":0,"ps":0/);
  await send(plant.targetUrl, 'POST', COPY, { n: `${SITE}.Plant`, pa: 400, ps: 0 });
  await send(plant.edgeUrl, 'POST', '/api/datasets/Plant', { n: 'Plant', pa: 20, ps: 1, late: 'accept' });
  await write(plant.edgeUrl, Date.now() - 2e6, 3);
  await assertAlike(plant);
  assert.match(await get(plant.targetUrl, COPY), /"pa":400,"ps":0,"late":"accept"/);
});

test('an edge that was restored from a backup stops its copy, until a new one is wanted', async (context) => {
  const plant = await startPlant(context);
  await write(plant.edgeUrl, 0, 100);
  await assertAlike(plant);
  await plant.stopEdge();
  plant.backUp('Plant');
  await plant.startEdge();
  await write(plant.edgeUrl, 1e6, 100);
  await assertAlike(plant);
  await plant.stopEdge();
  plant.restore('Plant');
  await plant.startEdge();
  await write(plant.edgeUrl, 2e6, 10);
  const { reason } = await untilState(plant, ({ state }) => state === 'stopped');
  assert.match(reason ?? '', /has 200 points of tag 'A'.*(100|110) are here.*--centre-restored/s);
  assert.notEqual(await plant.difference(0), undefined);
  await plant.stopEdge();
  await plant.startEdge(['--centre-restored', 'Plant']);
  await assertAlike(plant);
});

test('a second edge of the same name is refused, and the first goes on', async (context) => {
  const plant = await startPlant(context);
  await write(plant.edgeUrl, 0, 10);
  await assertAlike(plant);
  const centre = `varve://127.0.0.1:${plant.line.port}`;
  const second = await ServerProcess.start({ flags: ['--centre', centre, '--site', SITE, '--log-level', 'error'] });
  context.after(() => second.kill());
  await write(second.url, 5e6, 10);
  const endMs = performance.now() + LIMIT_MS;
  for (;;) {
    const answer = await get(second.url, '/api/copies');
    if (/"stopped"/.test(answer)) {
      assert.match(answer, /by another edge.*--site/s);
      break;
    }
    assert.ok(performance.now() < endMs, answer);
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
  await write(plant.edgeUrl, 1e6, 10);
  await assertAlike(plant);
});

test('a dataset that is no copy is not touched', async (context) => {
  const plant = await startPlant(context);
  await write(plant.targetUrl, 0, 3, `${SITE}.Plant`);
  await write(plant.edgeUrl, 0, 10);
  const { reason } = await untilState(plant, ({ state }) => state === 'stopped');
  assert.match(reason ?? '', /'North\.Plant' that is no copy.*--site/);
  await plant.killEdge();
  assert.match(await get(plant.targetUrl, `${COPY}/data?tagname=A`), /00:00:02/);
});

test('points that something else has written there are noticed, and those of the edge are not lost', async (context) => {
  const plant = await startPlant(context);
  await write(plant.edgeUrl, 0, 10);
  await assertAlike(plant);
  await plant.stopEdge();
  await write(plant.targetUrl, 9e6, 1, `${SITE}.Plant`);
  await plant.startEdge();
  await write(plant.edgeUrl, 1e6, 10);
  const { reason } = await untilState(plant, ({ state }) => state === 'waiting');
  assert.match(reason ?? '', /a point of tag 'A'.*something else writes it/);
  await send(plant.targetUrl, 'DELETE', `${COPY}/data?tagname=A&start=1970-01-01T02:00:00Z`);
  await plant.stopEdge();
  await plant.startEdge();
  await assertAlike(plant);
});

test('a dataset that was deleted there is not made again in silence', async (context) => {
  const plant = await startPlant(context);
  await write(plant.edgeUrl, 0, 10);
  await assertAlike(plant);
  await send(plant.targetUrl, 'DELETE', COPY);
  await write(plant.edgeUrl, 1e6, 10);
  const { reason } = await untilState(plant, ({ reason: why }) => /was deleted there\. To/.test(why ?? ''));
  assert.match(reason ?? '', /delete 'North\.Plant\.\$copy' there as well/);
  await send(plant.targetUrl, 'DELETE', `${COPY}.%24copy`);
  await plant.stopEdge();
  await plant.startEdge();
  await assertAlike(plant);
});

test('a correction in force stops the copy until it is undone', async (context) => {
  const plant = await startPlant(context);
  await write(plant.edgeUrl, 0, 10);
  await assertAlike(plant);
  const corrections = '/api/datasets/Plant/corrections';
  const range = 'start=1970-01-01T00:00:02Z&end=1970-01-01T00:00:03Z';
  await send(plant.edgeUrl, 'POST', `${corrections}?tagname=A&kind=delete&${range}`);
  await write(plant.edgeUrl, 1e6, 10);
  const { reason } = await untilState(plant, ({ state }) => state === 'waiting');
  assert.match(reason ?? '', /tag 'A' has one: undo it.*corrections=leave/);
  await send(plant.edgeUrl, 'POST', `${corrections}/1/undo`);
  await plant.stopEdge();
  await plant.startEdge();
  await assertAlike(plant);
});

test('with corrections=leave points are there as they were stored', async (context) => {
  const plant = await CopyPlant.start('?corrections=leave');
  context.after(() => plant.stop());
  await write(plant.edgeUrl, 0, 10);
  const range = 'start=1970-01-01T00:00:02Z&end=1970-01-01T00:00:03Z';
  await send(plant.edgeUrl, 'POST', `/api/datasets/Plant/corrections?tagname=A&kind=delete&${range}`);
  await write(plant.edgeUrl, 1e6, 10);
  await untilState(plant, ({ state, copiedPoints }) => state === 'copying' && copiedPoints >= 20);
  const there = await get(
    plant.targetUrl,
    `${COPY}/data?tagname=A&start=1970-01-01T00:00:00Z&end=1971-01-01T00:00:00Z`,
  );
  assert.equal(there.match(/"v":/g)?.length, 20);
});

test('varve replicate copies once, also a folder that holds copies; what is noted of these stays behind', async (context) => {
  const plant = await startPlant(context);
  await write(plant.edgeUrl, 0, 10);
  await assertAlike(plant);
  await plant.stopEdge();
  const top = await ServerProcess.start({ flags: ['--log-level', 'error'] });
  context.after(() => top.kill());
  const flags = ['--centre', top.url.replace('http', 'varve'), '--site', 'Top'];
  await plant.stopTarget();
  const { code, stdout, stderr } = await runServerToEnd([
    'replicate',
    '--data',
    join(plant.folder, 'target'),
    ...flags,
  ]);
  assert.equal(code, 0, `${stdout}${stderr}`);
  const names = JSON.parse(await get(top.url, '/api/datasets')) as { n: string }[];
  assert.deepEqual(
    names.map(({ n }) => n),
    ['Top.North.Plant', 'Top.North.Plant.$copy'],
  );
  assert.match(await get(top.url, '/api/datasets/Top.North.Plant/data?tagname=A'), /00:00:09/);
});

test('a server that is its own target makes one copy, and says so', async (context) => {
  const plant = await startPlant(context);
  await write(plant.edgeUrl, 0, 10);
  plant.line.target = plant.edgeUrl;
  const endMs = performance.now() + LIMIT_MS;
  for (;;) {
    const answer = await get(plant.edgeUrl, '/api/copies');
    if (/'North\.North\.Plant' would be a copy of its own copy/.test(answer)) break;
    assert.ok(performance.now() < endMs, answer);
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
});
