// When the launch scripts install packages: when some are missing, and not because somebody else has installed them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { projectFolder } from '../support/server-process.ts';
import { makeTempFolder } from '../support/temp-folder.ts';

const WANTED = {
  '': { name: 'varve' },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/tool': { version: '2.0.0', integrity: 'sha512-t', dev: true },
  'node_modules/native-linux': { version: '1.0.0', integrity: 'sha512-l', optional: true, os: ['linux'], cpu: ['x64'] },
  'node_modules/native-musl': {
    version: '1.0.0',
    integrity: 'sha512-m',
    optional: true,
    os: ['linux'],
    libc: ['musl'],
  },
  'node_modules/native-win': { version: '1.0.0', integrity: 'sha512-w', optional: true, os: ['win32'] },
  'node_modules/of-native-win': { version: '1.0.0', integrity: 'sha512-o', optional: true },
  'node_modules/not-win': { version: '1.0.0', integrity: 'sha512-n', optional: true, os: ['!win32'] },
};

/** What npm installs of it on Linux with glibc. */
const ON_LINUX = pick('node_modules/a', 'node_modules/native-linux', 'node_modules/not-win', 'node_modules/tool');

type Packages = Readonly<Record<string, unknown>>;
type MissingPackages = (wanted: Packages, installed: Packages, machine?: unknown) => string[];

const { missingPackages } = (await import(
  pathToFileURL(join(projectFolder, 'scripts', 'installed-packages.mjs')).href
)) as { missingPackages: MissingPackages };

function pick(...paths: string[]): Packages {
  return Object.fromEntries(Object.entries(WANTED).filter(([path]) => paths.includes(path)));
}

const LINUX = { platform: 'linux', arch: 'x64' };
const cases: readonly [title: string, installed: Packages, machine: unknown, missing: string[]][] = [
  ['all that this machine needs', ON_LINUX, LINUX, []],
  [
    'no packages of development',
    pick('node_modules/a', 'node_modules/native-linux', 'node_modules/not-win'),
    LINUX,
    ['node_modules/tool'],
  ],
  [
    'another version',
    { ...ON_LINUX, 'node_modules/a': { version: '1.0.1', integrity: 'sha512-a' } },
    LINUX,
    ['node_modules/a'],
  ],
  [
    'other bytes',
    { ...ON_LINUX, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-b' } },
    LINUX,
    ['node_modules/a'],
  ],
  ['the packages of another machine', ON_LINUX, { platform: 'win32', arch: 'x64' }, ['node_modules/native-win']],
  ['nothing', {}, LINUX, ['node_modules/a', 'node_modules/tool', 'node_modules/native-linux', 'node_modules/not-win']],
];

for (const [title, installed, machine, missing] of cases) {
  test(`with ${title} installed, ${missing.length} packages are missing`, () => {
    assert.deepEqual(missingPackages(WANTED, installed, machine), missing);
  });
}

test('behind a plain `npm ci` nothing is installed again; without its list everything is, and no install script runs', (context) => {
  const folder = makeTempFolder(context);
  for (const name of ['dependencies.mjs', 'installed-packages.mjs']) {
    cpSync(join(projectFolder, 'scripts', name), join(folder, 'scripts', name));
  }
  cpSync(join(projectFolder, 'package-lock.json'), join(folder, 'package-lock.json'));
  mkdirSync(join(folder, 'node_modules'));
  const list = join(folder, 'node_modules', '.package-lock.json');
  cpSync(join(projectFolder, 'node_modules', '.package-lock.json'), list);
  assert.deepEqual(ensure(folder), []);
  rmSync(list);
  assert.deepEqual(ensure(folder), ['Installing dependencies (npm ci)…', 'npm ci --ignore-scripts']);
});

/** What is said while dependencies are looked at, in a place whose npm only says how it was called. */
function ensure(folder: string): string[] {
  writeFileSync(join(folder, 'npm'), '#!/bin/sh\necho "npm $*"\n', { mode: 0o755 });
  const code = `import { ensureDependencies } from './scripts/dependencies.mjs'; ensureDependencies();`;
  const result = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: folder,
    env: { PATH: `${folder}:/usr/bin:/bin` },
    encoding: 'utf8',
  });
  return result.stderr.split('\n').filter((line) => line !== '');
}
