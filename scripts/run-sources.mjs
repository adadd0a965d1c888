// Runs the program of a clone: built from its sources, or from the sources themselves where that does not work.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './clone-build.mjs';
import { INSTALL_PROGRAM, isInstalled, projectFolder, runNode } from './dependencies.mjs';
import { isExplorerBuilt } from './explorer-sources.mjs';

/** Runs `varve <words>` in this very process, where all packages are installed. */
export async function runSources(words) {
  const [command = 'serve'] = words;
  // Without the page the server runs all the same, and says so.
  if ((command === 'serve' || command.startsWith('--')) && !isExplorerBuilt()) runNode(['scripts/build-explorer.mjs']);
  const { runVarve } = await loadProgram(ensureBuilt());
  await runVarve(words);
}

async function loadProgram(builtFolder) {
  if (builtFolder !== undefined) return import(pathToFileURL(join(builtFolder, 'scripts', 'run-varve.js')).href);
  const { register } = await import('tsx/esm/api');
  register();
  return import('./run-varve.mjs');
}

/** Runs the clone's program for `bin/varve.mjs`, which installs nothing by itself but says what is missing. */
export async function runClone(words) {
  if (!isInstalled('program')) {
    console.error(
      `This clone of Varve is not installed yet. Run this, then try again: npm ${INSTALL_PROGRAM.join(' ')} --prefix ${projectFolder}`,
    );
    process.exit(1);
  }
  await runSources(words);
}
