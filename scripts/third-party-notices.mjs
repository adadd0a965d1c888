// The licences of the packages whose code the package carries, in one text.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const PACKAGES = `${sep}node_modules${sep}`;
const LICENCE_FILE = /^(licen[cs]e|notice|copying)\b/i;
const LINE = '='.repeat(100);

/** The folder of the package that a module belongs to; undefined for a module of this project. */
export function packageFolderOf(modulePath) {
  const at = modulePath.lastIndexOf(PACKAGES);
  if (at < 0) return undefined;
  const [first, second] = modulePath.slice(at + PACKAGES.length).split(sep);
  return join(modulePath.slice(0, at + PACKAGES.length), first.startsWith('@') ? join(first, second) : first);
}

/** Writes the notices of each folder once, in the order of the names. Throws for a package that names no licence. */
export function writeNotices(path, packageFolders) {
  const notices = [...new Set(packageFolders)].map(readNotice).sort((a, b) => (a.title < b.title ? -1 : 1));
  const list = notices.map(({ title }) => `  ${title}`).join('\n');
  const texts = notices.map(({ title, text }) => `${LINE}\n${title}\n${LINE}\n\n${text}\n`).join('\n');
  writeFileSync(path, `Varve carries code of these packages, under the licences that follow.\n\n${list}\n\n${texts}`);
}

function readNotice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${folder} names no licence`);
  const texts = readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return { title: `${name} ${version} (${license})`, text: texts.join('\n\n') || `Licence: ${license}` };
}
