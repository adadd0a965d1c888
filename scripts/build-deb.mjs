// `npm run package deb [<folder>]`: the package for Debian and its like, for this kind of machine: the program in
// /opt/varve, the command `varve`, the service with its account, its settings, and completion for shells.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { projectFolder } from './dependencies.mjs';
import { layOutPackage } from './lay-out-package.mjs';

/** Debian's names of kinds of machines. */
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };
const COMPLETIONS = {
  bash: 'usr/share/bash-completion/completions/varve',
  zsh: 'usr/share/zsh/vendor-completions/_varve',
  fish: 'usr/share/fish/vendor_completions.d/varve.fish',
};
const SETTINGS = 'etc/varve/varve.env';
const MAINTAINER_SCRIPTS = ['postinst', 'prerm', 'postrm'];

const { version, description, engines } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
const architecture = ARCHITECTURES[process.arch];
if (process.platform !== 'linux' || architecture === undefined)
  throw new Error(`a .deb is built on Linux, x64 or arm64; this is ${process.platform} ${process.arch}`);
const outFolder = resolve(process.argv[2] ?? '.');
const tree = mkdtempSync(join(tmpdir(), 'varve-deb-'));
try {
  fillTree();
  makeModesPlain(tree);
  writeControl();
  const path = join(outFolder, `varve_${version}_${architecture}.deb`);
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z2', '--build', tree, path], { stdio: ['ignore', 2, 2] });
  console.log(`${path}: ${(lstatSync(path).size / 1e6).toFixed(1)} MB, ${sizeKiB(tree)} KiB installed`);
} finally {
  rmSync(tree, { recursive: true, force: true });
}

function fillTree() {
  const program = join(tree, 'opt/varve');
  layOutPackage(program);
  mkdirSync(join(tree, 'usr/bin'), { recursive: true });
  symlinkSync('/opt/varve/bin/varve.mjs', join(tree, 'usr/bin/varve'));
  put('usr/lib/systemd/system/varve.service', readFileSync(join(projectFolder, 'deploy/varve.service')));
  put(SETTINGS, readFileSync(join(projectFolder, 'deploy/debian/varve.env')));
  put('usr/share/doc/varve/copyright', readFileSync(join(projectFolder, 'LICENSE')));
  for (const [shell, path] of Object.entries(COMPLETIONS)) {
    put(path, execFileSync(process.execPath, [join(program, 'bin/varve.mjs'), 'completion', shell]));
  }
}

function put(path, bytes) {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), bytes);
}

/** Whatever the umask was here. */
function makeModesPlain(folder) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makeModesPlain(path);
    else if (entry.isFile()) chmodSync(path, lstatSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}

function writeControl() {
  const control = [
    'Package: varve',
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    'Maintainer: Varve <varve@localhost>',
    'Section: database',
    'Priority: optional',
    `Depends: nodejs (${engines.node.replace('>=', '>= ')}), passwd`,
    `Installed-Size: ${sizeKiB(tree)}`,
    `Description: ${description.replace(/\.$/, '')}`,
    ' It keeps time series of industrial data, and serves them over HTTP with a page to look at them.',
  ];
  const folder = join(tree, 'DEBIAN');
  mkdirSync(folder, { mode: 0o755 });
  writeFileSync(join(folder, 'control'), `${control.join('\n')}\n`, { mode: 0o644 });
  writeFileSync(join(folder, 'conffiles'), `/${SETTINGS}\n`, { mode: 0o644 });
  for (const name of MAINTAINER_SCRIPTS) {
    cpSync(join(projectFolder, 'deploy/debian', name), join(folder, name));
    chmodSync(join(folder, name), 0o755);
  }
}

function sizeKiB(folder) {
  return Number(execFileSync('du', ['-sk', '--apparent-size', folder], { encoding: 'utf8' }).split('\t')[0]);
}
