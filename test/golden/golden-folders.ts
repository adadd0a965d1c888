// Places of golden folders: version-<n>/<name>/data is a data folder, holds.json beside it says what it holds.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Holds, parseHolds } from './holds.ts';

export const GOLDEN_ROOT = fileURLToPath(new URL('.', import.meta.url)).replace(/[\\/]$/, '');

export interface GoldenFolder {
  readonly version: number;
  readonly name: string;
  /** The data folder. */
  readonly data: string;
  /** The text beside it. */
  readonly holdsFile: string;
}

export function goldenFolder(version: number, name: string): GoldenFolder {
  const folder = `${GOLDEN_ROOT}/version-${version}/${name}`;
  return { version, name, data: `${folder}/data`, holdsFile: `${folder}/holds.json` };
}

/** All of them, of every version. */
export function listGoldenFolders(): GoldenFolder[] {
  const versions = readdirSync(GOLDEN_ROOT).filter((name) => /^version-\d+$/.test(name));
  return versions.flatMap((folder) =>
    readdirSync(`${GOLDEN_ROOT}/${folder}`).map((name) => goldenFolder(Number(folder.slice('version-'.length)), name)),
  );
}

export function readHolds({ holdsFile }: GoldenFolder): Holds {
  return parseHolds(readFileSync(holdsFile, 'utf8'));
}

/** The bytes of all files of a folder, by their paths in it. */
export function readFiles(folder: string): Map<string, Uint8Array> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => `${parentPath}/${name}`.replaceAll('\\', '/'));
  const prefix = `${folder.replaceAll('\\', '/')}/`;
  return new Map(paths.sort().map((path) => [path.slice(prefix.length), readFileSync(path)]));
}
