// Place of npm's chdb: scripts/install-test-packages.sh puts it into a folder of its own, since it weighs more than all other
// packages together.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../.engines/chdb', import.meta.url));

/** What is used of it. */
interface Chdb {
  readonly Session: new (folder: string) => ChdbSession;
}

export interface ChdbSession {
  queryAsync(query: string, options?: { readonly format: string }): Promise<{ bytes(): Uint8Array }>;
}

/** Why chdb does not run here; false when it does. */
export function whyNoChdb(): string | false {
  // The script writes it last.
  if (!existsSync(`${FOLDER}/installed-lock.json`)) return 'chdb is not installed (scripts/install-test-packages.sh)';
  const hasLibrary = existsSync(`${FOLDER}/node_modules/@chdb`);
  return hasLibrary ? false : `chdb has no library for ${process.platform} ${process.arch}`;
}

export async function loadChdb(): Promise<Chdb> {
  const path = createRequire(`${FOLDER}/package.json`).resolve('chdb');
  return (await import(pathToFileURL(path).href)) as Chdb;
}
