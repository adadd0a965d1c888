// Finds the documentation that is installed with the server, and reads its files. Nothing else is given out.

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Levels from a module up to the folder of the package, at most. */
const MOST_LEVELS = 8;
/** Tells the folder from another one of that name. */
const KNOWN_PAGE = 'explorer.md';
const PAGE_NAME = /^[a-z0-9-]+$/;
const IMAGE_NAME = /^[a-z0-9-]+\.png$/;

/** `docs` beside the program, or in the clone; undefined where it is not installed. */
export function findDocsFolder(from = dirname(fileURLToPath(import.meta.url))): string | undefined {
  let folder = from;
  for (let level = 0; level < MOST_LEVELS; level++) {
    const docs = join(folder, 'docs');
    if (existsSync(join(docs, KNOWN_PAGE))) return docs;
    folder = dirname(folder);
  }
  return undefined;
}

/** Names of the pages, without `.md`, in the order of the alphabet. */
export async function listPages(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.flatMap((name) => (name.endsWith('.md') ? [name.slice(0, -3)] : [])).sort();
}

/** Undefined for a page that is not there. */
export function readPage(folder: string, name: string): Promise<string | undefined> {
  return PAGE_NAME.test(name) ? readOrNone(join(folder, `${name}.md`), 'utf8') : Promise.resolve(undefined);
}

export function readImage(folder: string, name: string): Promise<Buffer | undefined> {
  return IMAGE_NAME.test(name) ? readOrNone(join(folder, 'images', name)) : Promise.resolve(undefined);
}

async function readOrNone(path: string): Promise<Buffer | undefined>;
async function readOrNone(path: string, encoding: 'utf8'): Promise<string | undefined>;
async function readOrNone(path: string, encoding?: 'utf8'): Promise<Buffer | string | undefined> {
  try {
    return await readFile(path, encoding);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
