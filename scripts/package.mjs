// `npm run package`: makes the package, `varve-<version>.tgz`, as `npm pack` does. `npm run package deb [folder]` makes the one
// for Debian, and `npm run package check-image` looks at what the container's image would hold.
// npm itself calls this with `prepack` and `postpack`.

import { spawnSync } from 'node:child_process';
import { ensureDependencies, projectFolder, runNode } from './dependencies.mjs';
import { putPackedManifest, restoreManifest } from './packed-manifest.mjs';

const WAYS = {
  prepack() {
    restoreManifest();
    const code = runNode(['scripts/build.mjs']);
    if (code === 0) putPackedManifest();
    return code;
  },
  postpack() {
    restoreManifest();
    return 0;
  },
  tgz: () =>
    spawnSync('npm', ['pack'], { cwd: projectFolder, stdio: 'inherit', shell: process.platform === 'win32' }).status,
  deb: (words) => runNode(['scripts/build-deb.mjs', ...words]),
  'check-image': () => runNode(['scripts/check-image.mjs']),
};

const [way = 'tgz', ...words] = process.argv.slice(2);
if (!Object.hasOwn(WAYS, way)) {
  console.error(`There is no package '${way}'; want tgz, deb or check-image.`);
  process.exit(2);
}
if (way !== 'postpack') ensureDependencies();
process.exitCode = WAYS[way](words) ?? 1;
