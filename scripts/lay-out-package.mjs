// `node scripts/lay-out-package.mjs <folder>`: puts the package into a folder as it is installed, for this kind of machine
// only: of the binaries of uWebSockets those of other kinds are left out.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFolder } from './dependencies.mjs';

/** `folder` is made; files that it has are replaced. */
export function layOutPackage(folder, { platform, arch } = process) {
  const packed = mkdtempSync(join(tmpdir(), 'varve-package-'));
  try {
    run('npm', ['pack', '--silent', '--pack-destination', packed]);
    const [name] = readdirSync(packed);
    mkdirSync(folder, { recursive: true });
    run('tar', ['-xzf', join(packed, name), '-C', folder, '--strip-components=1', '--no-same-owner']);
  } finally {
    rmSync(packed, { recursive: true, force: true });
  }
  const binaries = join(folder, 'program', 'uws');
  for (const path of readdirSync(binaries, { recursive: true }).filter((entry) => entry.endsWith('.node')))
    if (!basename(path).startsWith(`uws_${platform}_${arch}_`)) rmSync(join(binaries, path));
}

/** Throws when the program fails. */
function run(program, words) {
  const { status, error } = spawnSync(program, words, { cwd: projectFolder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} failed: ${error?.message ?? `exit code ${status}`}`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , folder] = process.argv;
  if (folder === undefined) throw new Error('want the folder to put the package into');
  layOutPackage(resolve(folder));
}
