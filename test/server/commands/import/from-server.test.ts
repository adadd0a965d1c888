// `varve import --from`: a dataset of another server with its tags and points, again after a stop, and from one without counts.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runServerToEnd, ServerProcess, temporaryFolder } from '../../../support/server-process.ts';

const folder = temporaryFolder();
let server: ServerProcess;
before(async () => {
  server = await ServerProcess.start({ dataFolder: join(folder, 'data') });
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const START_MS = Date.UTC(2024, 2, 1);
const TAGS = [
  { n: 'Batch ', t: 'System.String', d: 'with a blank' },
  { n: 'Count', t: 'System.Int64', u: { 1: 'pieces' }, fl: { Area: 'Mill' } },
  { n: 'Level', t: 'System.Double' },
];

async function post(path: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${server.url}/api/datasets/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  assert.ok(answer.ok, await answer.text());
}

async function readAll(dataset: string): Promise<unknown> {
  const tags = await (await fetch(`${server.url}/api/datasets/${dataset}/tags`)).json();
  const query = 'tags=*&start=2000-01-01&end=2100-01-01&exact=string';
  const { tl } = (await (await fetch(`${server.url}/api/datasets/${dataset}/data?${query}`)).json()) as { tl: unknown };
  return { tags: (tags as { User: unknown }).User, tl };
}

async function fill(dataset: string): Promise<void> {
  await post(`${dataset}/tags`, TAGS);
  const time = (row: number): string => new Date(START_MS + row * 1000).toISOString().replace('Z', '0001Z');
  const level = Array.from({ length: 12_000 }, (_, row) => ({
    t: time(row),
    v: row % 7 === 0 ? null : row / 4,
    q: row % 7 === 0 ? 24 : 192,
  }));
  await post(`${dataset}/data`, { Level: level });
  const count = [
    { t: time(0), v: '9007199254740993' },
    { t: time(1), v: '-1', q: 64 },
  ];
  await post(`${dataset}/data`, {
    Count: count,
    'Batch ': [
      { t: time(0), v: ' ü\n' },
      { t: time(1), v: '' },
    ],
  });
}

function copy(into: string, from: string, ...flags: string[]) {
  return runServerToEnd(['import', '--from', from, '--dataset', into, '--url', server.url, ...flags]);
}

test('a dataset comes over with tags, metadata and points, and once more with nothing new', async () => {
  await fill('There');
  const first = await copy('Here', server.url, '--from-dataset', 'There');
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /There into Here: 3 tags, 12,004 points read; 12,004 written, 0 repeated, 0 late/);
  assert.match(first.stdout, /Counted on both: each of the 3 tags has as many points/);
  assert.deepEqual(await readAll('Here'), await readAll('There'));
  const again = await copy('Here', server.url, '--from-dataset', 'There');
  assert.equal(again.code, 0, again.stderr);
  assert.match(again.stdout, /3 points read; 0 written, 3 repeated/);
});

test('what was copied in part goes on behind its newest point', async () => {
  await fill('Part');
  const half = await copy(
    'Rest',
    server.url,
    '--from-dataset',
    'Part',
    '--end',
    new Date(START_MS + 6000 * 1000).toISOString(),
  );
  assert.equal(half.code, 0, half.stderr);
  const rest = await copy('Rest', server.url, '--from-dataset', 'Part');
  assert.equal(rest.code, 0, rest.stderr);
  assert.deepEqual(await readAll('Rest'), await readAll('Part'));
});

test('a server without counts and pages is read whole, and differences are told', async () => {
  const points = [
    { t: '2024-03-01T08:00:00Z', v: 1, q: 192 },
    { t: '2024-03-01T08:01:00Z', v: 2, q: 192 },
  ];
  const other = createServer(({ url = '' }, response) => {
    const body = url.includes('/tags')
      ? { User: [{ n: 'P', t: 'System.Double' }], System: [] }
      : { tl: [{ t: { n: 'P' }, d: points }] };
    const isThere = !url.includes('/statistics');
    response
      .writeHead(isThere ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(isThere ? body : {}));
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  try {
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const taken = await copy('Plain', address);
    assert.equal(taken.code, 0, taken.stderr);
    assert.match(taken.stdout, /1 tags, 2 points read; 2 written/);
    await post('Plain/data', { P: [{ t: '2024-03-01T09:00:00Z', v: 3 }] });
    const again = await copy('Plain', address);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /"P": 2 points there, 3 here\./);
  } finally {
    other.close();
    other.closeAllConnections();
  }
});

test('words that do not go together, and a server that refuses, are told', async () => {
  assert.match((await copy('X', server.url, 'file.csv')).stderr, /Got 'file\.csv' beside --from; want/);
  assert.match((await copy('X', server.url, '--rate', 'fast')).stderr, /--rate: got 'fast'; want points in a second/);
  const absent = await copy('X', server.url, '--from-dataset', 'Absent');
  assert.equal(absent.code, 1);
  assert.match(absent.stderr, /refused with 404: /);
});
