// The package.json of the package, which stands in place of ours while npm packs: the program carries the packages that it is
// built of, so an installation is to fetch none of them. `prepack` puts it there and `postpack` ours back; when packing was
// broken off, whatever installs or packs next does.

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const PATH = join(projectFolder, 'package.json');
const OURS = join(projectFolder, 'package.ours.json');
/** What concerns a clone only. */
const NOT_PACKED = [
  'dependencies',
  'optionalDependencies',
  'devDependencies',
  'overrides',
  'allowScripts',
  'imports',
  'scripts',
];

export function putPackedManifest() {
  restoreManifest();
  const text = readFileSync(PATH, 'utf8');
  writeFileSync(OURS, text);
  const packed = Object.entries(JSON.parse(text)).filter(([name]) => !NOT_PACKED.includes(name));
  writeFileSync(PATH, `${JSON.stringify(Object.fromEntries(packed), null, 2)}\n`);
}

/** Does nothing when ours is in its place. */
export function restoreManifest() {
  if (existsSync(OURS)) renameSync(OURS, PATH);
}
