// `varve export` as its user has it: against a real server, and back in by `varve import`; and against one that breaks off.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import { parquetReadObjects } from 'hyparquet';
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

const at = (name: string): string => join(folder, name);
const T0 = '2026-01-01T00:00:00.0000001Z';
const T1 = '2026-01-01T00:00:00.500Z';
const T2 = '2026-10-25T00:30:00.000Z';
const T3 = '2026-10-25T01:30:00.000Z';

/** Values of each type; names and texts with white space at their ends, and of other scripts. */
const PLANT: Readonly<Record<string, readonly [type: string, values: readonly unknown[]]>> = {
  On: ['Boolean', [true, false]],
  Small: ['SByte', [-128, 127]],
  Count: ['Int32', [-2_147_483_648, 2_147_483_647]],
  Wide: ['Int64', ['-9223372036854775808', '9007199254740993']],
  Bits: ['UInt64', ['18446744073709551615', '1']],
  Single: ['Single', [0.1, -3.4e38]],
  ' Level ': ['Double', [-0.1, 1.7976931348623157e308]],
  Price: ['Decimal', ['12.3400', '-0.00000001']],
  'When, "då"': ['DateTime', ['2026-02-03T04:05:06.7890001Z', '1999-12-31T23:59:59.000Z']],
  'Größe/温度 \u{1f600}': ['String', ['  Düse; "A"\n', '']],
  'Batch ': ['String', ['0012', '=1+1']],
};

function post(path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${server.url}/api/datasets/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function define(dataset: string): Promise<void> {
  const tags = Object.entries(PLANT).map(([n, [type]]) => ({ n, t: `System.${type}` }));
  assert.ok((await post(`${dataset}/tags`, tags)).ok);
}

async function readAll(dataset: string): Promise<Map<string, unknown>> {
  const answer = await post(`${dataset}/read`, {
    tagname: Object.keys(PLANT),
    start: '0001-01-01',
    end: '9999-12-31',
    exact: 'string',
  });
  const { tl } = (await answer.json()) as { tl: { t: { n: string; t: string }; d: unknown[] }[] };
  return new Map(tl.map(({ t, d }) => [t.n, { type: t.t, points: d }]));
}

async function fill(dataset: string): Promise<void> {
  await define(dataset);
  const data = Object.entries(PLANT).map(([tag, [, [first, second]]]) => [
    tag,
    [
      { t: T0, v: first },
      { t: T1, v: null, q: 24 },
      { t: T2, v: second, q: 64 },
      { t: T3, v: first, q: 0 },
    ],
  ]);
  const written = await post(`${dataset}/data`, Object.fromEntries(data));
  assert.equal(written.status, 200, await written.text());
}

function run(command: 'export' | 'import', ...words: string[]) {
  return runServerToEnd([command, ...words, '--url', server.url]);
}

test('an export goes back in as it was: every type, null, bad quality, 100 ns, in UTC and by the clocks of a zone', async () => {
  await fill('From');
  const texts = Object.entries(PLANT).flatMap(([tag, [type]]) => (type === 'String' ? ['--text', tag] : []));
  for (const [name, flags] of [
    ['utc.csv', []],
    ['zoned.csv', ['--tz', 'Europe/Berlin']],
    ['german.csv', ['--separator', 'semicolon', '--decimal', ',', '--tags', '*']],
    ['typed.parquet', []],
  ] as const) {
    const exported = await run('export', '--dataset', 'From', '--out', at(name), ...flags);
    assert.equal(exported.code, 0, exported.stderr);
    assert.match(exported.stderr, new RegExp(`${name}: [\\d,]+ bytes of From in [\\d.]+ s\\.`));
    const into = name.replace(/\..*/, '');
    await define(into);
    const imported = await run('import', at(name), '--dataset', into, ...texts);
    assert.equal(imported.code, 0, `${name}: ${imported.stderr}`);
    assert.deepEqual(await readAll(into), await readAll('From'), name);
  }
});

test('JSON lines, Parquet and Arrow have the same points', async () => {
  await fill('Both');
  for (const name of ['both.jsonl', 'both.parquet', 'both.arrows']) {
    const exported = await run('export', '--dataset', 'Both', '--out', at(name));
    assert.equal(exported.code, 0, exported.stderr);
  }
  const lines = readFileSync(at('both.jsonl'), 'utf8').trimEnd().split('\n');
  const rows = lines.map((line) => JSON.parse(line) as { tag: string; quality: number });
  const file = new Uint8Array(readFileSync(at('both.parquet'))).buffer;
  const stored = (await parquetReadObjects({ file })) as unknown as { tag: string; quality: number }[];
  assert.equal(rows.length, 4 * Object.keys(PLANT).length);
  assert.deepEqual(
    stored.map(({ tag, quality }) => [tag, quality]),
    rows.map(({ tag, quality }) => [tag, quality]),
  );
  const arrow = tableFromIPC(readFileSync(at('both.arrows'))).toArray() as { tag: string; quality: number }[];
  assert.deepEqual(
    arrow.map(({ tag, quality }) => [tag, quality]),
    rows.map(({ tag, quality }) => [tag, quality]),
  );
});

test('a file that is there stays, unless it is to be replaced; without a file it is standard output', async () => {
  await post('Small/data', { A: [{ t: T1, v: 1.5 }] });
  const path = at('kept.csv');
  writeFileSync(path, 'mine');
  const refused = await run('export', '--dataset', 'Small', '--out', path);
  assert.deepEqual([refused.code, readFileSync(path, 'utf8')], [2, 'mine']);
  assert.match(refused.stderr, /kept\.csv is there already; --force replaces it/);
  const forced = await run('export', '--dataset', 'Small', '--out', path, '--force');
  assert.equal(forced.code, 0, forced.stderr);
  const csv = `time,tag,value,quality\r\n${T1},A,1.5,192\r\n`;
  assert.equal(readFileSync(path, 'utf8'), csv);
  const printed = await run('export', '--dataset', 'Small', '--tag', 'A');
  assert.deepEqual([printed.code, printed.stdout.trimEnd().split(/\r?\n/)], [0, csv.trimEnd().split('\r\n')]);
});

test('what the server refuses is told in its words, and no file is made', async () => {
  await post('Small/data', { A: [{ t: T1, v: 1.5 }] });
  for (const [flags, message] of [
    [['--dataset', 'Nowhere'], /refused this with 404: Dataset 'Nowhere' could not be found/],
    [['--dataset', 'Small', '--tags', 'X*'], /404: No tag of dataset 'Small' has a name as 'X\*'/],
    [['--dataset', 'Small', '--tz', 'Mars'], /400: 'tz' is 'Mars'/],
  ] as const) {
    const { code, stderr } = await run('export', ...flags, '--out', at('none.csv'));
    assert.equal(code, 1, stderr);
    assert.match(stderr, message);
    assert.match(stderr, /none\.csv was not written/);
  }
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('none')),
    [],
  );
});

test('an answer that breaks off leaves no file that looks complete', async () => {
  const broken = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/csv' });
    response.write(`time,tag,value,quality\r\n${`${T1},A,1.5,192\r\n`.repeat(5000)}`, () => response.destroy());
  });
  broken.listen(0, '127.0.0.1');
  await once(broken, 'listening');
  try {
    const url = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
    const flags = ['export', '--dataset', 'P', '--out', at('broken.csv'), '--url', url];
    const { code, stderr } = await runServerToEnd(flags);
    assert.equal(code, 1, stderr);
    assert.match(stderr, /The answer broke off after [\d,]+ bytes/);
    assert.ok(!existsSync(at('broken.csv')) && !existsSync(at('broken.csv.new')));
    writeFileSync(at('broken.csv.new'), 'of another');
    const second = await runServerToEnd(flags);
    assert.match(second.stderr, /broken\.csv\.new is there: another export writes it/);
    assert.equal(readFileSync(at('broken.csv.new'), 'utf8'), 'of another');
  } finally {
    broken.close();
  }
});
