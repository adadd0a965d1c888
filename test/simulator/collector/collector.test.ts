// The simulator as a collector: what it says to the server, and what it does when the server is away, full or unwilling.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isLoopback, packBody } from '../../../client/http-link.ts';
import { Collector } from '../../../simulator/collector/collector.ts';
import { FakeHistorian } from '../../support/fake-historian.ts';
import { LogKeeper, mixedPlant, NOW_MS, simulate } from '../../support/simulator-runs.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

interface Cleanup {
  after(work: () => Promise<void> | void): void;
}

const DATASET = 'Plant';
/** 10 ms apart, for what happens in a moment where nothing else runs. */
const MOST_LOOKS = 6000;

async function startHistorian(context: Cleanup): Promise<FakeHistorian> {
  const historian = new FakeHistorian();
  await historian.start();
  context.after(() => historian.stop());
  return historian;
}

/** The points of an undisturbed run, as `dump` gives them. */
async function referenceOf(context: Cleanup, configuration: unknown): Promise<string> {
  const historian = await startHistorian(context);
  await simulate({ folder: makeTempFolder(context), configuration, options: { url: new URL(historian.url) } });
  return historian.dump(DATASET);
}

test('the dataset and its tags are created, and the points are those of --out', async (context) => {
  const historian = await startHistorian(context);
  const folder = makeTempFolder(context);
  const configuration = mixedPlant(1);
  await simulate({ folder, configuration, options: { url: new URL(historian.url) } });
  const out = join(folder, 'out.jsonl');
  await simulate({ folder, configuration, options: { out } });
  const lines = readFileSync(out, 'utf8').trimEnd().split('\n');
  const fromFile = lines.map((line) => {
    const point = JSON.parse(line) as { n: string; t: string; v: unknown; q: number };
    return `${point.n} ${point.t} ${JSON.stringify(point.v)} ${point.q}`;
  });
  assert.deepEqual(historian.dump(DATASET).split('\n').sort(), fromFile.sort());
  const tag = historian.datasets.get(DATASET)?.tags.get('MX02.State')?.object;
  assert.deepEqual(tag, {
    n: 'MX02.State',
    u: { 0: 'Off', 1: 'On' },
    fl: { No: '2', Area: 'South' },
    t: 'System.Int32',
  });
});

for (const status of [200, 201, 409]) {
  test(`creating the dataset may be answered with ${status}`, async (context) => {
    const historian = await startHistorian(context);
    historian.datasets.set(DATASET, { definition: 'x', tags: new Map(), statuses: [] });
    historian.intercept = (request) => (request.path === '/api/datasets' ? [status] : undefined);
    await simulate({
      folder: makeTempFolder(context),
      configuration: mixedPlant(0),
      options: { url: new URL(historian.url) },
    });
    assert.ok(historian.points(DATASET, 'MX01.State').length > 0);
  });
}

test('several connections carry points, each tag always the same one, a batch holds thousands of points', async (context) => {
  const historian = await startHistorian(context);
  await simulate({
    folder: makeTempFolder(context),
    configuration: mixedPlant(7),
    options: { url: new URL(historian.url) },
  });
  const connections = new Map<string, Set<number>>();
  const batches = historian.requests.filter((request) => request.tags.length > 0);
  for (const { tags, connection } of batches) {
    for (const tag of tags) connections.set(tag, (connections.get(tag) ?? new Set()).add(connection));
  }
  assert.ok([...connections.values()].every((used) => used.size === 1));
  assert.ok(new Set(batches.map((batch) => batch.connection)).size > 1);
  assert.ok(historian.counts.written / batches.length > 1000, `${historian.counts.written} in ${batches.length}`);
});

test('a heartbeat of quality 192 comes at once, and 28 at the end, both with value null', async (context) => {
  const historian = await startHistorian(context);
  await simulate({
    folder: makeTempFolder(context),
    configuration: mixedPlant(1),
    options: { url: new URL(historian.url) },
  });
  const statuses = historian.datasets.get(DATASET)?.statuses ?? [];
  assert.deepEqual(
    statuses.map(({ v, q }) => [v, q]),
    [
      [null, 192],
      [null, 28],
    ],
  );
});

test('the token is sent with every request', async (context) => {
  const historian = await startHistorian(context);
  await simulate({
    folder: makeTempFolder(context),
    configuration: mixedPlant(0),
    options: { url: new URL(historian.url), token: 'secret' },
  });
  assert.ok(historian.requests.length > 4);
  for (const { headers } of historian.requests) assert.equal(headers.authorization, 'Bearer secret');
});

test('a body is compressed for other machines, not for the loopback', async () => {
  const bytes = Buffer.from('{"tag":[]}'.repeat(500));
  const far = await packBody({ baseUrl: new URL('http://historian.example:4511'), token: undefined }, bytes);
  assert.equal(far.encoding, 'gzip');
  assert.ok(far.bytes.length < bytes.length / 5);
  const near = await packBody({ baseUrl: new URL('http://127.0.0.1:4511'), token: undefined }, bytes);
  assert.equal(near.encoding, 'identity');
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]']) assert.ok(isLoopback(host), host);
  assert.ok(!isLoopback('10.0.0.1') && !isLoopback('127.example.org'));
});

test('a refused batch stops the simulator and shows the pointers of the server', async (context) => {
  const historian = await startHistorian(context);
  const errors = [{ path: '/MX01.Flow/3/v', message: 'text for a number' }];
  historian.intercept = (request) =>
    request.tags.length > 0 ? [400, { title: 'Bad Request', detail: 'one point is wrong', errors }] : undefined;
  const run = simulate({
    folder: makeTempFolder(context),
    configuration: mixedPlant(1),
    options: { url: new URL(historian.url) },
  });
  await assert.rejects(run, {
    exitCode: 1,
    message: 'the server refused a batch of points with 400: one point is wrong\n  /MX01.Flow/3/v: text for a number',
  });
});

test('a request without permission stops the simulator', async (context) => {
  const historian = await startHistorian(context);
  historian.intercept = () => [401, { detail: 'no token' }];
  const folder = makeTempFolder(context);
  const run = simulate({ folder, configuration: mixedPlant(1), options: { url: new URL(historian.url) } });
  await assert.rejects(run, { exitCode: 1, message: 'the server refused creating the dataset with 401: no token' });
});

for (const status of [500, 503, 507, 429]) {
  test(`answers of ${status} are tried again, and nothing is missing, double or out of order`, async (context) => {
    const configuration = mixedPlant(1);
    const historian = await startHistorian(context);
    let failures = 0;
    historian.intercept = (request) => (request.tags.length > 0 && failures++ < 3 ? [status] : undefined);
    const folder = makeTempFolder(context);
    const log = await simulate({ folder, configuration, options: { url: new URL(historian.url) } });
    assert.equal(historian.dump(DATASET), await referenceOf(context, configuration));
    assert.equal(historian.counts.ignored, 0);
    assert.ok(log.some((line) => line.includes(`the server answered ${status}`) && line.includes('storing them in')));
    assert.ok(log.includes('all stored batches are forwarded'));
    assert.deepEqual(readdirSync(join(folder, 'state', DATASET, 'store')), []);
  });
}

test('an answer that is lost makes a repetition, which is harmless', async (context) => {
  const configuration = mixedPlant(1);
  const historian = await startHistorian(context);
  let lost = 0;
  historian.afterStoring = () => (lost++ < 3 ? 'cut the connection' : 'answer');
  await simulate({ folder: makeTempFolder(context), configuration, options: { url: new URL(historian.url) } });
  assert.equal(historian.dump(DATASET), await referenceOf(context, configuration));
  assert.ok(historian.counts.repeated > 0);
});

test('a server that is away at the start is waited for', async (context) => {
  const historian = await startHistorian(context);
  await historian.stop();
  const folder = makeTempFolder(context);
  const progress = new LogKeeper();
  const options = { url: new URL(historian.url) };
  const run = simulate({ folder, configuration: mixedPlant(0), options, progress });
  for (let looks = 0; looks < MOST_LOOKS && progress.lines.length === 0; looks++) await delay(10);
  await historian.start();
  await run;
  assert.match(progress.lines[0] ?? '', /^waiting for the server http:\/\/127\.0\.0\.1:\d+ \(.*ECONNREFUSED/);
  assert.ok(historian.points(DATASET, 'MX01.State').length > 0);
});

test('what waits on disk when the simulator is stopped is forwarded first by the next run', async (context) => {
  const configuration = mixedPlant(1);
  const historian = await startHistorian(context);
  const folder = makeTempFolder(context);
  const options = { url: new URL(historian.url) };
  historian.intercept = (request) => (request.tags.length > 0 ? [503] : undefined);
  const stop = new AbortController();
  const run = simulate({ folder, configuration, options, signal: stop.signal });
  const store = join(folder, 'state', DATASET, 'store');
  for (let i = 0; i < MOST_LOOKS && fileCount(store) < 4; i++) await delay(10);
  stop.abort();
  await assert.rejects(run, { exitCode: 1, message: /stopped before the end/ });
  assert.ok(fileCount(store) >= 4);
  historian.intercept = undefined;
  const log = await simulate({ folder, configuration, options });
  assert.ok(log.some((line) => /^forwarding \d+ batches that an earlier run stored/.test(line)));
  assert.equal(historian.dump(DATASET), await referenceOf(context, configuration));
  assert.equal(historian.counts.ignored, 0);
  assert.equal(fileCount(store), 0);
});

test('a full store makes the generation pause, with one line in the log, and loses nothing', async (context) => {
  const historian = await startHistorian(context);
  const log: string[] = [];
  const stop = new AbortController();
  const collector = await Collector.open({
    target: { baseUrl: new URL(historian.url), token: undefined },
    dataset: DATASET,
    storeFolder: join(makeTempFolder(context), 'store'),
    storeLimitBytes: 4000,
    signal: stop.signal,
    log: (line) => log.push(line),
  });
  await collector.start();
  historian.intercept = (request) => (request.tags.length > 0 ? [503] : undefined);
  const writer = collector.sink.tagWriter('T');
  let sent = 0;
  const produce = async (): Promise<void> => {
    for (; sent < 200; sent++) {
      writer.json(NOW_MS + sent * 1000, String(sent));
      await collector.sink.flush();
    }
  };
  const producing = produce();
  for (let i = 0; i < MOST_LOOKS && !log.some((line) => line.includes('is full')); i++) await delay(10);
  const pausedAt = sent;
  await delay(100);
  assert.ok(sent - pausedAt <= 1 && sent < 150, `paused at ${pausedAt}, then ${sent}`);
  historian.intercept = undefined;
  await producing;
  await collector.forwarded();
  await collector.end();
  const values = historian.points(DATASET, 'T').map((point) => point.v);
  assert.deepEqual(
    values,
    Array.from({ length: 200 }, (_, index) => index),
  );
  assert.equal(log.filter((line) => line.includes('is full (')).length, 1);
});

function fileCount(folder: string): number {
  try {
    return readdirSync(folder).filter((name) => !name.endsWith('.new')).length;
  } catch {
    return 0;
  }
}
