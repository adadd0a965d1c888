// Installs the dependencies by itself when they are absent or not those of package-lock.json.
// Plain JavaScript without a dependency: it runs before there is any.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { missingPackages } from './installed-packages.mjs';

export const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));

const MINIMUM_NODE_MAJOR = 20;

/** Runs `npm ci` when packages are missing; ends the process with npm's exit code when that fails. */
export function ensureDependencies() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < MINIMUM_NODE_MAJOR) {
    console.error(`Varve needs Node.js ${MINIMUM_NODE_MAJOR} or newer; this is ${process.versions.node}.`);
    process.exit(2);
  }
  if (isInstalled()) return;
  console.error('Installing dependencies (npm ci)…');
  // On Windows npm is a batch file, which only a shell starts.
  // Install scripts of dependencies never run: every binary comes as an optional package or prebuilt.
  const result = spawnSync('npm', ['ci', '--ignore-scripts'], {
    cwd: projectFolder,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (result.error) console.error(`npm did not start: ${result.error.message}`);
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** Whether every package is there that package-lock.json asks for. */
export function isInstalled() {
  return missingPackages(readPackages('package-lock.json'), readInstalled()).length === 0;
}

/** Runs `node` with the given arguments in the project folder, sharing this terminal. Gives its exit code. */
export function runNode(nodeArguments) {
  const result = spawnSync(process.execPath, nodeArguments, { cwd: projectFolder, stdio: 'inherit' });
  return result.status ?? 1;
}

function readPackages(path) {
  return JSON.parse(readFileSync(join(projectFolder, path), 'utf8')).packages;
}

/** npm writes its list last: without a readable one nothing is known to be installed. */
function readInstalled() {
  try {
    return readPackages('node_modules/.package-lock.json') ?? {};
  } catch {
    return {};
  }
}
