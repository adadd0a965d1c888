// Installs the dependencies by itself when they are absent or not those of package-lock.json.
// Plain JavaScript without a dependency: it runs before there is any.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foreignBinaries, removeForeign } from './foreign-binaries.mjs';
import { hasDevelopment, missingPackages } from './installed-packages.mjs';
import { restoreManifest } from './packed-manifest.mjs';

export const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));

/** Written in the package's `engines`, too: what rolldown and vite run on, of which a clone builds program and page. */
const MINIMUM_NODE = [20, 19];
/** Install scripts of dependencies never run: every binary comes as an optional package or prebuilt. */
const INSTALL = ['ci', '--ignore-scripts'];
export const INSTALL_PROGRAM = [...INSTALL, '--omit=dev'];

/**
 * Runs `npm ci` when packages are missing; ends the process with npm's exit code when that fails. `extent` is `all`, or
 * `program` for what runs and builds the program: packages of development that are there stay.
 */
export function ensureDependencies(extent = 'all') {
  if (!isNodeNewEnough()) {
    console.error(`Varve needs Node.js ${MINIMUM_NODE.join('.')} or newer; this is ${process.versions.node}.`);
    process.exit(2);
  }
  restoreManifest();
  if (isInstalled(extent)) return;
  const isSmall = extent === 'program' && !hasDevelopment(readInstalled());
  const words = isSmall ? INSTALL_PROGRAM : INSTALL;
  console.error(`Installing dependencies (npm ${words.join(' ')})…`);
  // On Windows npm is a batch file, which only a shell starts.
  const result = spawnSync('npm', words, {
    cwd: projectFolder,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (result.error) console.error(`npm did not start: ${result.error.message}`);
  if (result.status !== 0) process.exit(result.status ?? 1);
  removeForeign(join(projectFolder, 'node_modules'), foreignBinaries(isSmall ? 'program' : 'all'));
}

function isNodeNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [wantedMajor, wantedMinor] = MINIMUM_NODE;
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

/** Whether every package is there that package-lock.json asks for. */
export function isInstalled(extent = 'all') {
  return missingPackages(readPackages('package-lock.json'), readInstalled(), extent).length === 0;
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
