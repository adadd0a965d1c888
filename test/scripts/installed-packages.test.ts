// When the launch scripts install packages: when some are missing, and not because somebody else has installed them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { uwsBuilds } from '../../server/uws/uws-builds.ts';
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
type Extent = 'all' | 'program';
type MissingPackages = (wanted: Packages, installed: Packages, extent: Extent, machine: unknown) => string[];

interface Foreign {
  foreignBinaries(extent: Extent, machine: unknown): unknown;
  /** Gives how many bytes went. */
  removeForeign(packagesFolder: string, list: unknown): number;
}

const { missingPackages } = (await loadScript('installed-packages.mjs')) as { missingPackages: MissingPackages };
const { foreignBinaries, removeForeign } = (await loadScript('foreign-binaries.mjs')) as Foreign;

function loadScript(name: string): Promise<unknown> {
  return import(pathToFileURL(join(projectFolder, 'scripts', name)).href);
}

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
    assert.deepEqual(missingPackages(WANTED, installed, 'all', machine), missing);
    const ofProgram = missing.filter((path) => path !== 'node_modules/tool');
    assert.deepEqual(missingPackages(WANTED, installed, 'program', machine), ofProgram, 'of the program');
  });
}

test('what is there is not installed again; what is missing is, with development where that is wanted or was there', (context) => {
  const folder = makeTempFolder(context);
  for (const name of ['dependencies', 'installed-packages', 'foreign-binaries', 'packed-manifest'].map(
    (each) => `${each}.mjs`,
  )) {
    cpSync(join(projectFolder, 'scripts', name), join(folder, 'scripts', name));
  }
  cpSync(join(projectFolder, 'package-lock.json'), join(folder, 'package-lock.json'));
  mkdirSync(join(folder, 'node_modules'));
  const list = join(folder, 'node_modules', '.package-lock.json');
  const { packages } = JSON.parse(readFileSync(join(projectFolder, 'node_modules', '.package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { readonly dev?: boolean }>>;
  };
  const ofProgram = Object.fromEntries(Object.entries(packages).filter(([, { dev }]) => dev !== true));
  const { 'node_modules/pino': _, ...withoutPino } = packages;
  const install = ['Installing dependencies (npm ci --ignore-scripts)…', 'npm ci --ignore-scripts'];
  const installProgram = install.map((line) => line.replace('scripts', 'scripts --omit=dev'));
  for (const [installed, forAll, forProgram] of [
    [packages, [], []],
    [ofProgram, install, []],
    [withoutPino, install, install],
    [{}, install, installProgram],
  ] as const) {
    writeFileSync(list, JSON.stringify({ packages: installed }));
    assert.deepEqual(ensure(folder, 'all'), forAll);
    assert.deepEqual(ensure(folder, 'program'), forProgram);
  }
  rmSync(list);
  assert.deepEqual(ensure(folder, 'all'), install);
});

test('binaries of other machines and versions of Node go; what the package of Varve carries stays where it can be built', (context) => {
  const folder = makeTempFolder(context);
  const [current, older] = uwsBuilds.map(({ pins }) => [...pins.keys()]) as [string[], string[]];
  const places = {
    '@btc-vision/uwebsockets.js': [...current, 'uws_linux_x64_108.node', 'uws_linux_arm64_141.node', 'uws.js'],
    '@trufflesuite/uws-js-unofficial': [
      'package.json',
      'binaries/uws_linux_x64_93.node',
      'dist/uws_linux_x64_115.node',
    ].concat(older.map((name) => `binaries/${name}`)),
    bufferutil: ['package.json', 'prebuilds/linux-x64/node.node'],
    msgpackr: ['dist/node.cjs', 'dist/node.cjs.map'],
    'node-opcua-client': ['dist/index.js', 'dist/index.js.map', 'dist/index.d.ts', 'source/index.ts'],
    '@aws-sdk/core': ['index.js', 'index.d.ts', 'index.d.cts'],
    '.cache': ['serve.js.map'],
  };
  const remaining = (extent: Extent): string[] => {
    const all = Object.entries(places).flatMap(([name, paths]) => paths.map((path) => join(name, path)));
    for (const path of all) {
      mkdirSync(join(folder, extent, dirname(path)), { recursive: true });
      writeFileSync(join(folder, extent, path), 'binary');
    }
    const removed = removeForeign(join(folder, extent), foreignBinaries(extent, LINUX));
    const left = all.filter((path) => existsSync(join(folder, extent, path)));
    assert.equal(removed, (all.length - left.length) * 'binary'.length);
    return left.map((path) => path.replace(/^@[^/]+\//, '')).sort();
  };
  const types = ['core/index.d.ts', 'core/index.d.cts', 'node-opcua-client/dist/index.d.ts'];
  const whole = [
    '.cache/serve.js.map',
    'bufferutil/package.json',
    'core/index.js',
    'msgpackr/dist/node.cjs',
    'node-opcua-client/dist/index.js',
    'uwebsockets.js/uws.js',
    'uws-js-unofficial/package.json',
  ];
  const ofCurrent = (name: string): string => `uwebsockets.js/${name}`;
  const ofOlder = (name: string): string => `uws-js-unofficial/binaries/${name}`;
  assert.deepEqual(remaining('all'), [...whole, ...types, ...current.map(ofCurrent), ...older.map(ofOlder)].sort());
  const isOurs = (name: string): boolean => name.startsWith('uws_linux_x64_');
  const ours = [...current.filter(isOurs).map(ofCurrent), ...older.filter(isOurs).map(ofOlder)];
  assert.equal(ours.length, 4);
  assert.deepEqual(remaining('program'), [...whole, ...ours].sort());
  assert.equal(removeForeign(join(folder, 'none'), foreignBinaries('all', LINUX)), 0);
});

/** What is said while dependencies are looked at, in a place whose npm only says how it was called. */
function ensure(folder: string, extent: Extent): string[] {
  writeFileSync(join(folder, 'npm'), '#!/bin/sh\necho "npm $*"\n', { mode: 0o755 });
  const code = `import { ensureDependencies } from './scripts/dependencies.mjs'; ensureDependencies('${extent}');`;
  const result = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: folder,
    env: { PATH: `${folder}:/usr/bin:/bin` },
    encoding: 'utf8',
  });
  return result.stderr.split('\n').filter((line) => line !== '');
}
