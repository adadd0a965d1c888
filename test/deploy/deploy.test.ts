// The container's and the service's files: what they name exists, what they start starts, and systemd takes the unit.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { ExitCode } from '../../server/exit-codes.ts';
import { uwsBinaryPins } from '../../server/http/uws-binary-pin.ts';
import { readSettings } from '../../server/read-settings.ts';
import { SETTINGS } from '../../server/settings.ts';
import { projectFolder } from '../support/server-process.ts';
import { makeTempFolder } from '../support/temp-folder.ts';

const READY_LIMIT_MS = 120_000;
const END_LIMIT_MS = 60_000;
/** Of 10; what systemd-analyze calls OK ends at 2.0 for us. In tenths, as its flag wants it. */
const MOST_EXPOSURE = 20;

const dockerfile = readFileSync(join(projectFolder, 'Dockerfile'), 'utf8').replaceAll(/\\\n\s*/g, '');
const unit = readFileSync(join(projectFolder, 'deploy/varve.service'), 'utf8');

/** The arguments of an instruction, each time it occurs. */
function instructions(name: string): string[] {
  return [...dockerfile.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, words = '']) => words);
}

/** Sources and target of every COPY out of the project. */
function copies(): { sources: string[]; target: string }[] {
  return instructions('COPY')
    .filter((words) => !words.startsWith('--from'))
    .map((words) => words.split(' '))
    .map((words) => ({ sources: words.slice(0, -1), target: words.at(-1) ?? '' }));
}

function environment(): Record<string, string> {
  return Object.fromEntries(instructions('ENV').flatMap((words) => words.split(/ +/).map((pair) => pair.split('='))));
}

function jsonWords(name: string): string[] {
  return JSON.parse(instructions(name).at(-1) ?? '[]') as string[];
}

function unitValues(key: string): string[] {
  return [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

test('every file that the image copies exists, and .dockerignore lets it through', () => {
  const allowed = readFileSync(join(projectFolder, '.dockerignore'), 'utf8').split('\n');
  const sources = copies().flatMap((copy) => copy.sources);
  assert.ok(sources.length >= 10, `${sources.length} sources`);
  for (const source of sources) {
    assert.ok(existsSync(join(projectFolder, source)), source);
    assert.ok(allowed.includes(`!${source}`), `.dockerignore keeps ${source} out`);
  }
});

test('the image runs as somebody else than root, on a Node that the pinned binaries are for, with its data in a volume', () => {
  assert.deepEqual(instructions('USER'), ['node']);
  assert.ok(dockerfile.indexOf('\nUSER node') < dockerfile.indexOf('\nENTRYPOINT'));
  const { VARVE_DATA, VARVE_HOST } = environment();
  assert.deepEqual(instructions('VOLUME'), [VARVE_DATA]);
  assert.equal(VARVE_HOST, '0.0.0.0');
  assert.deepEqual(instructions('EXPOSE'), [SETTINGS.port.defaultText]);
  const images = instructions('FROM').map((words) => words.split(' ')[0]);
  assert.deepEqual([...new Set(images)], ['node:20-bookworm-slim']);
  assert.ok(uwsBinaryPins.has('uws_linux_x64_115.node'));
});

test('what the image holds is enough: its entry point serves, its health check passes, and SIGTERM ends it in order', async (context) => {
  const folder = makeTempFolder(context);
  const image = join(folder, 'opt/varve');
  mkdirSync(image, { recursive: true });
  for (const { sources, target } of copies()) {
    const isFolder = target.endsWith('/');
    for (const source of sources)
      cpSync(join(projectFolder, source), join(image, isFolder ? join(target, source) : target), { recursive: true });
  }
  symlinkSync(join(projectFolder, 'node_modules'), join(image, 'node_modules'));
  const [program = '', ...words] = [...jsonWords('ENTRYPOINT'), ...jsonWords('CMD')];
  assert.equal(program, 'node');
  const inside = { ...environment(), VARVE_DATA: join(folder, 'data'), VARVE_HOST: '127.0.0.1', VARVE_PORT: '0' };
  const child = spawn(process.execPath, words, { cwd: image, env: { PATH: process.env.PATH, ...inside } });
  context.after(() => child.kill('SIGKILL'));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line', {
    signal: AbortSignal.timeout(READY_LIMIT_MS),
  })) as [string];
  const [, port = ''] = /^Varve is listening on http:\/\/127\.0\.0\.1:(\d+)$/.exec(line) ?? [];
  const [, command = ''] = /CMD (.*)$/m.exec(instructions('HEALTHCHECK')[0] ?? '') ?? [];
  const health = (JSON.parse(command) as string[]).slice(1);
  const ask = (askedPort: string) =>
    spawnSync(process.execPath, health, { cwd: image, env: { ...inside, VARVE_PORT: askedPort } }).status;
  assert.equal(ask(port), 0);
  child.kill(instructions('STOPSIGNAL')[0] as NodeJS.Signals);
  const [code] = (await once(child, 'exit', { signal: AbortSignal.timeout(END_LIMIT_MS) })) as [number];
  assert.equal(code, 0);
  assert.equal(ask(port), 1, 'the health check fails when nobody answers');
});

test('the unit starts the server with settings that exist, and restarts it when a restart can help', () => {
  const [command = ''] = unitValues('ExecStart');
  const words = command.split(' ');
  assert.ok(existsSync(join(projectFolder, (words[1] ?? '').replace('/opt/varve/', ''))), words[1]);
  const flags = words.slice(words.indexOf('serve') + 1);
  const settings = readSettings({ flags, environment: {}, readFile: () => '' });
  assert.equal(settings.data, `/var/lib/${unitValues('StateDirectory')[0]}`);
  assert.deepEqual(unitValues('Restart'), ['on-failure']);
  assert.deepEqual(unitValues('RestartPreventExitStatus'), [`${ExitCode.Usage} ${ExitCode.InUse}`]);
  assert.equal(unitValues('MemoryDenyWriteExecute').length, 0, 'V8 makes code at run time');
});

const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;

test('systemd finds no fault in the unit, and little exposure', {
  skip: hasAnalyze ? false : 'systemd-analyze is not installed',
}, (context) => {
  const folder = makeTempFolder(context);
  const path = join(folder, 'varve.service');
  // Here the programs lie elsewhere than where the unit will be used.
  writeFileSync(path, unit.replace('/usr/bin/node', process.execPath));
  const verify = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' });
  const faults = verify.stderr.split('\n').filter((line) => line.includes(path) || line.startsWith('varve.service'));
  assert.deepEqual(faults, []);
  assert.equal(verify.status, 0, verify.stderr);
  const broken = join(folder, 'broken.service');
  writeFileSync(broken, unit.replace('ExecStart=', 'ExecStrat='));
  assert.notEqual(spawnSync('systemd-analyze', ['verify', '--man=no', broken]).status, 0, 'negative control');
  const security = spawnSync(
    'systemd-analyze',
    ['security', '--no-pager', '--offline=true', `--threshold=${MOST_EXPOSURE}`, path],
    { encoding: 'utf8' },
  );
  context.diagnostic(security.stdout.trim().split('\n').at(-1) ?? '');
  assert.equal(security.status, 0, security.stdout + security.stderr);
});
