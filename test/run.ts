// Runs the tests: collects `test/**/*.test.ts` itself, because the runner's own search can find nothing and pass.
// Arguments are parts of paths; with any, only files with one of them in their path run.
// Fails when it finds no file, when a test fails, and when a file holds no test.

import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

// The larger suites start servers of their own: side by side on CI's two cores they would only wait for each other.
const FILES_AT_ONCE = process.env.CI ? 1 : 2;
const FILE_LIMIT_MS = 600_000;

const projectFolder = fileURLToPath(new URL('..', import.meta.url));

/** Test files, as paths relative to the project with `/`, sorted. */
function collectTestFiles(filters: readonly string[]): string[] {
  const files = readdirSync(join(projectFolder, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name.split(sep).join('/')}`)
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)))
    .sort();
  if (files.length === 0)
    throw new Error(`no test file found${filters.length > 0 ? ` for ${filters.join(', ')}` : ''}`);
  return files;
}

function runFiles(files: readonly string[]): void {
  const stream = run({
    files: files.map((path) => join(projectFolder, path)),
    concurrency: FILES_AT_ONCE,
    timeout: FILE_LIMIT_MS,
  });
  stream.on('test:fail', () => {
    process.exitCode = 1;
  });
  stream.on('test:pass', ({ name, file }) => {
    // A file that holds no test is reported as one test of its own name. (Not told by the places tests are defined
    // at: those may lie in a module that the file imports.)
    if (file === undefined || name !== file) return;
    process.exitCode = 1;
    console.error(`no test ran in: ${relative(projectFolder, file)}`);
  });
  stream.compose(new spec()).pipe(process.stdout);
}

runFiles(collectTestFiles(process.argv.slice(2)));
