// The parts of uWebSockets.js that the package carries: of each build its licence, and the binaries that are pinned.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const FILES = ['package.json', 'LICENSE'];

/** The packages of the builds, by how the program's package.json names them. */
export const UWS_PACKAGES = {
  '#uws-current': '@btc-vision/uwebsockets.js',
  '#uws-older': '@trufflesuite/uws-js-unofficial',
};

/**
 * Copies from `packagesFolder`, a `node_modules`, into `target`. Gives the imports by which the program finds them. Throws when
 * a binary is not the pinned one.
 * @param buildsModule path of the built module that has the pins
 */
export async function copyUwsPackages(packagesFolder, target, buildsModule) {
  const { uwsBuilds } = await import(pathToFileURL(buildsModule).href);
  const imports = {};
  for (const build of uwsBuilds) {
    const name = build.specifier.replace('#uws-', '');
    copyBuild(join(packagesFolder, UWS_PACKAGES[build.specifier]), join(target, name), build);
    imports[build.specifier] = `./uws/${name}/package.json`;
  }
  return imports;
}

function copyBuild(source, target, { folder, pins }) {
  for (const name of FILES.filter((each) => existsSync(join(source, each)))) copy(source, target, name);
  for (const [name, pin] of pins) {
    const hash = createHash('sha256')
      .update(copy(source, target, join(folder, name)))
      .digest('hex');
    if (hash !== pin) throw new Error(`${join(source, folder, name)} has the SHA-256 ${hash}; want ${pin}`);
  }
}

/** Gives the bytes of the file. */
function copy(source, target, name) {
  const bytes = readFileSync(join(source, name));
  mkdirSync(dirname(join(target, name)), { recursive: true });
  writeFileSync(join(target, name), bytes);
  return bytes;
}
