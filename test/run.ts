// Runs the tests: collects `test/**/*.test.ts` itself, because the runner's own search can find nothing and pass.
// Arguments are parts of paths; with any, only files with one of them in their path run.
// Fails when it finds no file, when a test fails, and when a file holds no test.

import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const FILES_AT_ONCE = 2;
/** These start servers and browsers of their own: side by side on CI's two cores they would only wait for each other. */
const LARGE_SUITES = ['browser', 'conformance', 'crash', 'server/attack', 'server/fairness', 'simulator'].map(
  (name) => `test/${name}/`,
);
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

async function runFiles(files: readonly string[], concurrency: number): Promise<void> {
  if (files.length === 0) return;
  const stream = run({
    files: files.map((path) => join(projectFolder, path)),
    concurrency,
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
  for await (const report of stream.compose(new spec())) process.stdout.write(report);
}

const files = collectTestFiles(process.argv.slice(2));
const isLarge = (path: string): boolean => LARGE_SUITES.some((suite) => path.startsWith(suite));
if (process.env.CI) {
  await runFiles(
    files.filter((path) => !isLarge(path)),
    FILES_AT_ONCE,
  );
  await runFiles(files.filter(isLarge), 1);
} else await runFiles(files, FILES_AT_ONCE);
