// Which files are tests, and in which order they run: those first that would keep the run waiting at its end.

import { readdirSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** Beginnings of paths, the longest first. All others follow in the order of their names. */
const LONGEST_FIRST = [
  'test/server/fairness/',
  'test/server/attack/',
  'test/conformance/',
  'test/simulator/e2e/',
  'test/server/http/proxies',
  'test/server/http/smuggling',
  'test/crash/',
  'test/browser/',
];

/**
 * Paths of the files below `test/` of the folder, relative to it with `/`, in the order to run them.
 * With filters only those with one of them in their path. Throws when there is none.
 */
export function collectTestFiles(folder: string, filters: readonly string[]): string[] {
  const files = readdirSync(join(folder, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name.split(sep).join('/')}`)
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)))
    .sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
  if (files.length === 0)
    throw new Error(`no test file found${filters.length > 0 ? ` for ${filters.join(', ')}` : ''}`);
  return files;
}

function rankOf(path: string): number {
  const rank = LONGEST_FIRST.findIndex((beginning) => path.startsWith(beginning));
  return rank === -1 ? LONGEST_FIRST.length : rank;
}

/** The folder of a test file stands for its suite. */
export function suiteOf(path: string): string {
  return dirname(path);
}
