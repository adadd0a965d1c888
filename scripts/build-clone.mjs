// Builds what a clone runs, in a process of its own: the server that waits for it is not to carry the builder's memory.

import { makeBuild } from './clone-build.mjs';

const startMs = performance.now();
try {
  const { buildForClone } = await import('./build-program.mjs');
  await makeBuild(buildForClone);
  console.error(`The program was built in ${((performance.now() - startMs) / 1000).toFixed(1)} s.`);
} catch (error) {
  console.error(`The program could not be built: ${error.message}`);
  process.exitCode = 1;
}
