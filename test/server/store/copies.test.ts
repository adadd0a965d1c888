import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filesIn, readPoints } from '../../replication/parquet/read-rows.ts';
import { runServerToEnd, ServerProcess } from '../../support/server-process.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

function filesBelow(folder: string, ending: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending));
}

test('varve replicate copies a folder once, and says how much', async (context) => {
  const folder = makeTempFolder(context);
  const data = join(folder, 'data');
  const server = await ServerProcess.start({ dataFolder: data });
  const tagsOf = async (): Promise<string> => (await fetch(`${server.url}/api/datasets/Plant/tags`)).text();
  const body = '{"A":[{"t":"2026-01-01T00:00:00Z","v":1},{"t":"2026-01-01T00:00:01Z","v":2}]}';
  const answer = await fetch(`${server.url}/api/datasets/Plant/data`, { method: 'POST', body });
  assert.equal(answer.status, 200);
  assert.doesNotMatch(await tagsOf(), /Copy\./, 'figures of a copy that there is not');
  const taken = await runServerToEnd(['replicate', '--data', data, '--centre', `parquet://${folder}/taken`]);
  assert.equal(taken.code, 75, `a server has the folder: ${taken.stderr}`);
  await server.stop();
  const { code, stdout, stderr } = await runServerToEnd([
    'replicate',
    ...['--data', data, '--centre', `parquet://${folder}/copy`, '--site', 'North'],
  ]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Copied \d+ points of 1 datasets/);
  assert.equal(filesBelow(join(folder, 'copy', 'North.Plant'), '.parquet').length > 0, true);
  assert.deepEqual(filesBelow(join(folder, 'taken'), '.parquet'), []);
});

test('a Parquet copy has late points by the name of their tag', async (context) => {
  const folder = makeTempFolder(context);
  const data = join(folder, 'data');
  const server = await ServerProcess.start({ dataFolder: data });
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${server.url}/api/datasets${path}`, { method: 'POST', body: JSON.stringify(body) });
  await post('', { n: 'Plant', pa: 0, ps: 0, late: 'accept' });
  const days = ['05', '02', '03', '01', '06', '04'];
  for (const day of days) {
    const point = { t: `2026-01-${day}T00:00:00Z`, v: Number(day) };
    const answer = await post('/Plant/data', { Flow: [point], Other: [{ ...point, v: -Number(day) }] });
    assert.equal(answer.status, 200);
  }
  await server.stop();
  const { code, stderr } = await runServerToEnd(['replicate', '--data', data, '--centre', `parquet://${folder}/copy`]);
  assert.equal(code, 0, stderr);
  const rows = await readPoints(filesIn(join(folder, 'copy')));
  for (const [name, sign] of [
    ['Flow', 1],
    ['Other', -1],
  ] as const) {
    const ofTag = rows.filter((row) => row.name === name).sort((a, b) => Number(a.time - b.time));
    assert.deepEqual(
      ofTag.map(({ value_double }) => value_double),
      days.map((_, i) => sign * (i + 1)),
    );
    assert.equal(new Set(ofTag.map(({ tag }) => tag)).size, 2, 'ids, of which one is of late points');
  }
});

test('settings that do not fit are refused before anything is opened', async (context) => {
  const data = join(makeTempFolder(context), 'data');
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [['--centre', 'clickhouse://h/v', '--durability', 'os'], /needs --durability group/],
    [['--centre', 'http://h'], /begins with clickhouse:\/\//],
    [['--centre', 'clickhouse://me:secret@h?size=1'], /only the options cluster and quorum/],
    [['--engine', 'clickhouse://h/v', '--demo'], /--demo needs a data folder/],
    [['--engine', 'clickhouse://h/v', '--centre', 'clickhouse://h/v'], /--centre needs a data folder/],
    [['--engine', 'parquet:///x'], /--engine: got/],
    [['--site', 'a.b'], /letters, digits/],
  ];
  for (const [flags, message] of wrong) {
    const { code, stderr } = await runServerToEnd(['--data', data, '--port', '0', ...flags]);
    assert.equal(code, 2, `${flags.join(' ')}: ${stderr}`);
    assert.match(stderr, message);
    assert.ok(!stderr.includes('secret'), 'a password is told');
  }
  assert.equal(existsSync(data), false);
  const bare = await runServerToEnd(['replicate', '--data', data]);
  assert.equal(bare.code, 2);
  assert.match(bare.stderr, /needs --centre/);
});

test('while nobody answers at the centre the edge serves, and says that the copy stands still', async (context) => {
  const data = join(makeTempFolder(context), 'data');
  const server = await ServerProcess.start({ dataFolder: data, flags: ['--centre', 'clickhouse://127.0.0.1:1/varve'] });
  context.after(() => server.kill());
  const body = '{"A":[{"t":"2026-01-01T00:00:00Z","v":1}]}';
  const written = await fetch(`${server.url}/api/datasets/Plant/data`, { method: 'POST', body });
  assert.equal(written.status, 200);
  const endMs = Date.now() + 30_000;
  for (;;) {
    const { copies } = (await (await fetch(`${server.url}/api/copies`)).json()) as {
      copies: { state: string; reason?: string; failures: number }[];
    };
    if (copies[0]?.state === 'waiting' && copies[0].failures > 0) {
      assert.match(copies[0].reason ?? '', /no server answers/);
      break;
    }
    assert.ok(Date.now() < endMs, JSON.stringify(copies));
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
  const tags = `${server.url}/api/datasets/Plant/data?tagname=Copy.Lag&tagname=Copy.Failures&tagname=Copy.Waiting`;
  for (;;) {
    const { tl } = (await (await fetch(tags)).json()) as { tl: { d: { v: number }[] }[] };
    const [lag = 0, failures = 0, waiting = 0] = tl.map(({ d }) => d[0]?.v ?? 0);
    if (lag > 0 && failures > 0 && waiting >= 0) break;
    assert.ok(Date.now() < endMs, JSON.stringify(tl));
    await new Promise((resolve) => void setTimeout(resolve, 200));
  }
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  assert.match(metrics, /varve_copy_going\{dataset="Plant"\} 0/);
  await server.stop();
});
