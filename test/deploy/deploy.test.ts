// What is made of the package for a container and for Debian, and the service: what they hold, that it starts, and that
// systemd takes the unit.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ExitCode } from '../../server/exit-codes.ts';
import { readSettings } from '../../server/settings/read-settings.ts';
import { SETTINGS } from '../../server/settings/settings.ts';
import { buildFor } from '../../server/uws/uws-builds.ts';
import { cloneVarve, runCommand } from '../support/packed-varve.ts';
import { projectFolder, temporaryFolder } from '../support/server-process.ts';
import { makeTempFolder } from '../support/temp-folder.ts';

const READY_LIMIT_MS = 120_000;
const END_LIMIT_MS = 60_000;
/** Tenths on a scale to 10, as the flag of systemd-analyze wants it; what it calls OK ends at 2.0 for us. */
const MOST_EXPOSURE = 20;
const DEB_FILES = [
  'etc/varve/varve.env',
  'opt/varve/bin/varve.mjs',
  'opt/varve/program/server/explorer/dist/index.html',
  'usr/bin/varve',
  'usr/lib/systemd/system/varve.service',
  'usr/share/bash-completion/completions/varve',
  'usr/share/doc/varve/copyright',
  'usr/share/fish/vendor_completions.d/varve.fish',
  'usr/share/zsh/vendor-completions/_varve',
];

const unit = readFileSync(join(projectFolder, 'deploy/varve.service'), 'utf8');

function unitValues(key: string): string[] {
  return [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

interface Image {
  readonly root: string;
  readonly base: string;
  readonly settings: Readonly<Record<string, string>>;
}

const folder = temporaryFolder();
const clone = cloneVarve(folder);
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

async function importScript(name: string): Promise<unknown> {
  return import(pathToFileURL(join(clone, 'scripts', name)).href);
}

/** Starts the program that lies in a tree of files, and gives the process and its port. */
async function startFrom(path: string, environment: Readonly<Record<string, string>>): Promise<[ChildProcess, string]> {
  const inside = { VARVE_HOST: '127.0.0.1', VARVE_PORT: '0', VARVE_DATA: mkdtempSync(join(folder, 'data-')) };
  const child = spawn(process.execPath, [path, 'serve'], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment, ...inside },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line', {
    signal: AbortSignal.timeout(READY_LIMIT_MS),
  })) as [string];
  const [, port = ''] = /^Varve is listening on http:\/\/127\.0\.0\.1:(\d+)$/.exec(line) ?? [];
  return [child, port];
}

async function stopInOrder(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  const [code] = (await once(child, 'exit', { signal: AbortSignal.timeout(END_LIMIT_MS) })) as [number];
  assert.equal(code, 0);
}

test('the files of the image: the package, its command and its data, and nothing else; it serves, its health is checked, and its signal ends it', async (context) => {
  const { buildImageTree } = (await importScript('image-tree.mjs')) as { buildImageTree: (folder: string) => Image };
  const { imageFacts } = (await importScript('image-facts.mjs')) as {
    imageFacts: (image: Image) => [fact: string, holds: boolean][];
  };
  const image = buildImageTree(join(folder, 'image'));
  const facts = imageFacts(image);
  assert.ok(facts.length > 5);
  for (const [fact, holds] of facts) assert.ok(holds, fact);

  const { settings, root } = image;
  assert.equal(settings.EXPOSE, SETTINGS.port.defaultText);
  assert.deepEqual([settings.ENTRYPOINT, settings.CMD], ['["varve"]', '["serve"]']);
  const environment = Object.fromEntries((settings.ENV ?? '').split(/ +/).map((pair) => pair.split('=')));
  assert.deepEqual([environment.VARVE_DATA, environment.VARVE_HOST], [settings.VOLUME, '0.0.0.0']);
  assert.equal(image.base, 'node:24-trixie-slim');
  const trixie = { platform: 'linux', arch: 'x64', modules: '137', glibc: '2.41' };
  assert.ok(buildFor(trixie)?.isDefault, 'a Node and a C library that a binary is for');

  const [child, port] = await startFrom(join(root, 'opt/varve/bin/varve.mjs'), environment);
  context.after(() => child.kill('SIGKILL'));
  const [, command = ''] = /CMD (.*)$/.exec(settings.HEALTHCHECK ?? '') ?? [];
  const [program, script = ''] = JSON.parse(command) as string[];
  assert.equal(program, 'node');
  const ask = (askedPort: string) =>
    spawnSync(process.execPath, [join(root, script)], { env: { VARVE_PORT: askedPort } }).status;
  assert.equal(ask(port), 0);
  await stopInOrder(child, settings.STOPSIGNAL as NodeJS.Signals);
  assert.equal(ask(port), 1, 'the health check fails when nobody answers');
});

const noDeb = spawnSync('dpkg-deb', ['--version']).status === 0 ? false : 'dpkg-deb is not installed';

test('the .deb holds program, command, service, settings and completion, and runs as it is unpacked', {
  skip: noDeb,
}, async (context) => {
  await runCommand(clone, process.execPath, 'scripts/build-deb.mjs', folder);
  const path = join(folder, readdirSync(folder).find((name) => name.endsWith('.deb')) ?? '');
  const contents = await runCommand(folder, 'dpkg-deb', '--contents', path);
  const rows = contents.split('\n').filter((row) => row !== '');
  for (const row of rows) assert.match(row, /^[-dl]rw[-x]r-[-x]r-[-x] root\/root |^lrwxrwxrwx root\/root /);
  for (const name of DEB_FILES)
    assert.ok(contents.includes(` ./${name}\n`) || contents.includes(` ./${name} -> `), name);
  assert.doesNotMatch(contents, /node_modules|\.tsx?$|uws_(?!linux)/m);

  const tree = join(folder, 'deb');
  await runCommand(folder, 'dpkg-deb', '--raw-extract', path, tree);
  assert.equal(readFileSync(join(tree, 'DEBIAN/conffiles'), 'utf8'), '/etc/varve/varve.env\n');
  assert.match(readFileSync(join(tree, 'DEBIAN/control'), 'utf8'), /^Depends: nodejs \(>= 20\.19\), passwd$/m);
  assert.equal(readlinkSync(join(tree, 'usr/bin/varve')), '/opt/varve/bin/varve.mjs');
  assert.equal(readFileSync(join(tree, 'usr/lib/systemd/system/varve.service'), 'utf8'), unit);
  const [child, port] = await startFrom(join(tree, 'opt/varve/bin/varve.mjs'), {});
  context.after(() => child.kill('SIGKILL'));
  const page = await fetch(`http://127.0.0.1:${port}/`);
  assert.match(await page.text(), /\/explorer\/index-/);
  await stopInOrder(child, 'SIGTERM');
});

test('the .deb makes the account and the data folder where there is none, and starts the service only under systemd', () => {
  const script = readFileSync(join(projectFolder, 'deploy/debian/postinst'), 'utf8');
  const run = (accountExists: boolean): string[] => {
    const place = mkdtempSync(join(folder, 'postinst-'));
    const data = join(place, 'var-lib-varve');
    const noted = join(place, 'noted');
    for (const tool of ['getent', 'useradd', 'install', 'systemctl']) {
      const code = tool === 'getent' && !accountExists ? 2 : 0;
      writeFileSync(join(place, tool), `#!/bin/sh\necho "${tool} $*" >> ${noted}\nexit ${code}\n`, { mode: 0o755 });
    }
    const here = script.replaceAll('[ ! -d /var/lib/varve ]', `[ ! -d ${data} ]`).replaceAll('/run/systemd', place);
    const { status, stderr } = spawnSync('sh', ['-c', here, 'postinst', 'configure'], {
      env: { PATH: `${place}:${process.env.PATH}` },
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    return readFileSync(noted, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  };
  const makesFolder = 'install --directory --owner=varve --group=varve --mode=0750 /var/lib/varve';
  assert.deepEqual(run(true), ['getent passwd varve', makesFolder]);
  assert.deepEqual(run(false), [
    'getent passwd varve',
    'useradd --system --user-group --home-dir /var/lib/varve --no-create-home --shell /usr/sbin/nologin varve',
    makesFolder,
  ]);
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
