// Runs the program from the sources of a clone: TypeScript is compiled as it is loaded.

import { isInstalled, projectFolder, runNode } from './dependencies.mjs';

/** Runs `varve <words>` in this very process, where all packages are installed. */
export async function runSources(words) {
  const { register } = await import('tsx/esm/api');
  register();
  const { runVarve } = await import('./run-varve.mjs');
  await runVarve(words);
}

/** The same for `bin/varve.mjs` of a clone, which installs nothing by itself but says what is missing. */
export async function runClone(words) {
  if (!isInstalled()) {
    console.error(
      `This clone of Varve is not installed yet. Run this, then try again: npm ci --ignore-scripts --prefix ${projectFolder}`,
    );
    process.exit(1);
  }
  const [command = 'serve'] = words;
  // Without the page the server runs all the same, and says so.
  if (command === 'serve' || command.startsWith('--')) runNode(['scripts/build-explorer.mjs']);
  await runSources(words);
}
