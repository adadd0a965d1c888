// The command line: flags and their order, readiness, exit codes, npm start.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HttpClient } from '../../support/http-client.ts';
import { projectFolder, runServerToEnd, runUntilReady } from '../../support/server-process.ts';
import type { CaseContext } from '../case-context.ts';
import { proves, provesBehind } from '../registry.ts';
import { assertStatus, point, readValues, write } from '../steps.ts';

const FLAGS = 'Command line/flags';
const EXIT = 'Command line/exit codes';

provesBehind('Command line/npm start', 'npm start passes the flags on and starts the server', async (c) => {
  const flags = ['--no-demo', '--data', join(c.folder(), 'data'), '--port', '0', '--http', c.transport];
  const end = await runUntilReady('npm', ['start', '--', ...flags], async (url) => {
    const http = new HttpClient(url);
    assert.deepEqual(assertStatus(await http.get('/api/datasets'), 200).json(), []);
    http.close();
  });
  assert.match(end.stdout, /^Varve is listening on http:\/\/127\.0\.0\.1:\d+$/m);
});

provesBehind('Command line/npm start', 'the installed binary is varve serve', async (c) => {
  const { bin } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { bin?: { varve?: string } };
  assert.ok(bin?.varve !== undefined, 'package.json names the binary varve');
  const flags = ['serve', '--data', join(c.folder(), 'data'), '--port', '0', '--http', c.transport];
  const end = await runUntilReady(join(projectFolder, bin.varve), flags, async (url) => {
    const http = new HttpClient(url);
    assert.deepEqual(assertStatus(await http.get('/api/datasets'), 200).json(), [], 'no demo');
    http.close();
  });
  assert.equal(end.code, 0, end.stderr);
});

type Source = 'file' | 'environment' | 'flag';

/** Starts a server that is told a data folder by each of these, and gives those of the folders that it has made. */
async function foldersOpened(c: CaseContext, sources: readonly Source[]): Promise<Source[]> {
  const folder = c.folder();
  const config = join(folder, 'varve.json');
  const others = { port: 0, http: c.transport };
  writeFileSync(config, JSON.stringify(sources.includes('file') ? { data: join(folder, 'file'), ...others } : others));
  const environment: Record<string, string> = { VARVE_CONFIG: config };
  if (sources.includes('environment')) environment.VARVE_DATA = join(folder, 'environment');
  const bareFlags = sources.includes('flag') ? [`--data=${join(folder, 'flag')}`] : [];
  const own = await c.withServer({ bareFlags, environment });
  await own.server.stop();
  return (['file', 'environment', 'flag'] as const).filter((source) => existsSync(join(folder, source)));
}

provesBehind(FLAGS, 'defaults give way to the file, that to the environment, that to flags', async (c) => {
  assert.deepEqual(await foldersOpened(c, ['file']), ['file']);
  assert.deepEqual(await foldersOpened(c, ['file', 'environment']), ['environment']);
  assert.deepEqual(await foldersOpened(c, ['file', 'environment', 'flag']), ['flag']);
});

provesBehind(FLAGS, 'a flag beats a setting of the environment that is wrong for it alone', async (c) => {
  const dataFolder = join(c.folder(), 'data');
  const own = await c.withServer({ dataFolder, environment: { VARVE_PORT: String(c.server.port) } });
  assert.notEqual(own.server.port, c.server.port);
  await own.server.stop();
});

provesBehind(FLAGS, 'an unknown flag or key names the nearest known one', async (c) => {
  const config = join(c.folder(), 'varve.json');
  writeFileSync(config, JSON.stringify({ prot: 0 }));
  const runs: readonly (readonly [string[], RegExp])[] = [
    [['--prot', '0'], /--prot\b[\s\S]*--port\b/],
    [['--datta', 'x'], /--datta\b[\s\S]*--data\b/],
    [['--durabilty=os'], /--durabilty\b[\s\S]*--durability\b/],
    [['--config', config], /prot\b[\s\S]*port\b/],
  ];
  for (const [flags, message] of runs) {
    const end = await runServerToEnd(flags);
    assert.equal(end.code, 2, end.stderr);
    assert.match(end.stderr, message);
    assert.equal(end.stdout, '');
  }
});

provesBehind(FLAGS, 'the durability levels besides the default keep what was stored, also after a kill', async (c) => {
  for (const level of ['interval', 'os']) {
    const dataFolder = join(c.folder(), 'data');
    const own = await c.withServer({ dataFolder, flags: ['--durability', level] });
    await write(own, 'T', [point(0, level)]);
    await own.server.kill();
    const again = await c.withServer({ dataFolder, flags: ['--durability', level] });
    assert.deepEqual(await readValues(again, 'T'), [level]);
    await again.server.stop();
  }
});

proves('Command line/ready', 'one line on standard output, and /ready and /health answer 200', async (c) => {
  const own = await c.withServer({});
  assert.deepEqual(own.server.stdoutLines, [`Varve is listening on http://127.0.0.1:${own.server.port}`]);
  assertStatus(await own.http.get('/ready'), 200);
  assertStatus(await own.http.get('/health'), 200);
  await write(own, 'T', [point(0, 1)]);
  await own.server.stop();
  assert.equal((await own.server.ended).stdout, `Varve is listening on http://127.0.0.1:${own.server.port}`);
});

provesBehind(EXIT, 'bad usage and bad configuration are 2', async (c) => {
  const folder = c.folder();
  const broken = join(folder, 'broken.json');
  writeFileSync(broken, '{"port":');
  const runs: readonly (readonly [string[], Record<string, string>])[] = [
    [['--port', 'abc'], {}],
    [['--http', 'apache'], {}],
    [['--durability', 'always'], {}],
    [['--config', broken], {}],
    [['stray'], {}],
    [['--port', '0'], { VARVE_HTTP: 'apache' }],
  ];
  for (const [flags, variables] of runs) {
    const end = await runServerToEnd([...flags], { VARVE_DATA: join(folder, 'data'), ...variables });
    assert.equal(end.code, 2, `${flags.join(' ')}: ${end.stderr}`);
    assert.notEqual(end.stderr, '');
  }
});

proves(EXIT, 'a port in use is 75, and names it', async (c) => {
  const flags = ['--data', join(c.folder(), 'data'), '--port', String(c.server.port), '--http', c.transport];
  const end = await runServerToEnd(flags);
  assert.equal(end.code, 75, end.stderr);
  assert.match(end.stderr, new RegExp(`${c.server.port}`));
  assertStatus(await c.http.get('/health'), 200);
});

provesBehind(EXIT, 'a data folder in use is 75, until its server has ended, however it did', async (c) => {
  const dataFolder = join(c.folder(), 'data');
  const own = await c.withServer({ dataFolder });
  await write(own, 'T', [point(0, 1)]);
  const end = await runServerToEnd(['--data', dataFolder, '--port', '0', '--http', c.transport]);
  assert.equal(end.code, 75, end.stderr);
  assert.match(end.stderr, /data/);
  assert.deepEqual(await readValues(own, 'T'), [1]);
  await own.server.kill();
  const again = await c.withServer({ dataFolder });
  assert.deepEqual(await readValues(again, 'T'), [1]);
});

provesBehind(EXIT, 'a data folder that cannot be made is 74', async (c) => {
  const file = join(c.folder(), 'file');
  writeFileSync(file, 'not a folder');
  const end = await runServerToEnd(['--data', join(file, 'data'), '--port', '0', '--http', c.transport]);
  assert.equal(end.code, 74, end.stderr);
});
