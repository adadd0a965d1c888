// `npm run build`, and what `npm pack` does first (package.mjs): the program as JavaScript with all that it needs to run, into `program`.

import { join } from 'node:path';
import { ensureDependencies, projectFolder, runNode } from './dependencies.mjs';

ensureDependencies();
const pageCode = runNode(['scripts/build-explorer.mjs']);
if (pageCode !== 0) process.exit(pageCode);
const { buildProgram } = await import('./build-program.mjs');
const startMs = performance.now();
const folder = join(projectFolder, 'program');
const { fileCount, sizeBytes } = await buildProgram(folder);
const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
console.error(
  `The program was built in ${seconds} s: ${fileCount} files, ${(sizeBytes / 1e6).toFixed(1)} MB installed.`,
);
