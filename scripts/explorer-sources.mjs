// Whether the built Explorer page is that of the present sources. Plain JavaScript that loads no package.

import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectFolder } from './dependencies.mjs';
import { filesBelow, hashOfFiles } from './file-hash.mjs';

export const explorerFolder = join(projectFolder, 'server', 'explorer');
export const builtExplorerFolder = join(explorerFolder, 'dist');
/** That folder, and those that are being built or replaced. */
const BUILT = /^dist[-/\\]/;
/** In the built folder: the hash of what it was built from. */
export const STAMP_NAME = '.sources-hash';

export function explorerSourcesHash() {
  const sources = filesBelow(explorerFolder).filter((path) => !BUILT.test(relative(explorerFolder, path)));
  const builder = join(projectFolder, 'scripts', 'build-explorer.mjs');
  return hashOfFiles([...sources, join(projectFolder, 'package-lock.json'), builder]);
}

export function isExplorerBuilt() {
  const path = join(builtExplorerFolder, STAMP_NAME);
  return existsSync(path) && readFileSync(path, 'utf8') === explorerSourcesHash();
}
