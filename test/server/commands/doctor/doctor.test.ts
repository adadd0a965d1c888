// The doctor finds what keeps a server from starting as it should, names the one thing that mends it, and changes nothing.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { lookAtClock } from '../../../../server/commands/doctor/look-at-clock.ts';
import { lookAtFrontEnd, lookAtOpenFiles, lookAtVersions } from '../../../../server/commands/doctor/look-at-program.ts';
import { BUILT_PROGRAM, projectFolder, runServerToEnd, ServerProcess } from '../../../support/server-process.ts';
import { makeTempFolder } from '../../../support/temp-folder.ts';

const DAY_MS = 86_400_000;

test('on a sound machine with a folder to be made it finds nothing, and makes nothing', async (context) => {
  const folder = makeTempFolder(context);
  const end = await runServerToEnd(['doctor', '--data', join(folder, 'data'), '--port', '0']);
  assert.equal(end.code, 0, end.stdout + end.stderr);
  const levels = end.stdout.split('\n').map((line) => line.slice(0, 5).trim());
  assert.ok(!levels.includes('error'), end.stdout);
  assert.match(end.stdout, /^ok {4}.*data is not there yet; the server makes it$/m);
  assert.deepEqual(readdirSync(folder), []);
});

test('of a running server it tells the process that has the folder and the port', async (context) => {
  const server = await ServerProcess.start();
  context.after(() => server.kill());
  const flags = ['doctor', '--data', server.dataFolder, '--port', String(server.port)];
  const end = await runServerToEnd(flags);
  assert.equal(end.code, 0, end.stdout);
  assert.match(end.stdout, new RegExp(`^warn .* is in use by process ${server.pid} on `, 'm'));
  assert.match(end.stdout, new RegExp(`^ {6}fix: .*kill ${server.pid}`, 'm'));
  assert.match(
    end.stdout,
    new RegExp(`^ok .*:${server.port} is served by process ${server.pid}, which has the data folder$`, 'm'),
  );
  assert.equal((await fetch(`${server.url}/health`)).status, 200);
});

test('a port of somebody else is an error, with the process that has it', async (context) => {
  const other = createServer().listen(0, '127.0.0.1');
  context.after(() => other.close());
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  const end = await runServerToEnd(['doctor', '--data', join(makeTempFolder(context), 'data'), '--port', String(port)]);
  assert.equal(end.code, 1, end.stdout);
  assert.match(
    end.stdout,
    new RegExp(`^error .*:${port} is in use by another program, process ${process.pid} \\(`, 'm'),
  );
  assert.match(end.stdout, /^ {6}fix: End that one, or choose another port with --port\.$/m);
});

test('a file in place of the folder, a disk below its reserve, a HOLD file, and an open address are said', async (context) => {
  const folder = makeTempFolder(context);
  writeFileSync(join(folder, 'file'), '');
  const file = await runServerToEnd(['doctor', '--data', join(folder, 'file'), '--port', '0']);
  assert.equal(file.code, 1);
  assert.match(file.stdout, /^error .*file is not a folder\n {6}fix: Choose another with --data\.$/m);
  mkdirSync(join(folder, 'data', 'plant'), { recursive: true });
  writeFileSync(join(folder, 'data', 'plant', 'HOLD'), '');
  const flags = ['--data', join(folder, 'data'), '--port', '0', '--disk-reserve', '1000GiB', '--host', '0.0.0.0'];
  const end = await runServerToEnd(['doctor', ...flags]);
  assert.equal(end.code, 1);
  assert.match(end.stdout, /^error .* GB free: below the reserve, so writes are refused$/m);
  assert.match(end.stdout, /^warn .*HOLD keeps everything from being removed$/m);
  assert.match(end.stdout, /^warn {2}0\.0\.0\.0 is open to other machines, and there are no tokens$/m);
});

test('a folder on a file system in memory is said', {
  skip: spawnSync('unshare', ['-m', 'true']).status === 0 ? false : 'no mounts of its own here (not root)',
}, (context) => {
  const folder = makeTempFolder(context);
  const doctor = `${process.execPath} ${BUILT_PROGRAM} doctor --port 0 --data ${folder}`;
  const mounted = (options: string) =>
    spawnSync('unshare', ['-m', 'sh', '-c', `mount -t tmpfs -o ${options} none ${folder} && exec ${doctor}`], {
      cwd: projectFolder,
      encoding: 'utf8',
    }).stdout;
  assert.match(mounted('size=2g'), /^warn .* is on tmpfs, which is memory/m);
  assert.match(mounted('size=2g,ro'), /^error .* is mounted read-only$/m);
});

test('an old Node, a low limit of open files, an unknown binary and a wrong clock are said', () => {
  const { engines } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
    engines: { node: string };
  };
  const [, least = ''] = /^>=(.+)$/.exec(engines.node) ?? [];
  assert.equal(lookAtVersions(`${least}.0`).level, 'ok');
  assert.match(lookAtVersions('20.18.9').fix ?? '', new RegExp(`Install Node ${least} or newer`));
  assert.equal(lookAtVersions('20.18.9').level, 'error');
  assert.equal(lookAtVersions('18.20.0').level, 'error');
  assert.equal(lookAtVersions('22.0.0').level, 'ok');
  assert.equal(
    lookAtOpenFiles('Max open files            1024                 20000                files').level,
    'warn',
  );
  assert.equal(
    lookAtOpenFiles('Max open files            unlimited            unlimited            files').level,
    'ok',
  );
  assert.equal(lookAtOpenFiles(undefined).level, 'ok');
  const settings = { http: 'auto', proxy: [], 'tls-cert': undefined } as const;
  const debian12 = { platform: 'linux', arch: 'x64', modules: '115', glibc: '2.36' };
  assert.match(lookAtFrontEnd(settings, debian12).message, /node:http; with .* 20\.30.* HTTP\/1\.0/);
  assert.match(lookAtFrontEnd({ ...settings, http: 'uws' }, debian12).message, /20\.30, and its binary the pinned one/);
  assert.match(
    lookAtFrontEnd(settings, { ...debian12, glibc: '2.41' }).message,
    /20\.57, and its binary the pinned one/,
  );
  assert.match(lookAtFrontEnd({ ...settings, proxy: ['10.0.0.1'] }).message, /^the front end is node:http, which/);
  const musl = { ...debian12, glibc: undefined };
  assert.deepEqual(
    [lookAtFrontEnd(settings, musl).level, lookAtFrontEnd({ ...settings, http: 'uws' }, musl).level],
    ['ok', 'warn'],
  );
  const newestMs = Date.UTC(2026, 5, 1);
  assert.equal(lookAtClock(newestMs + DAY_MS, newestMs).level, 'ok');
  assert.equal(lookAtClock(newestMs - DAY_MS, newestMs).level, 'warn');
  assert.equal(lookAtClock(newestMs + 11 * 365 * DAY_MS, newestMs).level, 'warn');
});
