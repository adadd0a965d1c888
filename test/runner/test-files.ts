// Which files are tests, which of them share a process, and in which order they run: those first that would keep the run
// waiting at its end.

import { readdirSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { type Tier, tierOf } from './tiers.ts';

/**
 * Beginnings of paths, the longest first. All others follow in the order of their names. Such a file has a process of its
 * own, unless its folder is also one of those below.
 */
const LONGEST_FIRST = [
  'test/server/fairness/',
  'test/replication/varve/faults',
  'test/server/attack/',
  'test/centre/equal-answers',
  // A browser takes more of the machine than its share: it begins behind those that look at how long others wait.
  'test/browser/',
  'test/deploy/',
  'test/replication/varve/copies',
  'test/conformance/',
  'test/collect/faults/',
  'test/crash/full-disk',
  'test/corruption/killed',
  'test/centre/digests',
  'test/package/',
  'test/replication/faults/',
  'test/bench/bench',
  'test/runner/run',
  'test/simulator/e2e/',
  'test/server/http/proxies',
  'test/server/http/smuggling',
  'test/server/doors/mqtt/delivery',
  'test/server/auth/serve-access',
  'test/crash/',
  // Alone: it looks at how long a choice takes, and what others load would hold it.
  'test/collect/choose-server',
  'test/server/http/',
  'test/engine/',
];

/**
 * The files below each of these folders share a process, as loading what they test takes longer than most of them, or
 * starting the browser does. Such files leave nothing behind in their process, and have their tests in themselves.
 */
const SHARED = [
  'test/browser',
  'test/bench',
  'test/collect',
  'test/docs',
  'test/engine/store',
  'test/engine',
  'test/golden',
  'test/replication/parquet',
  'test/replication',
  'test/scripts',
  'test/server/api',
  'test/server/auth',
  'test/server/codec',
  'test/server/commands',
  'test/server/doors',
  'test/server/explorer',
  'test/server/http',
  'test/server/live',
  'test/server/routes',
  'test/server',
  'test/simulator/config',
  'test/simulator/generate',
  'test/simulator',
  'test/support',
];

/** Test files that run in one process, one after the other. */
export interface TestBatch {
  /** The path of the file, or of the folder that holds them all, relative to the folder of the run. */
  readonly name: string;
  readonly paths: readonly string[];
}

/** Divides paths of test files, keeping their order. */
export function divideIntoBatches(paths: readonly string[]): TestBatch[] {
  const batches = new Map<string, string[]>();
  for (const path of paths) {
    const name = sharedFolderOf(path) ?? path;
    batches.set(name, [...(batches.get(name) ?? []), path]);
  }
  return [...batches].map(([name, of]) => ({ name: of.length === 1 ? (of[0] as string) : name, paths: of }));
}

export interface FileChoice {
  /** Parts of paths: only files with one of them in their path, unless there are none. */
  readonly parts: readonly string[];
  readonly tiers: readonly Tier[];
}

/**
 * Paths of the files below `test/` of the folder, relative to it with `/`, in the order to run them.
 * Throws when there is none.
 */
export function collectTestFiles(folder: string, { parts, tiers }: FileChoice): string[] {
  const files = readdirSync(join(folder, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name.split(sep).join('/')}`)
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => tiers.includes(tierOf(path)))
    .filter((path) => parts.length === 0 || parts.some((part) => path.includes(part)))
    .sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
  if (files.length === 0) throw new Error(`no test file found${parts.length > 0 ? ` for ${parts.join(', ')}` : ''}`);
  return files;
}

/** The longest beginning of the path decides whether it is one of a shared process. */
function sharedFolderOf(path: string): string | undefined {
  const folder = SHARED.find((shared) => path.startsWith(`${shared}/`));
  const long = LONGEST_FIRST.find((beginning) => path.startsWith(beginning));
  return folder !== undefined && (long?.length ?? 0) > folder.length + 1 ? undefined : folder;
}

function rankOf(path: string): number {
  const rank = LONGEST_FIRST.findIndex((beginning) => path.startsWith(beginning));
  return rank === -1 ? LONGEST_FIRST.length : rank;
}

/** The folder of a test file stands for its suite. */
export function suiteOf({ name, paths }: TestBatch): string {
  return paths.length === 1 ? dirname(name) : name;
}
